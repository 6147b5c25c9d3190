# make bench-core: the core against other programs. SIZE_MB: the dump's size; RUNS: that count;
# JSON: a file for everything measured. Reports; never fails for being slow.
SIZE_MB = 1000
RUNS = 5
JSON =

.PHONY: bench-core
bench-core:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine
	@bench/core/run.py --size-mb '$(SIZE_MB)' --runs '$(RUNS)' $(if $(JSON),--json '$(JSON)')
