/* gpu: memory and load of a machine's NVIDIA GPUs, by NVML, the library of their driver, which is loaded
 * when the program runs. For bench only. Source: NVIDIA, NVML API Reference Guide. */
#pragma once

#include "base/base.h"

struct gpu;

struct gpu_state {
    uint64_t used_kb;    /* of all devices together, of all users */
    double busy_percent; /* of the last moments, the mean over the devices */
};

/* NULL where there is no such library, or no device. The caller closes it; NULL may be closed. */
struct gpu *gpu_open(void);
void gpu_close(struct gpu *g);
/* False when the driver does not answer. */
bool gpu_look(const struct gpu *g, struct gpu_state *out);
