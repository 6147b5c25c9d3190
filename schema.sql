-- schema.sql: what a ppmine database contains. One SQLite file is one study.
--
-- Read it with the sqlite3 shell, Datasette, pandas, DB Browser: tables and views carry the names
-- of the domain, and every view works without any extension. Dates are UTC in ISO 8601
-- ("2018-01-02T01:12:20.123Z"), so they sort as text. Booleans are 0 and 1. NULL means that
-- the source did not say.
--
-- Part 1 is KEPT: it was loaded or decided by people and cannot be had again from the file itself.
-- Part 2 is DERIVED: it can be dropped and recomputed from part 1. `ppmine match` does so with
-- what is about keywords.
-- Part 3 are the VIEWS, the stable face of the file: their columns do not change.
-- Part 4 is searched by stem; stem() is a function of the program and the loadable extension.
--
-- Ids of posts, comments and users are those of the site. Where a study has several sites, the upper
-- bits of the 64 say which: id >> 53 is site.site_id, id & 9007199254740991 is the id on the site. The
-- view post_site has both for each post, and the id as people write it ("ds:45"), which is also that of
-- subjects and problems ("ds:45_1").
--
-- Program and file know each other by these two numbers.
PRAGMA application_id = 0x70706d31; -- "ppm1"
PRAGMA user_version = 6;


-- ============================== 1. KEPT ==============================

-- The study's settings, one per row: name, title, site, stemmer, …; 'keys NAME': keys that a coder
-- changed on the pages, a JSON object, which is not exported; 'range FACET': the numbers that a facet takes,
-- '0 to 600'; one of both may be missing.
CREATE TABLE study (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The files of the study folder as they were when the study was loaded: keywords.txt, …
CREATE TABLE study_file (
    name       TEXT PRIMARY KEY,
    content    TEXT NOT NULL,
    sha256     TEXT NOT NULL, -- of the content, lower-case hexadecimal
    changed_at TEXT NOT NULL  -- when this content was first loaded
) STRICT;

-- Provenance: each run of a command that wrote posts or derived tables.
CREATE TABLE run (
    run_id       INTEGER PRIMARY KEY,
    command      TEXT NOT NULL, -- 'load', 'fetch', 'match', …
    tool_version TEXT NOT NULL, -- version of ppmine
    parameters   TEXT NOT NULL, -- JSON object: the options as given
    source       TEXT,          -- a path or URL
    started_at   TEXT NOT NULL,
    finished_at  TEXT,          -- NULL: still runs, or was killed
    outcome      TEXT,          -- 'done', 'stopped' (by a signal) or 'failed'
    counts       TEXT,          -- JSON object: what was done
    as_of        TEXT           -- of a dump: the date of its content, which is --as-of or the last
                                -- activity in it (so far, while it is being read)
) STRICT;

-- The posts, each in the newest version that was loaded. Named after the Stack Exchange data dump.
-- The body is last, so that reading the other columns stays cheap.
CREATE TABLE post (
    post_id                  INTEGER PRIMARY KEY, -- the id on the site, and the site; see above
    post_type                TEXT NOT NULL, -- 'question', 'answer', …; 'type_N': N has no name
    parent_id                INTEGER, -- of an answer: its question, which may not be in this file
    accepted_answer_id       INTEGER,
    title                    TEXT,    -- of a question; plain text
    tags                     TEXT,    -- JSON array of strings; see the view post_tag
    score                    INTEGER,
    view_count               INTEGER,
    answer_count             INTEGER,
    comment_count            INTEGER,
    favorite_count           INTEGER,
    created_at               TEXT,
    deleted_at               TEXT,
    last_edited_at           TEXT,    -- NULL: never edited
    last_activity_at         TEXT,
    closed_at                TEXT,
    community_owned_at       TEXT,
    owner_user_id            INTEGER, -- NULL: the account is gone, or the source did not say
    owner_display_name       TEXT,
    last_editor_user_id      INTEGER,
    last_editor_display_name TEXT,
    content_license          TEXT,    -- 'CC BY-SA 4.0'
    first_run_id             INTEGER NOT NULL REFERENCES run (run_id), -- the run that brought the post
    run_id                   INTEGER NOT NULL REFERENCES run (run_id), -- the last run that changed the row
    body_sha256              TEXT,    -- of body_html, lower-case hexadecimal
    body_html                TEXT     -- as the site stores it
) STRICT;

-- Where posts are on the web, of those whose source said so.
CREATE TABLE post_url (
    post_id INTEGER PRIMARY KEY REFERENCES post (post_id),
    url     TEXT NOT NULL
) STRICT;

-- The answers of a question.
CREATE INDEX post_parent ON post (parent_id) WHERE parent_id IS NOT NULL;

-- How new the content of a post is. Of two states of a post, the one that its source had later wins,
-- whatever the order in which they are loaded. A post without a row here is as its first run brought
-- it: as of run.as_of, or, where that is not known, as of the last date in it.
CREATE TABLE post_state (
    post_id INTEGER PRIMARY KEY REFERENCES post (post_id),
    as_of   TEXT NOT NULL -- of the newest state that was loaded
) STRICT;

-- Values of a post that an older state than the newest brought, because the newer ones lack them.
CREATE TABLE post_value (
    post_id INTEGER NOT NULL REFERENCES post (post_id),
    name    TEXT NOT NULL, -- the column of `post`
    as_of   TEXT NOT NULL,
    PRIMARY KEY (post_id, name)
) STRICT, WITHOUT ROWID;

-- Versions of posts other than the one in `post`: what stood there before an edit. In which order
-- dumps are loaded, and how often, makes no difference to these rows (but to seen_at and run_id).
CREATE TABLE revision (
    revision_id     INTEGER PRIMARY KEY,
    post_id         INTEGER NOT NULL REFERENCES post (post_id),
    title           TEXT,
    tags            TEXT,
    edited_at       TEXT,    -- the latest date known for this version: of its edit, or of creation
    content_license TEXT,
    run_id          INTEGER NOT NULL REFERENCES run (run_id), -- the run that put it aside
    seen_at         TEXT NOT NULL,                   -- when it did
    body_sha256     TEXT,
    body_html       TEXT
) STRICT;

-- No version stands twice.
CREATE UNIQUE INDEX revision_version
    ON revision (post_id, ifnull(body_sha256, ''), ifnull(title, ''), ifnull(tags, ''));

-- The Stack Exchange API: every answer as it came, with its request, so that posts can be made again
-- without the network (`ppmine rebuild`), and a field that is not in `post` is not lost.
CREATE TABLE api_answer (
    answer_id       INTEGER PRIMARY KEY, -- in the order of the requests
    run_id          INTEGER NOT NULL REFERENCES run (run_id),
    answered_at     TEXT NOT NULL,
    method          TEXT NOT NULL,       -- '/questions', '/questions/{ids}', …
    request         TEXT NOT NULL,       -- path and query, with site and filter; never with a key
    n_items         INTEGER NOT NULL,
    quota_remaining INTEGER,
    safe_filter     INTEGER NOT NULL     -- 1: texts but bodies are escaped for HTML
                    CHECK (safe_filter IN (0, 1)),
    body_zstd       BLOB NOT NULL        -- the JSON, compressed with Zstandard, with its checksum
) STRICT;

-- How far each tag was fetched: questions created in a window, in the order of their activity.
CREATE TABLE api_window (
    window_id    INTEGER PRIMARY KEY,
    tag          TEXT NOT NULL, -- or several, joined by ';': questions that have them all
    created_from TEXT NOT NULL, -- first and last second of the window
    created_to   TEXT NOT NULL, -- '9999-12-31T23:59:59.000Z': open
    active_until TEXT,          -- what was active before was seen; NULL: nothing yet
    tie_from     TEXT,          -- of a second with very many questions, the part that comes next
    tie_to       TEXT,
    page         INTEGER NOT NULL DEFAULT 1,
    caught_up_at TEXT           -- when all that there was had been seen; NULL: never yet
) STRICT;

CREATE UNIQUE INDEX api_window_tag ON api_window (tag, created_from);

-- Lists of ids that are asked for (of a file, or of all questions that are stored: a refresh) and that
-- are not done yet: how far they are.
CREATE TABLE api_list (
    name       TEXT PRIMARY KEY, -- 'refresh', or 'ids ' with the SHA-256 of the list
    position   INTEGER NOT NULL, -- the last id that was asked for
    started_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Answers or comments that were more than the answer about their post held, to be asked for.
CREATE TABLE api_due (
    method   TEXT NOT NULL, -- '/questions/{ids}/answers', …
    post_id  INTEGER NOT NULL,
    expected INTEGER NOT NULL, -- how many there are
    since    INTEGER NOT NULL DEFAULT 0, -- Unix seconds: what was created before was seen
    page     INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (method, post_id)
) STRICT, WITHOUT ROWID;

-- What a client of the API must remember: 'filter', 'quota_remaining', …; times in Unix seconds.
-- 'not_before METHOD': the API asked to wait until then.
CREATE TABLE api_state (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Comments, which only the API brings.
CREATE TABLE comment (
    comment_id        INTEGER PRIMARY KEY,
    post_id           INTEGER NOT NULL,
    user_id           INTEGER, -- NULL: the account is gone
    user_display_name TEXT,
    reply_to_user_id  INTEGER,
    score             INTEGER,
    edited            INTEGER CHECK (edited IN (0, 1)),
    created_at        TEXT,
    deleted_at        TEXT,    -- when it was found to be gone
    content_license   TEXT,
    run_id            INTEGER NOT NULL REFERENCES run (run_id), -- the last run that changed the row
    body_html         TEXT,
    as_of             TEXT     -- when the API said so last
) STRICT;

CREATE INDEX comment_post ON comment (post_id);

-- Links between posts, as PostLinks.xml of a dump has them: those in texts, and what a question was closed as a
-- duplicate of. The other post may not be here.
CREATE TABLE post_link (
    post_id    INTEGER NOT NULL REFERENCES post (post_id),
    other_id   INTEGER NOT NULL,
    link_type  TEXT NOT NULL CHECK (link_type IN ('linked', 'duplicate')),
    created_at TEXT,
    run_id     INTEGER NOT NULL REFERENCES run (run_id), -- the run that brought it
    PRIMARY KEY (post_id, other_id, link_type)
) STRICT, WITHOUT ROWID;

-- Users of the site as the API named them last: CC BY-SA asks for name and link.
CREATE TABLE author (
    user_id      INTEGER PRIMARY KEY,
    display_name TEXT,
    link         TEXT,
    as_of        TEXT -- when the API said so last
) STRICT;

-- What the API listed whole, and when: a post or comment of such a list that was last seen before is
-- deleted. Kept, because an older dump or answer may bring one later.
CREATE TABLE api_listing (
    post_id      INTEGER NOT NULL,
    what         TEXT NOT NULL CHECK (what IN ('post', 'answers', 'comments')), -- 'post': it was
                                   -- asked for by its id, and did not come
    listed_at    TEXT NOT NULL,
    created_from TEXT NOT NULL,    -- of the answers or comments, those created from here on,
    created_to   TEXT NOT NULL,    -- and before this
    PRIMARY KEY (post_id, what, listed_at, created_from)
) STRICT, WITHOUT ROWID;

-- Images that posts show, as `ppmine fetch --images` got them, so that `ppmine serve` can show them
-- itself; and those that could not be had. Not published without the posts' texts.
CREATE TABLE image (
    image_id INTEGER PRIMARY KEY,
    url      TEXT NOT NULL UNIQUE, -- as pages link to it: whole, in ASCII
    asked_at TEXT NOT NULL,        -- when it was asked for last
    tries    INTEGER NOT NULL,     -- runs of fetch that asked for it
    failed   TEXT,                 -- why it could not be had; NULL: it is here
    may_pass INTEGER NOT NULL CHECK (may_pass IN (0, 1)), -- 1: another run asks for it again
    type     TEXT CHECK (type IN ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
    width    INTEGER,              -- in pixels
    height   INTEGER,
    bytes    BLOB,                 -- last, so that reading the other columns stays cheap
    CHECK ((failed IS NULL) = (type IS NOT NULL AND width > 0 AND height > 0
                               AND bytes IS NOT NULL))
) STRICT;

-- What coders decide about posts and problems, from the study's facets.csv. The first facet says
-- whether a post is a problem at all; the others are about problems.
CREATE TABLE facet (
    facet         TEXT PRIMARY KEY,
    place         INTEGER NOT NULL UNIQUE, -- in the order of the study, from 1
    title         TEXT NOT NULL,           -- for headings: 'Root cause'
    plural        TEXT NOT NULL,           -- 'Root causes'
    about         TEXT NOT NULL CHECK (about IN ('post', 'problem', 'relation')),
    kind          TEXT NOT NULL CHECK (kind IN ('yes/no', 'codes', 'number', 'text')),
    most          INTEGER NOT NULL,        -- codes, or values, that one decision gives at most
    list          TEXT,                    -- code.facet of its codes; facets may share a list
    required      INTEGER NOT NULL CHECK (required IN (0, 1)), -- 1: no problem is finished without
    option        TEXT NOT NULL,           -- of the command line, without "--"
    asks          TEXT NOT NULL,           -- what it asks, for help
    problem_place INTEGER NOT NULL,        -- among the columns of problem_label, from 1; 0: at the end
    benchmark     TEXT NOT NULL CHECK (benchmark IN ('', 'shown', 'group')),
    agreement     TEXT NOT NULL DEFAULT '', -- the measures wanted, 'alpha icc'; '': those of its kind
    model_codes   INTEGER NOT NULL DEFAULT 0 CHECK (model_codes IN (0, 1)) -- 1: a model may code it as one of
                                           -- two: where one person coded, it counts beside them
) STRICT, WITHOUT ROWID;

-- What was changed in the study while it was under way: rows are only ever added, and the files of
-- before are kept whole.
CREATE TABLE study_change (
    change_id  INTEGER PRIMARY KEY, -- in the order of the changes
    changed_at TEXT NOT NULL,
    changed_by TEXT NOT NULL,
    file       TEXT NOT NULL, -- study_file.name: 'study.ini', 'hints.csv', …
    reason     TEXT NOT NULL,
    before     TEXT,          -- the content until then; NULL: there was no such file
    after      TEXT           -- NULL: the study has no such file any more
) STRICT;

-- The codebook, in its own order. An id of 4503599627370496 or more is not that of a code: it
-- is a value that coders wrote, of a facet of kind number, text or yes/no; those follow from
-- `decision`. Some lists of codes have categories. A code that is no longer given
-- stays, so that its name is never used for something else.
CREATE TABLE code (
    code_id     INTEGER PRIMARY KEY,
    facet       TEXT NOT NULL, -- the list of codes that it is of: facet.list
    category    TEXT, -- NULL: the list has none
    name        TEXT NOT NULL,
    short_name  TEXT,
    definition  TEXT,
    retired_in  INTEGER, -- the codebook version since which it is no longer given; NULL: it is
    merged_into INTEGER REFERENCES code (code_id), -- the code as which its labels count since then
    UNIQUE (facet, name)
) STRICT;

-- Other spellings of codes, as they were published or are imported.
CREATE TABLE code_alias (
    code_id INTEGER NOT NULL REFERENCES code (code_id),
    alias   TEXT NOT NULL,
    PRIMARY KEY (code_id, alias)
) STRICT, WITHOUT ROWID;

-- How to tell a code from another of its list.
CREATE TABLE disambiguation (
    code_id   INTEGER NOT NULL REFERENCES code (code_id),
    versus_id INTEGER NOT NULL REFERENCES code (code_id),
    rule      TEXT NOT NULL,
    PRIMARY KEY (code_id, versus_id)
) STRICT, WITHOUT ROWID;

-- What became of the codebook: each change raises its version, the setting codebook_version, by
-- one. Rows are only ever added. Where copies were merged that had added codes of one name, and both
-- were kept, the row of the one that got another name says: `code` is the new name, `became` the one
-- that it was added with.
CREATE TABLE code_change (
    codebook_version INTEGER PRIMARY KEY, -- the one that the change led to; a study begins with 1
    changed_at       TEXT NOT NULL,
    changed_by       TEXT NOT NULL,
    action           TEXT NOT NULL CHECK (action IN ('add', 'define', 'rename', 'merge', 'split')),
    facet            TEXT NOT NULL,
    code             TEXT NOT NULL, -- the name before the change
    became           TEXT NOT NULL, -- JSON array: the names that it led to
    reason           TEXT NOT NULL,
    look_again       TEXT NOT NULL  -- JSON array: the code_ids of codes whose older labels must be
                                    -- looked at again; see the view label_review
) STRICT;

-- Who judges posts. What the coders agreed on in the end is a coder, too.
CREATE TABLE coder (
    coder     TEXT PRIMARY KEY, -- 'model:…': a language model (label model), never a person
    is_merged INTEGER NOT NULL DEFAULT 0 -- 1: what the coders agreed on in the end
              CHECK (is_merged IN (0, 1))
) STRICT, WITHOUT ROWID;

-- What was decided, by whom and when. Rows are only ever added. Of the decisions of a coder about a
-- subject and facet, the newest counts (by decided_at, then decision_id), but for those that a row
-- undoes. The id is made of the content, so two files that are copies of one study are merged by
-- adding the rows that are missing, in any order and any number of times; then judgement, label
-- and problem are made again.
CREATE TABLE decision (
    decision_id      TEXT PRIMARY KEY, -- SHA-256, in lower-case hexadecimal, of the JSON array
                                       -- ["coder","subject","facet",value,"decided_at"]
    decided_at       TEXT NOT NULL CHECK (length(decided_at) = 24
                                          AND decided_at GLOB '*-*-*T*:*:*.*Z'),
    coder            TEXT NOT NULL REFERENCES coder (coder),
    subject          TEXT NOT NULL,    -- a post's id as people write it ("45", "ds:45"); of a
                                       -- problem with _1, _2, … if there are many
    post_id          INTEGER NOT NULL, -- the post may not be in this file
    facet            TEXT NOT NULL REFERENCES facet (facet),
    value            TEXT NOT NULL     -- JSON: true or false; or the names of the codes, as in
                                       -- ["out of memory","memory leak"]; [] for none
                     CHECK (value IN ('true', 'false') OR value GLOB '[[{"0-9-]*'),
    codebook_version INTEGER NOT NULL, -- the setting of that name at the time; 0: no codebook
    undoes           TEXT,             -- decision_id of a decision that no longer counts; value is
                                       -- {"undoes":"…"} then, and cannot be undone
    spelling         TEXT,             -- published labels: how the first code stood there, where
                                       -- that is not its name; the study's figures tell them apart
    reason           TEXT,             -- what the coder gave as the reason
    assisted_by      TEXT              -- the models whose labels the coder was shown when deciding, a JSON array of
                                       -- coders; NULL: none was shown
                     CHECK (assisted_by GLOB '[[]"model:*"]')
) STRICT;

CREATE INDEX decision_subject ON decision (subject);
CREATE INDEX decision_coder ON decision (coder, decided_at);
CREATE INDEX decision_undoes ON decision (undoes) WHERE undoes IS NOT NULL;

-- What a language model was asked, word for word; see `ppmine label model`. Rows are only ever added, and before
-- anything is sent: a request without an answer was under way when the program ended.
CREATE TABLE model_request (
    request_id    INTEGER PRIMARY KEY,
    coder         TEXT NOT NULL CHECK (substr(coder, 1, 6) = 'model:'),
    post_id       INTEGER NOT NULL,
    run           INTEGER NOT NULL, -- from 1: those after the first show how stable answers are, and label nothing
    attempt       INTEGER NOT NULL, -- from 1: a post is asked about again after an answer that does not count
    sent_at       TEXT NOT NULL,
    api_url       TEXT NOT NULL,
    prompt_sha256 TEXT NOT NULL,    -- of what is asked of all posts: question, facets, codes, rules, examples
    examples      TEXT,             -- JSON array of the posts that are examples in the prompt
    request       TEXT NOT NULL     -- JSON as it was sent
) STRICT;

CREATE INDEX model_request_post ON model_request (coder, post_id);

-- And what came back, word for word.
CREATE TABLE model_answer (
    request_id  INTEGER PRIMARY KEY REFERENCES model_request (request_id),
    answered_at TEXT NOT NULL,
    http_status INTEGER NOT NULL, -- 0: there was no answer
    model       TEXT,             -- as the server calls the model that answered
    outcome     TEXT NOT NULL CHECK (outcome IN ('yes', 'no', 'unsure', 'invalid', 'failed')),
    why         TEXT,             -- of 'unsure', 'invalid' and 'failed'
    tokens_in   INTEGER,
    tokens_out  INTEGER,
    price       REAL,             -- of its tokens, at the prices that were given
    labels      TEXT,             -- of 'yes' and 'no', as taken: JSON array of an object for each problem, which has
                                  -- for the facet's typed name an array of the names of codes
    answer      TEXT NOT NULL
) STRICT;

-- Private notes of coders; they are left out of what is published.
CREATE TABLE note (
    note_id    TEXT PRIMARY KEY, -- SHA-256, in lower-case hexadecimal, of the JSON array
                                 -- ["coder","subject","note","text","written_at"]
    written_at TEXT NOT NULL,
    coder      TEXT NOT NULL REFERENCES coder (coder),
    subject    TEXT NOT NULL,    -- as in decision
    post_id    INTEGER NOT NULL,
    text       TEXT NOT NULL
) STRICT;

-- What coders say to each other about a post or problem, once they no longer code blind: the setting
-- settling_opened says since when. Until then nobody is shown what others wrote here, and it is not
-- published. Rows are only ever added, and merged as decisions are.
CREATE TABLE message (
    message_id TEXT PRIMARY KEY, -- SHA-256, in lower-case hexadecimal, of the JSON array
                                 -- ["coder","subject","message","text","written_at"]
    written_at TEXT NOT NULL CHECK (length(written_at) = 24
                                    AND written_at GLOB '*-*-*T*:*:*.*Z'),
    coder      TEXT NOT NULL REFERENCES coder (coder),
    subject    TEXT NOT NULL,    -- as in decision
    post_id    INTEGER NOT NULL,
    text       TEXT NOT NULL
) STRICT;

CREATE INDEX message_post ON message (post_id);

-- Memos: what coders write down about a code, or about the study as a whole. They are for the whole team, also while
-- it codes blind, and are not published unless somebody asks for it. Rows are only ever added, and merged as decisions
-- are; of two codes of one name that were kept, the memos get the name that their code got. The view code_memo
-- says which code a memo is about by now.
CREATE TABLE memo (
    memo_id    TEXT NOT NULL, -- SHA-256, in lower-case hexadecimal, of the JSON array
                              -- ["coder","","facet",value,"written_at"]; value: "text" or {"undoes":"…"}
    written_at TEXT NOT NULL CHECK (length(written_at) = 24
                                    AND written_at GLOB '*-*-*T*:*:*.*Z'),
    coder      TEXT NOT NULL REFERENCES coder (coder),
    facet      TEXT NOT NULL, -- the list of the code, as in code; '': it is about the study
    code       TEXT NOT NULL, -- the name that the code had then; '': it is about the study
    text       TEXT NOT NULL,
    undoes     TEXT,          -- memo_id of a memo about the code that is taken back; text is '' then
    PRIMARY KEY (memo_id, code)
) STRICT;

-- How posts came to be read in screening. The answer is in `decision` as well, and counts there; a
-- judgement without a row here was made by hand.
CREATE TABLE screening (
    coder     TEXT NOT NULL REFERENCES coder (coder),
    post_id   INTEGER NOT NULL,
    place     INTEGER NOT NULL, -- counts the coder's rows, in the order of reading
    answer    TEXT NOT NULL CHECK (answer IN ('yes', 'no', 'unsure')),
    stratum   TEXT NOT NULL CHECK (stratum IN ('ranked', 'random', 'keyword', 'hand')),
    read_at   TEXT NOT NULL,
    score     REAL,             -- of the model, at that moment; NULL: it had none
    n_learned INTEGER NOT NULL, -- answers of the coder that the model had learned from
    model     TEXT NOT NULL,    -- its name and version
    seed      INTEGER NOT NULL,
    PRIMARY KEY (coder, post_id)
) STRICT, WITHOUT ROWID;

-- When the posts of problems were created, for posts that are not in this file.
CREATE TABLE problem_date (
    problem_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The benchmark: what became of a reproduced problem under an approach to performance problems.
CREATE TABLE assessment (
    problem_id TEXT NOT NULL,
    approach   TEXT NOT NULL, -- 'profiler', 'xla', 'documentation'
    status     TEXT NOT NULL
               CHECK (status IN ('not applied', 'not solved', 'partially solved')),
    library    TEXT,          -- that the problem was reproduced with; NULL: not said
    PRIMARY KEY (problem_id, approach)
) STRICT, WITHOUT ROWID;


-- The benchmark, measured by `ppmine bench run`: where its cases were run. A row is a machine in one
-- state; with another kernel or other packages it is another row under the same name.
CREATE TABLE bench_setup (
    setup_id     INTEGER PRIMARY KEY,
    machine      TEXT NOT NULL, -- its name: as given, or made of what it is
    processor    TEXT,          -- the model
    processors   INTEGER,
    memory_kb    INTEGER,
    system       TEXT,          -- 'Linux'
    kernel       TEXT,
    architecture TEXT,
    memory_limit TEXT,          -- how the limit on memory was kept
    versions     TEXT NOT NULL  -- JSON object: of ppmine, python, tensorflow, …
) STRICT;

-- No state stands twice.
CREATE UNIQUE INDEX bench_setup_state
    ON bench_setup (machine, versions, ifnull(processor, ''), ifnull(processors, 0),
                    ifnull(memory_kb, 0), ifnull(system, ''), ifnull(kernel, ''),
                    ifnull(architecture, ''), ifnull(memory_limit, ''));

-- What the runs of a case came to, each time it was run. Rows are only ever added.
CREATE TABLE bench_result (
    result_id       INTEGER PRIMARY KEY,
    sha256          TEXT NOT NULL UNIQUE, -- of the result as it came, so that none stands twice
    setup_id        INTEGER NOT NULL REFERENCES bench_setup (setup_id),
    problem_id      TEXT NOT NULL,        -- of the case; the problem need not be in this file
    finished_at     TEXT NOT NULL,
    verdict         TEXT NOT NULL
                    CHECK (verdict IN ('reproduced', 'not reproduced here', 'not runnable here',
                                       'not equivalent', 'broken')),
    why             TEXT NOT NULL,        -- the reason, in words
    metric          TEXT NOT NULL,        -- 'work_time', 'peak_memory', 'hang', …
    unit            TEXT NOT NULL,        -- 's', 'KB', 'KB/step', 'x'; '': of failures
    buggy           REAL,                 -- medians of the metric; NULL: of failures, or none
    fixed           REAL,
    ratio           REAL,                 -- buggy over fixed, with its 95 % bootstrap interval
    ratio_low       REAL,
    ratio_high      REAL,
    seed            INTEGER NOT NULL,     -- of the bootstrap
    case_sha256     TEXT,                 -- of its scripts, metric, limits and tolerance
    limit_seconds   INTEGER NOT NULL,     -- of each run
    limit_memory_mb INTEGER NOT NULL,
    load_after      REAL                  -- load average of the machine, of one minute
) STRICT;

CREATE INDEX bench_result_problem ON bench_result (problem_id, finished_at);
CREATE INDEX bench_result_setup ON bench_result (setup_id);

-- Every run of a script. Lists are JSON arrays, [] where the script printed none.
CREATE TABLE bench_run (
    result_id          INTEGER NOT NULL REFERENCES bench_result (result_id),
    side               TEXT NOT NULL CHECK (side IN ('buggy', 'fixed')),
    place              INTEGER NOT NULL, -- from 1; the sides took turns, buggy first
    warm_up            INTEGER NOT NULL CHECK (warm_up IN (0, 1)), -- 1: counts for no figure
    ended              TEXT NOT NULL
                       CHECK (ended IN ('exited', 'signalled', 'timed out', 'out of memory')),
    code               INTEGER NOT NULL, -- exit code, or the signal
    metric             REAL,             -- NULL: it failed, or did not say
    wall_seconds       REAL NOT NULL,
    user_seconds       REAL NOT NULL,    -- of the process and its children
    system_seconds     REAL NOT NULL,
    peak_kb            INTEGER NOT NULL, -- resident, of the largest process, by the kernel
    sampled_peak_kb    INTEGER NOT NULL, -- of all its processes together, as sampled
    out_bytes          INTEGER NOT NULL, -- printed
    err_bytes          INTEGER NOT NULL,
    lacked_memory      INTEGER NOT NULL CHECK (lacked_memory IN (0, 1)),
    work_seconds       REAL,             -- of the marked part; so the next three
    work_rss_before_kb REAL,
    work_peak_rss_kb   REAL,
    ready_seconds      REAL,             -- from the start to the mark `ready`
    digest             TEXT NOT NULL,    -- of what was computed; '': none was printed
    said               TEXT NOT NULL,    -- last line on standard error of a run that failed
    computed           TEXT NOT NULL,    -- numbers that are compared with a tolerance
    step_seconds       TEXT NOT NULL,
    step_rss_kb        TEXT NOT NULL,
    samples            TEXT NOT NULL,    -- of resident memory: [[seconds, KB], …]
    PRIMARY KEY (result_id, side, place)
) STRICT, WITHOUT ROWID;

-- The campaign: what `ppmine check` found in projects, scan after scan, and what became of it. Rows
-- of these tables are only ever added, and change in nothing but the url that a project lacked.

-- A project whose code was checked.
CREATE TABLE project (
    project TEXT PRIMARY KEY, -- its name: 'owner/repository', a package, a folder
    url     TEXT              -- where its code is on the web; NULL: not known
) STRICT, WITHOUT ROWID;

-- A look at one version of a project. What finds the same in the same version, with the same tool
-- and options, is not a second scan.
CREATE TABLE scan (
    scan_id      INTEGER PRIMARY KEY,
    project      TEXT NOT NULL REFERENCES project (project),
    commit_id    TEXT NOT NULL,    -- the commit's hash, or the version of a package
    code_at      TEXT NOT NULL     -- scans are in this order, then by scan_id: when the version
                 CHECK (length(code_at) = 24 -- was made, if that was said, else scanned_at
                        AND code_at GLOB '*-*-*T*:*:*.*Z'),
    scanned_at   TEXT NOT NULL,
    tool_version TEXT NOT NULL,    -- version of ppmine
    options      TEXT NOT NULL,    -- JSON object: what findings depend on; scans whose options
                                   -- differ do not tell about each other's findings
    files        INTEGER NOT NULL, -- that were looked at
    unread       INTEGER NOT NULL, -- of these, those that could not be read
    found_sha256 TEXT NOT NULL,    -- of what was found, to tell whether it is the same
    UNIQUE (project, commit_id, tool_version, options, found_sha256)
) STRICT;

-- Something that a rule found in a project, however often. What it is told by stays the same when
-- lines move; a file or function that gets another name makes another finding.
CREATE TABLE finding (
    finding_id  TEXT PRIMARY KEY, -- the first 16 digits of the SHA-256, in lower-case hexadecimal,
                                  -- of the JSON array ["project","fingerprint"]
    project     TEXT NOT NULL REFERENCES project (project),
    fingerprint TEXT NOT NULL,    -- of rule, file, function and the code itself: 16 digits
    rule        TEXT NOT NULL,    -- 'PP101'
    file        TEXT NOT NULL,    -- seen from the project's top folder
    function    TEXT,             -- with the classes around it: 'Model.train'; NULL: none
    UNIQUE (project, fingerprint)
) STRICT, WITHOUT ROWID;

-- Which scan saw which finding, where, and how.
CREATE TABLE finding_seen (
    scan_id    INTEGER NOT NULL REFERENCES scan (scan_id),
    finding_id TEXT NOT NULL REFERENCES finding (finding_id),
    how        TEXT NOT NULL -- 'ignored': by a comment in the code; 'baseline': by a file of known
               CHECK (how IN ('found', 'ignored', 'baseline', 'unread')), -- ones; 'unread': the
                             -- file could not be read, the rest is what was seen last
    severity   TEXT NOT NULL CHECK (severity IN ('note', 'warning', 'error')),
    line       INTEGER NOT NULL,
    cell       INTEGER,      -- of a notebook, from 1; then lines count in it
    message    TEXT NOT NULL,
    PRIMARY KEY (scan_id, finding_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX finding_seen_finding ON finding_seen (finding_id);

-- What became of a finding. The newest row counts (by set_at, then state_id), but for those that a
-- row undoes. That a finding is no longer seen says nothing here: people do.
CREATE TABLE finding_state (
    state_id   TEXT PRIMARY KEY, -- SHA-256, in lower-case hexadecimal, of the JSON array
                                 -- ["finding_id","state","set_at","set_by"]
    finding_id TEXT NOT NULL REFERENCES finding (finding_id),
    state      TEXT NOT NULL     -- 'undo': the row undoes another one
               CHECK (state IN ('reported', 'confirmed', 'fixed', 'refused', 'undo')),
    set_at     TEXT NOT NULL CHECK (length(set_at) = 24 AND set_at GLOB '*-*-*T*:*:*.*Z'),
    set_by     TEXT NOT NULL,
    happened   TEXT,             -- the day on which it happened, if that was said: '2021-03-04'
    url        TEXT,             -- of the report, or of the answer
    reason     TEXT,
    undoes     TEXT REFERENCES finding_state (state_id), -- state_id
    CHECK ((state = 'undo') = (undoes IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX finding_state_finding ON finding_state (finding_id);
CREATE INDEX finding_state_undoes ON finding_state (undoes) WHERE undoes IS NOT NULL;


-- ============================== 2. DERIVED ==============================

-- The keyword set of the last match, in the order of the study's keywords.txt.
CREATE TABLE keyword (
    keyword_id INTEGER PRIMARY KEY, -- place in the set, from 1
    keyword    TEXT NOT NULL,       -- as the study prints it
    stems      TEXT NOT NULL,       -- what is compared
    n_words    INTEGER NOT NULL,
    dead       TEXT,                -- why it can never match; NULL when it can
    note       TEXT
) STRICT;

-- The plain text of each post that was matched.
CREATE TABLE post_text (
    post_id INTEGER PRIMARY KEY REFERENCES post (post_id),
    title   TEXT,
    body    TEXT
) STRICT;

-- Where the keywords are: bytes "start" to "end" (exclusive) of the field of post_text. The columns of
-- the key are first: else the integrity_check of SQLite 3.40 finds a NULL where there is none.
CREATE TABLE hit (
    post_id    INTEGER NOT NULL REFERENCES post (post_id),
    field      TEXT NOT NULL CHECK (field IN ('title', 'body')),
    "start"    INTEGER NOT NULL,
    keyword_id INTEGER NOT NULL REFERENCES keyword (keyword_id),
    "end"      INTEGER NOT NULL,
    PRIMARY KEY (post_id, field, "start", keyword_id)
) STRICT, WITHOUT ROWID;

-- The posts that are candidates for identification; see the view candidate.
CREATE TABLE candidate_post (
    post_id  INTEGER PRIMARY KEY REFERENCES post (post_id),
    n_hits   INTEGER NOT NULL,
    keywords TEXT NOT NULL -- each once, in the order of the set, joined by ', '
) STRICT;

-- What the candidates say about their setting, by the patterns of the study's hints.csv.
CREATE TABLE post_fact (
    post_id INTEGER NOT NULL REFERENCES post (post_id),
    fact    TEXT NOT NULL, -- 'tensorflow version', 'gpu', 'batch size', …
    value   TEXT NOT NULL, -- as the post has it, blanks apart
    words   TEXT NOT NULL, -- around the value, where it is first
    field   TEXT NOT NULL, -- where that is: 'title', 'body' or 'code' (the text in <pre>)
    PRIMARY KEY (post_id, fact, value)
) STRICT, WITHOUT ROWID;


-- The decisions that count. These three tables follow from `decision`, `coder`, `code` and
-- `problem_date`; they are kept current with each decision.

-- Identification: is this post about a performance problem? One row per post and coder.
CREATE TABLE judgement (
    post_id    INTEGER NOT NULL,
    coder      TEXT NOT NULL,
    is_problem INTEGER NOT NULL CHECK (is_problem IN (0, 1)),
    decided_at TEXT NOT NULL,
    PRIMARY KEY (post_id, coder)
) STRICT, WITHOUT ROWID;

-- What a coder has judged.
CREATE INDEX judgement_coder ON judgement (coder, post_id);

-- One row per problem, facet, coder and code. Codes that a later "no" of the coder withdrew are not here.
CREATE TABLE label (
    subject          TEXT NOT NULL, -- a problem: the post's id, with _1, _2, … if it has several
    facet            TEXT NOT NULL,
    coder            TEXT NOT NULL,
    place            INTEGER NOT NULL, -- of the code, from 1
    post_id          INTEGER NOT NULL,
    code_id          INTEGER, -- the one that it was merged into, if it was; NULL, at place 1: no code
    value            TEXT,    -- as in decision, of facets without codes
    decided_at       TEXT NOT NULL,
    codebook_version INTEGER NOT NULL, -- with which the decision was made
    spelling         TEXT,    -- as in decision, at place 1
    PRIMARY KEY (subject, facet, coder, place)
) STRICT, WITHOUT ROWID;

-- The labelled performance problems, as merged coders have them: those with any label. A post may
-- have several.
CREATE TABLE problem (
    problem_id TEXT PRIMARY KEY, -- the post's id; with _1, _2, … if it has several
    post_id    INTEGER NOT NULL, -- the post may not be in this file
    created_at TEXT,             -- of the post; NULL: see there
    labels     TEXT NOT NULL     -- JSON: of each facet the code_ids; see the view problem_code
) STRICT;

CREATE INDEX problem_post ON problem (post_id);


-- ============================== 3. VIEWS ==============================

-- The sites of the study. Ids of a site without a short name have none: its site_id is 0.
CREATE VIEW site (base_url, site_id, short, name) AS
WITH named (short, name) AS (SELECT j.key, j.value FROM study AS s, json_each(s.value) AS j
                             WHERE s.key = 'sites'),
     home (name) AS (SELECT coalesce((SELECT nullif(value, '') FROM study WHERE key = 'site'),
                                     'stackoverflow.com'))
SELECT 'https://' || name,
       1 + (unicode(short) - 97) * 37
           + iif(length(short) = 1, 0,
                 instr('abcdefghijklmnopqrstuvwxyz0123456789', substr(short, 2))),
       short, name
FROM named
UNION ALL
SELECT 'https://' || name, 0, NULL, name FROM home WHERE name NOT IN (SELECT name FROM named);

-- The site of each post, its id there, and the id as people write it.
CREATE VIEW post_site (post_id, id, site, short, number, url) AS
SELECT p.post_id, iif(s.short IS NULL, '', s.short || ':') || (p.post_id & 9007199254740991), s.name,
       s.short, p.post_id & 9007199254740991,
       coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = p.post_id),
                s.base_url || iif(p.post_type = 'answer', '/a/', '/questions/')
                    || (p.post_id & 9007199254740991))
FROM post AS p LEFT JOIN site AS s ON s.site_id = p.post_id >> 53;

-- What each coder read, in that order. `stratum`: how the post came to be read; 'hand': without
-- screening. 'unsure' is not a judgement.
CREATE VIEW screening_read (coder, place, post_id, answer, stratum, read_at) AS
SELECT coder, row_number() OVER (PARTITION BY coder ORDER BY read_at, counted, post_id), post_id, answer,
       stratum, read_at
FROM (SELECT j.coder, j.post_id, iif(j.is_problem, 'yes', 'no') AS answer,
             coalesce(s.stratum, 'hand') AS stratum, coalesce(s.read_at, j.decided_at) AS read_at,
             coalesce(s.place, 0) AS counted
      FROM judgement AS j LEFT JOIN screening AS s USING (coder, post_id)
      WHERE substr(j.coder, 1, 6) <> 'model:' -- people read
      UNION ALL
      SELECT s.coder, s.post_id, s.answer, s.stratum, s.read_at, s.place FROM screening AS s
      WHERE s.answer = 'unsure'
        AND NOT EXISTS (SELECT 1 FROM judgement AS j
                        WHERE j.coder = s.coder AND j.post_id = s.post_id));

-- The candidates; an answer goes under the title of its question.
CREATE VIEW candidate (post_id, title, url, created_at, n_hits, keywords) AS
SELECT p.post_id,
       coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)),
       coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = p.post_id),
                (SELECT base_url FROM site WHERE site_id = p.post_id >> 53)
                    || iif(p.post_type = 'answer', '/a/', '/questions/')
                    || (p.post_id & 9007199254740991)),
       p.created_at, c.n_hits, c.keywords
FROM candidate_post AS c JOIN post AS p USING (post_id);

-- The codes of the labelled problems, one on each row; place counts from 1.
CREATE VIEW problem_code (problem_id, post_id, facet, place, code_id, category, code) AS
SELECT l.problem_id, l.post_id, f.key, c.key + 1, k.code_id, k.category, k.name
FROM problem AS l, json_each(l.labels) AS f, json_each(f.value) AS c
JOIN code AS k ON k.code_id = c.value;

-- The view problem_label has the labelled problems with the names of their codes, a column for each
-- code; and for each list of codes there is a view of how often each one occurs (symptom_count). Their
-- columns follow from the facets, so the program makes them, when it makes the file: see
-- label/facet_views.c. With the facets of the built-in study they are
--     problem_label (problem_id, post_id, url, created_at, introducing_stage, exposing_stage,
--                    symptom1, symptom2, root_cause)
--     symptom_count (category, code, n, share), and root_cause_count
--     stage_count (role, stage, n, share)
-- n counts first codes; share is n by the number of problems that have such a code (0 to 1), and
-- where several facets share a list, within the role.

-- The judgements and labels that count where coders are compared and what they say is settled: those of people and
-- merged coders, and of a language model where the study declares the facet (facet.model_codes) and exactly one person
-- said something about the post or problem, to whom it was not shown: who saw it is not a second opinion.
CREATE VIEW counted_judgement (post_id, coder, is_problem, decided_at) AS
SELECT post_id, coder, is_problem, decided_at FROM judgement AS j
WHERE substr(coder, 1, 6) <> 'model:'
   OR ((SELECT model_codes FROM facet WHERE place = 1)
       AND 1 = (SELECT count(*) FROM judgement AS p JOIN coder AS c USING (coder)
                WHERE p.post_id = j.post_id AND NOT c.is_merged AND substr(p.coder, 1, 6) <> 'model:')
       AND NOT EXISTS (SELECT 1 FROM judgement AS p JOIN decision AS d USING (post_id, coder, decided_at)
                       WHERE p.post_id = j.post_id AND d.facet = (SELECT facet FROM facet WHERE place = 1)
                         AND instr(d.assisted_by, '"' || replace(replace(j.coder, '\', '\\'), '"', '\"') || '"')));

CREATE VIEW counted_label (subject, facet, coder, place, post_id, code_id, value, decided_at) AS
SELECT subject, facet, coder, place, post_id, code_id, value, decided_at FROM label AS l
WHERE substr(coder, 1, 6) <> 'model:'
   OR ((SELECT model_codes FROM facet AS f WHERE f.facet = l.facet)
       AND 1 = (SELECT count(*) FROM label AS p JOIN coder AS c USING (coder)
                WHERE p.subject = l.subject AND p.facet = l.facet AND p.place = 1 AND p.code_id IS NOT NULL
                  AND NOT c.is_merged AND substr(p.coder, 1, 6) <> 'model:')
       AND NOT EXISTS (SELECT 1 FROM label AS p JOIN decision AS d USING (subject, facet, coder, decided_at)
                       WHERE p.subject = l.subject AND p.facet = l.facet
                         AND instr(d.assisted_by, '"' || replace(replace(l.coder, '\', '\\'), '"', '\"') || '"')));

-- Who judged which post how.
CREATE VIEW identification (post_id, coder, is_problem) AS
SELECT post_id, coder, is_problem FROM judgement;

-- What two coders say about the same thing: for agreement. Of several codes, the first; where
-- published labels spell it in another way than the codebook, that spelling.
CREATE VIEW agreement_pair (facet, subject, coder_a, code_a, coder_b, code_b) AS
SELECT (SELECT facet FROM facet WHERE place = 1),
       (SELECT iif(s.short IS NULL, '', s.short || ':') FROM site AS s
        WHERE s.site_id = a.post_id >> 53) || (a.post_id & 9007199254740991),
       a.coder, iif(a.is_problem, 'yes', 'no'), b.coder, iif(b.is_problem, 'yes', 'no')
FROM judgement AS a JOIN judgement AS b ON b.post_id = a.post_id AND b.coder > a.coder
UNION ALL
SELECT a.facet, a.subject, a.coder, coalesce(a.spelling, ca.name),
       b.coder, coalesce(b.spelling, cb.name)
FROM label AS a
JOIN label AS b ON b.subject = a.subject AND b.facet = a.facet AND b.coder > a.coder
               AND b.place = 1
JOIN code AS ca ON ca.code_id = a.code_id
JOIN code AS cb ON cb.code_id = b.code_id
WHERE a.place = 1;

-- Labels that must be looked at again because the codebook changed after they were given. To
-- decide again, even with the same value, takes a label off the list. After a merge these are the labels that
-- had both codes.
CREATE VIEW label_review (problem_id, facet, coder, code, codebook_version, action, changed_at,
                          changed_by, reason) AS
SELECT l.subject, l.facet, l.coder, c.name, h.codebook_version, h.action, h.changed_at,
       h.changed_by, h.reason
FROM code_change AS h
JOIN json_each(h.look_again) AS j
JOIN code AS c ON c.code_id = j.value
JOIN label AS l ON l.codebook_version < h.codebook_version AND l.code_id = c.code_id
WHERE h.action <> 'merge'
   OR EXISTS (SELECT 1 FROM decision AS d
              WHERE d.subject = l.subject AND d.facet = l.facet AND d.coder = l.coder
                AND d.decided_at = l.decided_at AND substr(d.value, 1, 1) = '['
                AND (SELECT count(*) FROM json_each(d.value)) >
                    (SELECT count(*) FROM label AS m WHERE m.subject = l.subject
                      AND m.facet = l.facet AND m.coder = l.coder));

-- Memos with the codes that they are about by now: a renamed code keeps its memos, one that was merged takes them
-- along, and each part of one that was split has them. `named` is the code's name when the memo was written; facet, code
-- and named are NULL of the study's own memos.
CREATE VIEW code_memo (memo_id, written_at, coder, facet, code, named, text, undone) AS
WITH RECURSIVE
name (facet, name, code_id) AS (
    SELECT facet, name, code_id FROM code UNION
    SELECT c.facet, a.alias, c.code_id FROM code AS c JOIN code_alias AS a USING (code_id)),
heir (code_id, now_id) AS (
    SELECT code_id, coalesce(merged_into, code_id) FROM code
    WHERE EXISTS (SELECT 1 FROM memo)
    UNION
    SELECT h.code_id, coalesce(c.merged_into, c.code_id) FROM heir AS h
    JOIN name AS w ON w.code_id = h.now_id
    JOIN code_change AS s ON s.action = 'split' AND s.facet = w.facet AND s.code = w.name
    JOIN json_each(s.became) AS j
    JOIN name AS p ON p.facet = s.facet AND p.name = j.value
    JOIN code AS c ON c.code_id = p.code_id)
SELECT m.memo_id, m.written_at, m.coder, nullif(m.facet, ''), nullif(coalesce(c.name, m.code), ''), nullif(m.code, ''),
       m.text, EXISTS (SELECT 1 FROM memo AS u WHERE u.undoes = m.memo_id AND u.code = m.code AND u.coder = m.coder)
FROM memo AS m
LEFT JOIN name AS n ON n.facet = m.facet AND n.name = m.code
LEFT JOIN heir AS h ON h.code_id = n.code_id
LEFT JOIN code AS c ON c.code_id = h.now_id
WHERE m.undoes IS NULL AND (c.retired_in IS NULL OR c.merged_into IS NULL AND NOT EXISTS
      (SELECT 1 FROM heir AS o WHERE o.code_id = h.code_id AND o.now_id <> h.now_id));

-- One row per post and tag.
CREATE VIEW post_tag (post_id, tag) AS
SELECT p.post_id, t.value FROM post AS p, json_each(p.tags) AS t;

-- For each keyword of the set: the candidates and posts that have it, and its hits.
CREATE VIEW keyword_count (keyword, candidates, posts, hits) AS
SELECT k.keyword, count(DISTINCT c.post_id), count(DISTINCT h.post_id), count(h.post_id)
FROM keyword AS k
LEFT JOIN hit AS h USING (keyword_id)
LEFT JOIN candidate_post AS c ON c.post_id = h.post_id
GROUP BY k.keyword_id ORDER BY k.keyword_id;

-- Where each post came from, and what its licence asks to be said when it is shown.
CREATE VIEW post_provenance (post_id, url, author, author_url, content_license, source, command,
                             parameters, tool_version, loaded_at, first_loaded_at, body_sha256) AS
SELECT p.post_id,
       coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = p.post_id),
                (SELECT base_url FROM site WHERE site_id = p.post_id >> 53)
                    || iif(p.post_type = 'answer', '/a/', '/questions/')
                    || (p.post_id & 9007199254740991)),
       coalesce(p.owner_display_name,
                (SELECT a.display_name FROM author AS a WHERE a.user_id = p.owner_user_id)),
       coalesce((SELECT a.link FROM author AS a WHERE a.user_id = p.owner_user_id),
                (SELECT base_url FROM site WHERE site_id = p.post_id >> 53) || '/users/'
                    || iif(p.owner_user_id < 0, -(-p.owner_user_id & 9007199254740991),
                           p.owner_user_id & 9007199254740991)),
       p.content_license, r.source, r.command, r.parameters, r.tool_version, r.started_at,
       f.started_at, p.body_sha256
FROM post AS p
JOIN run AS r ON r.run_id = p.run_id
JOIN run AS f ON f.run_id = p.first_run_id;


-- The benchmark: each machine, as it was when it was last measured: by max(), SQLite takes the other
-- columns from that row.
CREATE VIEW bench_machine (machine, processor, processors, memory_kb, kernel, versions, cases,
                           results, last_at) AS
SELECT s.machine, s.processor, s.processors, s.memory_kb, s.kernel, s.versions,
       count(DISTINCT r.problem_id), count(*), max(r.finished_at)
FROM bench_setup AS s JOIN bench_result AS r USING (setup_id)
GROUP BY s.machine;

-- Every result: ratio buggy over fixed with its interval; runs of each script, without the warm-up.
CREATE VIEW bench_ratio (result_id, machine, problem_id, finished_at, verdict, metric, unit, buggy,
                         fixed, ratio, ratio_low, ratio_high, runs, tensorflow, why) AS
SELECT r.result_id, s.machine, r.problem_id, r.finished_at, r.verdict, r.metric, r.unit, r.buggy,
       r.fixed, r.ratio, r.ratio_low, r.ratio_high,
       (SELECT count(*) FROM bench_run AS n
        WHERE n.result_id = r.result_id AND n.side = 'buggy' AND NOT n.warm_up),
       (SELECT v.value FROM json_each(s.versions) AS v
        WHERE v.key IN ('tensorflow', 'tensorflow-cpu') ORDER BY v.key LIMIT 1),
       r.why
FROM bench_result AS r JOIN bench_setup AS s USING (setup_id);

-- The last result of each case on each machine.
CREATE VIEW bench_last (result_id, machine, problem_id, finished_at, verdict, metric, unit, buggy,
                        fixed, ratio, ratio_low, ratio_high, runs, tensorflow, why) AS
SELECT result_id, machine, problem_id, finished_at, verdict, metric, unit, buggy, fixed, ratio,
       ratio_low, ratio_high, runs, tensorflow, why
FROM (SELECT *, row_number() OVER (PARTITION BY machine, problem_id
                                   ORDER BY finished_at DESC, result_id DESC) AS place
      FROM bench_ratio)
WHERE place = 1;

-- The last results of two machines side by side, for each pair of machines and case that both ran.
-- apart: their intervals have nothing in common; NULL: not both have one.
CREATE VIEW bench_compare (problem_id, machine_a, verdict_a, ratio_a, low_a, high_a, machine_b,
                           verdict_b, ratio_b, low_b, high_b, same_verdict, apart) AS
SELECT a.problem_id, a.machine, a.verdict, a.ratio, a.ratio_low, a.ratio_high, b.machine,
       b.verdict, b.ratio, b.ratio_low, b.ratio_high, a.verdict = b.verdict,
       a.ratio_low > b.ratio_high OR b.ratio_low > a.ratio_high
FROM bench_last AS a JOIN bench_last AS b USING (problem_id)
WHERE a.machine <> b.machine;

-- Resident memory of each run, as sampled.
CREATE VIEW bench_memory (result_id, side, place, at_seconds, resident_kb) AS
SELECT r.result_id, r.side, r.place,
       (SELECT value FROM json_each(j.value) WHERE key = 0),
       (SELECT value FROM json_each(j.value) WHERE key = 1)
FROM bench_run AS r, json_each(r.samples) AS j;
-- The findings as they were seen last. `seen` is as in finding_seen, or 'gone': a later scan with the
-- options of one that saw it, `gone_since`, no longer saw it. That is evidence for a fix, not more: it
-- may have been another tool (`tool_differs`), or code that went for other reasons.
CREATE VIEW finding_current (finding_id, project, rule, severity, file, line, cell, function,
                             message, seen, scan_id, commit_id, gone_since, gone_commit,
                             tool_differs, returned, is_shown, state, state_at, state_by, happened,
                             url, reason) AS
WITH sight AS (SELECT s.finding_id, s.how, s.severity, s.line, s.cell, s.message, c.scan_id,
                      c.project, c.commit_id, c.tool_version, c.options,
                      c.code_at || printf(' %012d', c.scan_id) AS place
               FROM finding_seen AS s JOIN scan AS c USING (scan_id)),
     span AS (SELECT finding_id, min(place) AS first_place, max(place) AS last_place,
                     max(how = 'found') AS is_shown
              FROM sight GROUP BY finding_id),
     last AS (SELECT s.*, b.is_shown
              FROM span AS b
              JOIN sight AS s ON s.finding_id = b.finding_id AND s.place = b.last_place),
     -- The scans that could have seen it, and did not.
     missed AS (SELECT o.finding_id, b.last_place, c.code_at || printf(' %012d', c.scan_id) AS place
                FROM (SELECT DISTINCT finding_id, project, options FROM sight) AS o
                JOIN span AS b USING (finding_id)
                JOIN scan AS c ON c.project = o.project AND c.options = o.options
                WHERE c.code_at || printf(' %012d', c.scan_id) > b.first_place
                  AND NOT EXISTS (SELECT 1 FROM finding_seen AS s
                                  WHERE s.scan_id = c.scan_id AND s.finding_id = o.finding_id)),
     absence AS (SELECT finding_id, max(place < last_place) AS returned,
                        min(iif(place > last_place, place, NULL)) AS gone_place
                 FROM missed GROUP BY finding_id),
     -- SQLite takes the other columns from the row that has the maximum.
     counting AS (SELECT *, max(set_at || ' ' || state_id) FROM finding_state AS t
                  WHERE undoes IS NULL
                    AND NOT EXISTS
                        (SELECT 1 FROM finding_state AS u WHERE u.undoes = t.state_id)
                  GROUP BY finding_id)
SELECT f.finding_id, f.project, f.rule, l.severity, f.file, l.line, l.cell, f.function,
       l.message, iif(g.scan_id IS NULL, l.how, 'gone'), l.scan_id, l.commit_id, g.scan_id, g.commit_id,
       g.tool_version <> l.tool_version, ifnull(a.returned, 0), l.is_shown,
       t.state, t.set_at, t.set_by, t.happened,
       (SELECT u.url FROM finding_state AS u
        WHERE u.finding_id = f.finding_id AND u.url IS NOT NULL AND u.undoes IS NULL
          AND NOT EXISTS (SELECT 1 FROM finding_state AS v WHERE v.undoes = u.state_id)
        ORDER BY u.set_at DESC, u.state_id DESC LIMIT 1),
       t.reason
FROM finding AS f
JOIN last AS l USING (finding_id)
LEFT JOIN absence AS a USING (finding_id)
LEFT JOIN scan AS g ON g.scan_id = CAST(substr(a.gone_place, 26) AS INTEGER)
LEFT JOIN counting AS t USING (finding_id);

-- How far a campaign came, project by project; the last row, whose project is NULL, is the sum. Of
-- the findings of a project, `reported` are those that have a state, so a later one counts too:
-- `confirmed` are those that are confirmed or fixed. What only comments and baselines hid is
-- no finding here, unless it has a state.
CREATE VIEW campaign (project, projects, projects_reported, findings, reported, confirmed,
                      fixed, refused, gone) AS
WITH counted AS (SELECT * FROM finding_current WHERE is_shown OR state IS NOT NULL),
     each_one AS (SELECT p.project, count(c.finding_id) AS findings, count(c.state) AS reported,
                         count(*) FILTER (WHERE c.state IN ('confirmed', 'fixed')) AS confirmed,
                         count(*) FILTER (WHERE c.state = 'fixed') AS fixed,
                         count(*) FILTER (WHERE c.state = 'refused') AS refused,
                         count(*) FILTER (WHERE c.seen = 'gone') AS gone
                  FROM project AS p LEFT JOIN counted AS c USING (project) GROUP BY p.project)
SELECT * FROM (SELECT project, 1, reported > 0, findings, reported, confirmed, fixed, refused,
                      gone
               FROM each_one ORDER BY project)
UNION ALL
SELECT NULL, count(*), sum(reported > 0), sum(findings), sum(reported), sum(confirmed),
       sum(fixed), sum(refused), sum(gone)
FROM each_one HAVING count(*) > 0;

-- The same, rule by rule.
CREATE VIEW campaign_rule (rule, findings, reported, confirmed, fixed, refused, gone) AS
SELECT rule, count(*), count(state), count(*) FILTER (WHERE state IN ('confirmed', 'fixed')),
       count(*) FILTER (WHERE state = 'fixed'), count(*) FILTER (WHERE state = 'refused'),
       count(*) FILTER (WHERE seen = 'gone')
FROM finding_current WHERE is_shown OR state IS NOT NULL
GROUP BY rule ORDER BY rule;


-- ============================== 4. FULL TEXT (derived) ==============================
-- Index over the stems of post_text: `WHERE post_search MATCH 'slowli'`. It contains no text, so its
-- columns are NULL. A stem is a word to the built-in tokenizer `ascii`, so that every program can read
-- and search it; with ppmine.so, `MATCH stem('slowly')` makes stems of words. `ppmine match` makes what
-- is below the next line, not `ppmine init`.
-- made by match
CREATE VIRTUAL TABLE post_search USING fts5 (
    title, body,
    content = '',
    tokenize = 'ascii'
);
