/* Scans of check, findings, and their states. Rows are only added, so two processes can write one after the other. */
#include "base/files.h"
#include "check/campaign/findings.h"
#include "db/sql.h"

#include <inttypes.h>

const char *const db_seen_names[] = {"found", "ignored", "baseline", "unread", "gone", NULL};
const char *const db_state_names[] = {"reported", "confirmed", "fixed", "refused", NULL};

/* --- ids --- */

/* SHA-256 of a JSON array of texts. */
static void make_id(const struct span *texts, size_t n, char out[SHA256_TEXT_SIZE])
{
    AT_END(buf_clear) struct buf json = {0};

    for (size_t i = 0; i < n; i++) {
        buf_add_char(&json, i == 0 ? '[' : ',');
        buf_add_json_kept(&json, texts[i]);
    }
    buf_add_char(&json, ']');
    sha256_of(buf_span(&json), out);
}

/* --- scans --- */

struct scan_writer {
    struct db *db;
    const struct db_scan *scan;
    const struct db_found *found;
    size_t n_found;
    const struct span *unread;
    size_t n_unread;
    char found_sha256[SHA256_TEXT_SIZE];
    struct db_scanned *out;
};

/* Binds what tells a scan from others: parameters 1 to 5. */
static void bind_scan(const struct scan_writer *w, struct sql *which)
{
    sql_bind(w->db, which, BIND(":project", w->scan->project), BIND(":commit_id", w->scan->commit),
             BIND(":tool_version", SPAN(PPMINE_VERSION)), BIND(":options", w->scan->options),
             BIND(":found_sha256", span_of(w->found_sha256)));
}

/* Whether a row of finding_state, t, counts. */
#define STATE_COUNTS \
    "t.undoes IS NULL AND NOT EXISTS" \
    " (SELECT 1 FROM finding_state AS u WHERE u.undoes = t.state_id)"
/* A scan (:scan_id) and the one before it that could have seen the same. */
#define SCAN_BEFORE \
    "WITH this AS (SELECT * FROM scan WHERE scan_id = :scan_id)," \
    " before AS (SELECT c.scan_id FROM scan AS c JOIN this AS t" \
    "             ON c.project = t.project AND c.options = t.options" \
    "              AND (c.code_at, c.scan_id) < (t.code_at, t.scan_id)" \
    "            ORDER BY c.code_at DESC, c.scan_id DESC LIMIT 1)"

SQL(SCAN_FIND, "SELECT scan_id FROM scan WHERE project = :project AND commit_id = :commit_id"
               " AND tool_version = :tool_version"
               " AND options = :options AND found_sha256 = :found_sha256");

SQL(PROJECT_PUT, SQL_OR_NOTHING "INSERT INTO project (project, url) VALUES (:project, :url)"
                                " ON CONFLICT (project) DO UPDATE SET url = excluded.url"
                                " WHERE project.url IS NULL AND excluded.url IS NOT NULL");

SQL(SCAN_PUT, "INSERT INTO scan (project, commit_id, tool_version, options, found_sha256, code_at,"
              "  scanned_at, files, unread) VALUES (:project, :commit_id, :tool_version, :options,"
              " :found_sha256, :code_at, :scanned_at, :files, :unread)");

SQL(FINDING_PUT,
    SQL_OR_NOTHING "INSERT INTO finding (finding_id, project, fingerprint, rule, file, function)"
                   " VALUES (:finding_id, :project, :fingerprint, :rule, :file, :function) ON CONFLICT DO NOTHING");

SQL(FINDING_SEEN_PUT, "INSERT INTO finding_seen (scan_id, finding_id, how, severity, line, cell, message)"
                      " VALUES (:scan_id, :finding_id, :how, :severity, :line, :cell, :message)");

static enum status MUST_USE put_found(struct scan_writer *w, const struct db_found *f, struct err *e)
{
    char fingerprint[DB_FINDING_ID_LEN + 1], id[SHA256_TEXT_SIZE];

    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, f->fingerprint);
    const struct span texts[] = {w->scan->project, span_of(fingerprint)};
    make_id(texts, ARRAY_LEN(texts), id);
    id[DB_FINDING_ID_LEN] = '\0';
    enum status status = sql_run(w->db, SQL_FINDING_PUT, e, BIND(":finding_id", span_of(id)),
                                 BIND(":project", w->scan->project), BIND(":fingerprint", span_of(fingerprint)),
                                 BIND(":rule", f->rule), BIND(":file", f->file), BIND(":function", f->function));
    if (status != ST_OK)
        return status;
    w->out->n_new += sqlite3_changes(w->db->handle);
    return sql_run(w->db, SQL_FINDING_SEEN_PUT, e, BIND(":scan_id", w->out->scan_id), BIND(":finding_id", span_of(id)),
                   BIND(":how", span_of(db_seen_names[f->how])), BIND(":severity", f->severity), BIND(":line", f->line),
                   BIND(":cell", f->cell != 0 ? f->cell : POST_ABSENT), BIND(":message", f->message));
}

SQL(FINDING_UNREAD,
    SCAN_BEFORE " INSERT INTO finding_seen (scan_id, finding_id, how, severity, line, cell, message)"
                " SELECT :scan_id, s.finding_id, 'unread', s.severity, s.line, s.cell, s.message"
                " FROM before AS b JOIN finding_seen AS s USING (scan_id) JOIN finding AS f USING (finding_id)"
                " WHERE (f.file = :file OR ((:file = '' OR substr(:file, -1) = '/')"
                "                        AND substr(f.file, 1, length(:file)) = :file))"
                "  AND NOT EXISTS (SELECT 1 FROM finding_seen AS n"
                "                  WHERE n.scan_id = :scan_id AND n.finding_id = s.finding_id)");

/* How many findings the scan before (of the same options) saw and this one does not, and how
 * many this one sees that an older one did and the one before did not. */
SQL(SCAN_CHANGES, SCAN_BEFORE " SELECT (SELECT count(*) FROM before AS b JOIN finding_seen AS s USING (scan_id)"
                              "   WHERE NOT EXISTS (SELECT 1 FROM finding_seen AS n"
                              "                     WHERE n.scan_id = :scan_id AND n.finding_id = s.finding_id)),"
                              "  (SELECT count(*) FROM before AS b, finding_seen AS n WHERE n.scan_id = :scan_id"
                              "   AND NOT EXISTS (SELECT 1 FROM finding_seen AS s"
                              "                   WHERE s.scan_id = b.scan_id AND s.finding_id = n.finding_id)"
                              "   AND EXISTS (SELECT 1 FROM finding_seen AS s JOIN scan AS c USING (scan_id)"
                              "               JOIN this AS t ON c.options = t.options"
                              "                AND (c.code_at, c.scan_id) < (t.code_at, t.scan_id)"
                              "               WHERE s.finding_id = n.finding_id))");

static enum status MUST_USE put_all(struct scan_writer *w, struct err *e)
{
    bind_scan(w, SQL_SCAN_FIND);
    enum status status = sql_row(w->db, SQL_SCAN_FIND, &w->out->known, e);
    if (w->out->known) {
        w->out->scan_id = sql_int(w->db, SQL_SCAN_FIND, 0);
        sql_reset(w->db, SQL_SCAN_FIND);
    }
    if (status != ST_OK || w->out->known)
        return status;
    char now[TIME_TEXT_SIZE];
    time_now(now);
    status = sql_run(w->db, SQL_PROJECT_PUT, e, BIND(":project", w->scan->project), BIND(":url", w->scan->url));
    if (status != ST_OK)
        return status;
    bind_scan(w, SQL_SCAN_PUT);
    status = sql_run(
        w->db, SQL_SCAN_PUT, e, BIND(":code_at", w->scan->code_at.ptr != NULL ? w->scan->code_at : span_of(now)),
        BIND(":scanned_at", span_of(now)), BIND(":files", w->scan->files), BIND(":unread", w->scan->unread));
    w->out->scan_id = status == ST_OK ? sqlite3_last_insert_rowid(w->db->handle) : 0;
    for (size_t i = 0; i < w->n_found && status == ST_OK; i++)
        status = put_found(w, &w->found[i], e);
    for (size_t i = 0; i < w->n_unread && status == ST_OK; i++)
        status = sql_run(w->db, SQL_FINDING_UNREAD, e, BIND(":scan_id", w->out->scan_id), BIND(":file", w->unread[i]));
    if (status != ST_OK)
        return status;
    sql_bind_int(w->db, SQL_SCAN_CHANGES, ":scan_id", w->out->scan_id);
    while (sql_next_into(w->db, SQL_SCAN_CHANGES, &status, e, INTO(w->out->n_gone), INTO(w->out->n_back))) {
    }
    return status;
}

enum status db_scan_put(struct db *db, const struct db_scan *scan, const struct db_found *found, size_t n_found,
                        const struct span *unread, size_t n_unread, struct db_scanned *out, struct err *e)
{
    struct scan_writer w = {
        .db = db, .scan = scan, .found = found, .n_found = n_found, .unread = unread, .n_unread = n_unread, .out = out};
    enum status status = db_begin(db, e);
    AT_END(buf_clear) struct buf text = {0};

    *out = (struct db_scanned){0};
    for (const struct db_found *f = found; f < found + n_found; f++) {
        /* Messages name other files as they are seen from where the run was started. */
        buf_addf(&text, "%016" PRIx64 " %d %" PRId64 " %" PRId64 " ", f->fingerprint, (int)f->how, f->cell, f->line);
        buf_add_json_kept(&text, f->severity);
        buf_add_char(&text, '\n');
    }
    for (size_t i = 0; i < n_unread; i++) {
        buf_add_json_kept(&text, unread[i]);
        buf_add_char(&text, '\n');
    }
    sha256_of(buf_span(&text), w.found_sha256);
    THEN(status, put_all(&w, e));
    return db_end(db, status, e);
}

SQL(SCAN_EACH, "SELECT c.scan_id, c.project, c.commit_id, c.code_at, c.tool_version, c.files, c.unread,"
               "  count(*) FILTER (WHERE s.how = 'found'), count(*) FILTER (WHERE s.how = 'ignored'),"
               "  count(*) FILTER (WHERE s.how = 'baseline')"
               " FROM scan AS c LEFT JOIN finding_seen AS s USING (scan_id)"
               " WHERE :project IS NULL OR c.project = :project"
               " GROUP BY c.scan_id ORDER BY c.project, c.code_at, c.scan_id");

enum status db_scan_each(struct db *db, struct span project, void (*each)(void *ctx, const struct db_scan_row *scan),
                         void *ctx, struct err *e)
{
    struct sql *which = SQL_SCAN_EACH;
    enum status status = ST_OK;
    struct db_scan_row scan;

    sql_bind_text(db, which, ":project", project);
    while (sql_next_into(db, which, &status, e, INTO(scan.scan_id), INTO(scan.project), INTO(scan.commit),
                         INTO(scan.code_at), INTO(scan.tool_version), INTO(scan.files), INTO(scan.unread),
                         INTO(scan.found), INTO(scan.ignored), INTO(scan.baseline)))
        each(ctx, &scan);
    return status;
}

SQL(FINDING_EACH,
    "SELECT finding_id, project, rule, severity, file, line, ifnull(cell, 0), function, message, seen,"
    "  commit_id, ifnull(gone_since, 0), gone_commit, ifnull(tool_differs, 0), ifnull(returned, 0), state,"
    "  url, ifnull(state = 'fixed' AND seen = 'found' AND (SELECT s.code_at FROM scan AS s"
    "   WHERE s.scan_id = c.scan_id) > ifnull(happened || 'T23:59:59.999Z', state_at), 0)"
    " FROM finding_current AS c"
    " WHERE (:project IS NULL OR project = :project) AND (:rule IS NULL OR substr(rule, 1,"
    " length(:rule)) = :rule)"
    "  AND (:state IS NULL OR ifnull(state, 'none') = :state) AND (:seen IS NULL OR seen = :seen)"
    " ORDER BY project, file, cell, line, rule, finding_id");

/* --- findings --- */

enum status db_finding_each(struct db *db, const struct db_finding_query *query,
                            void (*each)(void *ctx, const struct db_finding *finding), void *ctx, struct err *e)
{
    struct sql *which = SQL_FINDING_EACH;

    sql_bind(db, which, BIND(":project", query->project), BIND(":rule", query->rule), BIND(":state", query->state),
             BIND(":seen", query->seen));
    enum status status = ST_OK;
    struct db_finding f;
    while (sql_next_into(db, which, &status, e, INTO(f.finding_id), INTO(f.project), INTO(f.rule), INTO(f.severity),
                         INTO(f.file), INTO(f.line), INTO(f.cell), INTO(f.function), INTO(f.message), INTO(f.seen),
                         INTO(f.commit), INTO(f.gone_since), INTO(f.gone_commit), INTO(f.tool_differs),
                         INTO(f.returned), INTO(f.state), INTO(f.url), INTO(f.still_found)))
        each(ctx, &f);
    return status;
}

SQL(FINDING_FIND, "SELECT finding_id FROM finding WHERE finding_id >= :finding_id AND finding_id < :finding_id || 'g'"
                  " ORDER BY finding_id LIMIT 2");

enum status db_finding_find(struct db *db, struct span typed, char out[DB_FINDING_ID_LEN + 1], struct err *e)
{
    struct sql *which = SQL_FINDING_FIND;
    size_t n = 0;

    out[0] = '\0';
    if (!span_is_hex(typed) || typed.len > DB_FINDING_ID_LEN)
        return err_set(e, ST_INPUT,
                       "'%.*s' is not an id of a finding: up to %d digits, 0-9 and a-f, as"
                       " `ppmine campaign list` prints them",
                       SPAN_ARG(typed), DB_FINDING_ID_LEN);
    sql_bind_text(db, which, ":finding_id", typed);
    enum status status = ST_OK;
    struct span id;
    while (sql_next_into(db, which, &status, e, INTO(id)))
        if (n++ == 0)
            snprintf(out, DB_FINDING_ID_LEN + 1, "%.*s", SPAN_ARG(id));
    if (status != ST_OK)
        return status;
    if (n == 0)
        return err_set(e, ST_INPUT, "there is no finding '%.*s'; `ppmine campaign list` has their ids",
                       SPAN_ARG(typed));
    if (n > 1)
        return err_set(e, ST_INPUT, "several findings begin with '%.*s'; give more digits", SPAN_ARG(typed));
    return ST_OK;
}

/* --- states --- */

/* What counts of a finding. */
struct standing {
    bool any;
    enum db_state state;
    char state_id[SHA256_TEXT_SIZE];
    struct span url, reason, happened;
    struct arena arena;
};

static struct span kept(struct arena *arena, struct span s)
{
    return s.ptr != NULL ? arena_copy(arena, s) : s;
}

SQL(STATE_NOW,
    "SELECT t.state, t.state_id, t.url, t.reason, t.happened FROM finding_state AS t"
    " WHERE t.finding_id = :finding_id AND " STATE_COUNTS " ORDER BY t.set_at DESC, t.state_id DESC LIMIT 1");

/* The caller clears the arena in any case. */
static enum status MUST_USE read_standing(struct db *db, const char *finding_id, struct standing *out, struct err *e)
{
    struct sql *which = SQL_STATE_NOW;

    *out = (struct standing){0};
    sql_bind_text(db, which, ":finding_id", span_of(finding_id));
    enum status status = sql_row(db, which, &out->any, e);
    if (!out->any)
        return status;
    out->state = (enum db_state)span_place(sql_text(db, which, 0), db_state_names, DB_STATES - 1);
    struct span id = sql_text(db, which, 1);
    snprintf(out->state_id, sizeof out->state_id, "%.*s", SPAN_ARG(id));
    out->url = kept(&out->arena, sql_text(db, which, 2));
    out->reason = kept(&out->arena, sql_text(db, which, 3));
    out->happened = kept(&out->arena, sql_text(db, which, 4));
    sql_reset(db, which);
    return ST_OK;
}

/* Which state may follow which; the first row is that of a finding without any. */
static const bool may_follow[DB_STATES + 1][DB_STATES] = {
    {[DB_REPORTED] = true},
    [1 + DB_REPORTED] = {true, true, true, true},
    [1 + DB_CONFIRMED] = {[DB_CONFIRMED] = true, [DB_FIXED] = true, [DB_REFUSED] = true},
    [1 + DB_FIXED] = {[DB_REPORTED] = true, [DB_FIXED] = true},
    [1 + DB_REFUSED] = {true, true, true, true},
};

static enum status MUST_USE check_move(const struct db_state_change *change, const struct standing *now, struct err *e)
{
    const char *wanted = db_state_names[change->state];

    if (may_follow[now->any ? 1 + now->state : 0][change->state])
        return ST_OK;
    if (!now->any)
        return err_set(e, ST_INPUT,
                       "%s: it was not reported yet, so it cannot be %s: `ppmine campaign set reported %s` first",
                       change->finding_id, wanted, change->finding_id);
    if (now->state == DB_FIXED)
        return err_set(e, ST_INPUT,
                       "%s: it is fixed, so it cannot become %s; where it came back,"
                       " report it again, and where that was a slip: `ppmine campaign undo %s`",
                       change->finding_id, wanted, change->finding_id);
    return err_set(e, ST_INPUT,
                   "%s: it is %s, so it cannot become %s; where that was a slip: `ppmine campaign undo %s`",
                   change->finding_id, db_state_names[now->state], wanted, change->finding_id);
}

static bool adds(struct span wanted, struct span held)
{
    return wanted.ptr != NULL && !(held.ptr != NULL && span_eq(wanted, held));
}

SQL(STATE_TIME, "SELECT max(:now, ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', max(set_at), '+0.001 seconds'), ''))"
                " FROM finding_state WHERE finding_id = :finding_id");

SQL(STATE_PUT, "INSERT INTO finding_state (state_id, finding_id, state, set_at, set_by, happened, url,"
               "  reason, undoes) VALUES (:state_id, :finding_id, :state, :set_at, :set_by, :happened, :url,"
               " :reason, :undoes)");

static enum status MUST_USE put_state(struct db *db, const struct db_state_change *change, struct span state,
                                      struct span undoes, struct err *e)
{
    struct sql *which = SQL_STATE_PUT;
    char at[TIME_TEXT_SIZE], id[SHA256_TEXT_SIZE];
    enum status status = ST_OK;
    struct span later;

    /* Later than every other row of the finding, whatever clocks say. */
    time_now(at);
    sql_bind(db, SQL_STATE_TIME, BIND(":finding_id", span_of(change->finding_id)), BIND(":now", span_of(at)));
    while (sql_next_into(db, SQL_STATE_TIME, &status, e, INTO(later)))
        if (later.len == TIME_TEXT_SIZE - 1)
            memcpy(at, later.ptr, TIME_TEXT_SIZE - 1);
    if (status != ST_OK)
        return status;
    const struct span texts[] = {span_of(change->finding_id), state, span_of(at), change->by};
    make_id(texts, ARRAY_LEN(texts), id);
    sql_bind_text(db, which, ":state_id", span_of(id));
    for (int i = 0; i < (int)ARRAY_LEN(texts); i++)
        sql_bind_text_at(db, which, 2 + i, texts[i]);
    return sql_run(db, which, e, BIND(":happened", change->happened), BIND(":url", change->url),
                   BIND(":reason", change->reason), BIND(":undoes", undoes));
}

enum status db_state_put(struct db *db, const struct db_state_change *change, bool *changed, struct err *e)
{
    struct db_state_change whole = *change;
    struct standing now;
    enum status status = read_standing(db, change->finding_id, &now, e);
    bool again = now.any && now.state == change->state;

    THEN(status, check_move(change, &now, e));
    *changed = status == ST_OK && (!again || adds(change->url, now.url) || adds(change->reason, now.reason) ||
                                   adds(change->happened, now.happened));
    if (again) {
        whole.url = change->url.ptr != NULL ? change->url : now.url;
        whole.reason = change->reason.ptr != NULL ? change->reason : now.reason;
        whole.happened = change->happened.ptr != NULL ? change->happened : now.happened;
    }
    if (*changed)
        status = put_state(db, &whole, span_of(db_state_names[change->state]), (struct span){0}, e);
    arena_clear(&now.arena);
    return status;
}

enum status db_state_undo(struct db *db, const char *finding_id, struct span by, struct span reason,
                          const char **undone, struct err *e)
{
    struct db_state_change change = {.finding_id = finding_id, .by = by, .reason = reason};
    struct standing now;
    enum status status = read_standing(db, finding_id, &now, e);

    *undone = now.any ? db_state_names[now.state] : NULL;
    if (status == ST_OK && now.any)
        status = put_state(db, &change, SPAN("undo"), span_of(now.state_id), e);
    arena_clear(&now.arena);
    return status;
}

/* The scans of a finding (:finding_id) are those that saw it, and those with the same options since. */
SQL(FINDING_EVENT_EACH, "SELECT t.set_at AS at, t.finding_id, t.state, 0, NULL, t.set_by, t.happened, t.url,"
                        "  t.reason,"
                        "  EXISTS (SELECT 1 FROM finding_state AS u WHERE u.undoes = t.state_id), t.state_id AS id"
                        " FROM finding_state AS t WHERE :finding_id IS NULL OR t.finding_id = :finding_id"
                        " UNION ALL"
                        " SELECT c.code_at, f.finding_id, ifnull(s.how, 'gone'), c.scan_id, c.commit_id, NULL,"
                        "  NULL, NULL, NULL, 0, printf('%012d', c.scan_id)"
                        " FROM finding AS f JOIN scan AS c USING (project)"
                        " LEFT JOIN finding_seen AS s ON s.finding_id = f.finding_id AND s.scan_id = c.scan_id"
                        " WHERE f.finding_id = :finding_id"
                        "  AND c.options IN (SELECT o.options FROM finding_seen AS x JOIN scan AS o USING (scan_id)"
                        "                    WHERE x.finding_id = :finding_id)"
                        "  AND (c.code_at, c.scan_id) >= (SELECT o.code_at, o.scan_id"
                        "                                 FROM finding_seen AS x JOIN scan AS o USING (scan_id)"
                        "                                 WHERE x.finding_id = :finding_id"
                        "                                 ORDER BY o.code_at, o.scan_id LIMIT 1)"
                        " ORDER BY at, id");

enum status db_finding_event_each(struct db *db, struct span finding_id,
                                  void (*each)(void *ctx, const struct db_finding_event *event), void *ctx,
                                  struct err *e)
{
    struct sql *which = SQL_FINDING_EVENT_EACH;

    sql_bind_text(db, which, ":finding_id", finding_id);
    enum status status = ST_OK;
    struct db_finding_event event;
    while (sql_next_into(db, which, &status, e, INTO(event.at), INTO(event.finding_id), INTO(event.what),
                         INTO(event.scan_id), INTO(event.commit), INTO(event.by), INTO(event.happened), INTO(event.url),
                         INTO(event.reason), INTO(event.undone)))
        each(ctx, &event);
    return status;
}

SQL(CAMPAIGN_EACH, "SELECT project, ifnull(projects, 0), ifnull(projects_reported, 0), findings, reported, confirmed,"
                   "  fixed, refused, gone FROM campaign ORDER BY project IS NULL, project");

SQL(CAMPAIGN_RULE_EACH, "SELECT rule, 0, 0, findings, reported, confirmed, fixed, refused, gone"
                        " FROM campaign_rule ORDER BY rule");

/* --- counts --- */

enum status db_campaign_each(struct db *db, bool by_rule, void (*each)(void *ctx, const struct db_campaign_row *row),
                             void *ctx, struct err *e)
{
    struct sql *which = by_rule ? SQL_CAMPAIGN_RULE_EACH : SQL_CAMPAIGN_EACH;
    enum status status = ST_OK;

    struct db_campaign_row r;
    while (sql_next_into(db, which, &status, e, INTO(r.name), INTO(r.projects), INTO(r.projects_reported),
                         INTO(r.findings), INTO(r.reported), INTO(r.confirmed), INTO(r.fixed), INTO(r.refused),
                         INTO(r.gone)))
        each(ctx, &r);
    return status;
}
