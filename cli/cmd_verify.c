/* verify: published numbers, recomputed from the database. */
#include "cli/command.h"

#include "base/files.h"
#include "base/log.h"
#include "db/study.h"
#include "label/rows.h"
#include "report/report.h"

enum { CLAIMS_MAX = 16 << 20 };

static void copy_file(void *ctx, struct span name, struct span content)
{
    (void)name;
    buf_add_span(ctx, content);
}

static enum status run_verify(struct invocation *in, struct err *e)
{
    const char *path = in->n_operands > 0 ? in->operands[0] : NULL;
    AT_END(buf_clear) struct buf content = {0}, room = {0};
    AT_END(table_list_clear) struct table_list list = {0};
    struct report_verified n;
    enum status status = path != NULL ? file_read(path, CLAIMS_MAX, &content, e)
                                      : db_study_file_get(in->db, "claims.csv", copy_file, &content, e);
    struct span claims = buf_span(&content);

    if (status == ST_OK && path != NULL)
        status = study_text(path, in->values.encoding, rows_as_csv, &claims, &room, e);
    else if (status == ST_OK && claims.len == 0)
        status = err_set(e, ST_INPUT, "%s: the study has no claims.csv: name a FILE, or add one with init --change",
                         in->db_path);
    THEN(status, report_verify(&list, in->db, claims, option_or(path, "claims.csv"), &n, e));
    if (status != ST_OK)
        return status;
    table_list_print(&list, &in->out);
    log_info("%zu reproduced, %zu differ, %zu cannot be computed", n.reproduced, n.differ, n.not_computed);
    return n.differ > 0 ? ST_NO : ST_OK;
}

const struct command command_verify = {
    .name = "verify",
    .summary = "Recompute published numbers, and compare them",
    .operands = "[FILE]",
    .options = OPTIONS(ENCODING_OPTION, OUTPUT_OPTIONS),
    .description =
        "Reads the study's claims.csv, or FILE, and recomputes each number from the database: it is\n"
        "reproduced, differs, or cannot be computed. Where it differs, the table says by how much, and which rows explain\n"
        "it, if a spelling or some kind of row does.\n\n"
        "The columns are where (where it is published), statistic, arguments, value (295, 0.79, 41.8%) and\n"
        "tolerance (empty: half of the value's last digit). Arguments are separated by ';':\n"
        "  problems, posts   FACET = CODE; …         what has all of the codes, or all there is\n"
        "  share             FACET = CODE; of FACET = CODE, or of all (else: of what has a label of each facet)\n"
        "  labels, codes     FACET                   how often it was given a code, how many codes were used\n"
        "  coders            FACET\n"
        "  rated             FACET; by NAME; by NAME what the coders both rated\n"
        "  agreement, kappa, pi, pabak, ac1, fleiss, alpha\n"
        "                    FACET; by NAME; by NAME, or without names of all who coded it\n"
        "  cell              TABLE; ROW; COLUMN      a number that stats prints\n"
        "FACET:category = NAME counts all codes of a category, FACET:first = CODE problems by their first\n"
        "code. With by NAME, counts are of what this coder said, else of what is settled.",
    .examples = EXAMPLES(
        {"ppmine verify", "the claims of the study"},
        {"ppmine verify claims.csv --format markdown > replication.md", "a page for a replication report"}),
    .nothing = "a number differs",
    .needs = NEEDS_DB_READ,
    .run = run_verify,
};
