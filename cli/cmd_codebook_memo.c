/* codebook memo: what coders write down about a code, or about the study. */
#include "cli/options.h"
#include "label/coding/memo.h"
#include "label/coding/stored_codebook.h"
#include "base/files.h"
#include "base/log.h"
#include "base/table/table.h"

static enum status MUST_USE write_memo(struct invocation *in, struct memo *memo, const char *given, struct err *e)
{
    AT_END(buf_clear) struct buf by = {0}, text = {0};
    enum status status = by_option(in, &by, e);

    if (status == ST_OK && given != NULL && strcmp(given, "-") == 0)
        status = file_read_named(given, MEMO_MAX, &text, e);
    else if (status == ST_OK && given != NULL)
        buf_add_text(&text, given);
    memo->coder = buf_span(&by);
    memo->text = buf_span(&text);
    THEN(status, memo_write(in->db, memo, in->values.undo, e));
    if (status == ST_OK || status == ST_NO)
        log_info("%s%.*s%s: %s", memo->code.len > 0 ? "'" : "", SPAN_ARG(memo->code),
                 memo->code.len > 0 ? "'" : "the study",
                 status == ST_NO   ? "you have no memo to take back"
                 : in->values.undo ? "your last memo is taken back"
                                   : "memo kept");
    return status;
}

enum status memo_table(struct table *t, struct db *db, struct span list, struct span code, bool undone, struct err *e)
{
    struct sql *walk = memo_walk(db, list, code);
    const struct span absent = {0};
    struct memo memo;
    enum status status = ST_OK;

    table_columns(t, "written_at; coder; facet; code; named; undone; memo <80");
    while (memo_next(db, walk, &memo, &status, e)) {
        bool renamed = !span_eq(memo.named, memo.code);
        if (memo.undone && !undone)
            continue;
        table_add_row(t, table_text(memo.written_at), table_text(memo.coder), table_text(memo.list),
                      table_text(memo.code), table_text(renamed ? memo.named : absent),
                      table_text(memo.undone ? SPAN("yes") : absent), table_text(memo.text));
    }
    return status;
}

static enum status run_codebook_memo(struct invocation *in, struct err *e)
{
    bool of_study = in->values.of_study;
    size_t before = of_study ? 0 : 1; /* operands before the text */
    const char *text = in->n_operands > before ? in->operands[before] : NULL;
    struct memo memo = {.list = of_study ? SPAN("") : (struct span){0}};
    AT_END(arena_clear) struct arena arena = {0};
    bool writes = text != NULL || in->values.undo;

    if (in->n_operands > before + 1)
        return usage_error(in, e, "with --study there is no code: give only the text");
    if (in->values.undo && (text != NULL || (!of_study && in->n_operands == 0)))
        return usage_error(in, e, "--undo takes a code or --study, and no text");
    enum status status = invocation_open_db(in, writes ? DB_WRITE : DB_READ, e);
    if (status == ST_OK && !of_study && in->n_operands > 0) {
        /* The code of the first operand as it is called by now; with --study, none. */
        AT_END(stored_codebook_clear) struct stored_codebook book = {0};
        size_t list = SIZE_MAX, place = SIZE_MAX;
        status = stored_codebook_load_any(&book, in->db, e);
        THEN(status, list_option(in, NULL, &list, e));
        THEN(status,
             code_option(in, &book.codebook, list < book.codebook.n_lists ? book.codebook.lists[list] : memo.list,
                         "the code", in->operands[0], &place, e));
        if (status == ST_OK) {
            memo.list = arena_copy(&arena, book.codebook.codes[place].facet);
            memo.code = arena_copy(&arena, book.codebook.codes[place].name);
        }
    }
    if (status != ST_OK || writes)
        return status == ST_OK ? write_memo(in, &memo, text, e) : status;
    struct table t;

    table_init(&t, "codebook-memos", "Memos", "");
    return table_end(&t, memo_table(&t, in->db, memo.list, memo.code, true, e), &in->out);
}

const struct command command_codebook_memo = {
    .name = "codebook memo",
    .summary = "Write and read memos about a code, or about the study",
    .operands = "[CODE] [TEXT]",
    .options = OPTIONS(FLAG("study", of_study, "about the study as a whole; takes no CODE"), BY_OPTION,
                       FLAG("undo", undo, "take your last memo about it back"),
                       TEXT("facet", facet, "FACET", "facet of the code, when several facets have it"), OUTPUT_OPTIONS),
    .description =
        "With TEXT, keeps it as a memo of --by; `-` reads it from standard input. Without, prints the memos,\n"
        "the oldest first: of CODE, of the study, or all. Nothing is overwritten: a later memo comes after\n"
        "the others, and one that was taken back with --undo stays in the list. A code that is renamed or\n"
        "merged takes its memos along; the parts of a code that was split have its memos too.\n\n"
        "Everybody on the team reads all memos, also while posts are coded blind. Write about the code,\n"
        "and do not name posts and how you coded them. Projects of REFI-QDA, packages and the codebook\n"
        "report have memos only with --with-memos.",
    .examples = EXAMPLES(
        {"ppmine codebook memo 'program hang' 'Is a deadlock one? See the guide.' --by ann", "keep a memo"},
        {"ppmine codebook memo 'program hang'", "read what the team wrote about the code"},
        {"ppmine codebook memo --study --by ann - < thoughts.txt", "about the study, from a file"}),
    .nothing = "there is no memo, or none to take back",
    .needs = NEEDS_DB_PATH,
    .run = run_codebook_memo,
};
