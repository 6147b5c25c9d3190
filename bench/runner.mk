# make bench-runner: what `bench run` adds to time and memory of what it runs, against hyperfine and
# /usr/bin/time. ROUNDS: of RUNS runs each. Reports; never fails for being slow.
ROUNDS = 9

build/release/bench/runner/touch: build/release/bench/runner/touch.o
	$(call say,LD,$@)
	$(Q)$(compile_release) $(LDFLAGS) -o $@ $^

.PHONY: bench-runner
bench-runner:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine build/release/bench/runner/touch
	@bench/runner/run.py --rounds '$(ROUNDS)' --runs '$(RUNS)' $(if $(JSON),--json '$(JSON)')
