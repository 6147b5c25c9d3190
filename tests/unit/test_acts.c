/* Tests of the one writer of decisions: each act, and each pair of acts, through every door leaves the
 * same rows, the same agreement and the same statistics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/command.h"
#include "label/merge/merge.h"
#include "db/posts.h"
#include "db/study.h"
#include "label/coding/act.h"
#include "label/facet_table.h"
#include "label/coding/dialog.h"
#include "label/exchange/import.h"
#include "label/exchange/published.h"
#include "label/coding/settle.h"
#include "label/exchange/workbook.h"
#include "web/web.h"
#include "base/files.h"
#include "base/log.h"

#include <inttypes.h>
#include <sqlite3.h>

extern const struct command command_label_set;

static struct err e;

#define OK(call) expect_ok((call), __LINE__)

static void expect_ok(enum status status, int line)
{
    if (status != ST_OK)
        fail_msg("line %d: status %d: %s", line, (int)status, e.text);
}

/* --- acts --- */

/* clang-format off */
enum kind { YES, NO, CODE, OTHER_CODE, SEVERAL, CLEAR, YES_CODE, NO_CODE, UNSURE, REASON, CODE_REASON, SECOND, UNDO, KINDS };
/* clang-format on */

static const char *const kind_names[KINDS] = {
    "yes",         "no",     "code",   "other code",      "several",        "clear", "yes and code",
    "no and code", "unsure", "reason", "code and reason", "second problem", "undo"};

enum { SYMPTOM, ROOT_CAUSE }; /* places of act.given */

static const struct {
    const char *is_problem, *symptoms[2], *root_cause, *reason;
    bool clears, second;
} says[KINDS] = {
    [YES] = {.is_problem = "yes"},
    [NO] = {.is_problem = "no"},
    [CODE] = {.symptoms = {"program hang"}},
    [OTHER_CODE] = {.symptoms = {"memory leak"}},
    [SEVERAL] = {.symptoms = {"memory leak", "out of memory"}},
    [CLEAR] = {.clears = true},
    [YES_CODE] = {.is_problem = "yes", .symptoms = {"program hang"}},
    [NO_CODE] = {.is_problem = "no", .symptoms = {"program hang"}},
    [UNSURE] = {0},
    [REASON] = {.reason = "as it says"},
    [CODE_REASON] = {.symptoms = {"program hang"}, .reason = "it never ends"},
    [SECOND] = {.root_cause = "others", .second = true},
    [UNDO] = {0},
};

/* --- a file that one door writes into --- */

struct file {
    char path[96];
    struct db *db;
    struct stored_codebook book;
};

struct place {
    char folder[64];
    struct file file;
    struct web *web; /* of the doors of the page */
    struct buf cookie;
};

/* A post for each sequence of two acts, and for each act alone. */
static int64_t post_of(size_t first, size_t second)
{
    return 100 + (int64_t)(first * (KINDS + 1) + second);
}

static void subject_of(enum kind kind, int64_t post_id, char out[32])
{
    snprintf(out, 32, "%" PRId64 "%s", post_id, says[kind].second ? "_2" : "");
}

static void open_file(struct file *f)
{
    OK(db_open(&f->db, f->path, DB_WRITE, &e));
    OK(stored_codebook_load(&f->book, f->db, &e));
}

static void close_file(struct file *f)
{
    stored_codebook_clear(&f->book);
    db_close(f->db);
    f->db = NULL;
}

static struct act_said said_of(struct file *f, int64_t post_id)
{
    struct act_said said;

    OK(act_said_read(&said, f->db, &f->book, SPAN("ann"), post_id, &e));
    return said;
}

/* --- the doors: each gives ST_INPUT for what it refuses --- */

static size_t place_of(struct file *f, const char *list, const char *name)
{
    size_t place = stored_codebook_find(&f->book, span_of(list), span_of(name), &e);

    assert_int_not_equal(place, SIZE_MAX);
    return place;
}

static enum status by_act(struct place *p, enum kind kind, int64_t post_id)
{
    struct file *f = &p->file;
    char subject[32];
    struct act act = {.coder = SPAN("ann"), .post_id = post_id, .reason = span_of(says[kind].reason)};

    subject_of(kind, post_id, subject);
    act.subject = span_of(subject);
    if (says[kind].is_problem != NULL)
        act.judgement = says[kind].is_problem[0] == 'y' ? ACT_SAYS_YES : ACT_SAYS_NO;
    act.given[SYMPTOM] = says[kind].clears || says[kind].symptoms[0] != NULL;
    for (size_t i = 0; i < 2 && says[kind].symptoms[i] != NULL; i++)
        act.codes[SYMPTOM].at[act.codes[SYMPTOM].n++] = place_of(f, "symptom", says[kind].symptoms[i]);
    act.given[ROOT_CAUSE] = says[kind].root_cause != NULL;
    if (act.given[ROOT_CAUSE])
        act.codes[ROOT_CAUSE] = (struct act_codes){{place_of(f, "root cause", says[kind].root_cause)}, 1};
    if (kind == UNSURE)
        act.note = span_of(queue_unsure);
    return act_put(f->db, &f->book, &act, &e);
}

static enum status by_label_set(struct place *p, enum kind kind, int64_t post_id)
{
    char subject[32];
    const char *words[16] = {"ppmine", "label", "set", subject, "--coder", "ann"};
    int n = 6;
    struct invocation in;

    subject_of(kind, post_id, subject);
    const char *const options[][2] = {
        {"--problem", says[kind].is_problem},  {"--symptom", says[kind].clears ? "" : says[kind].symptoms[0]},
        {"--symptom", says[kind].symptoms[1]}, {"--root-cause", says[kind].root_cause},
        {"--reason", says[kind].reason},       {"--note", kind == UNSURE ? queue_unsure : NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(options); i++)
        if (options[i][1] != NULL) {
            words[n++] = options[i][0];
            words[n++] = options[i][1];
        }
    char *typed[16];
    for (int i = 0; i < n; i++)
        memcpy(&typed[i], &words[i], sizeof typed[i]); /* they are only read, as of argv */
    OK(invocation_read(&in, n, typed, &e));
    in.db = p->file.db;
    in.db_path = p->file.path;
    OK(invocation_read_late(&in, &e));
    enum status status = in.command->run(&in, &e);
    in.db = NULL;
    invocation_clear(&in);
    return status;
}

/* A cell as the sheet of the coder has it, but for what the act says. */
static void read_row(struct place *p, enum kind kind, int64_t post_id, struct span cells[6], struct act_said *said)
{
    char subject[32];

    subject_of(kind, post_id, subject);
    *said = said_of(&p->file, post_id);
    cells[0] = arena_copy(&said->arena, span_of(subject));
    cells[1] = !said->is_judged ? SPAN("") : said->is_problem ? SPAN("yes") : SPAN("no");
    for (size_t i = 0; i < said->problems.n; i++)
        for (size_t k = 0; k < 3 && span_eq(said->problems.at[i].subject, cells[0]); k++) {
            const struct act_codes *codes = &said->problems.at[i].codes[k < 2 ? SYMPTOM : ROOT_CAUSE];
            if (k % 2 < codes->n)
                cells[2 + k] = p->file.book.codebook.codes[codes->at[k % 2]].name;
        }
    if (says[kind].is_problem != NULL)
        cells[1] = span_of(says[kind].is_problem);
    if (says[kind].clears || says[kind].symptoms[0] != NULL || kind == NO)
        for (size_t i = 0; i < 2; i++)
            cells[2 + i] = span_of(says[kind].symptoms[i]);
    if (says[kind].root_cause != NULL || kind == NO)
        cells[4] = span_of(says[kind].root_cause);
    cells[5] = span_of(says[kind].reason);
}

static const char *const header[] = {"problem_id", "is_problem", "symptom1", "symptom2", "root_cause", "reason"};

static enum status import(struct place *p, struct span content)
{
    struct coding_import out;
    const struct coding_import_how how = {.coder = SPAN("ann")};
    enum status status = coding_import(&out, p->file.db, content, "sheet", &how, &e);

    coding_import_clear(&out);
    return status;
}

static enum status by_csv(struct place *p, enum kind kind, int64_t post_id)
{
    struct span cells[6] = {{0}};
    struct act_said said;
    struct buf text = {0};

    if (kind == UNSURE)
        return by_act(p, kind, post_id);
    read_row(p, kind, post_id, cells, &said);
    for (size_t i = 0; i < 6; i++)
        buf_addf(&text, "%s%s", i > 0 ? "," : "", header[i]);
    for (size_t i = 0; i < 6; i++)
        buf_addf(&text, "%s%.*s", i > 0 ? "," : "\n", (int)cells[i].len, cells[i].ptr);
    enum status status = import(p, buf_span(&text));
    buf_clear(&text);
    act_said_clear(&said);
    return status;
}

static enum status by_xlsx(struct place *p, enum kind kind, int64_t post_id)
{
    struct span cells[6] = {{0}};
    struct act_said said;
    struct buf content = {0};
    struct table_list list = {0};
    struct table *table = table_list_add(&list, "labels", "labels");
    struct workbook_column columns[6] = {{0}};
    char path[128];

    if (kind == UNSURE)
        return by_act(p, kind, post_id);
    read_row(p, kind, post_id, cells, &said);
    for (size_t i = 0; i < 6; i++)
        table_column_add(table, header[i], header[i], TABLE_TEXT);
    for (size_t i = 0; i < 6; i++)
        table_add_text(table, cells[i]);
    snprintf(path, sizeof path, "%s/sheet.xlsx", p->folder);
    OK(workbook_write(path, &(struct workbook_sheet){SHEET_NAME, table, columns, false}, &e));
    OK(file_read(path, 1 << 20, &content, &e));
    unlink(path);
    enum status status = import(p, buf_span(&content));
    buf_clear(&content);
    table_list_clear(&list);
    act_said_clear(&said);
    return status;
}

/* Lines, as a coder types them; a refusal is only said. */
static enum status by_dialog(struct place *p, enum kind kind, int64_t post_id)
{
    struct act_said said = said_of(&p->file, post_id);
    struct buf lines = {0};
    const struct queue_list list = {.at = &post_id, .n = 1};
    bool numbered = said.problems.n > 0 && span_find(said.problems.at[0].subject, SPAN("_")) != SIZE_MAX;
    struct dialog_how how = {
        .view = {.db = p->file.db, .book = &p->file.book, .width = 80, .coder = SPAN("ann"), .without_codes = true},
        .queue = {.db = p->file.db, .coder = SPAN("ann"), .list = &list},
        .first = post_id,
    };

    if (says[kind].is_problem != NULL)
        buf_add_text(&lines, says[kind].is_problem);
    else if (said.is_problem && says[kind].symptoms[0] != NULL)
        buf_add_text(&lines, "yes\n"); /* changes nothing, and asks for the symptom */
    for (size_t i = 0; i < 2 && says[kind].symptoms[i] != NULL; i++)
        buf_addf(&lines, "%s%s", i > 0 ? "; " : "", says[kind].symptoms[i]);
    if (says[kind].reason != NULL)
        buf_addf(&lines, " # %s", says[kind].reason);
    buf_add_text(&lines, kind == UNSURE ? "unsure\n" : "\n");
    act_said_clear(&said);
    if (numbered) { /* the dialog asks about that problem */
        buf_clear(&lines);
        return by_act(p, kind, post_id);
    }
    how.lines = fmemopen(lines.ptr, lines.len, "r");
    assert_non_null(how.lines);
    fflush(stdout);
    int terminal = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    OK(dialog_run(&how, &e));
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    close(nowhere);
    fclose(how.lines);
    buf_clear(&lines);
    return ST_OK;
}

static unsigned ask(struct place *p, const char *target, const char *body)
{
    struct web_answer answer = {0};
    struct web_request request = {
        .method = SPAN("POST"),
        .target = span_of(target),
        .host = SPAN("127.0.0.1:8420"),
        .origin = SPAN("http://127.0.0.1:8420"),
        .cookie = buf_span(&p->cookie),
        .content_type = span_starts(span_of(target), SPAN("/api/")) ? SPAN("application/json")
                                                                    : SPAN("application/x-www-form-urlencoded"),
        .body = span_of(body),
    };

    if (body == NULL)
        request.method = SPAN("GET");
    web_answer(p->web, &request, &answer);
    if (answer.cookie.len > 0) {
        buf_reset(&p->cookie);
        buf_add_span(&p->cookie, buf_span(&answer.cookie));
    }
    unsigned code = answer.code;
    web_answer_clear(&answer);
    return code;
}

static enum status answered(unsigned code)
{
    if (code != 200 && code != 303 && code != 400)
        fail_msg("answer %u", code);
    return code == 400 ? ST_INPUT : ST_OK;
}

static enum status by_api(struct place *p, enum kind kind, int64_t post_id)
{
    struct buf body = {0};
    char subject[32];

    subject_of(kind, post_id, subject);
    buf_addf(&body, "{\"post_id\":%" PRId64 ",\"problem_id\":\"%s\"", post_id, subject);
    if (says[kind].is_problem != NULL)
        buf_addf(&body, ",\"is_problem\":%s", says[kind].is_problem[0] == 'y' ? "true" : "false");
    if (says[kind].reason != NULL)
        buf_addf(&body, ",\"reason\":\"%s\"", says[kind].reason);
    if (says[kind].clears || says[kind].symptoms[0] != NULL) {
        buf_add_text(&body, ",\"codes\":{\"symptom\":[");
        for (size_t i = 0; i < 2 && says[kind].symptoms[i] != NULL; i++)
            buf_addf(&body, "%s\"%s\"", i > 0 ? "," : "", says[kind].symptoms[i]);
        buf_add_text(&body, "]}");
    }
    if (says[kind].root_cause != NULL)
        buf_addf(&body, ",\"codes\":{\"root cause\":[\"%s\"]}", says[kind].root_cause);
    buf_add_text(&body, kind == UNSURE ? ",\"unsure\":true}" : "}");
    unsigned code = ask(p, "/api/decide", buf_cstr(&body));
    buf_clear(&body);
    return answered(code);
}

static enum status by_form(struct place *p, enum kind kind, int64_t post_id)
{
    struct buf body = {0};
    char subject[32], target[32];

    subject_of(kind, post_id, subject);
    snprintf(target, sizeof target, "/code/%" PRId64, post_id);
    buf_addf(&body, "problem=%s&was_problem=&go=%s", subject, kind == UNSURE ? "unsure" : "stay");
    if (says[kind].is_problem != NULL)
        buf_addf(&body, "&is_problem=%s", says[kind].is_problem);
    if (says[kind].reason != NULL)
        buf_addf(&body, "&reason=%s", says[kind].reason);
    /* What the form was made with: other codes than those that are sent. */
    buf_addf(&body, "&was%%3Asymptom=%s&was%%3Aroot+cause=", says[kind].clears ? "program+hang" : "");
    buf_add_text(&body, "&was%3Aintroducing+stage=&was%3Aexposing+stage=");
    for (size_t i = 0; i < 2 && says[kind].symptoms[i] != NULL; i++)
        buf_addf(&body, "&codes%%3Asymptom=%s", says[kind].symptoms[i]);
    if (says[kind].root_cause != NULL)
        buf_addf(&body, "&codes%%3Aroot+cause=%s", says[kind].root_cause);
    for (size_t i = 0; i < body.len; i++)
        body.ptr[i] = body.ptr[i] == ' ' ? '+' : body.ptr[i];
    unsigned code = ask(p, target, buf_cstr(&body));
    buf_clear(&body);
    return answered(code);
}

/* --- what a door leaves --- */

static void add_rows(const struct place *p, const char *sql, struct buf *out)
{
    sqlite3 *handle;
    sqlite3_stmt *rows;

    assert_int_equal(sqlite3_open_v2(p->file.path, &handle, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(handle, sql, -1, &rows, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const char *text = (const char *)sqlite3_column_text(rows, i);
            buf_addf(out, "%s%s", i > 0 ? "|" : "", text != NULL ? text : "");
        }
        buf_add_char(out, '\n');
    }
    sqlite3_finalize(rows);
    sqlite3_close(handle);
}

/* The rows of decisions without ids and times, but which are of one act; what counts; what is compared. */
static void add_state(struct place *p, struct buf *out)
{
    struct settler settler;
    struct settle_count count = {.n = 0};

    OK(settler_open(&settler, p->file.db, SPAN("merged"), (struct span){0}, &e));
    OK(settle_bulk(&settler, &(struct settle_bulk){.kind = DB_AGREED, .facet = DB_ALL_FACETS}, &count, &e));
    settler_clear(&settler);
    add_rows(p,
             "SELECT 'decision', post_id, iif(undoes IS NULL, dense_rank() OVER (PARTITION BY post_id, coder"
             "  ORDER BY undoes IS NOT NULL, decided_at), 'undone'), subject, facet,"
             "  iif(undoes IS NULL, value, (SELECT value FROM decision AS u WHERE u.decision_id = d.undoes)),"
             "  reason FROM decision AS d WHERE coder = 'ann'"
             " ORDER BY 2, undoes IS NOT NULL, decided_at, 4, 5, 6",
             out);
    add_rows(p, "SELECT 'judgement', post_id, is_problem FROM judgement WHERE coder = 'ann' ORDER BY 2", out);
    add_rows(p,
             "SELECT 'label', post_id, subject, facet, place, code_id, value FROM label WHERE coder = 'ann'"
             " ORDER BY 2, 3, 4, 5",
             out);
    add_rows(p, "SELECT DISTINCT 'note', post_id, subject, text FROM note ORDER BY 2, 3, 4", out);
    add_rows(p, "SELECT 'agreement', * FROM agreement_pair ORDER BY 2, 3, 4, 6", out);
    add_rows(p, "SELECT 'problem', problem_id, post_id, labels FROM problem ORDER BY 3, 2", out);
    add_rows(p, "SELECT 'statistics', * FROM symptom_count UNION ALL SELECT 'statistics', * FROM root_cause_count",
             out);
}

/* --- doors, and all sequences through one of them --- */

typedef enum status door(struct place *p, enum kind kind, int64_t post_id);

static const struct {
    const char *name;
    door *open;
    bool cannot[KINDS]; /* what the door cannot say is said by the first one */
} doors[] = {
    {"act", by_act, {false}},
    {"label set", by_label_set, {false}},
    {"label import of CSV", by_csv, {[UNSURE] = true}},
    {"label import of xlsx", by_xlsx, {[UNSURE] = true}},
    {"label code by lines",
     by_dialog,
     {[CLEAR] = true, [YES_CODE] = true, [NO_CODE] = true, [REASON] = true, [SECOND] = true}},
    {"API", by_api, {false}},
    {"form", by_form, {false}},
};

static void ignore(void *ctx, const struct db_act *act)
{
    (void)ctx;
    (void)act;
}

/* By the page and its API the last act of the coder, which is of this post if the post has any. */
static void undo(struct place *p, size_t d, int64_t post_id)
{
    struct act_said said = said_of(&p->file, post_id);
    bool any = said.is_judged || said.problems.n > 0;
    char target[32];

    act_said_clear(&said);
    snprintf(target, sizeof target, "/code/%" PRId64, post_id);
    if (doors[d].open == by_api && any)
        assert_int_equal(ask(p, "/api/undo", "{}"), 200);
    else if (doors[d].open == by_form && any)
        assert_int_equal(ask(p, target, "go=undo"), 303);
    else if (db_decision_undo(p->file.db, SPAN("ann"), post_id, 0, ignore, NULL, &e) > ST_NO)
        fail_msg("%s", e.text);
}

static void act(struct place *p, size_t d, enum kind kind, int64_t post_id)
{
    enum status status = ST_OK;

    if (kind == UNDO)
        undo(p, d, post_id);
    else
        status = doors[d].cannot[kind] ? by_act(p, kind, post_id) : doors[d].open(p, kind, post_id);
    if (status != ST_OK && status != ST_INPUT)
        fail_msg("%s: %s of %" PRId64 ": %d: %s", doors[d].name, kind_names[kind], post_id, (int)status, e.text);
}

/* Each act, and each pair of acts, about a post of its own. */
static void act_all(struct place *p, size_t d)
{
    for (size_t i = 0; i < KINDS; i++)
        for (size_t k = 0; k <= KINDS; k++) {
            act(p, d, (enum kind)i, post_of(i, k));
            if (k < KINDS)
                act(p, d, (enum kind)k, post_of(i, k));
        }
}

/* --- files --- */

static void make_study(struct db *db)
{
    struct study study;
    struct facets facets;
    struct codebook book;

    OK(study_load(&study, NULL, &e));
    OK(facets_of_study(&facets, &study, &e));
    OK(codebook_of_study(&book, &facets, &study, &e));
    for (size_t i = 0; i < study.n_files; i++)
        OK(db_study_file_put(db, study.files[i].name, study.files[i].content, &e));
    OK(published_put(db, &study, &facets, &book, NULL, &e));
    codebook_clear(&book);
    facets_clear(&facets);
    study_clear(&study);
}

/* A post for each sequence; the dialog shows it. */
static void put_posts(struct db *db)
{
    const struct db_run run = {.command = "load", .parameters = SPAN("{}")};
    struct post post = post_empty();
    enum db_put what;
    int64_t run_id;

    OK(db_run_begin(db, &run, &run_id, &e));
    post.type = POST_QUESTION;
    post.title = SPAN("slow");
    post.body_html = SPAN("<p>slow</p>");
    post.tags = SPAN("[\"keras\"]");
    for (post.post_id = post_of(0, 0); post.post_id <= post_of(KINDS - 1, KINDS); post.post_id++)
        OK(db_post_put(db, &post, &(struct db_origin){.run_id = run_id}, &what, &e));
}

/* Bob sees a hang in every post. */
static void code_bob(struct file *f)
{
    OK(db_begin(f->db, &e));
    for (size_t i = 0; i < KINDS; i++)
        for (size_t k = 0; k <= KINDS; k++) {
            char subject[32];
            struct act bob = {.coder = SPAN("bob"), .post_id = post_of(i, k), .given = {[SYMPTOM] = true}};
            subject_of(YES, bob.post_id, subject);
            bob.subject = span_of(subject);
            bob.codes[SYMPTOM] = (struct act_codes){{place_of(f, "symptom", "program hang")}, 1};
            OK(act_write(f->db, &f->book, &bob, &e));
        }
    OK(db_commit(f->db, &e));
}

static int set_up(void **state)
{
    struct place *p = mem_zero(1, sizeof *p);

    /* Thousands of acts are synced, which takes no time in memory. */
    snprintf(p->folder, sizeof p->folder, "%s/ppmine-test-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->file.path, sizeof p->file.path, "%s/a.db", p->folder);
    OK(study_db_create(&p->file.db, p->file.path, &e));
    OK(db_begin(p->file.db, &e));
    make_study(p->file.db);
    put_posts(p->file.db);
    OK(db_commit(p->file.db, &e));
    db_close(p->file.db);
    open_file(&p->file);
    code_bob(&p->file);
    *state = p;
    return 0;
}

static void copy_file(struct place *p, const char *name, struct place *copy)
{
    struct buf content = {0};

    close_file(&p->file); /* nothing is left in a log */
    *copy = (struct place){0};
    snprintf(copy->folder, sizeof copy->folder, "%s", p->folder);
    snprintf(copy->file.path, sizeof copy->file.path, "%s/%s", p->folder, name);
    OK(file_read(p->file.path, 1 << 28, &content, &e));
    OK(file_write(copy->file.path, true, buf_span(&content), name, &e));
    buf_clear(&content);
    open_file(&p->file);
    open_file(&copy->file);
}

static void remove_copy(struct place *copy)
{
    close_file(&copy->file);
    unlink(copy->file.path);
    buf_clear(&copy->cookie);
}

static int tear_down(void **state)
{
    struct place *p = *state;

    remove_copy(p);
    assert_int_equal(rmdir(p->folder), 0);
    mem_free(p);
    return 0;
}

static void open_web(struct place *p)
{
    struct web_options options = {.db_path = p->file.path, .coder = SPAN("ann"), .port = 8420};
    struct buf link = {0};

    OK(web_open(&p->web, &options, &e));
    web_link(p->web, &link);
    assert_int_equal(ask(p, strstr(buf_cstr(&link), "/launch"), NULL), 200);
    buf_clear(&link);
}

/* Fails with the first line that differs, and what was done. */
static void expect_same(const char *name, const struct buf *was, const struct buf *is)
{
    struct span left = buf_span(was), right = buf_span(is), a = {0}, b = {0};
    bool more = true, other = true;

    while (more && other && span_eq(a, b)) {
        a = b = SPAN("(no more rows)");
        more = span_cut(&left, '\n', &a);
        other = span_cut(&right, '\n', &b);
    }
    if (span_eq(a, b))
        return;
    int64_t post_id = 0;
    const char *digits = a.ptr != NULL ? strpbrk(a.ptr, "0123456789") : NULL;
    if (digits != NULL)
        post_id = strtoll(digits, NULL, 10) - 100;
    size_t first = (size_t)post_id / (KINDS + 1), second = (size_t)post_id % (KINDS + 1);
    fail_msg("%s: after %s, %s:\n  %.*s\nbut by act\n  %.*s", name, first < KINDS ? kind_names[first] : "?",
             second < KINDS ? kind_names[second] : "nothing", (int)b.len, b.ptr, (int)a.len, a.ptr);
}

/* --- tests --- */

static void every_door_leaves_the_same(void **state)
{
    struct place *p = *state;
    struct buf expected = {0};

    for (size_t d = 0; d < ARRAY_LEN(doors); d++) {
        struct place copy;
        struct buf is = {0};
        copy_file(p, "door.db", &copy);
        if (doors[d].open == by_api || doors[d].open == by_form)
            open_web(&copy);
        act_all(&copy, d);
        web_close(copy.web);
        add_state(&copy, d == 0 ? &expected : &is);
        if (d > 0)
            expect_same(doors[d].name, &expected, &is);
        buf_clear(&is);
        remove_copy(&copy);
    }
    assert_true(expected.len > 20000);
    buf_clear(&expected);
}

/* The second act of each pair in a copy of the file, which then is merged. */
static void merging_leaves_the_same(void **state)
{
    struct place *p = *state, one, copy;
    struct buf expected = {0}, is = {0};
    struct db_merged merged;

    copy_file(p, "one.db", &one);
    act_all(&one, 0);
    add_state(&one, &expected);
    remove_copy(&one);
    copy_file(p, "one.db", &one);
    for (size_t i = 0; i < KINDS; i++)
        for (size_t k = 0; k <= KINDS; k++)
            act(&one, 0, (enum kind)i, post_of(i, k));
    copy_file(&one, "copy.db", &copy);
    for (size_t i = 0; i < KINDS; i++)
        for (size_t k = 0; k < KINDS; k++)
            act(&copy, 0, (enum kind)k, post_of(i, k));
    OK(db_merge(one.file.db, copy.file.path, &(struct db_merge_how){0}, &merged, &e));
    db_merged_clear(&merged);
    add_state(&one, &is);
    expect_same("label merge", &expected, &is);
    buf_clear(&expected);
    buf_clear(&is);
    remove_copy(&copy);
    remove_copy(&one);
}

/* One act of a pair here and one in a copy, neither of which knows the other: each way to merge, and making
 * the tables anew, come to the same. */
static void apart_and_merged_is_the_same(void **state)
{
    struct place *p = *state, sides[2];
    struct buf is[2] = {{0}, {0}}, anew = {0};
    struct db_merged merged;

    for (size_t s = 0; s < 2; s++) {
        copy_file(p, s == 0 ? "here.db" : "there.db", &sides[s]);
        for (size_t i = 0; i < KINDS; i++)
            for (size_t k = 0; k < KINDS; k++)
                act(&sides[s], 0, (enum kind)(s == 0 ? i : k), post_of(i, k));
    }
    for (size_t s = 0; s < 2; s++) {
        OK(db_merge(sides[s].file.db, sides[1 - s].file.path, &(struct db_merge_how){0}, &merged, &e));
        db_merged_clear(&merged);
    }
    for (size_t s = 0; s < 2; s++)
        add_state(&sides[s], &is[s]);
    expect_same("merged the other way", &is[0], &is[1]);
    OK(db_labels_rebuild(sides[0].file.db, &e));
    add_state(&sides[0], &anew);
    expect_same("made anew", &is[0], &anew);
    for (size_t s = 0; s < 2; s++) {
        remove_copy(&sides[s]);
        buf_clear(&is[s]);
    }
    buf_clear(&anew);
}

/* What label/coding/act.h says, in rows: ann's judgement, her current codes, her decisions, of which undone. */
static void acts_mean_what_is_written_down(void **state)
{
    static const struct {
        enum kind acts[4];
        size_t n;
        const char *state;
    } cases[] = {
        {{YES}, 1, "1||1|0\n"},
        {{NO}, 1, "0||1|0\n"},
        {{CODE}, 1, "1|program hang|2|0\n"},
        {{CODE, NO}, 2, "0||3|0\n"},
        {{CODE, NO, YES}, 3, "1||4|0\n"},
        {{CODE, NO, UNDO}, 3, "1|program hang|4|1\n"},
        {{NO, CODE}, 2, "0||1|0\n"},
        {{NO, YES_CODE}, 2, "1|program hang|3|0\n"},
        {{NO, CODE, YES, CODE}, 4, "1|program hang|3|0\n"},
        {{NO_CODE}, 1, "|||\n"},
        {{CODE, CODE}, 2, "1|program hang|2|0\n"},
        {{CODE, OTHER_CODE}, 2, "1|memory leak|3|0\n"},
        {{CODE, SEVERAL}, 2, "1|memory leak,out of memory|3|0\n"},
        {{CODE, CLEAR}, 2, "1||3|0\n"},
        {{CLEAR}, 1, "|||\n"},
        {{CODE, SECOND, NO}, 3, "0||6|0\n"},
        {{CODE, SECOND, NO, UNDO}, 4, "1|program hang,others|7|1\n"},
        {{CODE, UNDO}, 2, "||4|2\n"},
        {{REASON}, 1, "|||\n"},
        {{CODE, REASON}, 2, "1|program hang|3|0\n"},
        {{YES, REASON}, 2, "1||2|0\n"},
        {{CODE, CODE_REASON}, 2, "1|program hang|3|0\n"},
        {{UNSURE}, 1, "|||\n"},
    };
    struct place *p = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf sql = {0}, is = {0};
        for (size_t k = 0; k < cases[i].n; k++)
            act(p, 0, cases[i].acts[k], 5000 + (int64_t)i);
        buf_addf(&sql,
                 "SELECT (SELECT is_problem FROM judgement WHERE post_id = p AND coder = 'ann'),"
                 " (SELECT group_concat(name) FROM (SELECT name FROM label JOIN code USING (code_id)"
                 "   WHERE post_id = p AND coder = 'ann' ORDER BY subject, place)),"
                 " (SELECT nullif(count(*), 0) FROM decision WHERE post_id = p AND coder = 'ann'),"
                 " (SELECT iif(count(*) > 0, count(undoes), NULL) FROM decision WHERE post_id = p AND coder = 'ann')"
                 " FROM (SELECT %zu AS p)",
                 5000 + i);
        add_rows(p, buf_cstr(&sql), &is);
        if (strcmp(buf_cstr(&is), cases[i].state) != 0)
            fail_msg("case %zu (%s …): %sexpected %s", i, kind_names[cases[i].acts[0]], buf_cstr(&is), cases[i].state);
        buf_clear(&sql);
        buf_clear(&is);
    }
}

/* --- what nobody disputes is settled at once --- */

static void by_sql(const struct place *p, const char *sql)
{
    sqlite3 *handle;

    assert_int_equal(sqlite3_open(p->file.path, &handle), SQLITE_OK);
    if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    sqlite3_close(handle);
}

static void expect_rows(const struct place *p, const char *sql, const char *expected)
{
    struct buf is = {0};

    add_rows(p, sql, &is);
    assert_string_equal(buf_cstr(&is), expected);
    buf_clear(&is);
}

static enum status settle_all(struct place *p, const struct settle_bulk *how, struct settle_count *count)
{
    struct settler settler;
    enum status status = settler_open(&settler, p->file.db, SPAN("merged"), SPAN("cam"), &e);

    if (status == ST_OK)
        status = settle_bulk(&settler, how, count, &e);
    settler_clear(&settler);
    return status;
}

/* Ann alone codes 6000 and, before she says no, 6001; 6002 is bob's, too, who says that it is no problem; so is
 * 6003, on which they agree. */
static void code_partly(struct place *p)
{
    const struct act bob[] = {
        {.coder = SPAN("bob"), .subject = SPAN("6002"), .post_id = 6002, .judgement = ACT_SAYS_NO},
        {.coder = SPAN("bob"), .subject = SPAN("6003"), .post_id = 6003, .judgement = ACT_SAYS_YES},
    };

    act(p, 0, CODE, 6000);
    act(p, 0, CODE, 6001);
    act(p, 0, NO, 6001);
    act(p, 0, CODE, 6002);
    act(p, 0, CODE, 6003);
    for (size_t i = 0; i < ARRAY_LEN(bob); i++)
        OK(act_put(p->file.db, &p->file.book, &bob[i], &e));
}

static const char of_merged[] = "SELECT post_id, subject, facet, value, reason FROM decision WHERE coder = 'merged'"
                                " AND post_id BETWEEN 6000 AND 6003 ORDER BY post_id, decided_at";

static void labels_of_one_coder_are_taken(void **state)
{
    struct place *p = *state;
    struct settle_count count = {.n = 0};
    struct settle_bulk how = {.kind = DB_SINGLE, .coder = SPAN("ann"), .facet = DB_ALL_FACETS, .only_looks = true};

    code_partly(p);
    OK(settle_all(p, &how, &count));
    assert_int_equal(count.n, 4); /* of 6000 two, of 6001 the no, of 6003 the code */
    assert_int_equal(count.of[FACET_JUDGES], 2);
    assert_int_equal(count.disputed, 1); /* the code of 6002 */
    expect_rows(p, of_merged, "");
    how.only_looks = false;
    OK(settle_all(p, &how, &count));
    expect_rows(p, of_merged,
                "6000|6000|identification|true|by cam: took ann's: coded by one coder\n"
                "6000|6000|symptom|[\"program hang\"]|by cam: took ann's: coded by one coder\n"
                "6001|6001|identification|false|by cam: took ann's: coded by one coder\n"
                "6003|6003|symptom|[\"program hang\"]|by cam: took ann's: coded by one coder\n");
    OK(settle_all(p, &how, &count));
    assert_int_equal(count.n, 0);
    how.coder = SPAN("bob"); /* he says nothing alone */
    how.post_id = 6002;
    OK(settle_all(p, &how, &count));
    assert_int_equal(count.n, 0);
}

/* The second symptom that merged settles fails in the database. */
static void all_is_settled_or_nothing(void **state)
{
    const enum db_dispute_kind kinds[] = {DB_SINGLE, DB_AGREED};
    struct place *p = *state;
    struct settle_count count = {.n = 0};

    code_partly(p);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        const struct settle_bulk how = {.kind = kinds[i], .coder = SPAN("ann"), .facet = DB_ALL_FACETS};
        for (int64_t post = 100; post < 103 && kinds[i] == DB_AGREED; post++)
            act(p, 0, CODE, post); /* as bob says */
        by_sql(p, "CREATE UNIQUE INDEX fails ON decision (coder, facet) WHERE coder = 'merged' AND facet = 'symptom'");
        assert_int_equal(settle_all(p, &how, &count), ST_DATABASE);
        expect_rows(p, "SELECT count(*) FROM decision WHERE coder = 'merged'", "0\n");
        by_sql(p, "DROP INDEX fails");
    }
    OK(settle_all(p, &(struct settle_bulk){.kind = DB_AGREED, .facet = DB_ALL_FACETS}, &count));
    assert_true(count.n > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(labels_of_one_coder_are_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_is_settled_or_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(acts_mean_what_is_written_down, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_door_leaves_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(merging_leaves_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(apart_and_merged_is_the_same, set_up, tear_down)};

    unsetenv("PPMINE_NOW");
    log_set_level(LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
