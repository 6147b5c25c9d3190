# make bench-spark: ppmine-spark against match --stdin alone. SIZE_MB: the dump's size; RUNS; JSON.
.PHONY: bench-spark
bench-spark:
	@$(DEPS) build bench spark
	+@$(MAKE_AGAIN) build/ppmine build/spark/venv/installed
	@$(SPARK_PYTHON) bench/spark/run.py --mb '$(SIZE_MB)' --runs '$(RUNS)' \
	    $(if $(JSON),--json '$(JSON)') build/ppmine

# LARGE_MB of $PPMINE_DUMPS, with a worker killed in the middle; 10 GB need 12 GB in $TMPDIR and about 10 minutes.
LARGE_MB = 10000
.PHONY: bench-spark-large
bench-spark-large:
	@$(DEPS) build bench spark
	+@$(MAKE_AGAIN) build/ppmine build/spark/venv/installed
	@$(SPARK_PYTHON) -B bench/spark/large.py --mb '$(LARGE_MB)' \
	    $(if $(JSON),--json '$(JSON)') build/ppmine
