/* What a machine's NVIDIA GPUs hold and do, by NVML. */
#include "bench/runs.h"

#include <dlfcn.h>

enum { NVML_SUCCESS = 0, DEVICES_MAX = 16 };

/* As nvml.h has them. */
struct nvml_memory {
    unsigned long long total, left, used;
};
struct nvml_utilization {
    unsigned gpu, memory;
};

struct gpu {
    void *library, *devices[DEVICES_MAX];
    unsigned n;
    int (*shutdown)(void);
    int (*memory)(void *device, struct nvml_memory *out);
    int (*utilization)(void *device, struct nvml_utilization *out);
};

/* POSIX has dlsym give functions as void *, which ISO C cannot convert. */
static bool load(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

struct gpu *gpu_open(void)
{
    int (*init)(void), (*count)(unsigned *out), (*device)(unsigned i, void **out);
    unsigned n = 0;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        return NULL;
    struct gpu *g = mem_zero(1, sizeof *g);
    g->library = library;
    bool is_begun = load(library, "nvmlInit_v2", &init) && load(library, "nvmlDeviceGetCount_v2", &count) &&
                    load(library, "nvmlDeviceGetHandleByIndex_v2", &device) &&
                    load(library, "nvmlDeviceGetMemoryInfo", &g->memory) &&
                    load(library, "nvmlDeviceGetUtilizationRates", &g->utilization) &&
                    load(library, "nvmlShutdown", &g->shutdown) && init() == NVML_SUCCESS;
    if (is_begun && count(&n) == NVML_SUCCESS)
        for (unsigned i = 0; i < n && g->n < DEVICES_MAX; i++)
            g->n += device(i, &g->devices[g->n]) == NVML_SUCCESS;
    if (g->n > 0)
        return g;
    if (is_begun)
        g->shutdown();
    dlclose(library);
    mem_free(g);
    return NULL;
}

void gpu_close(struct gpu *g)
{
    if (g == NULL)
        return;
    g->shutdown();
    dlclose(g->library);
    mem_free(g);
}

bool gpu_look(const struct gpu *g, struct gpu_state *out)
{
    *out = (struct gpu_state){0};
    for (unsigned i = 0; i < g->n; i++) {
        struct nvml_memory memory = {0};
        struct nvml_utilization utilization = {0};
        if (g->memory(g->devices[i], &memory) != NVML_SUCCESS ||
            g->utilization(g->devices[i], &utilization) != NVML_SUCCESS)
            return false;
        out->used_kb += memory.used / 1024;
        out->busy_percent += (double)utilization.gpu / g->n;
    }
    return true;
}
