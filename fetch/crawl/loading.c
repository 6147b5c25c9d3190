/* loading: what loading a file has in common, whatever its form: runs, batches, counts. */
#include "fetch/crawl/loading.h"

#include "base/log.h"
#include "base/signals.h"
#include "db/study.h"

#include <errno.h>
#include <inttypes.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- storing --- */

const char *loading_why_date(const struct loading *l, struct span date)
{
    bool has_dates = l->study.from[0] != '\0' || l->study.to[0] != '\0';

    if (date.len == 0)
        return has_dates ? LEFT_NO_DATE : NULL;
    return study_has_date(&l->study, date) ? NULL : LEFT_DATE;
}

static enum status stopped(struct err *e)
{
    return err_set(e, (enum status)signals_exit_code(),
                   "stopped; what was loaded is kept: run the same command again to continue");
}

void loading_saw(struct loading *l, struct span date)
{
    if (l->how.as_of.ptr == NULL && date.len == TIME_TEXT_SIZE - 1 && memcmp(date.ptr, l->as_of, date.len) > 0)
        memcpy(l->as_of, date.ptr, date.len);
}

enum status loading_note_as_of(struct loading *l, struct err *e)
{
    if (l->as_of[0] == '\0')
        return ST_OK;
    return db_run_as_of(l->db, l->run_id, span_of(l->as_of), e);
}

static enum status commit_batch(struct loading *l, struct err *e)
{
    l->n_batch = 0;
    enum status status = loading_note_as_of(l, e);
    THEN(status, db_commit(l->db, e));
    THEN(status, db_begin(l->db, e));
    return status == ST_OK && signals_stop_asked() ? stopped(e) : status;
}

enum status loading_step(struct loading *l, struct err *e)
{
    char note[64] = "";

    if (l->progress.active)
        snprintf(note, sizeof note, "%" PRIu64 " posts kept", l->n_questions + l->n_answers + l->n_others);
    progress_update(&l->progress, source_consumed(l->source), note);
    return signals_stop_asked() ? commit_batch(l, e) : ST_OK;
}

enum status loading_put(struct loading *l, const struct post *post, bool dated, struct err *e)
{
    struct db_origin origin = {.run_id = l->run_id, .is_run_date = true};
    enum db_put what;

    if (dated && l->as_of[0] != '\0')
        origin.as_of = span_of(l->as_of);
    enum status status = db_post_put(l->db, post, &origin, &what, e);
    if (status != ST_OK)
        return status;
    l->n_put[what]++;
    l->n_questions += post->type == POST_QUESTION;
    l->n_answers += post->type == POST_ANSWER;
    l->n_others += post->type != POST_QUESTION && post->type != POST_ANSWER;
    if (++l->n_batch >= l->how.batch || signals_stop_asked())
        return commit_batch(l, e);
    return ST_OK;
}

/* --- what waits --- */

static enum status waiting_failed(struct err *e)
{
    return err_set(e, ST_IO, "temporary file for what waits for the end of the file: %s", strerror(errno));
}

enum status waiting_add(struct waiting *w, const struct waiting_head *head, struct span bytes, struct err *e)
{
    if (w->file == NULL)
        w->file = tmpfile();
    if (w->file == NULL || fwrite(head, sizeof *head, 1, w->file) != 1 ||
        fwrite(bytes.ptr, 1, bytes.len, w->file) != bytes.len)
        return waiting_failed(e);
    return ST_OK;
}

enum status waiting_each(struct waiting *w,
                         enum status (*each)(void *ctx, const struct waiting_head *head, struct span bytes,
                                             struct err *e),
                         void *ctx, struct err *e)
{
    struct waiting_head head;
    AT_END(buf_clear) struct buf bytes = {0};
    enum status status = ST_OK;

    if (w->file == NULL)
        return ST_OK;
    if (fseek(w->file, 0, SEEK_SET) != 0) /* which writes what is buffered */
        return waiting_failed(e);
    while (status == ST_OK && fread(&head, sizeof head, 1, w->file) == 1) {
        buf_reset(&bytes);
        buf_reserve(&bytes, head.len);
        bytes.len = fread(bytes.ptr, 1, head.len, w->file);
        status = bytes.len == head.len ? each(ctx, &head, buf_span(&bytes), e) : waiting_failed(e);
    }
    if (status == ST_OK && ferror(w->file) != 0)
        status = waiting_failed(e);
    return status;
}

struct waiting waiting_in(FILE *temporary)
{
    return (struct waiting){temporary, temporary != NULL};
}

void waiting_clear(struct waiting *w)
{
    if (w->borrowed && w->file != NULL) {
        rewind(w->file);
        if (ftruncate(fileno(w->file), 0) != 0) /* what is left would be read again */
            w->file = NULL;
        return;
    }
    if (w->file != NULL)
        fclose(w->file);
    w->file = NULL;
}

/* --- counts --- */

/* What was kept: posts, links, and comments that are not in a list of their post. */
static uint64_t n_kept(const struct loading *l)
{
    return l->n_questions + l->n_answers + l->n_others + l->n_links + l->n_alone;
}

/* All that was read. What is read is kept or left out. */
static uint64_t n_rows(const struct loading *l)
{
    return n_kept(l) + l->refused.n_left + l->watermarks;
}

static void say_counts(struct loading *l)
{
    const char *name = source_name(l->source);

    log_info("%s: %" PRIu64 " %s read; kept %" PRIu64 " questions, %" PRIu64 " answers, %" PRIu64 " others: %" PRIu64
             " new, %" PRIu64 " changed, %" PRIu64 " as before, %" PRIu64 " older than what is stored",
             name, n_rows(l), l->is_dump ? "rows" : "posts", l->n_questions, l->n_answers, l->n_others,
             l->n_put[DB_PUT_NEW], l->n_put[DB_PUT_CHANGED] + l->n_put[DB_PUT_BACK], l->n_put[DB_PUT_SAME],
             l->n_put[DB_PUT_OLDER]);
    if (l->n_comments > 0)
        log_info("%s: kept %" PRIu64 " comments", name, l->n_comments);
    if (l->n_links > 0)
        log_info("%s: kept %" PRIu64 " links between posts", name, l->n_links);
    refused_say(&l->refused);
    if (n_kept(l) == 0 && n_rows(l) > 0)
        log_warn("%s: kept nothing of the %" PRIu64 " that were read; commonest reason: %s%s", name, n_rows(l),
                 l->refused.reasons.n > 0 ? l->refused.reasons.at[0].why : "watermarks",
                 l->how.all_tags ? "" : "; --all-tags keeps all that can be used");
    else if (n_rows(l) == 0)
        log_warn("%s: contains no posts", name);
    if (l->n_put[DB_PUT_OLDER] > 0)
        log_info("%s: its content is %s%.10s; newer content that is stored stays", name,
                 l->as_of[0] != '\0' ? "as of " : "of an unknown date", l->as_of);
    if (l->watermarks > 0)
        log_info("%s: %" PRIu64 " fabricated watermark rows left out (Ids 1000000001, 1000000010)", name,
                 l->watermarks);
    if (l->n_deferred > 0)
        log_info("%s: %" PRIu64 " answers came before their question and waited; %" PRIu64
                 " of them have no question here and were left out",
                 name, l->n_deferred, l->n_orphans);
}

/* --- runs --- */

enum status loading_begin(struct loading *l, struct err *e)
{
    memset(l->n_put, 0, sizeof l->n_put);
    l->read = l->bytes = l->watermarks = 0;
    l->n_questions = l->n_answers = l->n_others = l->n_comments = l->n_links = l->n_alone = 0;
    l->n_deferred = l->n_orphans = l->n_batch = 0;
    memset(l->as_of, 0, sizeof l->as_of);
    if (l->how.as_of.ptr != NULL)
        memcpy(l->as_of, l->how.as_of.ptr, TIME_TEXT_SIZE - 1);
    l->refused = (struct refused){.source = source_name(l->source)};
    AT_END(buf_clear) struct buf parameters = {0};
    struct db_run run = {.command = "load", .source = span_of(source_name(l->source))};
    buf_addf(&parameters, "{\"all_tags\":%s,\"strict\":%s%s", l->how.all_tags ? "true" : "false",
             l->how.strict ? "true" : "false", !l->is_dump ? ",\"ndjson\":true" : "");
    if (l->how.site.ptr != NULL) {
        buf_add_text(&parameters, ",\"site\":");
        buf_add_json(&parameters, l->how.site);
    }
    if (l->how.as_of.ptr != NULL)
        buf_addf(&parameters, ",\"as_of\":\"%.*s\"", SPAN_ARG(l->how.as_of));
    buf_add_char(&parameters, '}');
    run.parameters = buf_span(&parameters);
    enum status status = db_begin(l->db, e);
    THEN(status, db_run_begin(l->db, &run, &l->run_id, e));
    THEN(status, loading_note_as_of(l, e));
    progress_begin(&l->progress, source_name(l->source), source_size(l->source));
    return status;
}

/* Ends the run's transaction with its outcome. */
static enum status end_run(struct loading *l, const char *outcome, struct err *e)
{
    buf_reset(&l->counts);
    buf_addf(&l->counts,
             "{\"rows\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"questions\":%" PRIu64 ",\"answers\":%" PRIu64
             ",\"others\":%" PRIu64 ",\"new\":%" PRIu64 ",\"changed\":%" PRIu64 ",\"same\":%" PRIu64
             ",\"older\":%" PRIu64 ",\"answers_before_their_question\":%" PRIu64
             ",\"answers_without_question\":%" PRIu64 ",\"watermarks\":%" PRIu64 ",\"refused\":%" PRIu64,
             n_rows(l), l->bytes, l->n_questions, l->n_answers, l->n_others, l->n_put[DB_PUT_NEW],
             l->n_put[DB_PUT_CHANGED] + l->n_put[DB_PUT_BACK], l->n_put[DB_PUT_SAME], l->n_put[DB_PUT_OLDER],
             l->n_deferred, l->n_orphans, l->watermarks, l->refused.n);
    if (l->as_of[0] != '\0')
        buf_addf(&l->counts, ",\"as_of\":\"%s\"", l->as_of);
    if (!l->is_dump)
        buf_addf(&l->counts, ",\"comments\":%" PRIu64 ",\"links\":%" PRIu64, l->n_comments, l->n_links);
    buf_addf(&l->counts, ",\"kept\":%" PRIu64 ",\"left_out\":", n_kept(l));
    refused_json(&l->refused, &l->counts);
    buf_add_char(&l->counts, '}');
    enum status status = loading_note_as_of(l, e);
    THEN(status, db_run_end(l->db, l->run_id, outcome, buf_span(&l->counts), e));
    return status == ST_OK ? db_commit(l->db, e) : status;
}

enum status loading_end(struct loading *l, enum status status, struct err *e)
{
    progress_end(&l->progress);
    if (status == ST_INPUT && l->read > 0 && !signals_stop_asked())
        log_warn("%s: not read to its end: %" PRIu64 " %s were read, and %" PRIu64 " posts of them are kept",
                 source_name(l->source), l->read, l->is_dump ? "rows" : "posts",
                 l->n_questions + l->n_answers + l->n_others);
    THEN(status, refused_end(&l->refused, l->how.strict, n_kept(l), e));
    if (status == ST_OK) {
        status = end_run(l, "done", e);
    } else if (l->source != NULL && status != ST_DATABASE) {
        /* What was read before the input turned out bad, or a signal came, is good and kept. */
        struct err second;
        if (end_run(l, signals_stop_asked() ? "stopped" : "failed", &second) != ST_OK)
            log_warn("%s: what came after the last batch is not kept: %s", source_name(l->source), second.text);
        else if (signals_stop_asked())
            status = stopped(e);
    }
    if (status == ST_OK)
        say_counts(l);
    else
        refused_say(&l->refused);
    refused_clear(&l->refused);
    db_rollback(l->db);
    l->others |= source_others(l->source);
    source_close(l->source);
    l->source = NULL;
    return status;
}

/* The site of Stack Exchange that a file or its folder is named after: "ru.stackoverflow.com-Posts.7z",
 * "beer.stackexchange.com/Posts.xml"; empty: none. */
static struct span site_in_name(struct span path)
{
    static const char *const hosts[] = {"stackexchange.com", "stackoverflow.com", "serverfault.com", "superuser.com",
                                        "askubuntu.com",     "stackapps.com",     "mathoverflow.net"};
    size_t slashes = 0, from = path.len;

    while (from > 0 && (path.ptr[from - 1] != '/' || slashes++ == 0))
        from--;
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        size_t at = span_find_any_case(span_after(path, from), span_of(hosts[i]));
        if (at == SIZE_MAX)
            continue;
        size_t begin = from + at, end = begin + strlen(hosts[i]);
        while (begin > from && (ascii_is_letter(path.ptr[begin - 1]) || path.ptr[begin - 1] == '.'))
            begin--;
        return (struct span){path.ptr + begin, end - begin};
    }
    return SPAN("");
}

/* Posts of two sites may have the same id, so each must be known to be of one. */
static enum status MUST_USE choose_site(struct loading *l, const char *path, struct err *e)
{
    const struct study *s = &l->study;
    AT_END(buf_clear) struct buf names = {0};
    struct span named = site_in_name(span_of(path));

    if (l->how.site.ptr == NULL && s->n_sites == 0 && named.len > 0 && s->site.len > 0 &&
        !span_eq_any_case(named, s->site))
        return err_set(e, ST_INPUT,
                       "%s: its name says %.*s, and the study is of %.*s; where that is wrong, give --site %.*s", path,
                       SPAN_ARG(named), SPAN_ARG(s->site), SPAN_ARG(s->site));
    l->code = l->how.site.ptr != NULL ? study_code_of(s, l->how.site) : s->n_sites > 0 ? -1 : 0;
    if (l->code >= 0 || (l->how.site.ptr == NULL && !l->is_dump))
        return ST_OK;
    if (study_code_of(s, s->site) == 0)
        buf_add_span(&names, s->site);
    for (size_t i = 0; i < s->n_sites; i++) {
        buf_add_text(&names, names.len > 0 ? ", " : "");
        buf_add_span(&names, s->sites[i].name);
    }
    if (l->how.site.ptr == NULL)
        return err_set(e, ST_INPUT, "the study has several sites; say which one the dump is of, with --site: %s",
                       buf_cstr(&names));
    return err_set(e, ST_INPUT, "--site: the study has no site '%.*s'; it has: %s", SPAN_ARG(l->how.site),
                   buf_cstr(&names));
}

/* --- the files of a folder --- */

struct folder_list ARRAY_OF(char *); /* paths, owned */

static bool has_word(const char *name, const char *word)
{
    size_t len = strlen(word);

    for (; *name != '\0'; name++)
        if (strncasecmp(name, word, len) == 0)
            return true;
    return false;
}

/* Posts before their comments and links; LEFT: nothing that is loaded. */
enum place { POSTS, OTHERS, COMMENTS, LEFT };

static enum place place_of(const char *path, const char *name)
{
    static const char *const tables[] = {"Badges", "PostHistory", "Tags", "Users", "Votes"};
    static const char *const ends[] = {".xml", ".json", ".ndjson", ".jsonl", ".csv", ".tsv", ".gz",
                                       ".xz",  ".bz2",  ".zst",    ".7z",    ".zip", ".tar", ".tgz"};
    const char *end = strrchr(name, '.');
    bool is_dump = end != NULL && (strcasecmp(end, ".xml") == 0 || strcasecmp(end, ".7z") == 0);
    struct stat info;
    size_t i = 0;

    while (end != NULL && i < ARRAY_LEN(ends) && strcasecmp(end, ends[i]) != 0)
        i++;
    if (name[0] == '.' || end == NULL || i == ARRAY_LEN(ends) || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return LEFT;
    for (i = 0; is_dump && i < ARRAY_LEN(tables); i++)
        if (has_word(name, tables[i]))
            return LEFT;
    if (has_word(name, "Comments") || has_word(name, "PostLinks"))
        return COMMENTS;
    return has_word(name, "Posts") ? POSTS : OTHERS;
}

/* Adds the loadable files of a folder, posts before comments, and names the others. ST_INPUT when there are none. */
static enum status MUST_USE folder_files(const char *folder, struct folder_list *out, struct err *e)
{
    struct dirent **entries;
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    AT_END(buf_clear) struct buf left = {0};
    size_t before = out->n, n_left = 0;
    int n = scandir(folder, &entries, NULL, alphasort);

    if (n < 0)
        return err_set(e, ST_IO, "%s: %s", folder, strerror(errno));
    for (enum place place = POSTS; place <= LEFT; place++)
        for (int i = 0; i < n; i++) {
            const char *name = entries[i]->d_name;
            AT_END(mem_end) char *path = mem_addf("%s%s%s", folder, slash, name);
            bool is_here = strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && place_of(path, name) == place;
            if (is_here && place != LEFT)
                array_add(out, mem_text(span_of(path)));
            else if (is_here)
                buf_addf(&left, "%s%s", n_left++ > 0 ? ", " : "", name);
        }
    for (int i = 0; i < n; i++)
        mem_free(entries[i]);
    mem_free(entries);
    if (n_left > 0)
        log_info("%s: %zu files left out that are not posts, comments or links: %s", folder, n_left, buf_cstr(&left));
    if (out->n == before)
        return err_set(e, ST_INPUT, "%s: a folder without a file that can be loaded, such as Posts.xml", folder);
    return ST_OK;
}

static void folder_clear(struct folder_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        mem_free(list->at[i]);
    array_clear(list);
}

/* --- files --- */

/* What the file is shows in its first bytes. */
static enum status MUST_USE load_file(struct loading *l, const char *path, enum source_member member, struct err *e)
{
    enum status status = ST_OK;

    if (member != SOURCE_POSTS)
        status = source_open_member(&l->source, path, member, e);
    else if (l->how.text.ptr != NULL)
        l->source = source_of_text(l->how.text, path);
    else
        status = source_open(&l->source, path, e);
    if (status != ST_OK)
        return status;
    l->is_dump = !l->how.ndjson && !ndjson_begins(source_head(l->source));
    status = choose_site(l, path, e);
    if (status == ST_OK)
        return l->is_dump ? load_dump(l, e) : load_ndjson(l, e);
    source_close(l->source);
    l->source = NULL;
    return status;
}

enum status crawl_load(struct db *db, char *const *paths, size_t n, const struct crawl_load_how *how,
                       void (*done)(void *ctx, struct span counts), void *ctx, struct err *e)
{
    struct loading l = {.db = db, .how = *how};
    enum status status = db_study_load(&l.study, db, e);

    AT_END(folder_clear) struct folder_list files = {0};
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        struct stat info;
        if (stat(paths[i], &info) == 0 && S_ISDIR(info.st_mode))
            status = folder_files(paths[i], &files, e);
        else
            array_add(&files, mem_text(span_of(paths[i])));
    }
    THEN(status, db_fill_begin(db, e));
    for (size_t i = 0; i < files.n && status == ST_OK; i++) {
        l.others = 1U << SOURCE_POSTS;
        for (enum source_member m = SOURCE_POSTS; m < SOURCE_MEMBERS && status == ST_OK; m++) {
            if ((l.others >> m & 1) == 0)
                continue;
            if (m != SOURCE_POSTS && strcmp(files.at[i], "-") == 0) {
                log_warn("standard input: %s is not read from a pipe; save the archive to a file",
                         source_member_name(m));
                continue;
            }
            status = load_file(&l, files.at[i], m, e);
            if (status == ST_OK)
                done(ctx, buf_span(&l.counts));
        }
    }
    THEN(status, db_checkpoint(db, e));
    buf_clear(&l.counts);
    study_clear(&l.study);
    return status;
}
