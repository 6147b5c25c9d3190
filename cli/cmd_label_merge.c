/* label merge: takes in what another coder decided in a copy of the study. */
#include "cli/command.h"
#include "label/code_table.h"
#include "label/merge/merge.h"
#include "base/table/table.h"
#include "base/log.h"
#include "base/terminal.h"

#include <unistd.h>

static void say_side(const char *side, const struct db_code_change *c)
{
    if (c->version == 0)
        return;
    log_error("  %s: version %lld, %.*s by %.*s: %.*s %.*s '%.*s' to %.*s (%.*s)", side, (long long)c->version,
              SPAN_ARG(c->changed_at), SPAN_ARG(c->changed_by), SPAN_ARG(c->action), SPAN_ARG(c->facet),
              SPAN_ARG(c->code), SPAN_ARG(c->became), SPAN_ARG(c->reason));
}

static const char *s_of(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void say_summary(const char *path, const struct db_merged *merged, bool dry_run)
{
    int64_t new_decisions = 0, known = 0, notes = 0;
    AT_END(buf_clear) struct buf line = {0};

    for (size_t i = 0; i < merged->coders.n; i++) {
        new_decisions += merged->coders.at[i].new_decisions;
        known += merged->coders.at[i].known_decisions;
        notes += merged->coders.at[i].new_notes;
    }
    buf_addf(&line, "%s: %lld new decision%s", path, (long long)new_decisions, s_of(new_decisions));
    /* "of ann (3) and bob (12)": who brought something new. */
    const char *before = " of ";

    for (size_t i = 0; i < merged->coders.n; i++) {
        const struct db_merged_coder *c = &merged->coders.at[i];
        if (c->new_decisions == 0)
            continue;
        buf_addf(&line, "%s%.*s (%lld)", before, SPAN_ARG(c->coder), (long long)c->new_decisions);
        before = ", ";
    }
    buf_addf(&line, ", %lld here already, %lld new note%s%s", (long long)known, (long long)notes, s_of(notes),
             dry_run ? "; nothing was written" : "");
    log_info("%s", buf_cstr(&line));
    if (merged->codebook == DB_CODEBOOK_ADOPTED)
        log_info("the codebook there is newer, and %s taken over: `ppmine codebook history` says what changed",
                 dry_run ? "would be" : "was");
    if (merged->codebook == DB_CODEBOOK_JOINED)
        log_info("the codebook was changed here and there, and both %s joined: `ppmine"
                 " codebook history` says what changed",
                 dry_run ? "would be" : "were");
    for (size_t i = 0; i < merged->n_renamed; i++) {
        const struct db_renamed *r = &merged->renamed[i];
        log_info("the %.*s '%.*s' that was added %s %s '%.*s' here, in its labels too", SPAN_ARG(r->list),
                 SPAN_ARG(r->was), r->here ? "here" : "there", dry_run ? "would be" : "is now", SPAN_ARG(r->is));
    }
    if (merged->n_same > 0)
        log_info("%zu code%s added here and there with the same definition: each is one code", merged->n_same,
                 merged->n_same == 1 ? " was" : "s were");
    if (merged->codebook == DB_CODEBOOK_OLDER)
        log_info("the codebook there is older: `ppmine codebook review --coder NAME` lists the labels"
                 " that each coder must look at again");
    if (merged->posts_not_here > 0)
        log_info("%lld post%s there that this database lacks %s not merged: use `ppmine load`",
                 (long long)merged->posts_not_here, s_of(merged->posts_not_here),
                 merged->posts_not_here == 1 ? "was" : "were");
}

/* --- whose definition stays --- */

static const char *const sides[] = {"ours", "theirs", "both", NULL};
static const enum db_take takes[] = {DB_TAKE_OURS, DB_TAKE_THEIRS, DB_TAKE_BOTH, DB_TAKE_ASK};

static void say_question(const struct db_question *q)
{
    static const char *const where[] = {"ours", "theirs"};

    log_error("the %.*s '%.*s' was defined here and there:", SPAN_ARG(q->list), SPAN_ARG(q->code));
    for (size_t i = 0; i < ARRAY_LEN(where); i++)
        log_error("  %s: %.*s", where[i], q->definitions[i].len > 0 ? (int)q->definitions[i].len : 15,
                  q->definitions[i].len > 0 ? q->definitions[i].ptr : "(no definition)");
}

/* Reads answers until each question has one; false when the input ends before. */
static bool answer_questions(struct db_merged *merged)
{
    AT_END(buf_clear) struct buf line = {0};
    size_t i = 0;

    while (i < merged->questions.n) {
        struct db_question *q = &merged->questions.at[i];
        say_question(q);
        fputs(q->both_added ? "whose definition stays, ours or theirs? or keep both as two codes? "
                            : "whose definition stays, ours or theirs? ",
              stderr);
        if (!line_read(stdin, &line))
            break;
        struct span word = span_trim(buf_span(&line));
        if (span_eq(word, SPAN("ours")) || span_eq(word, SPAN("o")))
            q->take = DB_TAKE_OURS;
        else if (span_eq(word, SPAN("theirs")) || span_eq(word, SPAN("t")))
            q->take = DB_TAKE_THEIRS;
        else if (q->both_added && (span_eq(word, SPAN("both")) || span_eq(word, SPAN("b"))))
            q->take = DB_TAKE_BOTH;
        i += q->take != DB_TAKE_ASK;
    }
    return i == merged->questions.n;
}

/* Merges; on a terminal, questions are asked outside of the transaction, and it is tried again. */
static enum status MUST_USE merge_asking(struct invocation *in, struct db_merge_how *how, struct db_merged *merged,
                                         struct err *e)
{
    enum status status = db_merge(in->db, in->operands[0], how, merged, e);
    bool asks = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;

    if (status != ST_INPUT || merged->questions.n == 0)
        return status;
    if (!asks || !answer_questions(merged)) {
        for (size_t i = 0; i < merged->questions.n; i++)
            say_question(&merged->questions.at[i]);
        return status;
    }
    AT_END(db_merged_clear) struct db_merged before = *merged;
    how->answers = before.questions.at;
    how->n_answers = before.questions.n;
    status = db_merge(in->db, in->operands[0], how, merged, e);
    how->n_answers = 0;
    return status;
}

static enum status run_label_merge(struct invocation *in, struct err *e)
{
    struct db_merge_how how = {.dry_run = in->values.dry_run, .no_notes = in->values.no_notes};
    AT_END(db_merged_clear) struct db_merged merged = {0};
    const char *const files[] = {in->db_path, in->operands[0]};
    size_t take = ARRAY_LEN(takes) - 1;
    enum status status = option_choice(in, &in->values.take, sides, &take, e);

    how.take = takes[take];
    THEN(status, invocation_open_db(in, DB_WRITE, e));
    invocation_confine(files, ARRAY_LEN(files), false);
    THEN(status, merge_asking(in, &how, &merged, e));
    if (status == ST_OK) {
        AT_END(table_clear) struct table t;

        table_init(&t, "label-merge", "Decisions taken in",
                   "coder; new_decisions int; known_decisions int; new_notes int; new_messages int; "
                   "new_memos int");
        for (size_t i = 0; i < merged.coders.n; i++) {
            const struct db_merged_coder *c = &merged.coders.at[i];
            table_add_row(&t, table_text(c->coder), table_int(c->new_decisions), table_int(c->known_decisions),
                          table_int(c->new_notes), table_int(c->new_messages), table_int(c->new_memos));
        }
        table_print(&t, &in->out);
        say_summary(in->operands[0], &merged, how.dry_run);
    }
    if (status != ST_OK) {
        if (merged.n_conflicts > 0)
            log_error("changes in this database and in the other one:");
        for (size_t i = 0; i < merged.n_conflicts; i++) {
            say_side("here", &merged.conflicts[i].ours);
            say_side("there", &merged.conflicts[i].theirs);
        }
    }
    return status;
}

const struct command command_label_merge = {
    .name = "label merge",
    .summary = "Merge the decisions of another coder's copy of the study",
    .operands = "FILE",
    .options = OPTIONS(FLAG("dry-run", dry_run, "say what would be merged, and write nothing", 'n'),
                       FLAG("no-notes", no_notes, "leave out private notes"),
                       TEXT("take", take, "SIDE",
                            "where the copies define a code differently, keep the definition of: ours or "
                            "theirs; or keep both, as two codes (default: ask)"),
                       OUTPUT_OPTIONS),
    .description = "FILE is another database of the same study, and is only read. Decisions, notes, coders,\n"
                   "screenings, dates of problems and assessments are merged; posts are not. Merging is\n"
                   "idempotent; order does not matter.\n\n"
                   "If the codebook was changed in both copies, both histories become one, in the order of time. A\n"
                   "code that both added under one name is one code. Where its definitions differ, one stays: on a\n"
                   "terminal, the command asks which; elsewhere --take says it. `codebook review` then lists the\n"
                   "labels with that code. With --take both it is two codes: the one here keeps its name, the one\n"
                   "there gets the name of who added it in brackets, and so do its labels, here and in each copy\n"
                   "that is merged later. If both renamed, merged or split the same code, the changes are listed\n"
                   "and nothing is merged.",
    .examples = EXAMPLES(
        {"ppmine label merge bob.db --dry-run", "bob's decisions that are not here yet"},
        {"ppmine label merge bob.db", NULL},
        {"ppmine label merge bob.db --take ours", "where both defined a code, the definition here stays"},
        {"ppmine label merge bob.db --take both",
         "where both added a code of one name, bob's gets its own name, such as 'stalls (bob)'"}),
    .needs = NEEDS_DB_PATH,
    .run = run_label_merge,
};
