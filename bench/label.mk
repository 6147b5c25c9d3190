# make bench-label: stats, agree and label next on a million posts, against pandas. RUNS: that count;
# POSTS, CANDIDATES, PROBLEMS: the database's size; JSON: a file for everything measured. Reports;
# never fails for being slow.
POSTS = 1000000
CANDIDATES = 100000
PROBLEMS = 60000

.PHONY: bench-label
bench-label:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine
	@bench/label/run.py --posts '$(POSTS)' --candidates '$(CANDIDATES)' --problems '$(PROBLEMS)' \
	    --runs '$(RUNS)' $(if $(JSON),--json '$(JSON)')
