/* package: the parts of a replication package. Of report only. */
#ifndef REPORT_PACKAGE_H
#define REPORT_PACKAGE_H

#include "db/publish.h"
#include "report/report.h"

/* Files compiled in by scripts/embed-studies: those of report/package/, and LICENSE. */
struct package_file {
    struct span name, content;
};

extern const struct package_file package_embedded_files[];
extern const size_t package_embedded_count;

struct span package_embedded(const char *name); /* must be one of them */

/* --- the dictionary: a row of data_dictionary.csv --- */

struct dictionary_row {
    struct span file, column, type, format, empty, key, allowed, meaning; /* column "": the file */
};

struct dictionary {
    struct ARRAY_OF(struct dictionary_row) rows;
    struct arena arena;
};

enum status MUST_USE dictionary_load(struct dictionary *d, struct err *e);
void dictionary_clear(struct dictionary *d);
/* NULL when there is none. */
const struct dictionary_row *dictionary_find(const struct dictionary *d, struct span file,
                                             struct span column);

/* --- a folder that grows --- */

struct package {
    const struct report_package *wanted;
    struct buf folder;   /* the name until it is complete */
    struct db *copy;     /* the database of the package */
    struct dictionary dictionary;
    char now[TIME_TEXT_SIZE];
    struct span name, title;  /* of the study; may be empty */
    int64_t codebook_version;
    bool plotted, labelled; /* there are plots; there are problems */
    bool has_table[DB_TABLES]; /* those that are in it */
    struct arena arena;
};

enum { PACKAGE_SEED = 1, PACKAGE_RESAMPLES = 2000 };
static const double PACKAGE_CONFIDENCE = 0.95;

/* "folder/name", in *path. */
void package_path(const struct package *p, const char *name, struct buf *path);
enum status MUST_USE package_folder(const struct package *p, const char *name, struct err *e);
/* A new file; ST_IO. Closed with package_close, which says what could not be written and hands on
 * any other status. */
enum status MUST_USE package_open(const struct package *p, const char *name, FILE **file,
                                  struct err *e);
enum status MUST_USE package_close(FILE *file, const char *name, enum status status,
                                   struct err *e);
enum status MUST_USE package_write(const struct package *p, const char *name, struct span content,
                                   struct err *e);

/* Calls back for each file below `folder`, and for each folder after what it contains; `name` is
 * relative to `folder`. Ends with the first status that is not ST_OK. */
enum status MUST_USE tree_walk(const char *folder,
                               enum status (*visit)(void *ctx, const char *path, const char *name,
                                                    bool is_folder, struct err *e),
                               void *ctx, struct err *e);
/* Removes what is there of it. */
void tree_remove(const char *folder);

/* --- what is written into it --- */

enum status MUST_USE package_dictionary(struct package *p, struct err *e);
enum status MUST_USE package_statistics(struct package *p, struct err *e);
enum status MUST_USE package_parameters(struct package *p, struct err *e);
enum status MUST_USE package_licence(struct package *p, struct err *e);
enum status MUST_USE package_readme(struct package *p, struct err *e);
enum status MUST_USE package_sums(struct package *p, struct err *e);

#endif
