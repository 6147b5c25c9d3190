# make bench-intervals: how often intervals of agreement have the true value in them, as the table of docs/intervals.md.
# Also of so few items that the program prints none: the table is why.
SAMPLES = 2000

.PHONY: bench-intervals
bench-intervals: build/release/ppmine.a
	$(Q)sed 's/AGREEMENT_INTERVAL_MIN, out/2, out/' base/stat/agreement.c > build/bench-agreement.c
	$(Q)$(compile_release) $(LDFLAGS) -o build/bench-intervals bench/intervals/agreement.c build/bench-agreement.c $< $(LIBS)
	@build/bench-intervals $(SAMPLES)
