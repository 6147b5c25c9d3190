/* label merge: takes in what another coder decided in a copy of the study. */
#include "cli/command.h"
#include "db/codebook.h"
#include "db/merge.h"
#include "table/table.h"

static const struct table_column columns[] = {
    {.name = "coder"}, {.name = "new_decisions", .kind = TABLE_INT},
    {.name = "known_decisions", .kind = TABLE_INT}, {.name = "new_notes", .kind = TABLE_INT},
    {.name = "new_messages", .kind = TABLE_INT},
};

static void print_coders(const struct db_merged *merged, const struct table_output *out)
{
    struct table t;

    table_init(&t, "label-merge", "Decisions taken in", columns, ARRAY_LEN(columns));
    for (size_t i = 0; i < merged->n_coders; i++) {
        const struct db_merged_coder *c = &merged->coders[i];
        table_add_text(&t, c->coder);
        table_add_int(&t, c->new_decisions);
        table_add_int(&t, c->known_decisions);
        table_add_int(&t, c->new_notes);
        table_add_int(&t, c->new_messages);
    }
    table_print(&t, out);
    table_clear(&t);
}

static void say_side(const char *side, const struct db_code_change *c)
{
    if (c->version == 0)
        return;
    log_error("  %s: version %lld, %.*s by %.*s: %.*s %.*s '%.*s' to %.*s (%.*s)", side,
              (long long)c->version, (int)c->changed_at.len, c->changed_at.ptr,
              (int)c->changed_by.len, c->changed_by.ptr, (int)c->action.len, c->action.ptr,
              (int)c->facet.len, c->facet.ptr, (int)c->code.len, c->code.ptr, (int)c->became.len,
              c->became.ptr, (int)c->reason.len, c->reason.ptr);
}

static void say_conflicts(const struct db_merged *merged)
{
    if (merged->n_conflicts > 0)
        log_error("the codebooks changed apart:");
    for (size_t i = 0; i < merged->n_conflicts; i++) {
        say_side("here", &merged->conflicts[i].ours);
        say_side("there", &merged->conflicts[i].theirs);
    }
}

/* "of ann (3) and bob (12)": who brought something new. */
static void add_coders(struct buf *line, const struct db_merged *merged)
{
    const char *before = " of ";

    for (size_t i = 0; i < merged->n_coders; i++) {
        const struct db_merged_coder *c = &merged->coders[i];
        if (c->new_decisions == 0)
            continue;
        buf_addf(line, "%s%.*s (%lld)", before, (int)c->coder.len, c->coder.ptr,
                 (long long)c->new_decisions);
        before = ", ";
    }
}

static const char *s_of(int64_t n)
{
    return n == 1 ? "" : "s";
}

static void say_summary(const char *path, const struct db_merged *merged, bool dry_run)
{
    int64_t new_decisions = 0, known = 0, notes = 0;
    struct buf line = {0};

    for (size_t i = 0; i < merged->n_coders; i++) {
        new_decisions += merged->coders[i].new_decisions;
        known += merged->coders[i].known_decisions;
        notes += merged->coders[i].new_notes;
    }
    buf_addf(&line, "%s: %lld new decision%s", path, (long long)new_decisions, s_of(new_decisions));
    add_coders(&line, merged);
    buf_addf(&line, ", %lld here already, %lld new note%s%s", (long long)known, (long long)notes,
             s_of(notes), dry_run ? "; nothing was written" : "");
    log_info("%s", buf_cstr(&line));
    buf_clear(&line);
    if (merged->codebook == DB_CODEBOOK_ADOPTED)
        log_info("the codebook there is newer, and %s taken over: `ppmine label code-history` says"
                 " what changed", dry_run ? "would be" : "was");
    if (merged->codebook == DB_CODEBOOK_OLDER)
        log_info("the codebook there is older: `ppmine label review --coder NAME` lists the labels"
                 " that each coder must look at again");
    if (merged->posts_not_here > 0)
        log_info("%lld post%s there that this database lacks %s not merged: use `ppmine load`",
                 (long long)merged->posts_not_here, s_of(merged->posts_not_here),
                 merged->posts_not_here == 1 ? "was" : "were");
}

static enum status run_label_merge(struct invocation *in, struct err *e)
{
    struct db_merge_how how = {.dry_run = option_given(in, "dry-run"),
                               .no_notes = option_given(in, "no-notes")};
    struct table_output out;
    struct db_merged merged = {0};
    const char *const files[] = {in->db_path, in->operands[0]};
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = invocation_open_db(in, DB_WRITE, e);
    invocation_confine(files, ARRAY_LEN(files), false);
    if (status == ST_OK)
        status = db_merge(in->db, in->operands[0], &how, &merged, e);
    if (status == ST_OK) {
        print_coders(&merged, &out);
        say_summary(in->operands[0], &merged, how.dry_run);
    }
    if (status != ST_OK)
        say_conflicts(&merged);
    db_merged_clear(&merged);
    return status;
}

static const struct option_spec options[] = {
    {"dry-run", 'n', NULL, "say what would be merged, and write nothing"},
    {"no-notes", '\0', NULL, "leave out private notes"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine label merge bob.db --dry-run", "bob's decisions that are not here yet"},
    {"ppmine label merge bob.db", NULL},
    {NULL, NULL},
};

const struct command command_label_merge = {
    .name = "label merge",
    .summary = "Merge the decisions of another coder's copy of the study",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .description =
        "FILE is another database of the same study, and is only read. Decisions, notes, coders,\n"
        "screenings, dates of problems and assessments are merged; posts are not. Merging is\n"
        "idempotent; order does not matter. If the codebook was changed in both copies, the changes\n"
        "are listed and nothing is merged.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_label_merge,
};
