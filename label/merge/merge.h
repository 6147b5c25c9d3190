/* merge: what another coder did in a copy of the study. */
#pragma once

#include "label/code_table.h"

enum db_take { DB_TAKE_ASK, DB_TAKE_OURS, DB_TAKE_THEIRS, DB_TAKE_BOTH };

/* Both sides defined a code, differently: whose definition stays? Or both added it: is it two? Texts are cut for
 * messages. */
struct db_question {
    struct span list, code, definitions[2]; /* here and there */
    bool both_added;                        /* DB_TAKE_BOTH may be said: theirs gets its own name */
    enum db_take take;
};

struct db_merge_how {
    bool dry_run;                      /* nothing is written; all else is the same */
    bool no_notes;                     /* notes are left where they are */
    enum db_take take;                 /* the answer to all questions, or DB_TAKE_ASK */
    const struct db_question *answers; /* to questions of a merge before */
    size_t n_answers;
};

/* A code that got its own name, here or there; texts are cut for messages. */
struct db_renamed {
    struct span list, was, is;
    bool here; /* it had the old name here */
};

struct db_merged_coder {
    struct span coder; /* first, see text_order */
    int64_t new_decisions, known_decisions, new_notes, new_messages, new_memos;
};

/* A change of the codebook that only one side made, or each differently; version 0: none. Texts are cut for messages;
 * look_again is not set. */
struct db_conflict {
    struct db_code_change ours, theirs;
};

enum db_codebook {
    DB_CODEBOOK_SAME,
    DB_CODEBOOK_OLDER,   /* the other side has not seen all changes */
    DB_CODEBOOK_ADOPTED, /* this side had not; now it has them */
    DB_CODEBOOK_JOINED   /* neither had; this side has them all now */
};

struct db_merged {
    struct ARRAY_OF(struct db_merged_coder) coders; /* of the other file, by name */
    enum db_codebook codebook;
    struct db_conflict *conflicts;
    size_t n_conflicts;
    struct ARRAY_OF(struct db_question) questions; /* that nobody answered; nothing is merged then */
    struct db_renamed *renamed;
    size_t n_renamed;
    size_t n_same;          /* codes that both sides added, with the same definition: one now */
    int64_t posts_not_here; /* posts are not merged */
    struct arena arena;
};

/* Takes coders, decisions, notes, messages, memos, screenings, dates of problems, assessments and what models were
 * asked from another file of the same study, which is only read; then makes labels again, in one transaction. It is
 * idempotent, and the order of files does not matter: of two reasons, spellings, dates or assessments of the same thing
 * the larger text stays, of two versions the older, of two readings of a post by one coder the later, and who is a
 * merged coder in one file is one. ST_DATABASE when the file is not of ppmine, or of another schema version; ST_INPUT
 * for another study, for codebooks that cannot be joined (*out says what was changed on both sides), for questions
 * without an answer, and for a row that cannot be right. *out needs db_merged_clear in any case. */
enum status MUST_USE db_merge(struct db *db, const char *path, const struct db_merge_how *how, struct db_merged *out,
                              struct err *e);
void db_merged_clear(struct db_merged *merged);
