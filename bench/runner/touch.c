/* Replaces Python: touches as many megabytes as its script's first line says, prints a case's output, and ends. Its own
 * time and memory are next to nothing, which shows what a measurement adds. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    char line[32] = "";
    FILE *script = argc > 1 ? fopen(argv[1], "r") : NULL;

    if (script == NULL || fgets(line, sizeof line, script) == NULL)
        return 2;
    fclose(script);
    size_t size = (size_t)strtoul(line, NULL, 10) << 20;
    volatile char *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 3;
    for (size_t i = 0; i < size; i += 4096)
        memory[i] = 1;
    puts("ppcase version python 0");
    puts("ppcase digest sha256:0");
    return 0;
}
