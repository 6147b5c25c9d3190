#!/bin/bash
# bench run --gpu looks at the GPUs through NVML where that is installed: here a library of its name with
# two devices that are made up. Without --gpu, without the library, or without devices there is no figure,
# and without --gpu the scripts see no device.
set -eu
. "$ROOT/tests/lib/bench.sh"
[ "${TEST_FLAVOUR-release}" = release ] && [ -z "${TEST_WRAPPER-}" ] || {
    echo "only for the program as it is, without wrapper and sanitizers"
    exit 77
}

mkdir nvml
cat >nvml.c <<'EOF'
#include <stdlib.h>
static unsigned long long looks;
int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = getenv("NO_DEVICE") != NULL ? 0 : 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **out) { *out = (void *)(size_t)(i + 1); return 0; }
int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *out)
{
    /* One has 100 MB in use before the run, and 350 MB while it lasts; the other always 50 MB. */
    out[0] = 8ULL << 30;
    out[2] = (size_t)device == 2 ? 50ULL << 20 : looks++ == 0 ? 100ULL << 20 : 350ULL << 20;
    out[1] = out[0] - out[2];
    return 0;
}
int nvmlDeviceGetUtilizationRates(void *device, unsigned *out)
{
    out[0] = (size_t)device == 1 ? 80 : 20;
    out[1] = 5;
    return 0;
}
EOF
"${CC:-cc}" -shared -fPIC -o nvml/libnvidia-ml.so.1 nvml.c
# A case of half a second, as GPUs are looked at five times a second.
mkdir -p bench/cases
cp -r "$CASES/../lib" bench/lib
cp -r "$CASES/same" bench/cases/busy
sed -i 's/^problem_id = .*/problem_id = busy/' bench/cases/busy/case.ini
for side in buggy fixed; do
    printf 'import os\nimport time\nimport fake\n\nwith fake.work():\n    time.sleep(0.6)\nfake.digest(len(os.environ["CUDA_VISIBLE_DEVICES"]))\n' \
        >bench/cases/busy/$side.py
done

python=$(python3 -c 'import sys; print(sys.executable)')

# figures OPTION…: peak, use, and the digest: how many devices the scripts see (0 or 1)
figures() {
    rm -rf results
    ppmine bench run --anyway --cases "$PWD/bench/cases" --python "$python" --results results --quiet --runs 1 "$@" \
        busy >out 2>err || :
    jq -r 'def n: if . == null then "none" else . + 0 end; # + 0: 50, where jq would say 50.0 as it was written
        .buggy.runs[0] | [(.gpu_peak_kb | n), (.gpu_busy_percent | n), .digest] | join(" ")' \
        results/busy.json
}

export LD_LIBRARY_PATH=$PWD/nvml
said=$(figures --gpu)
seen=${said##* }
[ "$said" = "256000 50 $seen" ] || complain "--gpu: peak and busy are $said, expected 256000 50: $(cat err)"
said=$(figures)
[ "${said% *}" = "none none" ] || complain "without --gpu: $said"
[ "${said##* }" != "$seen" ] || complain "the scripts see as many devices with --gpu as without"
said=$(NO_DEVICE=1 figures --gpu)
[ "${said% *}" = "none none" ] || complain "no device: $said"
unset LD_LIBRARY_PATH
said=$(figures --gpu)
[ "${said% *}" = "none none" ] || complain "no library: $said"
