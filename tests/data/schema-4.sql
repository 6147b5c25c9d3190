PRAGMA application_id = 0x70706d69;
PRAGMA user_version = 4;
CREATE TABLE study (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE study_file (
    name       TEXT PRIMARY KEY,
    content    TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    changed_at TEXT NOT NULL
) STRICT;
CREATE TABLE run (
    run_id       INTEGER PRIMARY KEY,
    command      TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    parameters   TEXT NOT NULL,
    source       TEXT,
    started_at   TEXT NOT NULL,
    finished_at  TEXT,
    outcome      TEXT,
    counts       TEXT
) STRICT;
CREATE TABLE post (
    post_id                  INTEGER PRIMARY KEY,
    post_type                TEXT NOT NULL,
    parent_id                INTEGER,
    accepted_answer_id       INTEGER,
    title                    TEXT,
    tags                     TEXT,
    score                    INTEGER,
    view_count               INTEGER,
    answer_count             INTEGER,
    comment_count            INTEGER,
    favorite_count           INTEGER,
    created_at               TEXT,
    deleted_at               TEXT,
    last_edited_at           TEXT,
    last_activity_at         TEXT,
    closed_at                TEXT,
    community_owned_at       TEXT,
    owner_user_id            INTEGER,
    owner_display_name       TEXT,
    last_editor_user_id      INTEGER,
    last_editor_display_name TEXT,
    content_license          TEXT,
    first_run_id             INTEGER NOT NULL REFERENCES run,
    run_id                   INTEGER NOT NULL REFERENCES run,
    body_sha256              TEXT,
    body_html                TEXT
) STRICT;
CREATE INDEX post_parent ON post (parent_id) WHERE parent_id IS NOT NULL;
CREATE TABLE revision (
    revision_id     INTEGER PRIMARY KEY,
    post_id         INTEGER NOT NULL REFERENCES post,
    title           TEXT,
    tags            TEXT,
    edited_at       TEXT,
    content_license TEXT,
    run_id          INTEGER NOT NULL REFERENCES run,
    seen_at         TEXT NOT NULL,
    body_sha256     TEXT,
    body_html       TEXT
) STRICT;
CREATE UNIQUE INDEX revision_version
    ON revision (post_id, ifnull(body_sha256, ''), ifnull(title, ''), ifnull(tags, ''));
CREATE TABLE api_answer (
    answer_id       INTEGER PRIMARY KEY,
    run_id          INTEGER NOT NULL REFERENCES run,
    answered_at     TEXT NOT NULL,
    method          TEXT NOT NULL,
    request         TEXT NOT NULL,
    n_items         INTEGER NOT NULL,
    quota_remaining INTEGER,
    safe_filter     INTEGER NOT NULL
                    CHECK (safe_filter IN (0, 1)),
    body_zstd       BLOB NOT NULL
) STRICT;
CREATE TABLE api_window (
    window_id    INTEGER PRIMARY KEY,
    tag          TEXT NOT NULL,
    created_from TEXT NOT NULL,
    created_to   TEXT NOT NULL,
    active_until TEXT,
    tie_from     TEXT,
    tie_to       TEXT,
    page         INTEGER NOT NULL DEFAULT 1,
    caught_up_at TEXT
) STRICT;
CREATE UNIQUE INDEX api_window_tag ON api_window (tag, created_from);
CREATE TABLE api_list (
    name       TEXT PRIMARY KEY,
    position   INTEGER NOT NULL,
    started_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE api_due (
    method   TEXT NOT NULL,
    post_id  INTEGER NOT NULL,
    expected INTEGER NOT NULL,
    since    INTEGER NOT NULL DEFAULT 0,
    page     INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (method, post_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE api_state (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE comment (
    comment_id        INTEGER PRIMARY KEY,
    post_id           INTEGER NOT NULL,
    user_id           INTEGER,
    user_display_name TEXT,
    reply_to_user_id  INTEGER,
    score             INTEGER,
    edited            INTEGER CHECK (edited IN (0, 1)),
    created_at        TEXT,
    deleted_at        TEXT,
    content_license   TEXT,
    run_id            INTEGER NOT NULL REFERENCES run,
    body_html         TEXT
) STRICT;
CREATE INDEX comment_post ON comment (post_id);
CREATE TABLE author (
    user_id      INTEGER PRIMARY KEY,
    display_name TEXT,
    link         TEXT
) STRICT;
CREATE TABLE code (
    code_id     INTEGER PRIMARY KEY,
    facet       TEXT NOT NULL CHECK (facet IN ('symptom', 'root cause', 'stage')),
    category    TEXT,
    name        TEXT NOT NULL,
    short_name  TEXT,
    definition  TEXT,
    retired_in  INTEGER,
    merged_into INTEGER REFERENCES code,
    UNIQUE (facet, name)
) STRICT;
CREATE TABLE code_alias (
    code_id INTEGER NOT NULL REFERENCES code,
    alias   TEXT NOT NULL,
    PRIMARY KEY (code_id, alias)
) STRICT, WITHOUT ROWID;
CREATE TABLE disambiguation (
    code_id   INTEGER NOT NULL REFERENCES code,
    versus_id INTEGER NOT NULL REFERENCES code,
    rule      TEXT NOT NULL,
    PRIMARY KEY (code_id, versus_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE code_change (
    codebook_version INTEGER PRIMARY KEY,
    changed_at       TEXT NOT NULL,
    changed_by       TEXT NOT NULL,
    action           TEXT NOT NULL CHECK (action IN ('add', 'define', 'rename', 'merge', 'split')),
    facet            TEXT NOT NULL,
    code             TEXT NOT NULL,
    became           TEXT NOT NULL,
    reason           TEXT NOT NULL,
    look_again       TEXT NOT NULL
) STRICT;
CREATE TABLE coder (
    coder     TEXT PRIMARY KEY,
    is_merged INTEGER NOT NULL DEFAULT 0
              CHECK (is_merged IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE TABLE decision (
    decision_id      TEXT PRIMARY KEY,
    decided_at       TEXT NOT NULL CHECK (length(decided_at) = 24
                                          AND decided_at GLOB '*-*-*T*:*:*.*Z'),
    coder            TEXT NOT NULL REFERENCES coder,
    subject          TEXT NOT NULL,
    post_id          INTEGER NOT NULL,
    facet            TEXT NOT NULL CHECK (facet IN ('identification', 'symptom', 'root cause',
                                                    'introducing stage', 'exposing stage')),
    value            TEXT NOT NULL
                     CHECK (value IN ('true', 'false') OR value GLOB '[[]*]' OR value GLOB '{*}'),
    codebook_version INTEGER NOT NULL,
    undoes           TEXT,
    spelling         TEXT,
    reason           TEXT
) STRICT;
CREATE INDEX decision_subject ON decision (subject);
CREATE INDEX decision_coder ON decision (coder, decided_at);
CREATE INDEX decision_undoes ON decision (undoes) WHERE undoes IS NOT NULL;
CREATE TABLE note (
    note_id    TEXT PRIMARY KEY,
    written_at TEXT NOT NULL,
    coder      TEXT NOT NULL REFERENCES coder,
    subject    TEXT NOT NULL,
    post_id    INTEGER NOT NULL,
    text       TEXT NOT NULL
) STRICT;
CREATE TABLE problem_date (
    problem_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE assessment (
    problem_id TEXT NOT NULL,
    approach   TEXT NOT NULL,
    status     TEXT NOT NULL
               CHECK (status IN ('not applied', 'not solved', 'partially solved')),
    library    TEXT,
    PRIMARY KEY (problem_id, approach)
) STRICT, WITHOUT ROWID;
CREATE TABLE keyword (
    keyword_id INTEGER PRIMARY KEY,
    keyword    TEXT NOT NULL,
    stems      TEXT NOT NULL,
    n_words    INTEGER NOT NULL,
    dead       TEXT,
    note       TEXT
) STRICT;
CREATE TABLE post_text (
    post_id INTEGER PRIMARY KEY REFERENCES post,
    title   TEXT,
    body    TEXT
) STRICT;
CREATE TABLE hit (
    post_id    INTEGER NOT NULL REFERENCES post,
    field      TEXT NOT NULL CHECK (field IN ('title', 'body')),
    "start"    INTEGER NOT NULL,
    keyword_id INTEGER NOT NULL REFERENCES keyword,
    "end"      INTEGER NOT NULL,
    PRIMARY KEY (post_id, field, "start", keyword_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE candidate_post (
    post_id  INTEGER PRIMARY KEY REFERENCES post,
    n_hits   INTEGER NOT NULL,
    keywords TEXT NOT NULL
) STRICT;
CREATE TABLE post_fact (
    post_id INTEGER NOT NULL REFERENCES post,
    fact    TEXT NOT NULL,
    value   TEXT NOT NULL,
    words   TEXT NOT NULL,
    field   TEXT NOT NULL,
    PRIMARY KEY (post_id, fact, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE judgement (
    post_id    INTEGER NOT NULL,
    coder      TEXT NOT NULL,
    is_problem INTEGER NOT NULL CHECK (is_problem IN (0, 1)),
    decided_at TEXT NOT NULL,
    PRIMARY KEY (post_id, coder)
) STRICT, WITHOUT ROWID;
CREATE INDEX judgement_coder ON judgement (coder, post_id);
CREATE TABLE label (
    problem_id       TEXT NOT NULL,
    post_id          INTEGER NOT NULL,
    coder            TEXT NOT NULL,
    facet            TEXT NOT NULL,
    code1            INTEGER,
    code2            INTEGER,
    decided_at       TEXT NOT NULL,
    codebook_version INTEGER NOT NULL,
    spelling         TEXT,
    PRIMARY KEY (problem_id, facet, coder)
) STRICT, WITHOUT ROWID;
CREATE TABLE problem (
    problem_id        TEXT PRIMARY KEY,
    post_id           INTEGER NOT NULL,
    created_at        TEXT,
    introducing_stage INTEGER REFERENCES code,
    exposing_stage    INTEGER REFERENCES code,
    symptom1          INTEGER REFERENCES code,
    symptom2          INTEGER REFERENCES code,
    root_cause        INTEGER REFERENCES code
) STRICT;
CREATE INDEX problem_post ON problem (post_id);
CREATE VIEW site (base_url) AS
SELECT 'https://' || coalesce((SELECT nullif(value, '') FROM study WHERE key = 'site'),
                              'stackoverflow.com');
CREATE VIEW candidate (post_id, title, url, created_at, n_hits, keywords) AS
SELECT p.post_id,
       coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)),
       (SELECT base_url FROM site)
           || iif(p.post_type = 'answer', '/a/', '/questions/') || p.post_id,
       p.created_at, c.n_hits, c.keywords
FROM candidate_post AS c JOIN post AS p USING (post_id);
CREATE VIEW problem_label (problem_id, post_id, url, created_at, introducing_stage, exposing_stage,
                           symptom1, symptom2, root_cause) AS
SELECT l.problem_id, l.post_id,
       (SELECT base_url FROM site)
           || iif(p.post_type = 'answer', '/a/', '/questions/') || l.post_id,
       coalesce(l.created_at, p.created_at),
       i.name, x.name, s1.name, s2.name, r.name
FROM problem AS l
LEFT JOIN post AS p  ON p.post_id = l.post_id
LEFT JOIN code AS i  ON i.code_id = l.introducing_stage
LEFT JOIN code AS x  ON x.code_id = l.exposing_stage
LEFT JOIN code AS s1 ON s1.code_id = l.symptom1
LEFT JOIN code AS s2 ON s2.code_id = l.symptom2
LEFT JOIN code AS r  ON r.code_id = l.root_cause;
CREATE VIEW symptom_count (category, code, n, share) AS
SELECT c.category, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER ()
FROM problem AS l JOIN code AS c ON c.code_id = l.symptom1
GROUP BY c.code_id ORDER BY count(*) DESC, c.code_id;
CREATE VIEW root_cause_count (category, code, n, share) AS
SELECT c.category, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER ()
FROM problem AS l JOIN code AS c ON c.code_id = l.root_cause
GROUP BY c.code_id ORDER BY count(*) DESC, c.code_id;
CREATE VIEW stage_count (role, stage, n, share) AS
SELECT s.role, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER (PARTITION BY s.role)
FROM (SELECT 'introducing' AS role, introducing_stage AS code_id FROM problem
      UNION ALL
      SELECT 'exposing', exposing_stage FROM problem) AS s
JOIN code AS c USING (code_id)
GROUP BY s.role, c.code_id ORDER BY s.role DESC, count(*) DESC, c.code_id;
CREATE VIEW identification (post_id, coder, is_problem) AS
SELECT post_id, coder, is_problem FROM judgement;
CREATE VIEW agreement_pair (facet, subject, coder_a, code_a, coder_b, code_b) AS
SELECT 'identification', CAST(a.post_id AS TEXT), a.coder, iif(a.is_problem, 'yes', 'no'),
       b.coder, iif(b.is_problem, 'yes', 'no')
FROM judgement AS a JOIN judgement AS b ON b.post_id = a.post_id AND b.coder > a.coder
UNION ALL
SELECT a.facet, a.problem_id, a.coder, coalesce(a.spelling, ca.name),
       b.coder, coalesce(b.spelling, cb.name)
FROM label AS a
JOIN label AS b ON b.problem_id = a.problem_id AND b.facet = a.facet AND b.coder > a.coder
JOIN code AS ca ON ca.code_id = a.code1
JOIN code AS cb ON cb.code_id = b.code1;
CREATE VIEW label_review (problem_id, facet, coder, code, codebook_version, action, changed_at,
                          changed_by, reason) AS
SELECT l.problem_id, l.facet, l.coder, c.name, h.codebook_version, h.action, h.changed_at,
       h.changed_by, h.reason
FROM code_change AS h
JOIN json_each(h.look_again) AS j
JOIN code AS c ON c.code_id = j.value
JOIN label AS l ON l.codebook_version < h.codebook_version
               AND (l.code1 = c.code_id OR l.code2 = c.code_id)
WHERE h.action <> 'merge'
   OR (l.code2 IS NULL AND EXISTS
       (SELECT 1 FROM decision AS d
        WHERE d.subject = l.problem_id AND d.facet = l.facet AND d.coder = l.coder
          AND d.decided_at = l.decided_at AND d.value LIKE '%","%'));
CREATE VIEW post_tag (post_id, tag) AS
SELECT p.post_id, t.value FROM post AS p, json_each(p.tags) AS t;
CREATE VIEW keyword_count (keyword, candidates, posts, hits) AS
SELECT k.keyword, count(DISTINCT c.post_id), count(DISTINCT h.post_id), count(h.post_id)
FROM keyword AS k
LEFT JOIN hit AS h USING (keyword_id)
LEFT JOIN candidate_post AS c ON c.post_id = h.post_id
GROUP BY k.keyword_id ORDER BY k.keyword_id;
CREATE VIEW post_provenance (post_id, url, author, author_url, content_license, source, command,
                             parameters, tool_version, loaded_at, first_loaded_at, body_sha256) AS
SELECT p.post_id,
       (SELECT base_url FROM site)
           || iif(p.post_type = 'answer', '/a/', '/questions/') || p.post_id,
       coalesce(p.owner_display_name,
                (SELECT a.display_name FROM author AS a WHERE a.user_id = p.owner_user_id)),
       coalesce((SELECT a.link FROM author AS a WHERE a.user_id = p.owner_user_id),
                (SELECT base_url FROM site) || '/users/' || p.owner_user_id),
       p.content_license, r.source, r.command, r.parameters, r.tool_version, r.started_at,
       f.started_at, p.body_sha256
FROM post AS p
JOIN run AS r ON r.run_id = p.run_id
JOIN run AS f ON f.run_id = p.first_run_id;
