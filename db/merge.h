/*
 * merge: what another coder did in a copy of the study.
 */
#ifndef DB_MERGE_H
#define DB_MERGE_H

#include "db/codebook.h"

struct db_merge_how {
    bool dry_run;  /* nothing is written; all else is the same */
    bool no_notes; /* notes are left where they are */
};

struct db_merged_coder {
    struct span coder;
    int64_t new_decisions, known_decisions, new_notes, new_messages;
};

/* A change of the codebook that one side made and the other did not, or made otherwise; version 0:
 * none. Texts are cut for messages; look_again is not set. */
struct db_conflict {
    struct db_code_change ours, theirs;
};

enum db_codebook {
    DB_CODEBOOK_SAME,
    DB_CODEBOOK_OLDER,  /* the other side has not seen all changes */
    DB_CODEBOOK_ADOPTED /* this side had not; now it has them */
};

struct db_merged {
    struct db_merged_coder *coders; /* of the other file, by name */
    size_t n_coders;
    enum db_codebook codebook;
    struct db_conflict *conflicts;
    size_t n_conflicts;
    int64_t posts_not_here; /* posts are not merged */
    struct arena arena;
};

/*
 * Takes coders, decisions, notes, messages, screenings, dates of problems and assessments of another file of the
 * same study, which is only read; then labels are made again, in one transaction. It is idempotent, and
 * the order of files does not matter: of two reasons, spellings, dates or assessments of the same thing
 * the larger text stays, of two versions the older, of two readings of a post by one coder the later, and
 * who is a merged coder in one file is one. ST_DATABASE when the file is not of ppmine, or of another schema version;
 * ST_INPUT for another study, for codebooks that were changed on both sides since the files parted
 * (*out says how), and for a row that cannot be right. *out needs db_merged_clear in any case.
 */
enum status MUST_USE db_merge(struct db *db, const char *path, const struct db_merge_how *how,
                              struct db_merged *out, struct err *e);
void db_merged_clear(struct db_merged *merged);

#endif
