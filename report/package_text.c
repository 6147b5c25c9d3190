/* package_text: what a package says about itself. */
#include "report/package.h"

#include <inttypes.h>
#include <unistd.h>

/* --- parameters --- */

/* As check.py counts it again: each facet's name with its counts. */
static enum status add_settled(const struct package *p, struct buf *out, struct err *e)
{
    const struct facets *facets = NULL;
    enum status status = db_facets(p->copy, &facets, e);

    buf_add_text(out, " \"settled\": {");
    for (size_t i = 0; status == ST_OK && i < facets->n; i++) {
        const struct db_settled *s = &p->settled[i];
        buf_add_text(out, i > 0 ? ",\n  " : "");
        buf_add_json(out, facets->items[i].name);
        buf_addf(out,
                 ": {\"n\": %" PRId64 ", \"settled\": %" PRId64 ", \"disputed\": %" PRId64 ", \"single\": %" PRId64
                 ", \"agreed\": %" PRId64 ", \"reopened\": %" PRId64 ", \"with_model\": %" PRId64 "}",
                 s->n, s->settled, s->disputed, s->single, s->agreed, s->reopened, s->with_model);
    }
    buf_add_text(out, "},\n \"not_counted\": ");
    buf_add_json(out, p->not_counted);
    buf_add_text(out, ",\n");
    return status;
}

enum status package_parameters(struct package *p, struct err *e)
{
    static const char NAME[] = "PARAMETERS.json";
    AT_END(buf_clear) struct buf head = {0};
    FILE *file;
    enum status status = package_open(p, NAME, &file, e);

    if (status != ST_OK)
        return status;
    const struct report_package *w = p->wanted;

    buf_addf(&head, "{\n \"tool\": \"ppmine\",\n \"tool_version\": \"%s\",\n", PPMINE_VERSION);
    buf_addf(&head, " \"schema_version\": %d,\n \"codebook_version\": %" PRId64 ",\n", db_schema_version(),
             p->codebook_version);
    buf_addf(&head, " \"made_at\": \"%s\",\n \"package\": {\"with_text\": %s, \"with_memos\": %s, \"plots\": %s, ",
             p->now, w->with_text ? "true" : "false", w->with_memos ? "true" : "false", p->plotted ? "true" : "false");
    buf_add_text(&head, "\"labels_licence\": ");
    if (w->licence.ptr == NULL)
        buf_add_text(&head, "null");
    else
        buf_add_json(&head, w->licence);
    buf_addf(&head, "},\n \"statistics\": {\"confidence\": %g, \"seed\": %d},\n", PACKAGE_CONFIDENCE, PACKAGE_SEED);
    buf_add_text(&head, " \"agreement\": {\"confidence\": 0.95, \"ignore_spelling\": false},\n");
    status = add_settled(p, &head, e);
    fwrite(head.ptr, 1, head.len, file);
    struct table_output out = {.format = TABLE_AS_JSON, .file = file};
    fputs(" \"settings\": ", file);
    THEN(status, report_data_write(p->copy, DB_TABLE_SETTINGS, 0, &out, NAME, e));
    if (status == ST_OK) {
        fputs(" ,\"runs\": ", file);
        status = report_data_write(p->copy, DB_TABLE_RUNS, 0, &out, NAME, e);
    }
    fputs("}\n", file);
    return package_close(file, NAME, status, e);
}

/* --- licence --- */

static const char LICENCE_POSTS[] =
    "POSTS\n\n"
    "Posts of Stack Exchange sites, and what is taken from them (titles, bodies, tags, names of\n"
    "authors, dates), are licensed by their authors under Creative Commons Attribution-ShareAlike:\n"
    "2.5 when they were created before 2011-04-08, 3.0 before 2018-05-02, 4.0 since then. The licence\n"
    "of each post, its author and its address are in data/attribution.csv. If you share texts of posts,\n"
    "name the author, link the post and the licence, say what was changed, and use the same\n"
    "licence.\n\n"
    "    https://creativecommons.org/licenses/by-sa/2.5/\n"
    "    https://creativecommons.org/licenses/by-sa/3.0/\n"
    "    https://creativecommons.org/licenses/by-sa/4.0/\n";

enum status package_licence(struct package *p, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};

    buf_add_text(&text, LICENCE_POSTS);
    buf_add_text(&text, "\nLABELS\n\nWhat the coders decided, the codebook and the numbers that"
                        " follow from them: ");
    if (p->wanted->licence.ptr != NULL) {
        /* One line; what would end it, or moves a terminal's cursor, is a blank. */
        for (size_t i = 0; i < p->wanted->licence.len; i++) {
            unsigned char c = (unsigned char)p->wanted->licence.ptr[i];
            buf_add_char(&text, c < 0x20 || c == 0x7f ? ' ' : (char)c);
        }
    } else {
        buf_add_text(&text, "the authors\nof the study have not chosen a licence for them yet. Until"
                            " they do, ask them (and as one of them,\nmake the package again with"
                            " --licence).");
    }
    buf_add_text(&text, "\n\n");
    buf_add_text(&text, "PROGRAM\n\ncheck.py and schema.sql are parts of ppmine:\n\n");
    buf_add_span(&text, package_embedded("LICENSE"));
    return package_write(p, "LICENSE", buf_span(&text), e);
}

/* --- readme --- */

static void add_contents(const struct package *p, struct buf *out)
{
    AT_END(buf_clear) struct buf name = {0};

    for (int i = 0; i < DB_TABLES; i++) {
        if (!p->has_table[i])
            continue;
        buf_reset(&name);
        buf_addf(&name, "data/%s.csv", report_data_names[i]);
        const struct dictionary_row *row = dictionary_find(&p->dictionary, buf_span(&name), SPAN(""));
        buf_addf(out, "| `%s` | ", buf_cstr(&name));
        buf_add_span(out, row != NULL ? row->meaning : SPAN(""));
        buf_add_text(out, " |\n");
    }
    buf_add_text(out, "| `DATA_DICTIONARY.md`, `data_dictionary.csv` | Every column of every CSV file. |\n"
                      "| `statistics/` | Tables of the study: `stats.txt` for reading, `stats.json`, and"
                      " each as CSV; the agreement of the coders in the same way (`agreement.*`). |\n");
    if (p->plotted)
        buf_add_text(out, "| `statistics/plots/` | Plots as SVG, with their data (`.dat`) and"
                          " commands (`.gp`) for gnuplot. |\n");
    buf_add_text(out, "| `ppmine.db` | The study as an SQLite database; `schema.sql` explains it. |\n"
                      "| `study/` | The files that the study was loaded from. |\n"
                      "| `PARAMETERS.json` | Versions, seeds, settings, runs, options. |\n"
                      "| `CLAIMS.md` | Each table of results, the command that prints it, its file. |\n"
                      "| `DATASHEET.md` | What the data are, how they came to be, what they are good for. |\n"
                      "| `CITATION.cff` | How to cite the package, for programs. |\n"
                      "| `datapackage.json`, `ro-crate-metadata.json`, `croissant.json` | The same for archives and"
                      " programs: Data Package, RO-Crate, Croissant. |\n"
                      "| `LICENSE` | Who may do what with posts, labels and program. |\n"
                      "| `check.py` | Checks all of this, and recomputes the numbers. |\n"
                      "| `.gitattributes` | Keeps git from changing line ends. |\n"
                      "| `SHA256SUMS` | Checksums of all files but itself. |\n");
}

static const char CHECKING[] =
    "\n## Check it\n\n"
    "    sha256sum -c SHA256SUMS\n"
    "    python3 check.py\n\n"
    "`check.py` needs Python 3.8 or newer (with SQLite 3.37 or newer in it) and nothing else. It\n"
    "compares the CSV files with the dictionary and with the database, follows the decisions of the\n"
    "coders to the labels, and computes every number of `statistics/` from the CSV files, with its\n"
    "own code, and ratios and verdicts of the benchmark from its runs. It skips sampled p-values, and\n"
    "says so. With `--bootstrap` it computes bootstrap intervals, which takes some seconds.\n\n"
    "With ppmine itself:\n\n"
    "    ppmine -d ppmine.db stats\n"
    "    ppmine -d ppmine.db agree --all\n"
    "\n## Read it\n\n"
    "The CSV files are UTF-8 after RFC 4180; fields contain commas, quotes and line ends in quotes. A\n"
    "cell that a spreadsheet would compute, such as a name that begins with `=`, has an apostrophe\n"
    "before it, so that it is a text there as well. The files of `study/` are as their authors wrote\n"
    "them: import those as text. A program that reads the data takes that apostrophe off:\n"
    "`DATA_DICTIONARY.md` has the rule, and `unguarded` in `check.py` is an implementation. Texts may\n"
    "contain control characters, and characters that change the direction of writing: look at them in\n"
    "a program that shows these.\n";

bool package_author(struct span *rest, struct span *name)
{
    while (span_cut(rest, ';', name)) {
        *name = span_trim(*name);
        if (name->len > 0)
            return true;
    }
    return false;
}

static void add_citing(const struct package *p, struct buf *out)
{
    buf_add_text(out, "\n## How to cite\n\nCite the publication that this package belongs to, and"
                      " the package, so that others find the same data:\n\n> ");
    /* "Ann, Bob: " */
    struct span rest = p->authors;
    struct span name;
    size_t n = 0;

    while (package_author(&rest, &name)) {
        buf_add_text(out, n++ > 0 ? ", " : "");
        table_escape_markdown(out, name);
    }
    buf_add_text(out, n > 0 ? ": " : "");
    table_escape_markdown(out, p->title.len > 0 ? p->title : SPAN("(the study has no title)"));
    buf_addf(out,
             ". Replication package, codebook version %" PRId64 ", made with ppmine %s,"
             " %.10s.\n",
             p->codebook_version, PPMINE_VERSION, p->now);
    buf_add_text(out, "\nThe SHA-256 of `SHA256SUMS` names its content in full.\n"
                      "\n## Licence\n\nPosts are under CC BY-SA, each in the version that"
                      " `data/attribution.csv` names. Labels: ");
    if (p->wanted->licence.ptr != NULL)
        table_escape_markdown(out, p->wanted->licence);
    else
        buf_add_text(out, "**the authors have not chosen a licence yet**");
    buf_add_text(out, ". See `LICENSE`.\n");
}

void package_add_not_counted(const struct package *p, struct buf *out)
{
    if (p->not_counted.len == 0)
        return;
    buf_add_text(out, "\n**What is settled.** ");
    table_escape_markdown(out, p->not_counted);
    buf_add_text(out, ".\n");
}

enum status package_readme(struct package *p, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};

    buf_add_text(&text, "# Replication package: ");
    table_escape_markdown(&text, p->title.len > 0 ? p->title : SPAN("a study"));
    buf_add_text(&text, "\n\nThe data of the study ");
    table_escape_markdown(&text, p->name.len > 0 ? p->name : SPAN("without a name"));
    buf_addf(&text,
             ", what follows from them, and a program that checks it. Made with ppmine %s"
             " (database schema %d)\non %.10s. Titles and texts of posts are %s.\n",
             PPMINE_VERSION, db_schema_version(), p->now, p->wanted->with_text ? "in it" : "not in it");
    if (p->n_problems == 0)
        buf_add_text(&text, "\nThe study has no labelled problems yet, so its statistics are empty.\n");
    package_add_not_counted(p, &text);
    buf_add_text(&text, "\n## What is in it\n\n| file | content |\n|---|---|\n");
    add_contents(p, &text);
    buf_add_text(&text, CHECKING);
    buf_add_text(&text, "\n## What is left out\n\n"
                        "- private notes of coders;\n"
                        "- the folders that files were read from: of paths the last part stays;\n"
                        "- what failing runs of the benchmark said;\n"
                        "- the full-text index: `ppmine match` makes it again, where there are texts;\n");
    buf_add_text(&text, p->wanted->with_memos ? "" : "- memos about codes and about the study;\n");
    if (!p->wanted->with_text)
        buf_add_text(&text, "- titles, bodies and plain texts of posts, and of earlier versions, of which"
                            " those that differ in\n  the title alone are one. `data/attribution.csv` says"
                            " where each post is, and the SHA-256 of its body,\n  so a data dump of the"
                            " site gives them back. Without them `ppmine match` finds nothing: the hits\n"
                            "  and candidates in the database are those of the last match with texts.\n");
    buf_add_text(&text, "\nThe database was packed afterwards, so nothing of this can be recovered"
                        " from it.\n");
    add_citing(p, &text);
    return package_write(p, "README.md", buf_span(&text), e);
}
