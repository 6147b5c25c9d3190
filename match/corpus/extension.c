/* The loadable SQLite extension ppmine.so: the full-text tokenizer `ppmine`, stem(text) and
 * keyword_hits(text), for sqlite3, Datasette, Python. */
#include "match/corpus/text_functions.h"

struct sqlite3;
struct sqlite3_api_routines;

/* The name is SQLite's rule for a file called ppmine.so. */
__attribute__((visibility("default"))) int sqlite3_ppmine_init(struct sqlite3 *handle, char **message,
                                                               const struct sqlite3_api_routines *api);

int sqlite3_ppmine_init(struct sqlite3 *handle, char **message, const struct sqlite3_api_routines *api)
{
    struct db_text text = text_functions();

    return text_extension_init(handle, message, api, &text);
}
