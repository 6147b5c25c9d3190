# ppmine. The usual: make run, make test, make lint. All targets: make help.
#
# One rule template builds every flavour of object from the same sources:
#   release     the program and its tests           build/release/
#   pic         the loadable SQLite extension       build/pic/
#   san         AddressSanitizer + UBSan            build/san/
#   tsan        ThreadSanitizer                     build/tsan/
#   fuzz        libFuzzer, clang                    build/fuzz/
#   cov         counts what the tests reach, clang  build/cov/
#   lint-clang  objects nobody links: warnings are errors; one file at a time, by hand

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
MANDIR = $(PREFIX)/share/man
DATADIR = $(PREFIX)/share

CC = gcc
CLANG = clang
CFLAGS = -O2 -g
CPPFLAGS = -D_FORTIFY_SOURCE=3
LDFLAGS =
PKG_CONFIG = pkg-config
# Says which Debian packages are missing; DEPS=: trusts that all is there.
DEPS = scripts/deps
# Make variables for the user: T selects tests, SECONDS is the time for each fuzz target, SEEDS the
# number of random crawls in test-fetch-long.
T =
SECONDS := 60
SEEDS = 50
V = 0

Q = $(if $(filter-out 0,$(V)),,@)
say = $(if $(filter-out 0,$(V)),,@printf '  %-5s %s\n' '$(1)' '$(2)')

# --- what there is ---

# The rooms, and the sub-rooms of some; tests are one as well.
ROOMS := $(filter-out tests,$(shell scripts/check-layers --rooms))
SOURCES = $(sort $(wildcard $(ROOMS:%=%/*.c)))
# match/corpus/extension.c is the extension's main.c.
PROGRAM_SOURCES = $(filter-out match/corpus/extension.c cli/ppcheck.c,$(SOURCES))
# ppcheck: the checker alone, without nettle. What it has of cli/ does not know of a database.
PPCHECK_SOURCES = cli/main.c cli/ppcheck.c cli/checking.c cli/command.c cli/help.c \
    $(filter-out base/sha256.c,$(wildcard check/*.c \
    $(addsuffix /*.c,check/python check/facts check/rules check/session) base/*.c base/table/*.c))
EXTENSION_SOURCES = $(wildcard match/corpus/extension.c match/corpus/text_functions.c db/text.c) \
    $(filter-out match/corpus/% base/table/% base/stat/% base/sha256.c,$(filter base/% stem/% match/%,$(SOURCES)))
# The Python grammar of check, C source that npm fetches by the lock file beside it.
# The tarball of make dist has it in it.
GRAMMAR_HERE = $(wildcard check/python/grammar/source)
GRAMMAR = $(or $(GRAMMAR_HERE),build/grammar/node_modules/tree-sitter-python/src)
GRAMMAR_OBJECTS = parser scanner
# Not our code: no warnings. Its scanner takes memory where the parser library does
# (check/python/pool.h).
GRAMMAR_FLAGS = -w -I$(GRAMMAR) -DTREE_SITTER_REUSE_ALLOCATOR -Dcalloc=pool_calloc -Dfree=pool_release
# And what fixes gained in the benchmark.
RULE_PAGES = $(sort $(wildcard check/rules/PP*.md)) check/rules/gains.csv
# What the pages of serve need in a browser.
# Those that draw charts come by npm as the grammar does, and the tarball has them, too.
CHARTS_HERE = $(wildcard web/charts/source)
CHARTS = $(if $(CHARTS_HERE),$(addprefix $(CHARTS_HERE)/,d3.min.js plot.umd.min.js),$(addprefix \
    build/charts/node_modules/,d3/dist/d3.min.js @observablehq/plot/dist/plot.umd.min.js))
WEB_FILES = web/page.js web/pick.js web/charts.js web/style.css web/icon.svg web/parts.html $(CHARTS)
UNIT_SOURCES = $(sort $(wildcard tests/unit/test_*.c))
FUZZ_SOURCES = $(sort $(wildcard tests/fuzz/fuzz_*.c))
# Custom mutators: each is linked with the targets that are named below.
MUTATOR_SOURCES = $(sort $(wildcard tests/fuzz/mutate_*.c))
UNIT_TESTS = $(UNIT_SOURCES:tests/unit/%.c=%)
FUZZ_TARGETS = $(FUZZ_SOURCES:tests/fuzz/%.c=%)
STUDY_FILES = $(sort $(wildcard studies/dlperf/*.ini studies/dlperf/*.txt studies/dlperf/*.csv))
# What init --skeleton writes.
SKELETON_FILES = $(sort $(wildcard studies/skeleton/*))
# What init --library reads.
LIBRARY_FILES = $(sort $(filter-out $(STUDY_FILES) $(SKELETON_FILES),$(wildcard studies/*/*.ini studies/*/*.txt studies/*/*.csv)))
# What goes into every replication package.
PACKAGE_FILES = LICENSE $(sort $(wildcard report/package/*))
SCHEMA = $(wildcard schema.sql)
# What ppmine bench needs besides the program.
BENCH_FILES = $(sort $(wildcard bench/environments/*.txt bench/lib/*.py bench/cases/*/case.ini \
    bench/cases/*/*.py bench/cases/*/*/case.ini bench/cases/*/*/*.py))
MAN_PAGES = $(sort $(wildcard docs/man/*.1))

# --- libraries ---

PACKAGES = libxml-2.0 libarchive zlib liblzma sqlite3 nettle jansson libcurl libzstd libpcre2-8 \
    tree-sitter md4c-html libmicrohttpd
# Looked up once, and only when something is compiled. -isystem: no warnings about their headers.
once = $(eval $(1) := $(2))$(value $(1))
LIB_CFLAGS = $(call once,LIB_CFLAGS,$(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(PACKAGES))))
LIB_LIBS = $(call once,LIB_LIBS,$(shell $(PKG_CONFIG) --libs $(PACKAGES)))
# Neither libstemmer nor libunistring, liblinear or bzip2 has a .pc file; that of xlsxwriter asks for a package
# which Debian 13 does not install with it.
LIBS = $(LIB_LIBS) -lxlsxwriter -lunistring -lstemmer -llinear -lbz2 -lm
# In ppcheck itself, so that it is one file that runs anywhere, and starts at once.
PPCHECK_LIBS = -Wl,-Bstatic -ltree-sitter -ljansson -lunistring -Wl,-Bdynamic -lm
EXTENSION_PACKAGES = libxml-2.0
EXTENSION_LIBS = $(call once,EXTENSION_LIBS,$(shell $(PKG_CONFIG) --libs $(EXTENSION_PACKAGES))) \
    -lunistring -lstemmer -lm

# --- flavours ---

WARNINGS = -Wall -Wextra -Wshadow -Wpedantic
COMMON_FLAGS = -std=c17 -D_GNU_SOURCE -I. -pthread $(WARNINGS)
SAN_FLAGS = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all

# Against errors in memory that the tests did not find: what a stranger's data can make of them. The
# shadow stack and marked jump targets are a matter of the processor.
CF_PROTECTION = $(call once,CF_PROTECTION,$(if \
    $(filter x86_64-% i%86-%,$(shell $(CC) -dumpmachine)),-fcf-protection))
HARDENING = -fstack-protector-strong -fstack-clash-protection $(CF_PROTECTION)
# Names are bound at the start, so that the table of them is read-only (full RELRO); and what is forked
# would otherwise touch the pages of all libraries to find the few functions that it calls before exec,
# and seem a megabyte larger.
HARDENED_LINK = -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack

# The folder of the build is not in what is built: two builds in two folders are the same bytes.
REPRODUCIBLE = -ffile-prefix-map=$(CURDIR)=.

compile_release = $(CC) $(COMMON_FLAGS) $(HARDENING) $(REPRODUCIBLE) $(CPPFLAGS) $(CFLAGS)
compile_pic = $(compile_release) -fPIC -fvisibility=hidden -DPPMINE_LOADABLE
# Clang's sanitizer sees more: gcc's lets offsets of null pointers and below an array pass.
compile_san = $(CLANG) $(COMMON_FLAGS) $(SAN_FLAGS) -fsanitize=address,undefined
compile_tsan = $(CC) $(COMMON_FLAGS) $(SAN_FLAGS) -fsanitize=thread
# Variables, as OSS-Fuzz brings a compiler, flags and an engine: tests/fuzz/oss-fuzz/build.sh.
FUZZ_FLAGS = -fsanitize=fuzzer-no-link,address,undefined
compile_fuzz = $(CLANG) $(COMMON_FLAGS) $(SAN_FLAGS) $(FUZZ_FLAGS)
# Counters are in a file that the program maps when it starts: what is killed, or has given up writing files,
# is counted too.
compile_cov = $(CLANG) $(COMMON_FLAGS) -O1 -g -fprofile-instr-generate -fcoverage-mapping \
    -mllvm -runtime-counter-relocation -Wno-unused-command-line-argument
# The warnings of clang do not depend on -O.
compile_lint-clang = $(CLANG) $(COMMON_FLAGS) -O0 -Werror

objects = $(patsubst %.c,build/$(1)/%.o,$(2))

# A file that changes when the words after it change: what depends on it is made again when flags
# are other ones, or when a source file came or went.
# "+": make -n runs this too, and so says what would really be made. ANY_FLAGS=yes: what was made with
# other flags is as good; tests/run asks so.
define stamp
build/stamp/$(1): $(if $(3),,FORCE) | build/.gitignore
	+@mkdir -p $$(@D); printf '%s\n' '$(2)' | cmp -s - $$@ || printf '%s\n' '$(2)' > $$@
endef

# What the compiler said of a file is kept beside its object, for make lint; mostly it says nothing.
define flavour
# The folder is not in what is compiled, so a copy of all is not made again.
$(eval $(call stamp,flags-$(1),$(subst $(CURDIR),.,$(compile_$(1))) $(LDFLAGS) $(GRAMMAR_FLAGS),$(ANY_FLAGS)))
build/$(1)/%.o: %.c build/stamp/flags-$(1) | check-deps
	@mkdir -p $$(@D)
	$$(call say,CC,$$<)
	$$(Q)$$(compile_$(1)) $$(LIB_CFLAGS) -MMD -MP -c -o $$@ $$< 2>$$@.said; \
	    rc=$$$$?; cat $$@.said >&2; [ -s $$@.said ] || rm -f $$@.said; exit $$$$rc

build/$(1)/studies.o: build/studies.S $$(STUDY_FILES) $$(PACKAGE_FILES) $$(SKELETON_FILES) $$(LIBRARY_FILES) $$(SCHEMA) \
    build/stamp/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,AS,$$<)
	$$(Q)$$(compile_$(1)) -c -o $$@ $$<

build/$(1)/rules.o: build/rules.S $$(RULE_PAGES) build/stamp/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,AS,$$<)
	$$(Q)$$(compile_$(1)) -c -o $$@ $$<

build/$(1)/web.o: build/web.S $$(filter web/%,$$(WEB_FILES)) build/charts/.fetched build/stamp/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,AS,$$<)
	$$(Q)$$(compile_$(1)) -c -o $$@ $$<

build/$(1)/check/facts/vocabulary.o: build/vocabulary.inc
build/$(1)/check/rules/rules.o: build/rules.inc

build/$(1)/grammar/%.o: build/grammar/.fetched build/stamp/flags-$(1)
	@mkdir -p $$(@D)
	$$(call say,CC,$$(GRAMMAR)/$$*.c)
	$$(Q)$$(filter-out $$(WARNINGS),$$(compile_$(1))) $$(GRAMMAR_FLAGS) -c -o $$@ $$(GRAMMAR)/$$*.c
endef

# The rooms as a library, a program and unit tests on top of it; flavours that run.
define runnable
$(eval $(call stamp,sources-$(1),$(PROGRAM_SOURCES)))
build/$(1)/ppmine.a: $$(call objects,$(1),$$(filter-out cli/main.c,$$(PROGRAM_SOURCES))) \
    build/$(1)/studies.o build/$(1)/rules.o build/$(1)/web.o $(GRAMMAR_OBJECTS:%=build/$(1)/grammar/%.o) \
    build/stamp/sources-$(1)
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && ar rcs $$@ $$(filter %.o,$$^)

build/$(1)/tests/unit/%: build/$(1)/tests/unit/%.o build/$(1)/ppmine.a
	$$(call say,LD,$$@)
	$$(Q)$$(compile_$(1)) $$(LDFLAGS) -o $$@ $$(WHOLE) $$^ -lcmocka $$(LIBS)

# Its statements are those of all files, also of those that it calls nothing of.
build/$(1)/tests/unit/test_statements: \
    WHOLE = -Wl,--whole-archive build/$(1)/ppmine.a -Wl,--no-whole-archive

# A fuzz target that runs what is kept of its inputs.
build/$(1)/tests/fuzz/replay_%: build/$(1)/tests/fuzz/fuzz_%.o build/$(1)/tests/fuzz/replay.o \
    build/$(1)/ppmine.a
	$$(call say,LD,$$@)
	$$(Q)$$(compile_$(1)) $$(LDFLAGS) -o $$@ $$^ $$(LIBS)

build/$(1)/ppmine: build/$(1)/cli/main.o build/$(1)/ppmine.a
	$$(call say,LD,$$@)
	$$(Q)$$(compile_$(1)) $$(LDFLAGS) $(HARDENED_LINK) -o $$@ $$^ $$(LIBS)

build/$(1)/ppcheck: $$(call objects,$(1),$$(PPCHECK_SOURCES)) build/$(1)/rules.o \
    $(GRAMMAR_OBJECTS:%=build/$(1)/grammar/%.o) build/stamp/sources-$(1)
	$$(call say,LD,$$@)
	$$(Q)$$(compile_$(1)) $$(LDFLAGS) $(HARDENED_LINK) -o $$@ $$(filter %.o,$$^) $$(PPCHECK_LIBS)
endef

RUNNABLE = release san tsan fuzz cov
FLAVOURS = $(RUNNABLE) pic lint-clang
$(foreach f,$(FLAVOURS),$(eval $(call flavour,$(f))))
$(foreach f,$(RUNNABLE),$(eval $(call runnable,$(f))))

# Programs of the tests: unit tests, and fuzz targets for the inputs that are kept.
unit_tests = $(UNIT_TESTS:%=build/$(1)/tests/unit/%) $(FUZZ_TARGETS:fuzz_%=build/$(1)/tests/fuzz/replay_%)

# --- the program and the extension ---

build/ppmine build/ppcheck: build/%: build/release/%
	$(Q)ln -f $< $@ 2>/dev/null || cp $< $@

$(eval $(call stamp,sources-pic,$(EXTENSION_SOURCES)))
build/ppmine.so: $(call objects,pic,$(EXTENSION_SOURCES)) build/pic/studies.o \
    scripts/extension.map build/stamp/sources-pic
	$(call say,LD,$@)
	$(Q)$(compile_pic) $(LDFLAGS) $(HARDENED_LINK) -shared -Wl,--no-undefined \
	    -Wl,--version-script=scripts/extension.map -o $@ $(filter %.o,$^) $(EXTENSION_LIBS)

$(eval $(call stamp,study-files,$(STUDY_FILES) $(PACKAGE_FILES) $(SKELETON_FILES) $(LIBRARY_FILES)))
build/studies.S: scripts/embed-studies build/stamp/study-files
	$(call say,GEN,$@)
	$(Q)scripts/embed-studies $(STUDY_FILES) -- $(PACKAGE_FILES) -- $(SKELETON_FILES) -- $(LIBRARY_FILES) > $@

$(eval $(call stamp,rule-pages,$(RULE_PAGES)))
build/rules.S: scripts/embed-rules build/stamp/rule-pages
	$(call say,GEN,$@)
	$(Q)scripts/embed-rules $(RULE_PAGES) > $@

$(eval $(call stamp,web-files,$(WEB_FILES)))
build/web.S: scripts/embed-web scripts/embed-rules build/stamp/web-files
	$(call say,GEN,$@)
	$(Q)scripts/embed-web $(WEB_FILES) > $@

# The tables of check's vocabulary, for check/facts/vocabulary.c.
VOCABULARY = check/facts/vocabulary.csv check/facts/aliases.csv
build/vocabulary.inc: scripts/embed-vocabulary $(VOCABULARY) | build/.gitignore
	$(call say,GEN,$@)
	$(Q)scripts/embed-vocabulary $(VOCABULARY) > $@

build/rules.inc: scripts/embed-rule-table check/rules/rules.tsv | build/.gitignore
	$(call say,GEN,$@)
	$(Q)scripts/embed-rule-table check/rules/rules.tsv > $@

# Fetched once; what was fetched is kept by its content, so that building needs no network.
build/grammar/.fetched: check/python/grammar/package.json check/python/grammar/package-lock.json scripts/fetch-npm
	$(if $(GRAMMAR_HERE),,$(call say,NPM,$(GRAMMAR)))
	$(Q)mkdir -p $(@D)$(if $(GRAMMAR_HERE),, && scripts/fetch-npm check/python/grammar build/grammar tree-sitter-python/src/parser.c) && touch $@
build/charts/.fetched: web/charts/package.json web/charts/package-lock.json scripts/fetch-npm
	$(if $(CHARTS_HERE),,$(call say,NPM,$(CHARTS)))
	$(Q)mkdir -p $(@D)$(if $(CHARTS_HERE),, && scripts/fetch-npm web/charts build/charts @observablehq/plot/dist/plot.umd.min.js) && touch $@

build/.gitignore:
	@mkdir -p build; echo '*' > $@

# Who may include whom; looked at again when a source file changed.
LAYERED = $(wildcard $(ROOMS:%=%/*.[ch]) bench/*/*.[ch] tests/*/*.[ch])
build/stamp/layers: scripts/check-layers $(LAYERED) | build/.gitignore
	@mkdir -p $(@D)
	$(Q)scripts/check-layers && touch $@

PRODUCTS = build/ppmine build/ppcheck $(if $(wildcard match/corpus/extension.c),build/ppmine.so)

# Pages that are not what --help says; only where the program runs and there is a Python.
build/stamp/man: build/ppmine build/ppcheck scripts/man-pages $(MAN_PAGES) | build/.gitignore
	@mkdir -p $(@D)
	$(Q)! build/ppmine --version >/dev/null 2>&1 || ! command -v python3 >/dev/null || \
	    scripts/man-pages --check build/ppmine
	@touch $@

.PHONY: all man
all: build/stamp/layers $(PRODUCTS) build/stamp/man

# Writes into the pages what --help says; a new command gets a page. They are committed, so that
# installing needs no program that runs.
man: build/ppmine build/ppcheck
	$(Q)scripts/man-pages build/ppmine

# --- packages ---

# MAKE_AGAIN runs after packages came, and on all processors unless the user chose a number.
JOBS = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))
MAKE_AGAIN = $(MAKE) --no-print-directory $(JOBS)

.PHONY: check-deps deps
check-deps:
	$(if $(filter :,$(DEPS)),,@$(DEPS) --check build)

deps:
	@$(DEPS) build test lint fuzz

# --- run and test ---

.PHONY: run test test-long test-attack test-mutants test-power-cut test-torture test-fetch-long test-programs test-san test-san-programs test-tsan \
    test-tsan-programs test-valgrind coverage coverage-programs regen fuzz
run:
	@$(DEPS) build run
	+@$(MAKE_AGAIN) all
	@scripts/run-sample

TESTS_RUN = tests/run $(if $(T),-T '$(T)')
# $(call needed,FLAVOUR,PATTERN): builds what the tests of this name need.
needed = +@targets=$$(TEST_FLAVOUR=$(1) tests/run --needs -T '$(2)') && $(MAKE_AGAIN) needed NEEDED="$$(echo $$targets)"
.PHONY: needed
needed: $(NEEDED)
	@:

test-programs: all $(call unit_tests,release)
test-san-programs: all build/san/ppmine build/san/ppcheck $(call unit_tests,san)
test-tsan-programs: all build/tsan/ppmine build/tsan/ppcheck $(call unit_tests,tsan)
coverage-programs: all build/cov/ppmine build/cov/ppcheck $(call unit_tests,cov)

test:
	@$(DEPS) build test
	$(if $(T),$(call needed,release,$(T)),+@$(MAKE_AGAIN) test-programs)
	@$(TESTS_RUN)

# What is slow by nature; tests/slow.txt names it.
test-long:
	@$(DEPS) build test
	+@$(MAKE_AGAIN) test-programs
	@tests/run --long

# What somebody hostile or a power cut would do; a part of test.
test-attack:
	@$(DEPS) build test
	$(call needed,release,attack)
	@tests/run -T attack

# Whether the fast tests notice that a guard is gone, one of tests/mutants/guards.tsv after the other, in a copy.
# BASE=main: only what changed since; MOST=20: so many, drawn by the day; ONLY=web: what has the text.
test-mutants:
	@$(DEPS) build test
	+@$(MAKE_AGAIN) test-programs
	@scripts/test-mutants $(if $(BASE),--changed '$(BASE)') $(if $(MOST),--most '$(MOST)') $(if $(ONLY),--only '$(ONLY)')

# Power cuts at random moments of every command that writes; SEED=2 chooses others.
CUTS = 200
SEED = 1
test-power-cut:
	@$(DEPS) build test
	$(call needed,release,attack/power-cut)
	@CUTS='$(CUTS)' SEED='$(SEED)' tests/run -T attack/power-cut

# Allocations, system calls and statements of SQLite that fail, one in each run of every command that writes; CALLS of each kind.
CALLS = 6
test-torture:
	@$(DEPS) build test
	$(call needed,release,attack/torture)
	@TEST_TIMEOUT=7200 CALLS='$(CALLS)' SEED='$(SEED)' tests/run -T attack/torture
	@TEST_TIMEOUT=7200 EACH=400 SEED='$(SEED)' tests/run -T attack/statements

test-san:
	@$(DEPS) build test
	$(if $(T),$(call needed,san,$(T)),+@$(MAKE_AGAIN) test-san-programs)
	@TEST_FLAVOUR=san $(TESTS_RUN)

# What runs in several threads: check, match, screen, serve, dumps. Its shadow memory does not go with
# addresses as random as those of newer kernels, which setarch -R keeps in place.
test-tsan:
	@$(DEPS) build test
	$(call needed,tsan,$(or $(T),scripts/threads))
	@TEST_FLAVOUR=tsan TEST_WRAPPER='setarch -R' tests/run -T '$(or $(T),scripts/threads)'

# The crawler's tests at full length: 50 seeds of faults on 20,000 questions, a kill at each of 200
# requests, a year of daily runs. Hours; SEEDS=5 and the like make it shorter.
test-fetch-long:
	@$(DEPS) build test
	$(call needed,release,scripts/fetch-faults)
	@TEST_TIMEOUT=86400 SEEDS='$(SEEDS)' FAULTS=500 QUESTIONS=20000 tests/run -T scripts/fetch-faults
	@TEST_TIMEOUT=86400 KILL_REQUESTS=20 KILL_CHAIN=200 tests/run -T scripts/fetch-killed
	@TEST_TIMEOUT=86400 DAYS=365 QUESTIONS=3000 QUOTA=12 tests/run -T scripts/fetch-year
	@TEST_TIMEOUT=86400 QUESTIONS=20000 tests/run -T scripts/fetch-requests

# ppmine-spark against one machine, with what requirements.txt pins, from PyPI.
SPARK_PYTHON = build/spark/venv/bin/python
build/spark/venv/installed: scripts/spark/requirements.txt
	@mkdir -p build/spark
	/usr/bin/python3 -m venv build/spark/venv
	$(SPARK_PYTHON) -m pip install -q --require-hashes -r $<
	@touch $@

.PHONY: test-spark deps-spark
deps-spark:
	@$(DEPS) build test spark

# Recomputes the library from files of its studies: DIR has a folder for each, with the files that its README names.
test-library: build/ppmine
	$(Q)scripts/library --check "$(DIR)"

test-spark:
	@$(DEPS) build test
	+@if command -v java >/dev/null; then \
	    $(MAKE_AGAIN) build/ppmine build/spark/venv/installed && \
	    $(SPARK_PYTHON) -B tests/spark/test_duckdb.py build/ppmine && \
	    $(SPARK_PYTHON) -B tests/spark/test_spark.py build/ppmine $(T); \
	else \
	    echo 'test-spark: skipped: there is no Java; make deps-spark installs it'; \
	    echo '0 passed, 0 failed'; \
	fi

# What the tests reach, of lines and branches: the figures, and the files of which they reach least.
FILES = 20
coverage:
	@$(DEPS) build test coverage
	+@$(MAKE_AGAIN) coverage-programs
	@rm -rf build/cov/profiles && mkdir -p build/cov/profiles
	-@LLVM_PROFILE_FILE='$(CURDIR)/build/cov/profiles/%m%c.profraw' EACH=10 TEST_FLAVOUR=cov tests/run -T '$(or $(T),*)'
	@scripts/coverage build/cov/ppmine build/cov/profiles '$(FILES)'

VALGRIND = valgrind -q --error-exitcode=99 --leak-check=full \
    --suppressions=$(CURDIR)/tests/valgrind.supp

# Machine code that PCRE2 makes reads whole words at the ends of a text, which valgrind dislikes.
test-valgrind:
	@$(DEPS) build test
	$(if $(T),$(call needed,release,$(T)),+@$(MAKE_AGAIN) test-programs)
	@PPMINE_NO_JIT=1 TEST_WRAPPER='$(VALGRIND)' $(TESTS_RUN)

regen:
	@$(DEPS) build test
	$(if $(T),$(call needed,release,$(T)),+@$(MAKE_AGAIN) all)
	@$(TESTS_RUN) --regen

# What calls the targets, and what links it to them.
FUZZ_ENGINE = -fsanitize=fuzzer
FUZZ_LINK = $(compile_fuzz)

build/fuzz/fuzz_check: build/fuzz/tests/fuzz/mutate_python.o

build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o build/fuzz/ppmine.a
	$(call say,LD,$@)
	$(Q)$(FUZZ_LINK) $(FUZZ_ENGINE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
	    $(LIBS)

.PHONY: fuzz-programs test-oss-fuzz
fuzz-programs: $(FUZZ_TARGETS:%=build/fuzz/%)

fuzz:
	@$(DEPS) build fuzz
	+@$(MAKE_AGAIN) fuzz-programs
	@scripts/fuzz '$(SECONDS)' $(FUZZ_TARGETS:%=build/fuzz/%)

# Builds the targets as OSS-Fuzz does, takes them to another place and runs each for two seconds.
test-oss-fuzz:
	@$(DEPS) build test fuzz
	$(call needed,release,scripts/oss-fuzz)
	@OSS_FUZZ_BUILD=yes TEST_TIMEOUT=3600 tests/run -T scripts/oss-fuzz

# --- measure ---

include bench/core.mk
include bench/check.mk
include bench/fetch.mk
include bench/full.mk
include bench/intervals.mk
include bench/mutants.mk
include bench/label.mk
include bench/match.mk
include bench/runner.mk
include bench/spark.mk
include bench/torch.mk
include bench/screen.mk
include bench/serve.mk

# --- lint ---

LINTED = $(SOURCES) $(UNIT_SOURCES) $(FUZZ_SOURCES) $(MUTATOR_SOURCES) tests/fuzz/replay.c
LINT_TARGETS = $(LINTED:%.c=build/lint-gcc/%) $(LINTED:%.c=build/lint-tidy/%)

# What it calls exists for the extension only.
build/lint-clang/match/corpus/extension.o build/lint-tidy/match/corpus/extension: COMMON_FLAGS += -DPPMINE_LOADABLE

# The build has the same warnings: a warning about a file is a finding here.
no_warnings = @mkdir -p $(@D) && ! cat $<.said 2>/dev/null && touch $@
build/lint-gcc/match/corpus/extension: build/pic/match/corpus/extension.o
	$(no_warnings)
build/lint-gcc/%: build/release/%.o
	$(no_warnings)

# Warnings of clang are among the checks. The .d file beside it says what it depends on.
build/lint-tidy/check/facts/vocabulary: build/vocabulary.inc
build/lint-tidy/check/rules/rules: build/rules.inc
build/lint-tidy/%: %.c .clang-tidy scripts/tidy
	@mkdir -p $(@D)
	$(call say,TIDY,$<)
	$(Q)CLANG='$(CLANG)' scripts/tidy $< $@ $(COMMON_FLAGS) $(LIB_CFLAGS)

.PHONY: lint lint-programs format
format:
	@$(DEPS) lint
	@scripts/check-format --write
lint-programs: $(LINT_TARGETS)
lint:
	@$(DEPS) build test lint
	+@MAKE='$(MAKE)' scripts/lint $(words $(LINT_TARGETS)) $(JOBS)

# --- release ---

.PHONY: pictures
pictures: build/ppmine
	@scripts/pictures

.PHONY: dist sbom wheel deb test-container
dist: build/grammar/.fetched build/charts/.fetched
	@scripts/dist build/dist $(GRAMMAR) $(CHARTS)

# The Debian package, from the tarball; needs debhelper.
deb: build/grammar/.fetched build/charts/.fetched
	@scripts/deb build/dist $(GRAMMAR) $(CHARTS)

sbom: build/ppmine
	$(Q)scripts/sbom build/ppmine > build/ppmine.cdx.json.new
	@mv build/ppmine.cdx.json.new build/ppmine.cdx.json && echo build/ppmine.cdx.json

# The program with its libraries (needs patchelf), and the checker alone, for pip.
wheel: build/ppmine build/ppcheck
	@scripts/wheel build/ppmine build/dist
	@scripts/wheel build/ppcheck build/dist

# The image of Containerfile; needs podman or docker.
test-container:
	@$(DEPS) build test
	$(call needed,release,scripts/container)
	@CONTAINER_BUILD=yes TEST_TIMEOUT=3600 tests/run -T scripts/container

# --- install ---

.PHONY: install uninstall clean help
install: all
	install -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(LIBDIR)/ppmine' '$(DESTDIR)$(MANDIR)/man1' \
	    '$(DESTDIR)$(DATADIR)/bash-completion/completions' \
	    '$(DESTDIR)$(DATADIR)/zsh/site-functions'
	install build/ppmine build/ppcheck '$(DESTDIR)$(BINDIR)'
	$(if $(wildcard match/corpus/extension.c),install -m 644 build/ppmine.so '$(DESTDIR)$(LIBDIR)/ppmine/ppmine.so')
	install -m 644 $(MAN_PAGES) '$(DESTDIR)$(MANDIR)/man1'
	install -m 644 scripts/completion/ppmine.bash \
	    '$(DESTDIR)$(DATADIR)/bash-completion/completions/ppmine'
	install -m 644 scripts/completion/_ppmine '$(DESTDIR)$(DATADIR)/zsh/site-functions/_ppmine'
	for file in $(BENCH_FILES:bench/%=%); do \
	    install -D -m 644 "bench/$$file" '$(DESTDIR)$(DATADIR)/ppmine/bench/'"$$file" || exit 1; \
	done
	for file in $(STUDY_FILES) $(SKELETON_FILES) $(LIBRARY_FILES); do \
	    install -D -m 644 "$$file" '$(DESTDIR)$(DATADIR)/ppmine/'"$$file" || exit 1; \
	done

uninstall:
	rm -f '$(DESTDIR)$(BINDIR)/ppmine' '$(DESTDIR)$(BINDIR)/ppcheck' '$(DESTDIR)$(LIBDIR)/ppmine/ppmine.so' \
	    $(MAN_PAGES:docs/man/%='$(DESTDIR)$(MANDIR)/man1/%') \
	    '$(DESTDIR)$(DATADIR)/bash-completion/completions/ppmine' \
	    '$(DESTDIR)$(DATADIR)/zsh/site-functions/_ppmine'
	rm -rf '$(DESTDIR)$(DATADIR)/ppmine/bench' '$(DESTDIR)$(DATADIR)/ppmine/studies'
	[ ! -d '$(DESTDIR)$(DATADIR)/ppmine' ] || rmdir '$(DESTDIR)$(DATADIR)/ppmine'
	[ ! -d '$(DESTDIR)$(LIBDIR)/ppmine' ] || rmdir '$(DESTDIR)$(LIBDIR)/ppmine'

clean:
	rm -rf build

help:
	@echo 'make                builds build/ppmine, build/ppcheck and build/ppmine.so (the SQLite extension)'
	@echo 'make run            installs what is missing, builds, mines a small sample dump'
	@echo 'make test           installs what is missing, builds, runs the tests; T=match builds and runs some'
	@echo 'make test-long      the tests that are slow by nature'
	@echo 'make test-san       the same with AddressSanitizer and UBSan'
	@echo 'make test-tsan      what has threads, with ThreadSanitizer; T= runs other tests'
	@echo 'make test-mutants   whether tests notice that a guard is gone; BASE=main MOST=20 ONLY=web select'
	@echo 'make test-power-cut CUTS=200 power cuts, over all commands that write; SEED=1'
	@echo 'make test-torture   allocations, system calls and statements that fail, one in each run; CALLS=6 of each kind'
	@echo 'make test-valgrind  the same under valgrind'
	@echo 'make coverage       lines and branches that the tests reach; FILES=20 that they reach least'
	@echo 'make lint           warnings, clang-tidy, layers, banned functions, the layout of C'
	@echo 'make format         lays out all C as .clang-format says'
	@echo 'make test-spark     ppmine-spark against one machine; needs Java; T=Equality runs some'
	@echo 'make fuzz           every fuzz target for SECONDS=60'
	@echo 'make test-oss-fuzz  builds the targets as OSS-Fuzz does, and runs each from its package'
	@echo 'make bench-core     speed and memory, as ratios against other programs'
	@echo 'make test-fetch-long  the crawler for hours: SEEDS=50 with faults, killed, over a year'
	@echo 'make bench-fetch    the time of a crawl, as a ratio against curl'
	@echo 'make bench-check    the static checker, against tree-sitter alone and pylint'
	@echo 'make bench-match    match in a database, against match --stdin over the same rows'
	@echo 'make bench-label    stats, agree and label next on a million posts, against pandas'
	@echo 'make bench-spark    ppmine-spark, against match --stdin alone; bench-spark-large: 10 GB, a cluster'
	@echo 'make bench-runner   what the runner of the benchmark costs, against hyperfine and time'
	@echo 'make bench-screen   screening against scikit-learn'
	@echo 'make bench-screen-scale  the time it takes for a million posts, against scikit-learn'
	@echo 'make bench-full     all cases of the benchmark, over an hour; keeps the results in bench/results'
	@echo 'make bench-smoke    six of them, for minutes'
	@echo 'make bench-rules    the pairs for rules of TensorFlow that no post shows; keeps results and gains'
	@echo 'make bench-torch    the pairs for rules of PyTorch, which it installs; keeps results and gains'
	@echo 'make bench-try      check --try on PyTorch programs, against hyperfine; PROJECTS= programs of others'
	@echo 'make bench-mutants  whether wrong fixes of the cases are refused; IDS= selects'
	@echo 'make pictures       makes the pictures of README and docs from the sample study, with Chromium'
	@echo 'make man            writes into docs/man what --help says of options, examples, exit codes'
	@echo 'make regen          rewrites what golden tests expect, showing each change; T= selects'
	@echo 'make install        to PREFIX=/usr/local, below DESTDIR; make uninstall takes it away'
	@echo 'make dist           the source as a tarball that builds without network: build/dist'
	@echo 'make deb            the Debian package, built from that tarball: build/dist'
	@echo 'make wheel          the program with its libraries, and ppcheck, for pip install: build/dist'
	@echo 'make test-container builds the image of Containerfile and runs it; needs podman or docker'
	@echo 'make sbom           the bill of materials, CycloneDX: build/ppmine.cdx.json'
	@echo 'make deps           Debian packages for all of these'
	@echo 'V=1 shows the commands that are run.'

.PHONY: FORCE
FORCE:

# Kept, although make sees them as means to an end.
.SECONDARY:

ifneq ($(MAKECMDGOALS),clean)
-include $(shell find build -name '*.d' 2>/dev/null)
endif
