# make bench-serve: the pages of serve under the load of many coders at once, with wrk. CODERS, LOAD_SECONDS;
# POSTS, CANDIDATES, PROBLEMS: the database's size, as in bench-label; JSON: a file for everything measured.
CODERS = 20
LOAD_SECONDS = 20

.PHONY: bench-serve bench-clicks
bench-serve:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine
	@bench/serve/run.py --posts '$(POSTS)' --candidates '$(CANDIDATES)' --problems '$(PROBLEMS)' \
	    --coders '$(CODERS)' --seconds '$(LOAD_SECONDS)' $(if $(JSON),--json '$(JSON)')

# make bench-clicks: each click on the pages of 15,440 questions, 3,000 of them coded by two. JSON: a file for everything measured.
bench-clicks:
	@$(DEPS) build bench
	+@$(MAKE_AGAIN) build/ppmine
	@bench/serve/clicks.py $(if $(JSON),--json '$(JSON)')
