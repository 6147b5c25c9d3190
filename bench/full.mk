# make bench-full: all cases of the benchmark, for over an hour; RESULTS: the folder of raw results,
# RUNS: that count, REDO=1: also cases whose result there stands, IDS: only these, and nothing is kept.
# What came out goes to bench/results, with the assessments that `bench assess --run --results` left beside it.
# make bench-smoke: a few quick cases, for minutes. Both make the Python environment first, once.
RESULTS = build/bench-results
REDO =
IDS =

.PHONY: bench-full bench-smoke
bench-full:
	@$(DEPS) build test
	+@$(MAKE_AGAIN) build/ppmine
	@bench/full/run '$(RESULTS)' '$(RUNS)' '$(REDO)' $(IDS)

bench-smoke:
	@$(DEPS) build test
	+@$(MAKE_AGAIN) build/ppmine
	@bench/full/smoke

# make bench-rules: the pairs for rules of TensorFlow that no post shows (bench/cases/tensorflow), some ten minutes. Keeps the
# results in bench/results/tensorflow and writes what they gained into check/rules/gains.csv. Some of them read pictures, for
# which the environment has libraries.
.PHONY: bench-rules
bench-rules:
	@$(DEPS) build test
	+@$(MAKE_AGAIN) build/ppmine
	@bench/full/rules tensorflow "$$(bench/full/environment tf2.15-images)" '$(RESULTS)/tensorflow' '$(RUNS)' '$(REDO)' $(IDS)
