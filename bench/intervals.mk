# make bench-intervals: how often intervals of agreement have the true value in them, as the table of docs/intervals.md.
SAMPLES = 2000

.PHONY: bench-intervals
bench-intervals: build/release/ppmine.a
	$(Q)$(compile_release) $(LDFLAGS) -o build/bench-intervals bench/intervals/agreement.c $< $(LIBS)
	@build/bench-intervals $(SAMPLES)
