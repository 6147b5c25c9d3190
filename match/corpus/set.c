/* set: the keyword set of a study, or of a file in its place. */
#include "base/files.h"
#include "match/corpus/mine.h"

enum status mine_set(struct match_set **out, const struct study *study, const char *keywords_path,
                     enum match_options options, struct buf *content, struct err *e)
{
    *out = NULL;
    if (keywords_path == NULL) {
        buf_add_span(content, study_file(study, "keywords.txt"));
    } else {
        enum status status = file_read(keywords_path, STUDY_FILE_MAX, content, e);
        if (status != ST_OK)
            return status;
    }
    return match_set_load(out, buf_span(content), keywords_path != NULL ? keywords_path : "keywords.txt",
                          study->stemmer, options, e);
}
