/* agree: how far coders agree, from the database or from columns of a CSV file. */
#include "cli/command.h"
#include "cli/options.h"

#include "label/rows.h"
#include "screen/stored.h"
#include "report/report.h"
#include "base/csv.h"
#include "base/log.h"
#include "base/refused.h"

#include <unicase.h>

/* What files say about a subject. */
struct subject_seen {
    size_t place, coded_by; /* coded_by: 1 + the last coder's place */
};

#define MAP_NAME subject_map
#define MAP_KEY struct span
#define MAP_VALUE struct subject_seen
#include "base/map.h"

/* The first code that looks so. */
#define MAP_NAME code_looks
#define MAP_KEY struct span
#define MAP_VALUE size_t
#include "base/map.h"

/* The words of "A,B". */
struct name_list {
    struct span names[REPORT_CODERS_MAX];
    size_t n;
};

static enum status read_list(const struct invocation *in, const char *const *given, struct name_list *l, struct err *e)
{
    struct span rest = span_of(*given), part;
    const char *option = option_setting(in, given);

    l->n = 0;
    while (span_cut(&rest, ',', &part)) {
        if (l->n == REPORT_CODERS_MAX)
            return usage_error(in, e, "--%s names more than %d", option, REPORT_CODERS_MAX);
        l->names[l->n++] = span_trim(part);
    }
    if (option != NULL && l->n < 2)
        return usage_error(in, e, "--%s needs two names or more: A,B", option);
    return ST_OK;
}

/* --- the database --- */

/* A name that is not a coder of any facet is a slip of the pen. */
static enum status check_coders(const struct name_list *coders, const struct report_ratings *ratings, size_t n,
                                struct err *e)
{
    for (size_t i = 0; i < coders->n; i++) {
        bool found = false;
        for (size_t k = 0; k < n && !found; k++)
            for (size_t m = 0; m < ratings[k].n_ratings && !found; m++)
                found = span_eq(ratings[k].coders[ratings[k].ratings[m].coder], coders->names[i]);
        if (!found)
            return err_set(e, ST_INPUT, "agree: '%.*s' coded nothing here", SPAN_ARG(coders->names[i]));
    }
    return ST_OK;
}

static enum status read_database(struct invocation *in, size_t first, size_t n, struct report_ratings *ratings,
                                 struct err *e)
{
    struct name_list coders;
    enum status status = read_list(in, &in->values.coders, &coders, e);
    size_t n_spelled[FACETS_MAX] = {0};
    struct db_screen_strata picked = {0};
    AT_END(array_end) struct queue_list posts = {0};
    bool random = in->values.random;

    if (status == ST_OK && in->db == NULL)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK && random)
        status = db_screen_random(in->db, &posts, e);
    else if (status == ST_OK && in->values.runs_of == NULL)
        status = db_screen_shared(in->db, &picked, e);
    if (status == ST_OK && picked.n_picked > 0) /* coders agree more, or less, on posts that were picked */
        log_warn("%lld of the %lld posts that several coders judged were found by ranking, %lld by keyword: agreement"
                 " on them is not that on all posts; --random compares posts that were read at random",
                 (long long)picked.n_ranked, (long long)picked.n_posts, (long long)picked.n_keyword);
    array_reserve(&posts, 1);
    struct report_rated wanted = {.coders = coders.names,
                                  .n_coders = coders.n,
                                  .ignore_spelling = in->values.ignore_spelling,
                                  .level = in->values.level,
                                  .posts = random ? posts.at : NULL,
                                  .n_posts = posts.n,
                                  .runs_of = {in->values.runs_of, strlen(option_or(in->values.runs_of, ""))}};
    THEN(status, report_ratings_load(ratings, in->db, first, n, &wanted, n_spelled, e));
    for (size_t i = 0; i < n && status == ST_OK; i++)
        if (n_spelled[i] > 0)
            log_info("%s: %zu labels are spelled differently from the codebook and count as separate codes, as in the"
                     " published figures; --ignore-spelling takes them as the codebook's",
                     ratings[i].facet, n_spelled[i]);
    THEN(status, check_coders(&coders, ratings, n, e));
    return status;
}

/* --- a CSV file --- */

struct row_place {
    size_t subject, line;
};

/* The rows of a file, by what became of them. */
struct file_rows {
    struct refused left;
    struct ARRAY_OF(struct row_place) coded;
    struct subject_map names; /* of one file: what the first column says */
    size_t n_again, first_again;
    uint64_t kept;
};

/* All of the files, as --csv and operands name them. */
struct all_rows {
    struct file_rows files[REPORT_CODERS_MAX];
    size_t n;
};

/* The row that was read last. */
static void add_row(struct file_rows *f, const struct row_reader *csv, size_t subject, bool coded)
{
    if (coded)
        array_add(&f->coded, ((struct row_place){subject, csv->row.number}));
    else
        refused_leave(&f->left, csv->row.number, 0, "no code");
}

/* Of a file that has been read. */
static enum status MUST_USE check_rows(const struct file_rows *f, struct err *e)
{
    if (f->coded.n > 0)
        return ST_OK;
    return err_set(e, ST_INPUT, "%s: nothing in it can be used: %s", f->left.source,
                   f->left.n_left > 0 ? "no row has a code" : "it has no rows");
}

/* A row counts when two coders have a code of its subject. */
static void account(struct all_rows *rows, const struct report_ratings *r)
{
    AT_END(mem_end) size_t *coders = mem_zero(r->n_subjects + 1, sizeof *coders);

    for (size_t i = 0; i < r->n_ratings; i++)
        coders[r->ratings[i].subject]++;
    for (size_t k = 0; k < rows->n; k++) {
        struct file_rows *f = &rows->files[k];
        for (size_t i = 0; i < f->coded.n; i++) {
            bool alone = coders[f->coded.at[i].subject] < 2;
            f->kept += !alone;
            if (alone)
                refused_leave(&f->left, f->coded.at[i].line, 0, "a code of one coder alone");
        }
        refused_account(&f->left, "rows", f->kept);
    }
}

static void clear_rows(struct all_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        refused_clear(&rows->files[i].left);
        array_clear(&rows->files[i].coded);
        subject_map_clear(&rows->files[i].names);
    }
}

/* Parts of a cell in order, ';' between them; *n: how many. What begins or ends with a mark, such as C++, is one. */
static struct span in_order(struct arena *arena, struct span text, size_t *n)
{
    static const char between[] = ";,|/+&\n";
    AT_END(array_end) struct ARRAY_OF(struct span) parts = {0};
    AT_END(buf_clear) struct buf out = {0};
    bool any_empty = false;

    for (size_t i = 0, from = 0; i <= text.len; i++) {
        if (i < text.len && memchr(between, text.ptr[i], sizeof between - 1) == NULL)
            continue;
        array_add(&parts, span_trim((struct span){text.ptr + from, i - from}));
        any_empty |= parts.at[parts.n - 1].len == 0;
        from = i + 1;
    }
    *n = any_empty ? 1 : parts.n;
    if (*n == 1)
        return text;
    array_sort(&parts, text_order);
    for (size_t i = 0; i < parts.n; i++)
        buf_addf(&out, "%s%.*s", i > 0 ? ";" : "", SPAN_ARG(parts.at[i]));
    return arena_copy(arena, buf_span(&out));
}

/* The same text for codes that people may take for the same: letters in any case and form, one blank or several,
 * leading zeros, several codes in any order. */
static struct span looks_of(struct arena *arena, struct span code, size_t *n_parts)
{
    AT_END(buf_clear) struct buf out = {0};
    size_t n = 0;
    uint8_t *letters = u8_casefold((const uint8_t *)code.ptr, code.len, NULL, UNINORM_NFKC, NULL, &n);
    struct span text = {(char *)letters, n};

    while (text.len > 1 && *text.ptr == '0' && span_is_digits(text))
        text = span_after(text, 1);
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_space(text.ptr[i]) || text.ptr[i] == '\n' || (i > 0 && !ascii_is_space(text.ptr[i - 1])))
            buf_add_char(&out, text.ptr[i] == '\t' ? ' ' : text.ptr[i]);
    text = in_order(arena, arena_copy(arena, buf_span(&out)), n_parts);
    mem_free(letters); /* libunistring's memory is the C library's, as mem's is */
    return text;
}

/* What is a code by its spelling alone is said: it changes the figures. */
static void warn_of_codes(const struct report_ratings *r)
{
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(code_looks_clear) struct code_looks looks = {0};

    for (size_t i = 0; i < r->n_codes; i++) {
        struct code_looks_entry *first;
        size_t n_parts;
        if (csv_is_na(r->codes[i]))
            log_warn("'%.*s' counts as a code; leave the cell empty where nothing was coded", SPAN_ARG(r->codes[i]));
        if (code_looks_add(&looks, looks_of(&arena, r->codes[i], &n_parts), &first)) {
            first->value = i;
            continue;
        }
        log_warn("'%.*s' and '%.*s' count as two codes%s", SPAN_ARG(r->codes[first->value]), SPAN_ARG(r->codes[i]),
                 n_parts > 1 ? "; what is in a cell is one code" : "");
    }
}

/* The place of the column with this head, from `from` on; the number of columns if there is none. */
static size_t column_named(struct row_reader *csv, struct span name, size_t from)
{
    while (from < csv->row.n_fields && !span_eq(rows_cell(csv, from), name))
        from++;
    return from;
}

/* Of a column that is there, from `from` on: which one is meant must be clear. */
static enum status MUST_USE find_column(struct row_reader *csv, struct span name, size_t from, size_t *place,
                                        struct err *e)
{
    *place = column_named(csv, name, from);
    if (*place == csv->row.n_fields)
        return err_set(e, ST_INPUT, "%s:%zu: there is no column '%.*s'%s", csv->name, csv->row.number, SPAN_ARG(name),
                       from > 0 ? " after the first" : "");
    if (column_named(csv, name, *place + 1) < csv->row.n_fields)
        return err_set(e, ST_INPUT, "%s:%zu: the column '%.*s' occurs a second time", csv->name, csv->row.number,
                       SPAN_ARG(name));
    return ST_OK;
}

static size_t add_subject(struct report_ratings *r, struct row_reader *csv, const struct name_list *l,
                          const size_t *places, struct file_rows *rows)
{
    char line[32];
    struct span name = rows_cell(csv, 0), id = row_id(&csv->arena, name);
    struct subject_map_entry *entry;
    bool has_name = name.len > 0;

    for (size_t i = 0; i < l->n; i++)
        has_name &= places[i] != 0;
    snprintf(line, sizeof line, "line %zu", csv->row.number);
    size_t before = r->n_subjects;
    size_t place = report_ratings_subject(r, has_name ? name : span_of(line));
    if (has_name && subject_map_add(&rows->names, id, &entry))
        entry->key = arena_copy(&csv->arena, id);
    else if (has_name && rows->n_again++ == 0)
        rows->first_again = csv->row.number;
    /* Two rows of one name are two subjects. */
    return r->n_subjects > before ? place : report_ratings_subject(r, span_of(line));
}

/* A number counts as one, however it is written. */
static enum status MUST_USE rated_code(struct report_ratings *r, struct row_reader *csv, struct span code,
                                       int32_t *place, struct err *e)
{
    AT_END(buf_clear) struct buf plain = {0};
    enum csv_number kind = csv_number(csv->csv.delimiter, code, &plain);

    if (kind == CSV_NUMBER &&
        memchr(plain.ptr, '.', plain.len) != NULL) { /* 1.0, as tables of numbers with gaps have it */
        while (plain.ptr[plain.len - 1] == '0')
            plain.len--;
        plain.len -= plain.ptr[plain.len - 1] == '.';
    }
    size_t found = report_ratings_code(r, kind == CSV_NUMBER ? buf_span(&plain) : code);

    *place = (int32_t)found;
    if (kind == CSV_NUMBER_UNCLEAR)
        return err_set(e, ST_INPUT, "%s:%zu: '%.*s' may be thousands, or decimals: write it without the mark",
                       csv->name, csv->row.number, SPAN_ARG(code));
    if (found == SIZE_MAX)
        return err_set(e, ST_INPUT, "%s:%zu: more than %d different codes; is '%.*s' a code?", csv->name,
                       csv->row.number, REPORT_RATED_CODES_MAX, SPAN_ARG(code));
    return ST_OK;
}

static enum status add_record(struct report_ratings *r, struct row_reader *csv, const struct name_list *l,
                              const size_t *places, struct file_rows *rows, struct err *e)
{
    size_t subject = add_subject(r, csv, l, places, rows), before = r->n_ratings;

    for (size_t i = 0; i < l->n; i++) {
        struct span code = rows_cell(csv, places[i]);
        if (code.len == 0)
            continue;
        int32_t one;
        enum status status = rated_code(r, csv, code, &one, e);
        if (status != ST_OK)
            return status;
        report_ratings_add(r, subject, i, &one, 1);
    }
    add_row(rows, csv, subject, r->n_ratings > before);
    return ST_OK;
}

/* Without names, the two columns of a file that has two. */
static enum status MUST_USE name_columns(struct row_reader *csv, struct report_ratings *r, struct name_list *l,
                                         struct err *e)
{
    static const char *const of_ids[] = {"id",      "item", "post", "post_id", "problem_id",
                                         "subject", "url",  "link", "key"};

    if (l->n == 0 && csv->row.n_fields == 2) {
        for (size_t i = 0; i < ARRAY_LEN(of_ids); i++) /* no coder has such a name */
            if (row_name_is(rows_cell(csv, 0), of_ids[i]))
                return err_set(e, ST_INPUT,
                               "%s: '%.*s' is a column of ids, and one column of codes is left; give a file for each"
                               " coder",
                               csv->name, SPAN_ARG(rows_cell(csv, 0)));
        report_ratings_coder(r, rows_cell(csv, 0));
        report_ratings_coder(r, rows_cell(csv, 1)); /* the same name: find_column says so */
    }
    for (; l->n < r->n_coders; l->n++)
        l->names[l->n] = r->coders[l->n];
    if (l->n == 0)
        return err_set(e, ST_INPUT, "%s: %zu columns; name those of the coders with --columns A,B", csv->name,
                       csv->row.n_fields);
    return ST_OK;
}

static enum status read_rows(struct row_reader *csv, struct name_list *l, struct report_ratings *ratings,
                             struct file_rows *rows, struct err *e)
{
    size_t places[REPORT_CODERS_MAX]; /* the subject is the first field when that is none of them */
    enum status status = rows_next(csv, e);

    if (status == ST_NO)
        return err_set(e, ST_INPUT, "%s: the file is empty", csv->name);
    THEN(status, name_columns(csv, ratings, l, e));
    for (size_t i = 0; i < l->n; i++)
        THEN(status, find_column(csv, l->names[i], 0, &places[i], e));
    if (status != ST_OK)
        return status;
    while (status == ST_OK && (status = rows_next(csv, e)) == ST_OK)
        status = add_record(ratings, csv, l, places, rows, e);
    if (rows->n_again > 0 && rows->n_again * 2 <= rows->names.n) /* ids, and not a few values that come again */
        log_warn("%s: rows with the id of another row: %zu (first: line %zu); each counts as another item", csv->name,
                 rows->n_again, rows->first_again);
    return status == ST_NO ? check_rows(rows, e) : status;
}

/* --- a CSV file for each coder --- */

static enum status read_codes(struct row_reader *csv, size_t coder, struct span column, struct report_ratings *r,
                              struct subject_map *subjects, struct file_rows *rows, struct err *e)
{
    size_t place = 1; /* of the codes: the column that is named, or the second of two */
    enum status status = rows_next(csv, e);

    if (status == ST_NO)
        return err_set(e, ST_INPUT, "%s: the file is empty", csv->name);
    if (status == ST_OK && column.len > 0)
        status = find_column(csv, column, 1, &place, e);
    else if (status == ST_OK && csv->row.n_fields != 2)
        status = err_set(e, ST_INPUT,
                         "%s: %zu columns; name that of the codes with --columns NAME (the first one names the posts)",
                         csv->name, csv->row.n_fields);
    while (status == ST_OK && (status = rows_next(csv, e)) == ST_OK) {
        struct span code = rows_cell(csv, place);
        struct span id = row_id(&csv->arena, rows_cell(csv, 0));
        struct subject_map_entry *entry;
        if (subject_map_add(subjects, id, &entry)) {
            entry->value.place = report_ratings_subject(r, id);
            entry->key = r->subjects[entry->value.place];
        }
        struct subject_seen *subject = &entry->value;
        add_row(rows, csv, subject->place, code.len > 0);
        int32_t one = -1;
        if (code.len > 0)
            status = rated_code(r, csv, code, &one, e);
        if (status != ST_OK)
            return status;
        if (one < 0)
            continue;
        if (subject->coded_by == coder + 1)
            return err_set(e, ST_INPUT, "%s:%zu: '%.*s' is there twice", csv->name, csv->row.number,
                           SPAN_ARG(csv->row.fields[0]));
        subject->coded_by = coder + 1;
        report_ratings_add(r, subject->place, coder, &one, 1);
    }
    return status == ST_NO ? check_rows(rows, e) : status;
}

static enum status read_csv(const struct invocation *in, struct report_ratings *ratings, struct all_rows *rows,
                            struct err *e)
{
    static const struct span endings[] = {{".csv", 4}, {".tsv", 4}, {".txt", 4}, {".xlsx", 5}};
    bool several = in->n_operands > 0;
    struct name_list columns = {.n = 0};
    AT_END(subject_map_clear) struct subject_map subjects = {0};
    enum status status = several ? ST_OK : read_list(in, &in->values.columns, &columns, e);

    *ratings = (struct report_ratings){.facet = "csv", .most = 1};
    for (size_t i = 0; i < columns.n && status == ST_OK; i++)
        if (report_ratings_coder(ratings, columns.names[i]) != i)
            status = usage_error(in, e, "--columns names '%.*s' twice", SPAN_ARG(columns.names[i]));
    struct span column = span_of(option_or(in->values.columns, ""));
    for (size_t i = 0; i <= in->n_operands && status == ST_OK; i++) {
        const char *path = i == 0 ? in->values.csv : in->operands[i - 1];
        struct file_rows *f = &rows->files[rows->n++];
        AT_END(rows_close) struct row_reader csv = {.name = path};
        f->left = (struct refused){.source = strcmp(path, "-") == 0 ? "standard input" : path, .unit = "line"};
        if (several) { /* a coder has the name of the file, without its folder and ending */
            struct span name = span_after_last(span_of(path), '/');
            size_t before = ratings->n_coders, ending = 0;
            while (ending < ARRAY_LEN(endings) && !(name.len > endings[ending].len && span_ends(name, endings[ending])))
                ending++;
            name.len -= ending < ARRAY_LEN(endings) ? endings[ending].len : 0;
            if (report_ratings_coder(ratings, name) != before)
                status = usage_error(in, e, "two files are of '%.*s'; a coder has the name of the file",
                                     SPAN_ARG(name));
        }
        THEN(status, rows_open_file(&csv, path, ROWS_FILE_MAX, NULL, in->values.encoding, e));
        THEN(status, several ? read_codes(&csv, i, column, ratings, &subjects, f, e)
                             : read_rows(&csv, &columns, ratings, f, e));
    }
    if (status == ST_OK) {
        account(rows, ratings);
        warn_of_codes(ratings);
    }
    return status;
}

/* --- the command --- */

/* Which facets: *first and *n. */
static enum status read_facets(struct invocation *in, size_t *first, size_t *n, struct err *e)
{
    const struct facets *f = invocation_facets(in);
    AT_END(buf_clear) struct buf names = {0};

    *first = 0;
    *n = f->n;
    if (in->values.all == (in->n_operands > 0)) {
        for (size_t i = 0; i < f->n; i++)
            buf_addf(&names, "%s%s", i > 0 ? ", " : "", f->items[i].typed.ptr);
        return usage_error(in, e, "name one facet, or --all: %s", buf_cstr(&names));
    }
    if (in->n_operands == 0)
        return ST_OK;
    *first = facets_find(f, span_of(in->operands[0]));
    *n = 1;
    if (*first < f->n)
        return ST_OK;
    const char *typed[FACETS_MAX];
    for (size_t i = 0; i < f->n; i++)
        typed[i] = f->items[i].typed.ptr;
    const char *near = span_nearest(span_of(in->operands[0]), typed, f->n);
    return usage_error(in, e, "'%s' is not a facet%s%s%s", in->operands[0], near != NULL ? " (did you mean '" : "",
                       near != NULL ? near : "", near != NULL ? "'?)" : "");
}

/* "kappa,ac1" or "all"; 0: those that the facets ask for. */
static enum status MUST_USE read_measures(const struct invocation *in, unsigned *measures, struct err *e)
{
    struct span rest = span_of(option_or(in->values.measure, "")), word;

    *measures = span_eq(rest, SPAN("all")) ? ~0U : 0;
    while (*measures != ~0U && span_cut(&rest, ',', &word)) {
        unsigned measure = facet_measure_find(span_trim(word));
        if (measure == 0) {
            AT_END(buf_clear) struct buf names = {0};
            facet_measures_add(~0U, &names);
            return usage_error(in, e, "--measure '%.*s': expected all or, with commas between them, some of: %s",
                               SPAN_ARG(word), buf_cstr(&names));
        }
        *measures |= measure;
    }
    return ST_OK;
}

static enum status print_agreement(struct invocation *in, const struct report_ratings *ratings, size_t n,
                                   struct all_rows *rows, struct err *e)
{
    const struct table_output *out = &in->out;
    AT_END(table_list_clear) struct table_list r = {0};
    unsigned measures = 0;
    size_t first, n_facets;
    bool any_model = false;
    enum status status = read_measures(in, &measures, e);

    if (status != ST_OK)
        return status;
    struct report_agreement wanted = {
        .measures = measures,
        .confusion = in->values.confusion,
        .per_code = in->values.per_code,
        .disagreements = in->values.disagreements,
        .segments = in->values.segmentation,
    };
    bool common = report_agree(&r, ratings, n, &wanted);
    if (in->db != NULL && !in->values.random && in->values.runs_of == NULL && (in->values.all || wanted.segments)) {
        struct name_list coders;
        AT_END(db_disputes_clear) struct db_disputes posts = {0};
        status = read_list(in, &in->values.coders, &coders, e);
        struct report_rated rated = {.coders = coders.names, .n_coders = coders.n};

        THEN(status, db_segments_read(in->db, DB_SAID, 0, &posts, e));
        if (status == ST_OK)
            report_segments(&r, &posts, &rated, &wanted);
    }
    for (size_t i = 0; i < r.n; i++)
        report_say_level(r.tables[i], in->values.level);
    if (status == ST_OK && in->values.drift && (status = read_facets(in, &first, &n_facets, e)) == ST_OK)
        status = report_drift(&r, in->db, first, n_facets, NULL, e);
    /* Where the coders are not named. */
    if (status == ST_OK && in->db != NULL && in->values.coders == NULL && !in->values.random &&
        in->values.runs_of == NULL) {
        status = read_facets(in, &first, &n_facets, e);
        THEN(status, report_models(&r, in->db, first, n_facets, &any_model, e));
    }
    for (size_t i = 0; i < rows->n && (out->format == TABLE_AS_JSON || out->format == TABLE_AS_NDJSON); i++)
        table_list_account(&r, &rows->files[i].left, "rows", rows->files[i].kept);
    if (status == ST_OK && !common && !any_model) {
        log_warn(in->values.runs_of != NULL ? "no post was answered in two runs" : "nothing was coded by two coders");
        status = ST_NO;
    }
    if (status == ST_OK || status == ST_NO)
        table_list_print(&r, out);
    return status;
}

static enum status run_agree(struct invocation *in, struct err *e)
{
    struct report_ratings ratings[FACETS_MAX] = {0};
    size_t first = 0, n = 1;
    AT_END(clear_rows) struct all_rows rows = {.n = 0};
    const struct option_values *o = &in->values;
    bool of_database = o->coders != NULL || o->random || o->segmentation || o->drift || o->ignore_spelling;
    enum status status = refuse(
        e, {o->columns != NULL && o->csv == NULL, "agree: --columns needs --csv FILE"},
        {in->n_operands > 1 && o->csv == NULL, "agree: name one facet, or --all"},
        {o->csv != NULL && (of_database || o->all || o->level > 0),
         "agree: --csv excludes --all, --coders, --ignore-spelling, --level, --segmentation, --drift and"
         " --random"},
        {o->runs_of != NULL && (of_database || o->csv != NULL),
         "agree: --runs-of excludes --csv, --coders, --random, --segmentation, --drift and"
         " --ignore-spelling"},
        {o->random && o->segmentation, "agree: --random excludes --segmentation"});

    if (status == ST_OK && o->csv != NULL) {
        status = read_csv(in, ratings, &rows, e);
    } else {
        THEN(status, read_facets(in, &first, &n, e));
        THEN(status, read_database(in, first, n, ratings, e));
        THEN(status, warn_of_answers(in, e));
    }
    THEN(status, print_agreement(in, ratings, n, &rows, e));
    for (size_t i = 0; i < ARRAY_LEN(ratings); i++)
        report_ratings_clear(&ratings[i]);
    return status;
}

const struct command command_agree = {
    .name = "agree",
    .summary = "Measure the agreement of coders beyond chance",
    .operands = "[FACET|FILE…]",
    .max_operands = REPORT_CODERS_MAX - 1,
    .options = OPTIONS(
        FLAG("all", all, "print every facet", 'a'),
        TEXT("coders", coders, "A,B",
             "compare these coders only (default: all people but merged coders, and models apart)"),
        FLAG("ignore-spelling", ignore_spelling, "treat spellings of the published files as the codes that they mean"),
        NUMBER("level", level, "N", 1, 32, 0,
               "compare codes as the category of level N that they are in (default: as themselves)"),
        FLAG("random", random, "compare only posts that all their coders read in random order"),
        TEXT("runs-of", runs_of, "MODEL", "compare the runs of a model with each other, as label model --runs asked"),
        TEXT("csv", csv, "FILE",
             "compare tables (CSV, xlsx) instead of the database: columns, or a file for each coder"),
        TEXT("columns", columns, "A,B", "with --csv: the columns of the coders; with several files, that of the codes"),
        ENCODING_OPTION,
        TEXT("measure", measure, "LIST",
             "print these measures, such as kappa,ac1, or all (default: those of the study)", 'm'),
        FLAG("confusion", confusion, "print the confusion matrix"),
        FLAG("per-code", per_code, "print the agreement on each code"),
        FLAG("disagreements", disagreements, "list the problems that coders coded differently"),
        FLAG("segmentation", segmentation, "print in how many posts coders see the same problems"),
        FLAG("drift", drift, "print kappa in windows, in the order of coding"), OUTPUT_OPTIONS),
    .description = "Prints Cohen's kappa, percent agreement and Gwet's AC1 for each pair of coders of a facet, and\n"
                   "other measures that the facet or --measure asks for. Without FACET, it lists the facets\n"
                   "of the study. With more than two coders, or with missing codes, it adds Fleiss' kappa and\n"
                   "Krippendorff's alpha. The merged coder is left out, since its labels are what the coders\n"
                   "agreed on in the end.\n\n"
                   "In a facet with several codes for a problem, all of them are one label: two coders agree\n"
                   "if they gave the same codes, in any order. Where a label has two codes, alpha with MASI\n"
                   "distance is printed too; it gives part of the credit for a partial match. An undefined\n"
                   "coefficient is printed as '-' (null in JSON), with the reason.\n\n"
                   "If one coder sees one problem in a post and another sees two, the codes of such problems\n"
                   "are not compared. --all then prints the table `segmentation`, which counts these posts.\n\n"
                   "With --csv, each row of a file counts or is left out, and the reasons are said. JSON and NDJSON\n"
                   "have them in the table `rows`.",
    .examples = EXAMPLES({"ppmine agree --all", "one line for each facet"},
                         {"ppmine agree symptom --per-code --disagreements", "which codes differ, and where"},
                         {"ppmine agree --all --drift", "whether agreement changed over time"},
                         {"ppmine agree --all --runs-of model:qwen", "whether a model says the same again"},
                         {"ppmine agree --csv codes.csv --columns anna,ben --confusion", "no database"},
                         {"ppmine agree --csv anna.csv ben.csv --measure all", "a file for each coder"}),
    .nothing = "no two coders coded the same post or problem",
    .needs = NEEDS_DB_PATH,
    .run = run_agree,
};
