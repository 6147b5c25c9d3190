# make bench-screen: screening against scikit-learn in the same run. SCREEN_DATA: a folder of labelled
# texts (*.csv: id, title, body, included); SCREEN_SEEDS: simulations of each for the stopping rule;
# JSON: a file for the figures. Reports; never fails for a target that is missed.
# make bench-screen-scale: the time that SCREEN_POSTS made-up posts take, scikit-learn with SCREEN_PEER_POSTS of
# them (default: a tenth). For a machine that has nothing else to do.
SCREEN_DATA = shared/data/screening
SCREEN_SEEDS = 1000
SCREEN_POSTS = 1000000
SCREEN_PEER_POSTS =

build/bench/screen-venv/.made: bench/screen/requirements.txt
	@mkdir -p $(@D)
	$(Q)python3 -m venv --clear $(@D) && $(@D)/bin/pip install -q --no-deps -r $<
	$(Q)touch $@

.PHONY: bench-screen bench-screen-scale
bench-screen:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine build/bench/screen-venv/.made
	@build/bench/screen-venv/bin/python bench/screen/run.py --data '$(SCREEN_DATA)' \
	    --seeds '$(SCREEN_SEEDS)' $(if $(JSON),--json '$(JSON)')

bench-screen-scale:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine build/bench/screen-venv/.made
	@build/bench/screen-venv/bin/python bench/screen/speed.py --posts '$(SCREEN_POSTS)' \
	    $(if $(SCREEN_PEER_POSTS),--peer-posts '$(SCREEN_PEER_POSTS)') $(if $(JSON),--json '$(JSON)')
