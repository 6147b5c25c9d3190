/* refi: a study in REFI-QDA 1.5, the exchange format of qualitative analysis programs (https://www.qdasoftware.org): a
 * project (.qdpx) or a codebook alone (.qdc), and the way back into a new study. docs/exchange.md maps the parts. */
#pragma once

#include "label/exchange/foreign.h"
#include "db/db.h"
#include "label/label.h"

struct refi_written {
    size_t codes, sources, absent, codings, passages, notes; /* absent: posts whose text is not held */
    size_t lost_quotes;                                      /* of words that the text no longer has */
    size_t texts, private_notes, private_memos;              /* left out: values of facets of kind text; the others */
    size_t memos;
};

/* Appends the bytes of a project; with `notes` also what coders noted for themselves, with `memos` those of codes and of
 * the study. The same study gives the same bytes. ST_INPUT for one that is larger than a zip archive can be. */
enum status MUST_USE refi_write(struct db *db, bool notes, bool memos, struct buf *out, struct refi_written *n,
                                struct err *e);
/* The same of the codebook alone. */
enum status MUST_USE refi_write_codebook(struct db *db, struct buf *out, struct refi_written *n, struct err *e);

/* A project, or codebook, that was read. Texts live until refi_free. */
struct refi;

/* Is it one of the two? By its content. */
bool refi_is(struct span content);
/* ST_INPUT, with the line of the XML, for what is not valid or would lead out of the file. What REFI-QDA has and a
 * study does not is counted. *out needs refi_free in either case. */
enum status MUST_USE refi_read(struct refi **out, struct span content, const char *name, struct err *e);
void refi_free(struct refi *r);

/* What it says as files of a study: study.ini, keywords.txt, facets.csv, codebook.csv, categories.csv. */
void refi_study(struct refi *r, struct foreign_files *files);
/* Its definitions as a table that codebook_file reads: facet, category, code, definition. */
void refi_definitions(const struct refi *r, const struct facets *facets, struct buf *csv);
/* Puts posts, coders, decisions and notes into a database that has the study, within the caller's transaction. */
enum status MUST_USE refi_put(struct refi *r, struct db *db, const struct study *s, struct err *e);
/* Says what was read, and what was left out and why. */
void refi_tell(const struct refi *r);
