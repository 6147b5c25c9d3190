/*
 * init: a new database for a study.
 *
 * The database is made under another name in the same folder and gets its own name when it is
 * complete, so an init that fails or is killed leaves none behind.
 */
#define _GNU_SOURCE
#include "cli/command.h"
#include "coding/published.h"
#include "db/study.h"
#include "match/match.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What goes into the database. */
struct content {
    struct study study;
    struct facets facets;
    struct codebook codebook;
    size_t n_keywords;
    bool published; /* the labels too */
    struct published_counts counts;
};

static enum status put_settings(struct db *db, const struct study *s, struct err *e)
{
    const struct {
        const char *key;
        struct span value;
    } settings[] = {
        {"name", s->name},
        {"title", s->title},
        {"site", s->site},
        {"stemmer", s->stemmer},
    };
    enum status status = ST_OK;

    for (size_t i = 0; status == ST_OK && i < ARRAY_LEN(settings); i++)
        status = db_setting_put(db, settings[i].key, settings[i].value, e);
    return status;
}

static enum status put_content(struct db *db, struct content *content, struct err *e)
{
    const struct study *s = &content->study;
    enum status status = db_begin(db, e);

    for (size_t i = 0; status == ST_OK && i < s->n_files; i++)
        status = db_study_file_put(db, s->files[i].name, s->files[i].content, e);
    if (status == ST_OK)
        status = put_settings(db, s, e);
    if (status == ST_OK)
        status = published_put(db, s, &content->facets, &content->codebook,
                               content->published ? &content->counts : NULL, e);
    if (status == ST_OK)
        status = db_commit(db, e);
    if (status == ST_OK)
        status = db_checkpoint(db, e);
    return status;
}

static enum status create(const char *path, struct content *content, struct err *e)
{
    struct db *db = NULL;
    enum status status = db_open(&db, path, DB_CREATE, e);

    if (status == ST_OK)
        status = put_content(db, content, e);
    if (db != NULL)
        db_close(db);
    return status;
}

static void remove_unfinished(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    struct buf name = {0};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        buf_reset(&name);
        buf_addf(&name, "%s%s", path, endings[i]);
        unlink(buf_cstr(&name));
    }
    buf_clear(&name);
}

static enum status exists_error(const char *path, struct err *e)
{
    return err_set(e, ST_DATABASE,
                   "%s: there is a file already, and init never replaces one; name another with"
                   " --db FILE",
                   path);
}

/* Makes an empty file, which becomes the database; so what the system refuses is said about `path`,
 * the name that the user knows. */
static enum status begin_file(const char *unfinished, const char *path, struct err *e)
{
    int fd = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0)
        return err_set(e, ST_IO, "%s: cannot be created: %s", path, strerror(errno));
    close(fd);
    return ST_OK;
}

/* Gives the finished database its name, unless a file of that name came meanwhile. */
static enum status publish(const char *unfinished, const char *path, bool replace_empty,
                           struct err *e)
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
    bool there = lstat(path, &st) == 0;
    struct buf unfinished = {0};

    if (there && !(S_ISREG(st.st_mode) && st.st_size == 0))
        return exists_error(path, e);
    buf_addf(&unfinished, "%s.%ld-unfinished", path, (long)getpid());
    remove_unfinished(buf_cstr(&unfinished));
    enum status status = begin_file(buf_cstr(&unfinished), path, e);
    if (status == ST_OK)
        status = create(buf_cstr(&unfinished), content, e);
    if (status == ST_OK)
        status = publish(buf_cstr(&unfinished), path, there, e);
    remove_unfinished(buf_cstr(&unfinished));
    buf_clear(&unfinished);
    return status;
}

/* The keywords are read by match later; better to hear now that they are bad. */
static enum status count_keywords(const struct study *s, const char *dir, size_t *n, struct err *e)
{
    struct match_set *set = NULL;
    struct buf name = {0};
    struct err why;

    buf_addf(&name, "%s%skeywords.txt", dir != NULL ? dir : "", dir != NULL ? "/" : "");
    enum status status = match_set_load(&set, study_file(s, "keywords.txt"), buf_cstr(&name),
                                        s->stemmer, MATCH_STEMMED, &why);
    if (status == ST_OK) {
        *n = match_set_size(set);
        match_set_free(set);
    } else if (status == ST_USAGE) { /* no such stemmer: the file's fault here */
        status = err_set(e, ST_INPUT, "%s%sstudy.ini: %s", dir != NULL ? dir : "",
                         dir != NULL ? "/" : "", why.text);
    } else {
        *e = why;
    }
    buf_clear(&name);
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

/* The same of the hints. */
static enum status check_hints(const struct content *content, struct err *e)
{
    struct hints *hints = NULL;
    enum status status =
        hints_load(&hints, &content->codebook, study_file(&content->study, "hints.csv"), e);

    hints_free(hints);
    return status;
}

static enum status read_content(struct content *content, const char *dir, struct err *e)
{
    enum status status = study_load(&content->study, dir, e);

    if (status == ST_OK)
        status = count_keywords(&content->study, dir, &content->n_keywords, e);
    if (status == ST_OK)
        status = name_folder(dir, facets_of_study(&content->facets, &content->study, e), e);
    if (status == ST_OK)
        status = name_folder(dir, codebook_of_study(&content->codebook, &content->facets,
                                                    &content->study, e), e);
    if (status == ST_OK)
        status = name_folder(dir, check_hints(content, e), e);
    return status;
}

static void tell(const char *path, const struct content *content)
{
    const struct study *s = &content->study;
    struct buf text = {0};

    buf_addf(&text, "%s: study %.*s, %zu keywords", path, (int)s->name.len, s->name.ptr,
             content->n_keywords);
    if (content->published)
        buf_addf(&text, ", %zu judgements, %zu codings, %zu problems, %zu assessments",
                 content->counts.judgements, content->counts.codings, content->counts.problems,
                 content->counts.assessments);
    log_info("%s; next: ppmine load Posts.xml", buf_cstr(&text));
    buf_clear(&text);
}

static enum status run_init(struct invocation *in, struct err *e)
{
    const char *dir = option_text(in, "study", NULL);
    struct content content = {.published = option_given(in, "published")};
    enum status status = read_content(&content, dir, e);

    if (status == ST_OK)
        status = name_folder(dir, create_and_publish(in->db_path, &content, e), e);
    if (status == ST_OK)
        tell(in->db_path, &content);
    facets_clear(&content.facets);
    codebook_clear(&content.codebook);
    study_clear(&content.study);
    return status;
}

static const struct option_spec options[] = {
    {"study", '\0', "DIR", "folder with study.ini and keywords.txt (default: the built-in study)"},
    {"published", '\0', NULL, "also load the labels that were published with the study"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine init", "ppmine.db, with the study that is built in"},
    {"ppmine init --published", "the same with its published labels: 224 problems of 210 posts"},
    {"ppmine -d pytorch.db init --study studies/pytorch", NULL},
    {NULL, NULL},
};

const struct command command_init = {
    .name = "init",
    .summary = "Create a database for a study",
    .options = options,
    .description =
        "Copies the files of the study into a new database, which then needs no other file. The\n"
        "built-in study is dlperf: performance problems of deep-learning systems, by Cao et al.,\n"
        "ESEC/FSE 2022. An existing file is never replaced.\n"
        "\n"
        "With --published, the judgements, labels and assessments of the study's CSV files are\n"
        "loaded as the decisions of their coders.",
    .examples = examples,
    .needs = NEEDS_DB_PATH,
    .run = run_init,
};
