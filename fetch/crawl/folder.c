/* folder: the files of a folder that can be loaded, in the order in which they need each other. */
#define _DEFAULT_SOURCE /* DT_*, strcasecmp */
#include "base/log.h"
#include "fetch/crawl/loading.h"

#include <dirent.h>
#include <errno.h>
#include <strings.h>
#include <sys/stat.h>

static bool has_word(const char *name, const char *word)
{
    size_t len = strlen(word);

    for (; *name != '\0'; name++)
        if (strncasecmp(name, word, len) == 0)
            return true;
    return false;
}

/* Posts before their comments and links; LEFT: nothing that is loaded. */
enum place { POSTS, OTHERS, COMMENTS, LEFT };

static enum place place_of(const char *path, const char *name)
{
    static const char *const tables[] = {"Badges", "PostHistory", "Tags", "Users", "Votes"};
    static const char *const ends[] = {".xml", ".json", ".ndjson", ".jsonl", ".csv", ".tsv", ".gz",
                                       ".xz",  ".bz2",  ".zst",    ".7z",    ".zip", ".tar", ".tgz"};
    const char *end = strrchr(name, '.');
    bool is_dump = end != NULL && (strcasecmp(end, ".xml") == 0 || strcasecmp(end, ".7z") == 0);
    struct stat info;
    size_t i = 0;

    while (end != NULL && i < ARRAY_LEN(ends) && strcasecmp(end, ends[i]) != 0)
        i++;
    if (name[0] == '.' || end == NULL || i == ARRAY_LEN(ends) || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return LEFT;
    for (i = 0; is_dump && i < ARRAY_LEN(tables); i++)
        if (has_word(name, tables[i]))
            return LEFT;
    if (has_word(name, "Comments") || has_word(name, "PostLinks"))
        return COMMENTS;
    return has_word(name, "Posts") ? POSTS : OTHERS;
}

enum status folder_files(const char *folder, struct folder_list *out, struct err *e)
{
    struct dirent **entries;
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    AT_END(buf_clear) struct buf left = {0};
    size_t before = out->n, n_left = 0;
    int n = scandir(folder, &entries, NULL, alphasort);

    if (n < 0)
        return err_set(e, ST_IO, "%s: %s", folder, strerror(errno));
    for (enum place place = POSTS; place <= LEFT; place++)
        for (int i = 0; i < n; i++) {
            const char *name = entries[i]->d_name;
            AT_END(mem_end) char *path = mem_addf("%s%s%s", folder, slash, name);
            bool is_here = strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && place_of(path, name) == place;
            if (is_here && place != LEFT)
                array_add(out, mem_text(span_of(path)));
            else if (is_here)
                buf_addf(&left, "%s%s", n_left++ > 0 ? ", " : "", name);
        }
    for (int i = 0; i < n; i++)
        mem_free(entries[i]);
    mem_free(entries);
    if (n_left > 0)
        log_info("%s: %zu files left out that are not posts, comments or links: %s", folder, n_left, buf_cstr(&left));
    if (out->n == before)
        return err_set(e, ST_INPUT, "%s: a folder without a file that can be loaded, such as Posts.xml", folder);
    return ST_OK;
}

void folder_clear(struct folder_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        mem_free(list->at[i]);
    array_clear(list);
}
