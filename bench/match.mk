# make bench-match: match in a database, and another keyword set on it, as ratios against match --stdin over the
# same rows. SIZE_MB: the size of the dump; JSON: a file for everything measured. Reports; never fails for
# being slow, but does when answers differ.
.PHONY: bench-match
bench-match:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine
	@bench/match/run.py --size-mb '$(or $(SIZE_MB),1000)' --runs '$(RUNS)' $(if $(JSON),--json '$(JSON)')
