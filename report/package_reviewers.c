/* package_reviewers: what reviewers of a package ask for: claims, a datasheet, how to cite it. */
#include "report/package.h"

#include <inttypes.h>

/* --- claims --- */

enum { CLAIM_FIGURES = 4 }; /* of the first row of a table */

void package_claims_begin(struct package *p)
{
    table_init(&p->claims, "claims", "", "claim");
    table_column_add(&p->claims, "first row", NULL, TABLE_TEXT);
    table_columns(&p->claims, "command; output");
}

void package_claim(struct package *p, const struct table *t, const char *command)
{
    AT_END(buf_clear) struct buf text = {0};

    if (table_rows(t) == 0)
        return;
    table_add_text(&p->claims, t->title);
    /* "Time, program hang: n 14, share 0.0625": the texts before the first figure, and figures. */
    size_t figures = 0;

    for (size_t i = 0; i < t->n_columns && figures < CLAIM_FIGURES; i++) {
        const struct table_cell *cell = table_cell_at(t, 0, i);
        if (cell->is == TABLE_IS_TEXT && figures == 0) {
            buf_add_text(&text, text.len > 0 ? ", " : "");
            buf_add_span(&text, cell->text);
        }
        if (cell->is != TABLE_IS_INT && cell->is != TABLE_IS_REAL)
            continue;
        buf_addf(&text, "%s %s ", figures++ == 0 ? ":" : ",", t->columns[i].name);
        if (cell->is == TABLE_IS_INT)
            buf_addf(&text, "%" PRId64, cell->integer);
        else
            buf_addf(&text, "%.4g", cell->real);
    }
    table_add_text(&p->claims, buf_span(&text));
    buf_reset(&text);
    buf_addf(&text, command, t->id);
    table_add_text(&p->claims, buf_span(&text));
    buf_reset(&text);
    buf_addf(&text, "statistics/%s.csv", t->id);
    table_add_text(&p->claims, buf_span(&text));
}

static enum status write_claims(struct package *p, struct err *e)
{
    static const char NAME[] = "CLAIMS.md";
    FILE *file;
    enum status status = package_open(p, NAME, &file, e);

    if (status != ST_OK)
        return status;
    fputs("# Claims\n\n"
          "Each table of results, its first row, the command that prints it from the database of this\n"
          "package, and the file that contains it. `python3 check.py` computes every file from the CSV\n"
          "files of `data/`, without ppmine.\n\n",
          file);
    table_print(&p->claims, &(struct table_output){.format = TABLE_AS_MARKDOWN, .file = file});
    return package_close(file, NAME, ST_OK, e);
}

/* --- datasheet --- */

static void add_called(const struct package *p, struct buf *out)
{
    table_escape_markdown(out, p->called.len > 0 ? p->called : SPAN("problems"));
}

/* What the study calls its problems comes between the texts. */
static const char *const collection[] = {
    "\n## Collection\n\n"
    "`study/study.ini` says which posts are of the study: tags and dates. `data/runs.csv` lists each\n"
    "run that read posts, with its source and its date. A post is a candidate when its title or text\n"
    "contains a keyword of `study/keywords.txt`, compared by stems.\n"
    "\n## Labelling\n\n"
    "Coders judged candidates and labelled ",
    " with the codes of `data/codebook.csv`;\n"
    "`data/disambiguation.csv` has the rules between similar codes, `data/code_changes.csv` the history\n"
    "of the codebook. Decisions are never overwritten. `data/coding.csv` has each coder's labels,\n"
    "`data/problems.csv` the labels that were agreed on, `statistics/agreement.txt` the agreement\n"
    "before that.\n"
    "\n## Uses\n\n"
    "The data support the tables of `CLAIMS.md`. Keywords find only posts that contain them, so counts\n"
    "are of the posts that were found, and not of all such ",
    ". Posts change and disappear: the\n"
    "labels are of the texts on the dates in `data/runs.csv`.\n"
    "\n## Distribution and upkeep\n\n"
    "`LICENSE` says who may do what. `SHA256SUMS` fixes the content of this version; a later version\n"
    "is another package.\n"
    "\n## For the authors to write\n\n"
    "No program knows these. Answer them here before you publish the package, or delete the line:\n\n"
    "- Who made the data, for which purpose, paid by whom?\n"
    "- Who coded, with what training? Were coders paid?\n"
    "- Was there an ethical review? May authors of posts have themselves removed, and how?\n"
    "- For which uses are the data unfit?\n"
    "- Who answers questions about the data, and until when?\n",
};

static enum status write_datasheet(struct package *p, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};

    buf_add_text(&text, "# Datasheet: ");
    table_escape_markdown(&text, p->title.len > 0 ? p->title : SPAN("a study without a title"));
    buf_add_text(&text, "\n\nThe questions follow Gebru et al., \"Datasheets for Datasets\" (2021)."
                        "\n\n## Composition\n\n");
    buf_addf(&text, "The data are %zu labelled ", p->n_problems);
    add_called(p, &text);
    buf_addf(&text,
             " and the %zu codes that label them. Each problem belongs to a\n"
             "post, which its id names. `data/candidates.csv` lists the posts with a keyword,\n"
             "`data/decisions.csv` every decision of every coder, in order. `DATA_DICTIONARY.md` describes\n"
             "each column, with the values that it may have and what an empty cell means.\n\n"
             "Texts of posts are %s this package. Names of coders are in it as the coders wrote them. Posts\n"
             "are public; their authors are named in `data/attribution.csv` because the licence asks for it.\n",
             p->n_codes, p->wanted->with_text ? "in" : "not in");
    package_add_not_counted(p, &text);
    for (size_t i = 0; i < ARRAY_LEN(collection); i++) {
        if (i > 0)
            add_called(p, &text);
        buf_add_text(&text, collection[i]);
    }
    return package_write(p, "DATASHEET.md", buf_span(&text), e);
}

/* --- citation --- */

static enum status write_citation(struct package *p, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};

    buf_add_text(&text, "cff-version: 1.2.0\n"
                        "message: Cite the publication that this package belongs to, and the package.\n"
                        "type: dataset\ntitle: ");
    buf_add_json(&text, p->title.len > 0 ? p->title : SPAN("A study without a title"));
    buf_add_char(&text, '\n');
    /* Each author on a line; JSON texts are YAML texts. */
    struct span rest = p->authors, one;

    buf_add_text(&text, "authors:\n");
    if (rest.len == 0) {
        buf_add_text(&text, "  - name: ");
        buf_add_json(&text, SPAN("The authors of the study"));
        buf_add_char(&text, '\n');
    }
    while (package_author(&rest, &one)) {
        buf_add_text(&text, "  - name: ");
        buf_add_json(&text, one);
        buf_add_char(&text, '\n');
    }
    buf_addf(&text, "version: \"%" PRId64 "\"\ndate-released: \"%.10s\"\n", p->codebook_version, p->now);
    return package_write(p, "CITATION.cff", buf_span(&text), e);
}

enum status package_reviewers(struct package *p, struct err *e)
{
    enum status status = write_claims(p, e);

    THEN(status, write_datasheet(p, e));
    return status == ST_OK ? write_citation(p, e) : status;
}
