# make bench-spark: ppmine-spark against match --stdin alone. SIZE_MB: the dump's size; RUNS; JSON.
.PHONY: bench-spark
bench-spark:
	@$(DEPS) build bench spark
	+@$(MAKE_AGAIN) build/ppmine build/spark/venv/installed
	@$(SPARK_PYTHON) bench/spark/run.py --mb '$(SIZE_MB)' --runs '$(RUNS)' \
	    $(if $(JSON),--json '$(JSON)') build/ppmine
