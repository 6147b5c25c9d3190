# make bench-fetch: the crawler against curl. QUESTIONS: on the test server; RUNS: of each.
QUESTIONS = 30000

.PHONY: bench-fetch
bench-fetch:
	@$(DEPS) build test bench
	+@$(MAKE_AGAIN) build/ppmine
	@bench/fetch/run.py --questions '$(QUESTIONS)' --runs '$(RUNS)' $(if $(JSON),--json '$(JSON)')
