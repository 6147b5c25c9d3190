# make bench-mutants: whether the comparison of buggy.py and fixed.py refuses wrong fixes, made by machine from
# every fixed.py. IDS: only these cases. Rows of the cases that were run are replaced in bench/mutants/results.csv.
.PHONY: bench-mutants
bench-mutants:
	@$(DEPS) build test
	+@$(MAKE_AGAIN) build/ppmine
	@"$$(bench/full/environment)" bench/mutants/run.py --keep $(IDS)
