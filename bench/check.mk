# make bench-check: check against tree-sitter alone and against pylint, on the same files. CODE: a
# folder of Python code; without it, source packages that use TensorFlow are fetched. Then files that say
# the same thing thousands of times, of every CHECK_EVERYth case of the tests. Reports; never fails for
# being slow.
CODE =
CHECK_PACKAGES = tf-models-official magenta OpenNMT-tf spektral deepchem
CHECK_PYLINT_FILES = 40
CHECK_EVERY = 10

build/release/bench/check/parse_only: build/release/bench/check/parse_only.o \
    build/release/ppmine.a
	$(call say,LD,$@)
	$(Q)$(compile_release) $(LDFLAGS) -o $@ $^ $(LIBS)

build/bench/code/.fetched:
	@mkdir -p $(@D)
	$(Q)cd $(@D) && python3 -m pip download -q --no-deps $(CHECK_PACKAGES) && \
	    for wheel in *.whl; do python3 -m zipfile -e "$$wheel" "$${wheel%%-*}"; done
	$(Q)touch $@

.PHONY: bench-check
bench-check:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine build/release/bench/check/parse_only \
	    $(if $(CODE),,build/bench/code/.fetched)
	@bench/check/run.py --pylint-files '$(CHECK_PYLINT_FILES)' --runs '$(RUNS)' \
	    '$(or $(CODE),build/bench/code)'
	@bench/check/repeat.py --every '$(CHECK_EVERY)'
