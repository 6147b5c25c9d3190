/* init: a new database for a study, under another name in its folder until it is complete, so that a failed or killed
 * init leaves none. */
#include "label/rows.h"
#include "label/facet_table.h"
#include "base/output_file.h"
#include "cli/options.h"
#include "label/coding/categories.h"
#include "label/exchange/foreign.h"
#include "label/exchange/published.h"
#include "label/exchange/refi.h"
#include "label/coding/study_change.h"
#include "db/study.h"
#include "fetch/crawl/crawl.h"
#include "match/match.h"
#include "report/report.h"
#include "base/files.h"
#include "base/log.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* What goes into the database. */
struct content {
    struct study study;
    struct facets facets;
    struct codebook codebook;
    size_t n_keywords;
    bool published;       /* the labels too */
    struct refi *project; /* that they are of; NULL: files */
    struct published_counts counts;
    struct buf posts, files; /* of somebody else's tables: NDJSON; what they are called */
};

static enum status put_content(struct db *db, struct content *content, struct err *e)
{
    const struct study *s = &content->study;
    enum status status = db_begin(db, e);

    for (size_t i = 0; status == ST_OK && i < s->n_files; i++)
        status = db_study_file_put(db, s->files[i].name, s->files[i].content, e);
    THEN(status, study_put_settings(db, s, e));
    THEN(status, published_put(db, s, &content->facets, &content->codebook,
                               content->published && content->project == NULL ? &content->counts : NULL, e));
    if (status == ST_OK && content->project != NULL)
        status = refi_put(content->project, db, s, e);
    THEN(status, db_commit(db, e));
    THEN(status, db_checkpoint(db, e));
    return status;
}

static void ignore_counts(void *ctx, struct span counts)
{
    (void)ctx;
    (void)counts;
}

static void remove_unfinished(const char *path)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal", ""};
    AT_END(buf_clear) struct buf name = {0};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        buf_reset(&name);
        buf_addf(&name, "%s%s", path, endings[i]);
        unlink(buf_cstr(&name));
    }
}

static enum status exists_error(const char *path, struct err *e)
{
    return err_set(e, ST_DATABASE, "%s: the file exists, and init never replaces one; name another with --db FILE",
                   path);
}

/* Gives the finished database its name, unless a file of that name came meanwhile. */
static enum status publish(const char *unfinished, const char *path, bool replace_empty, struct err *e)
{
    if (!replace_empty) {
        if (link(unfinished, path) == 0)
            return ST_OK; /* remove_unfinished takes the other name away */
        if (errno == EEXIST)
            return exists_error(path, e);
    }
    /* The file is there and empty, or the file system knows no links. */
    if (rename(unfinished, path) != 0)
        return err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    return ST_OK;
}

static enum status create_and_publish(const char *path, struct content *content, struct err *e)
{
    struct stat st;
    AT_END(buf_clear) struct buf unfinished = {0};

    unfinished_remove_left(path, remove_unfinished);
    bool there = lstat(path, &st) == 0;
    if (there && !(S_ISREG(st.st_mode) && st.st_size == 0))
        return exists_error(path, e);
    /* An empty file becomes the database; so errors of the system name `path`, which the user knows. */
    int fd = unfinished_make(path, UNFINISHED_PRIVATE, &unfinished);
    if (fd < 0)
        return err_set(e, ST_IO, "%s: cannot be created: %s", path, strerror(errno));
    enum status status = ST_OK;
    if (!there) /* the empty file has a mode that somebody chose */
        status = file_make_private(fd, path, e);
    else if (fchmod(fd, st.st_mode & 07777) != 0)
        log_debug("%s: its mode cannot be kept: %s", path, strerror(errno));
    if (status == ST_OK) {
        struct db *db = NULL;
        status = study_db_create(&db, buf_cstr(&unfinished), e);
        THEN(status, db_fill_begin(db, e));
        THEN(status, put_content(db, content, e));
        /* The posts that came with the labels. */
        if (status == ST_OK) {
            AT_END(mem_end) char *name = mem_text(buf_span(&content->files));
            struct crawl_load_how how = {
                .ndjson = true, .all_tags = true, .batch = 10000, .text = buf_span(&content->posts)};
            status = content->posts.len > 0 ? crawl_load(db, &name, 1, &how, ignore_counts, NULL, e) : ST_OK;
        }
        db_close(db);
    }
    THEN(status, publish(buf_cstr(&unfinished), path, there, e));
    remove_unfinished(buf_cstr(&unfinished));
    if (status == ST_OK)
        folder_sync(path);
    close(fd); /* only now: closing it takes the locks off the database, too */
    return status;
}

/* The keywords are read by match later; better to hear now that they are bad. */
static enum status count_keywords(const struct study *s, const char *dir, size_t *n, struct err *e)
{
    struct match_set *set = NULL;
    struct err why;

    AT_END(mem_end) char *name = mem_addf("%s%skeywords.txt", dir != NULL ? dir : "", dir != NULL ? "/" : "");
    enum status status = match_set_load(&set, study_file(s, "keywords.txt"), name, s->stemmer, MATCH_STEMMED, &why);
    if (status == ST_OK) {
        *n = match_set_size(set);
        match_set_free(set);
    } else if (status == ST_USAGE) { /* no such stemmer: the file's fault here */
        status = err_set(e, ST_INPUT, "%s%sstudy.ini: %s", dir != NULL ? dir : "", dir != NULL ? "/" : "", why.text);
    } else {
        *e = why;
    }
    return status;
}

/* What is made of the files of the study, and what is wrong with those that are read later. */
static enum status MUST_USE read_study(struct content *content, struct err *e)
{
    const struct study *study = &content->study;
    struct span claims = study_file(study, "claims.csv"), campaign = study_file(study, "campaign.csv");
    AT_END(report_plan_clear) struct report_plan plan = {.n = 0};
    struct hints *hints = NULL;
    enum status status = facets_of_study(&content->facets, study, e);

    THEN(status, codebook_of_study(&content->codebook, &content->facets, study, e));
    THEN(status, hints_load(&hints, &content->codebook, study_file(study, "hints.csv"), e));
    hints_free(hints);
    THEN(status, report_plan_load(&plan, &content->facets, study->problems, study_file(study, "statistics.csv"), e));
    if (status == ST_OK && claims.ptr != NULL)
        status = report_claims_check(claims, "claims.csv", &content->facets, e);
    THEN(status, categories_check(study_file(study, "categories.csv"), e));
    THEN(status, report_campaign_check(campaign, e));
    return status;
}

/* What is wrong with a file of the study, under the name that the user knows. */
static enum status name_folder(const char *dir, enum status status, struct err *e)
{
    struct err why = *e;

    if (status != ST_INPUT || dir == NULL)
        return status;
    return err_set(e, ST_INPUT, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", why.text);
}

/* --- the files of somebody else --- */

/* Tables or, alone, a project or codebook of REFI-QDA; *project is NULL for tables. */
static enum status MUST_USE read_files(struct foreign *f, struct refi **project, const struct invocation *in,
                                       struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < in->n_operands && status == ST_OK; i++) {
        const char *name = in->operands[i];
        AT_END(buf_clear) struct buf bytes = {0};
        status = file_read(name, FOREIGN_BYTES_MAX, &bytes, e);
        struct span content = buf_span(&bytes);
        if (status == ST_OK && !refi_is(content))
            status = foreign_read(f, content, name, e);
        else if (status == ST_OK && in->n_operands == 1)
            status = refi_read(project, content, name, e);
        else if (status == ST_OK)
            status = usage_error(in, e, "%s is a project: give no other FILE with it", name);
    }
    if (status == ST_OK && *project != NULL)
        refi_tell(*project);
    return status;
}

/* Tables become the label files of the study, as its mapping.ini says. */
static enum status MUST_USE take_foreign(struct content *content, struct foreign *f, const struct invocation *in,
                                         struct err *e)
{
    struct study *study = &content->study;
    AT_END(array_end) struct foreign_files files = {0};
    struct study mapped = {0};
    enum status status = foreign_map(f, study, &files, &content->posts, e);

    for (size_t i = 0; i < in->n_operands; i++)
        buf_addf(&content->files, "%s%s", i == 0 ? "posts of " : ", ", in->operands[i]);
    THEN(status, study_load_files(&mapped, files.at, files.n, e));
    if (status == ST_OK) {
        study_clear(study);
        *study = mapped;
    } else {
        study_clear(&mapped);
    }
    return status;
}

static enum status read_content(struct content *content, const char *dir, const struct invocation *in, struct err *e)
{
    const char *library = in->values.library;
    AT_END(foreign_clear) struct foreign f = {0};

    enum status status = library != NULL ? study_load_library(&content->study, library, e)
                                         : study_load_sheets(&content->study, dir, rows_as_csv, e);
    bool maps = study_file(&content->study, "mapping.ini").ptr != NULL;

    content->published = in->values.published || (library != NULL && maps);
    if (status == ST_OK && library != NULL && maps != (in->n_operands > 0))
        status = err_set(e, ST_USAGE,
                         maps ? "init: --library %s needs the FILEs of the study; its README.md names them"
                              : "init: --library %s has no labels yet and takes no FILE",
                         library);
    THEN(status, read_files(&f, &content->project, in, e));
    if (status == ST_OK && in->n_operands > 0 && content->project == NULL)
        status = name_folder(dir, take_foreign(content, &f, in, e), e);
    THEN(status, count_keywords(&content->study, dir, &content->n_keywords, e));
    THEN(status, name_folder(dir, read_study(content, e), e));
    return status;
}

/* What was made, and what a codebook lacks: codes can be added while coding, but coders need definitions. */
static void tell(const char *path, const struct content *content)
{
    const struct codebook *c = &content->codebook;
    AT_END(buf_clear) struct buf lists = {0}, made = {0};
    size_t undefined = 0;

    for (size_t i = 0; i < c->n_lists && c->n_codes > 0; i++) {
        bool has_code = false;
        for (size_t j = 0; j < c->n_codes && !has_code; j++)
            has_code = span_eq(c->codes[j].facet, c->lists[i]);
        if (!has_code && facets_writing(&content->facets, c->lists[i]) == NULL)
            buf_addf(&lists, "%s%s", lists.len > 0 ? ", " : "", c->lists[i].ptr);
    }
    for (size_t i = 0; i < c->n_codes; i++)
        undefined += c->codes[i].definition.len == 0;
    if (lists.len > 0)
        log_info("no codes yet: %s; add codes with codebook add", buf_cstr(&lists));
    if (undefined > 0)
        log_info("no definition: %zu of %zu codes; codebook list shows which, codebook define writes one", undefined,
                 c->n_codes);
    buf_addf(&made, "%s: study %.*s, %zu keywords", path, SPAN_ARG(content->study.name), content->n_keywords);
    if (content->published && content->project == NULL)
        buf_addf(&made, ", %zu judgements, %zu codings, %zu problems, %zu assessments", content->counts.judgements,
                 content->counts.codings, content->counts.problems, content->counts.assessments);
    log_info("%s; next: ppmine %s", buf_cstr(&made),
             content->posts.len > 0 || content->project != NULL ? "match" : "load Posts.xml");
}

/* --- a study that is under way --- */

static enum status change_study(struct invocation *in, const struct content *content, const char *dir, struct err *e)
{
    struct study_changed changed;
    struct span why = span_trim(span_of(option_or(in->values.why, "")));
    AT_END(buf_clear) struct buf by = {0};
    enum status status = by_option(in, &by, e);

    if (status == ST_OK && (why.len == 0 || dir == NULL))
        status = usage_error(in, e, "--change needs --study DIR, and --why TEXT for the history");
    THEN(status, invocation_open_db(in, DB_WRITE, e));
    THEN(status, study_change(in->db, &content->study, &content->facets, buf_span(&by), why, &changed, e));
    if (status == ST_OK) {
        if (changed.n == 0)
            log_info("the study is as the folder has it already; nothing was changed");
        else
            log_info("%zu file%s of the study changed; `ppmine init --history` lists the changes", changed.n,
                     changed.n == 1 ? "" : "s");
        if (changed.keywords)
            log_info("other keywords: ppmine match makes the candidates again");
    }
    return name_folder(dir, status, e);
}

static enum status print_history(struct invocation *in, struct err *e)
{
    struct db_study_change change;
    AT_END(table_clear) struct table t;
    enum status status = invocation_open_db(in, DB_READ, e);

    table_init(&t, "study-history", "Changes of the study", "changed_at; changed_by; file; change; reason");
    while (status == ST_OK && db_study_change_next(in->db, &change, &status, e))
        table_add_row(&t, table_text(change.changed_at), table_text(change.changed_by), table_text(change.file),
                      table_text(change.before.ptr == NULL  ? SPAN("added")
                                 : change.after.ptr == NULL ? SPAN("removed")
                                                            : SPAN("changed")),
                      table_text(change.reason));
    if (status == ST_OK)
        table_print(&t, &in->out);
    return status;
}

/* --- a folder to begin with --- */

static void path_in(const char *dir, struct span name, struct buf *path)
{
    buf_reset(path);
    buf_addf(path, "%s/%.*s", dir, SPAN_ARG(name));
}

/* Of what write_folder writes; what else is there stays, and its folder. */
static void remove_folder(const char *dir)
{
    static const struct span others[] = {{"mapping.ini", 11}, {"categories.csv", 14}};
    AT_END(buf_clear) struct buf path = {0};

    for (size_t i = 0; i < study_skeleton_count + ARRAY_LEN(others); i++) {
        path_in(dir, i < study_skeleton_count ? study_skeleton_files[i].name : others[i - study_skeleton_count], &path);
        unfinished_remove_left(buf_cstr(&path), remove_unfinished);
        unlink(buf_cstr(&path));
    }
    rmdir(dir);
}

static enum status MUST_USE write_folder(const char *dir, const struct study_file *files, size_t n, struct err *e)
{
    struct span name = span_of(dir);

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    AT_END(mem_end) char *path = mem_text(name);
    /* Made under another name, as the database is. */
    AT_END(buf_clear) struct buf unfinished = {0};
    struct stat there;
    int fd = -1;

    unfinished_remove_left(path, remove_folder);
    if (lstat(path, &there) == 0)
        errno = EEXIST;
    else
        fd = unfinished_make(path, UNFINISHED_FOLDER, &unfinished);
    if (fd < 0)
        return err_set(e, ST_IO, "%s: %s; a new folder is made", path, strerror(errno));
    enum status status = ST_OK;
    AT_END(buf_clear) struct buf file = {0};

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        path_in(buf_cstr(&unfinished), files[i].name, &file);
        status = output_file_write(buf_cstr(&file), OUTPUT_REPLACE, files[i].content, e);
    }
    if (status == ST_OK && rename(buf_cstr(&unfinished), path) != 0)
        status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    if (status == ST_OK)
        folder_sync(path);
    else
        remove_folder(buf_cstr(&unfinished));
    close(fd);
    return status;
}

static enum status MUST_USE guess_study(const struct invocation *in, struct err *e)
{
    const char *dir = option_or(in->values.study, "study");
    AT_END(foreign_clear) struct foreign f = {0};
    AT_END(array_end) struct foreign_files files = {0};
    struct refi *project = NULL;
    enum status status = read_files(&f, &project, in, e);

    if (status == ST_OK && project != NULL)
        refi_study(project, &files);
    else if (status == ST_OK)
        status = foreign_guess(&f, &files, e);
    THEN(status, write_folder(dir, files.at, files.n, e));
    if (status == ST_OK)
        log_info("%s: read %s, then: ppmine init --study %s --published FILE…", dir,
                 project != NULL ? "facets.csv and codebook.csv" : "mapping.ini", dir);
    refi_free(project);
    return status;
}

/* --- the command --- */

static enum status check_modes(const struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    size_t n = (size_t)o->change + o->history + o->from_flag + (o->skeleton != NULL);
    bool files = in->n_operands > 0;

    return refuse(
        e, {o->from_flag && !files, "init: --from needs a FILE"},
        {o->library != NULL && (n > 0 || o->study != NULL),
         "init: --library excludes --study and the other ways to begin"},
        {files && !o->from_flag && o->library == NULL && !(o->published && o->study != NULL),
         "init: a FILE is for --from, for --library, or for --study DIR --published"},
        {n > 1 || (n == 1 && o->published),
         "init: --change, --from, --history, --skeleton and --published exclude each other"},
        {n == 1 && !o->change && !o->from_flag && o->study != NULL, "init: --study excludes --history and --skeleton"});
}

static enum status run_init(struct invocation *in, struct err *e)
{
    const char *dir = in->values.study, *skeleton = in->values.skeleton;
    enum status mode = check_modes(in, e);

    if (mode == ST_OK && skeleton != NULL) {
        mode = write_folder(skeleton, study_skeleton_files, study_skeleton_count, e);
        if (mode == ST_OK)
            log_info("%s: a study to begin with; edit its files, then: ppmine init --study %s", skeleton, skeleton);
    }
    if (mode != ST_OK || skeleton != NULL)
        return mode;
    if (in->values.from_flag)
        return guess_study(in, e);
    if (in->values.history)
        return print_history(in, e);
    struct content content = {0};
    enum status status = read_content(&content, dir, in, e);

    THEN(status, in->values.change ? change_study(in, &content, dir, e)
                                   : name_folder(dir, create_and_publish(in->db_path, &content, e), e));
    if (status == ST_OK && !in->values.change)
        tell(in->db_path, &content);
    refi_free(content.project);
    facets_clear(&content.facets);
    codebook_clear(&content.codebook);
    study_clear(&content.study);
    buf_clear(&content.posts);
    buf_clear(&content.files);
    return status;
}

const struct command command_init = {
    .name = "init",
    .summary = "Create a database for a study",
    .operands = "[FILE…]",
    .options = OPTIONS(
        TEXT("study", study, "DIR", "folder with study.ini and keywords.txt (default: the built-in study)"),
        FLAG("published", published, "also load the labels that were published with the study, or of each FILE"),
        FLAG("from", from_flag, "write the folder of a study for the labels in each FILE (default: study)"),
        TEXT("library", library, "NAME", "load the labels in each FILE as the library's study NAME reads them"),
        TEXT("skeleton", skeleton, "DIR", "write a commented study to begin with into a new folder"),
        FLAG("change", change, "take over what changed in the files of --study, with history"),
        FLAG("history", history, "list the changes of the study"), BY_OPTION,
        TEXT("why", why, "TEXT", "with --change: the reason, for the history"), OUTPUT_OPTIONS),
    .description =
        "Copies the files of the study into a new database, which then needs no other file. The\n"
        "built-in study is dlperf: performance problems of deep-learning systems, by Cao et al.,\n"
        "ESEC/FSE 2022. An existing file is never replaced.\n\n"
        "With --published, the judgements, labels and assessments of the study's CSV files are\n"
        "loaded as the decisions of their coders.\n\n"
        "With --from, FILEs are the labels of somebody else's study: CSV, xlsx, JSON, JSON lines, or a zip\n"
        "of these, or what INCEpTION exports (UIMA CAS JSON or XMI, WebAnno TSV 3), or one project (.qdpx) or\n"
        "codebook (.qdc) of REFI-QDA, as NVivo, MAXQDA and ATLAS.ti write them. The command looks at the\n"
        "contents, writes a new folder with mapping.ini, facets.csv and codebook.csv, and says what it\n"
        "decided, what is in doubt and what it did not take. Change what is wrong; --study DIR --published\n"
        "FILE… then loads the labels.\n\n"
        "With --library, FILEs are those of a published study that the library knows; docs/library.md lists\n"
        "them. `ppmine verify` then recomputes its published numbers. A study that nobody labelled yet, such\n"
        "as pytorch-perf, takes no FILE.\n\n"
        "With --change, a database that exists takes over the tags, dates, fields, keywords, hints,\n"
        "facets and statistics of the folder. Its table study_change keeps who did so, when and why, and\n"
        "the files of before. The codebook is changed with codebook add and the like. A facet about\n"
        "which coders decided stays, with its kind and codes.",
    .examples = EXAMPLES(
        {"ppmine init", "ppmine.db, with the study that is built in"},
        {"ppmine init --published", "the same with its published labels: 224 problems of 210 posts"},
        {"ppmine init --skeleton study", "a folder to edit, which works as it is"},
        {"ppmine init --from --study theirs labels.xlsx", "a folder that says what the columns of labels.xlsx are"},
        {"ppmine -d theirs.db init --study theirs --published labels.xlsx", "a database with those labels"},
        {"ppmine -d green.db init --library green-gpt DL_Energy_Patterns.csv",
         "a published study, by the library's mapping"},
        {"ppmine init --from --study talks talks.qdpx", "a project of NVivo, MAXQDA, ATLAS.ti"},
        {"ppmine -d pytorch.db init --library pytorch-perf", "the built-in study's questions, of PyTorch"},
        {"ppmine -d pytorch.db init --study studies/pytorch --change --by ann --why 'the year 2024 too'",
         "after an edit of study.ini"}),
    .needs = NEEDS_DB_PATH,
    .run = run_init,
};
