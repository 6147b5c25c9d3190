/* memo: what coders write down for the whole team about a code, or about the study as a whole. Memos are only ever
 * added; one that its coder took back stays readable. */
#pragma once

#include "db/db.h"

enum { MEMO_MAX = 1 << 20 }; /* bytes of one */

struct memo {
    struct span written_at; /* for writing: len 0 is now */
    struct span coder, text;
    struct span list, code; /* which code; len 0: the study */
    struct span named;      /* the code's name when it was written; not for writing */
    bool undone;            /* its coder took it back; not for writing */
};

/* ST_INPUT for a text that is empty, too long, not UTF-8, or has control characters other than tabs and line ends. */
enum status MUST_USE memo_check(struct span text, struct err *e);
/* Writes one in its own transaction, or (`takes_back`) takes the coder's newest one about the code back: ignores the
 * text, and is ST_NO when there is none. ST_INPUT as memo_check, and for a merged coder. */
enum status MUST_USE memo_write(struct db *db, const struct memo *memo, bool takes_back, struct err *e);
/* In the caller's transaction: writes a checked memo of a known coder, or (undoes.ptr not NULL) takes the one with this
 * id back. */
enum status MUST_USE memo_record(struct db *db, const struct memo *memo, struct span undoes, struct err *e);

/* A row as the table has it: undoes.ptr NULL but for one that takes another back. */
enum { MEMO_ID, MEMO_AT, MEMO_CODER, MEMO_LIST, MEMO_CODE, MEMO_TEXT, MEMO_UNDOES, MEMO_CELLS };
/* What the id of a row must be. */
void memo_id(const struct span row[MEMO_CELLS], char id[SHA256_TEXT_SIZE]);
/* *is_new: it was not there. */
enum status MUST_USE memo_put(struct db *db, const struct span row[MEMO_CELLS], bool *is_new, struct err *e);

/* By time, each with its current code: all, or (list.ptr not NULL) those about a code, or, with an empty list, about
 * the study. Each part of a split code has them. */
struct sql *memo_walk(struct db *db, struct span list, struct span code);
bool memo_next(struct db *db, struct sql *walk, struct memo *memo, enum status *status, struct err *e);

/* All of them, kept. */
struct memos {
    struct ARRAY_OF(struct memo) items;
    struct arena arena;
};

/* *out needs memos_clear in either case. */
enum status MUST_USE memos_read(struct memos *out, struct db *db, struct err *e);
void memos_clear(struct memos *m);
