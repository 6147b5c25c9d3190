/* package: the parts of a replication package. For report only. */
#pragma once

#include "base/files.h"
#include "report/published.h"
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
/* For other facets than the built-in study's: columns and values follow from them; its statistics are not described. */
enum status MUST_USE dictionary_fit(struct dictionary *d, const struct facets *facets, struct err *e);
/* Where the study calls its problems otherwise than the built-in one: so does the dictionary. */
void dictionary_call(struct dictionary *d, struct span called);
/* Describes a table of statistics by its own titles, unless the dictionary has it. */
void dictionary_describe(struct dictionary *d, const struct table *t);
/* NULL when there is none. */
const struct dictionary_row *dictionary_find(const struct dictionary *d, struct span file, struct span column);

/* --- a folder that grows --- */

struct package_entry {
    char *name; /* relative to the folder */
    uint64_t size;
    char sha256[SHA256_TEXT_SIZE];
};

struct package {
    const struct report_package *wanted;
    struct buf folder; /* the name until it is complete */
    struct db *copy;   /* the database of the package */
    struct dictionary dictionary;
    char now[TIME_TEXT_SIZE];
    struct span name, title, authors; /* of the study; each may be empty */
    struct span called;               /* what it calls its problems; "": problems */
    int64_t codebook_version;
    int lock;    /* on the folder while it grows */
    mode_t mode; /* of the folder when it is complete */
    size_t n_problems, n_codes;
    struct table claims; /* see package_claim */
    bool plotted;        /* there are plots */
    struct db_settled settled[FACETS_MAX];
    struct span not_counted;   /* sentences of report_settled_add, a NUL after them; "": all is settled */
    int64_t n_open;            /* disagreements that nobody settled */
    bool has_table[DB_TABLES]; /* those that are in it */
    struct ARRAY_OF(struct package_entry) files; /* by name in the order of bytes; see package_list */
    struct arena arena;
};

enum { PACKAGE_SEED = 1 };
static const double PACKAGE_CONFIDENCE = 0.95;

/* "folder/name", in *path. */
void package_path(const struct package *p, const char *name, struct buf *path);
enum status MUST_USE package_folder(const struct package *p, const char *name, struct err *e);
/* A new file; ST_IO. Closed with package_close, which says what could not be written and hands on any other status. */
enum status MUST_USE package_open(const struct package *p, const char *name, FILE **file, struct err *e);
enum status MUST_USE package_close(FILE *file, const char *name, enum status status, struct err *e);
enum status MUST_USE package_write(const struct package *p, const char *name, struct span content, struct err *e);

/* Cuts the next author off *rest, at first p->authors, which are split at ';'; false: there is none. */
bool MUST_USE package_author(struct span *rest, struct span *name);

/* Brings p->files up to date with what is in the folder. What was listed before is not read again. */
enum status MUST_USE package_list(struct package *p, struct err *e);

/* Makes it survive a power cut. */
enum status MUST_USE tree_sync(const char *folder, struct err *e);
/* Removes what is there of it. */
void tree_remove(const char *folder);

/* --- what is written into it --- */

/* A table of results becomes a row of CLAIMS.md; one without rows does not. `command` prints it, "%s" is its id. */
void package_claims_begin(struct package *p);
void package_claim(struct package *p, const struct table *t, const char *command);

enum status MUST_USE package_dictionary(struct package *p, struct err *e);
enum status MUST_USE package_statistics(struct package *p, struct err *e);
enum status MUST_USE package_parameters(struct package *p, struct err *e);
enum status MUST_USE package_licence(struct package *p, struct err *e);
/* CLAIMS.md, DATASHEET.md, CITATION.cff; after package_statistics. */
enum status MUST_USE package_reviewers(struct package *p, struct err *e);
enum status MUST_USE package_models(struct package *p, struct err *e); /* nothing where no model coded */
enum status MUST_USE package_readme(struct package *p, struct err *e);
/* A paragraph on what is not settled; nothing where all is. */
void package_add_not_counted(const struct package *p, struct buf *out);
/* For archives and search engines, after all other files: datapackage.json, ro-crate-metadata.json, croissant.json. */
enum status MUST_USE package_metadata(struct package *p, struct err *e);
enum status MUST_USE package_sums(struct package *p, struct err *e);
