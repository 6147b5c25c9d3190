# make bench-screen: screening against scikit-learn in the same run. SCREEN_DATA: a folder of labelled
# texts (*.csv: id, title, body, included); SCREEN_SEEDS: simulations of each for the stopping rule;
# JSON: a file for everything measured. Reports; never fails for a target that is missed.
SCREEN_DATA = shared/data/screening
SCREEN_SEEDS = 1000

build/bench/screen-venv/.made: bench/screen/requirements.txt
	@mkdir -p $(@D)
	$(Q)python3 -m venv --clear $(@D) && $(@D)/bin/pip install -q --no-deps -r $<
	$(Q)touch $@

.PHONY: bench-screen
bench-screen:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine build/bench/screen-venv/.made
	@build/bench/screen-venv/bin/python bench/screen/run.py --data '$(SCREEN_DATA)' \
	    --seeds '$(SCREEN_SEEDS)' $(if $(JSON),--json '$(JSON)')
