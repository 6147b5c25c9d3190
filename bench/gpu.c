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

static void find_devices(struct gpu *g)
{
    int (*init)(void), (*count)(unsigned *out), (*device)(unsigned i, void **out);
    unsigned n = 0;

    if (!load(g->library, "nvmlInit_v2", &init) || !load(g->library, "nvmlDeviceGetCount_v2", &count) ||
        !load(g->library, "nvmlDeviceGetHandleByIndex_v2", &device) ||
        !load(g->library, "nvmlDeviceGetMemoryInfo", &g->memory) ||
        !load(g->library, "nvmlDeviceGetUtilizationRates", &g->utilization) ||
        !load(g->library, "nvmlShutdown", &g->shutdown) || init() != NVML_SUCCESS)
        return;
    if (count(&n) == NVML_SUCCESS)
        for (unsigned i = 0; i < n && g->n < DEVICES_MAX; i++)
            g->n += device(i, &g->devices[g->n]) == NVML_SUCCESS;
    if (g->n == 0)
        g->shutdown();
}

struct gpu *gpu_open(void)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        return NULL;
    struct gpu *g = mem_zero(1, sizeof *g);
    g->library = library;
    find_devices(g);
    if (g->n > 0)
        return g;
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
