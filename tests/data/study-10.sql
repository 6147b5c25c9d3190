PRAGMA application_id = 0x70706d69;
PRAGMA user_version = 10;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE study (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO study VALUES('codebook_version','1');
INSERT INTO study VALUES('name','small');
INSERT INTO study VALUES('site','stackoverflow.com');
INSERT INTO study VALUES('stemmer','nltk');
CREATE TABLE study_file (
    name       TEXT PRIMARY KEY,
    content    TEXT NOT NULL,
    sha256     TEXT NOT NULL, -- of the content, lower-case hexadecimal
    changed_at TEXT NOT NULL  -- when this content was first loaded
) STRICT;
INSERT INTO study_file VALUES('assessment.csv',replace('problem_id,post_id,library,profiler,xla,documentation\n1,1,tf,not applied,not solved,partially solved\n\n','\n',char(10)),'ce21dc42552dc662eba6af34513b2b1962f55ad23710dabf91eb06b21ebee9b3','2026-11-23T02:52:00.401Z');
INSERT INTO study_file VALUES('codebook.csv',replace('facet,category,code,short_name,definition,aliases\nsymptom,Time,slow,s,It takes long.,slowness\nsymptom,Time,hang,,,freeze\nsymptom,Memory,leak,,,\nsymptom,Memory,"out of ""memory""",oom,,\nroot cause,API,misuse,,,Wrong use\nroot cause,API,bug,,,\nstage,,data,,,\nstage,,training,,,\nstage,,testing,,,\n\n','\n',char(10)),'2242efade85090ddcb277f89d136bf9c1dc134c0d5b01668e81e1809dd286dcf','2026-11-23T02:52:00.401Z');
INSERT INTO study_file VALUES('coding.csv',replace('problem_id,coder,symptom,root_cause,introducing_stage,exposing_stage\n1,cy,slow,misuse,data,training\n1,dee,slowness,Wrong use,data,data\n900_1,cy,leak,bug,training,training\n900_1,dee,hang,bug,training,testing\n900_2,cy,slow,,,testing\n900_2,dee,slow,misuse,,training\n\n','\n',char(10)),'e4725919372901afb0e6acc02fca3eed060ff34de2a3f76d6cea312bdc46b8b0','2026-11-23T02:52:00.401Z');
INSERT INTO study_file VALUES('disambiguation.csv',replace('facet,code,versus,rule\nsymptom,hang,slow,does it end within a day?\nstage,training,testing,is anything learnt?\n\n','\n',char(10)),'c8593e11e0ba7571887a90c996bbeeae78a1f3c4c3827c2a0a9ea9ee4dd5fc43','2026-11-23T02:52:00.401Z');
INSERT INTO study_file VALUES('identification.csv',replace('post_id,coder,is_problem\n1,cy,1\n1,dee,1\n2,cy,1\n2,dee,0\n3,cy,0\n3,dee,0\n900,cy,1\n900,dee,1\n\n','\n',char(10)),'5ca763ba5a5e925ad998d0febb3781897fb45e54291bcf72cf7e59ba66e495c5','2026-11-23T02:52:00.401Z');
INSERT INTO study_file VALUES('keywords.txt',replace('slow\n\n','\n',char(10)),'50c2d0cdf392cbf26b014e21a41fd7e7835674de44769b125f9d496135f46f72','2026-11-23T02:52:00.401Z');
INSERT INTO study_file VALUES('problems.csv',replace('problem_id,post_id,created_at,introducing_stage,exposing_stage,symptom1,symptom2,root_cause\n1,1,,data,training,slow,,misuse\n900_1,900,2018-05-06T07:08:09.000Z,training,testing,leak,hang,bug\n900_2,900,2018-05-06T07:08:09.000Z,,training,slow,,misuse\n\n','\n',char(10)),'401dd9983bff1a564693afed9a8f029bb9eaddceb467f9db4be688ddb092c179','2026-11-23T02:52:00.401Z');
INSERT INTO study_file VALUES('study.ini',replace('name = small\ntags = a\npublished_at = 2020-02-29\n\n','\n',char(10)),'6ecf700801150b9c8d85aac6beab93bb06bdfd6687677a587385784ebb9b23c3','2026-11-23T02:52:00.402Z');
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
INSERT INTO run VALUES(1,'init','0.1.0','{"published":true}','small','2026-11-23T02:52:00.402Z','2026-11-23T02:52:00.403Z','ok','{"judgements":8,"codings":6,"problems":3,"assessments":1}',NULL);
INSERT INTO run VALUES(2,'load','0.1.0','{"all_tags":true,"strict":false}','posts.xml','2026-11-23T02:52:00.625Z','2026-11-23T02:52:00.626Z','done','{"rows":3,"bytes":626,"questions":2,"answers":1,"others":0,"new":3,"changed":0,"same":0,"older":0,"answers_before_their_question":0,"answers_without_question":0,"watermarks":0,"refused":0,"as_of":"2019-02-02T03:04:05.000Z"}','2019-02-02T03:04:05.000Z');
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
INSERT INTO post VALUES(1,'question',NULL,NULL,'It hangs','["a"]',3,NULL,NULL,NULL,NULL,'2018-01-02T03:04:05.000Z',NULL,NULL,'2018-01-02T03:04:05.000Z',NULL,NULL,NULL,NULL,NULL,NULL,'CC BY-SA 3.0',2,2,'87b21f455ba9a2016ff3b85bb3f300ee4f1a52ecc1297c8379e95face637edb2','<p>It hangs.</p>');
INSERT INTO post VALUES(2,'question',NULL,NULL,'It is slow','["a","b"]',1,NULL,NULL,NULL,NULL,'2019-01-02T03:04:05.000Z',NULL,NULL,'2019-02-02T03:04:05.000Z',NULL,NULL,NULL,NULL,NULL,NULL,'CC BY-SA 4.0',2,2,'c11ca103f53ade6476c5360dcb54317dcf47100951d7bf6876fc4d1c7dad4783','<p>It is slow.</p>');
INSERT INTO post VALUES(3,'answer',1,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,'2018-02-02T03:04:05.000Z',NULL,NULL,'2018-02-02T03:04:05.000Z',NULL,NULL,NULL,NULL,NULL,NULL,'CC BY-SA 3.0',2,2,'8aa89a4ff9534757db6152e2e6a4e366c6c16d32023e99e6ed709ba26cb465c0','<p>Wait.</p>');
CREATE TABLE post_url (
    post_id INTEGER PRIMARY KEY REFERENCES post (post_id),
    url     TEXT NOT NULL
) STRICT;
CREATE TABLE post_state (
    post_id INTEGER PRIMARY KEY REFERENCES post (post_id),
    as_of   TEXT NOT NULL -- of the newest state that was loaded
) STRICT;
CREATE TABLE post_value (
    post_id INTEGER NOT NULL REFERENCES post (post_id),
    name    TEXT NOT NULL, -- the column of `post`
    as_of   TEXT NOT NULL,
    PRIMARY KEY (post_id, name)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE api_list (
    name       TEXT PRIMARY KEY, -- 'refresh', or 'ids ' with the SHA-256 of the list
    position   INTEGER NOT NULL, -- the last id that was asked for
    started_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE api_due (
    method   TEXT NOT NULL, -- '/questions/{ids}/answers', …
    post_id  INTEGER NOT NULL,
    expected INTEGER NOT NULL, -- how many there are
    since    INTEGER NOT NULL DEFAULT 0, -- Unix seconds: what was created before was seen
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
CREATE TABLE author (
    user_id      INTEGER PRIMARY KEY,
    display_name TEXT,
    link         TEXT,
    as_of        TEXT -- when the API said so last
) STRICT;
CREATE TABLE api_listing (
    post_id      INTEGER NOT NULL,
    what         TEXT NOT NULL CHECK (what IN ('post', 'answers', 'comments')), -- 'post': it was
                                   -- asked for by its id, and did not come
    listed_at    TEXT NOT NULL,
    created_from TEXT NOT NULL,    -- of the answers or comments, those created from here on,
    created_to   TEXT NOT NULL,    -- and before this
    PRIMARY KEY (post_id, what, listed_at, created_from)
) STRICT, WITHOUT ROWID;
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
    benchmark     TEXT NOT NULL CHECK (benchmark IN ('', 'shown', 'group'))
) STRICT, WITHOUT ROWID;
INSERT INTO facet VALUES('exposing stage',5,'Exposing stage','Exposing stages','problem','codes',1,'stage',1,'exposing-stage','stage that exposes the problem',2,'');
INSERT INTO facet VALUES('identification',1,'Identification','Identifications','post','yes/no',1,NULL,1,'problem','is the post about a performance problem?',0,'');
INSERT INTO facet VALUES('introducing stage',4,'Introducing stage','Introducing stages','problem','codes',1,'stage',1,'introducing-stage','stage that introduces the problem',1,'');
INSERT INTO facet VALUES('root cause',3,'Root cause','Root causes','problem','codes',1,'root cause',1,'root-cause','why it happens',4,'group');
INSERT INTO facet VALUES('symptom',2,'Symptom','Symptoms','problem','codes',2,'symptom',1,'symptom','what is observed',3,'shown');
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
INSERT INTO code VALUES(1,'symptom','Time','slow','s','It takes long.',NULL,NULL);
INSERT INTO code VALUES(2,'symptom','Time','hang',NULL,NULL,NULL,NULL);
INSERT INTO code VALUES(3,'symptom','Memory','leak',NULL,NULL,NULL,NULL);
INSERT INTO code VALUES(4,'symptom','Memory','out of "memory"','oom',NULL,NULL,NULL);
INSERT INTO code VALUES(5,'root cause','API','misuse',NULL,NULL,NULL,NULL);
INSERT INTO code VALUES(6,'root cause','API','bug',NULL,NULL,NULL,NULL);
INSERT INTO code VALUES(7,'stage',NULL,'data',NULL,NULL,NULL,NULL);
INSERT INTO code VALUES(8,'stage',NULL,'training',NULL,NULL,NULL,NULL);
INSERT INTO code VALUES(9,'stage',NULL,'testing',NULL,NULL,NULL,NULL);
CREATE TABLE code_alias (
    code_id INTEGER NOT NULL REFERENCES code (code_id),
    alias   TEXT NOT NULL,
    PRIMARY KEY (code_id, alias)
) STRICT, WITHOUT ROWID;
INSERT INTO code_alias VALUES(1,'slowness');
INSERT INTO code_alias VALUES(2,'freeze');
INSERT INTO code_alias VALUES(5,'Wrong use');
CREATE TABLE disambiguation (
    code_id   INTEGER NOT NULL REFERENCES code (code_id),
    versus_id INTEGER NOT NULL REFERENCES code (code_id),
    rule      TEXT NOT NULL,
    PRIMARY KEY (code_id, versus_id)
) STRICT, WITHOUT ROWID;
INSERT INTO disambiguation VALUES(2,1,'does it end within a day?');
INSERT INTO disambiguation VALUES(8,9,'is anything learnt?');
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
CREATE TABLE coder (
    coder     TEXT PRIMARY KEY,
    is_merged INTEGER NOT NULL DEFAULT 0 -- 1: what the coders agreed on in the end
              CHECK (is_merged IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO coder VALUES('ann',0);
INSERT INTO coder VALUES('cy',0);
INSERT INTO coder VALUES('dee',0);
INSERT INTO coder VALUES('merged',1);
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
    reason           TEXT              -- what the coder gave as the reason
) STRICT;
INSERT INTO decision VALUES('b49e5d4592b66285e159200b285228aff528b669cf18f0218dadc2b9c2c053ca','2020-02-29T00:00:00.000Z','cy','1',1,'identification','true',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('c3ea10ba9ecf115a376e58f48637955ab7cf58bf3d22b495049a4e3b069f63f8','2020-02-29T00:00:00.000Z','dee','1',1,'identification','true',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('2bd0d70cebf0d4e61c01b1b656a4945b6598c19629c1567c117bca8ba7010c4d','2020-02-29T00:00:00.000Z','cy','2',2,'identification','true',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('b4afb3aa2c8d824476a43c06908b5dd9ed370ecf2f2c099e0e8fd0d0facd20bd','2020-02-29T00:00:00.000Z','dee','2',2,'identification','false',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('28e09221f226fd7af72cdad08703c6f0174815c678f6debdfdb6a5b9c2d72287','2020-02-29T00:00:00.000Z','cy','3',3,'identification','false',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('6624856a259b680a4183cc441ac4d86cde88d95ee6270535de963aad4fe166b2','2020-02-29T00:00:00.000Z','dee','3',3,'identification','false',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('e1c8455a84dd0d42f9b0593834641aaba80c62d3c4456bcb58b7a2a858e5d9c4','2020-02-29T00:00:00.000Z','cy','900',900,'identification','true',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('172705a8da0e6533459e417987b1d38c40fad46e92f12b1b02e3822e224b9bee','2020-02-29T00:00:00.000Z','dee','900',900,'identification','true',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('0805e5194a06060243b0135f5f14310ccf8504c668d03cf224099c76a83d9e17','2020-02-29T00:00:00.000Z','cy','1',1,'symptom','["slow"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('165320e3c42cf4a0112ca310247494f3dd0a5a73aee7ac1bf5b31978da864945','2020-02-29T00:00:00.000Z','cy','1',1,'root cause','["misuse"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('0a8a75dc517b42364fa840836e763a62e834fe8d61f041b9e1803294c5d16287','2020-02-29T00:00:00.000Z','cy','1',1,'introducing stage','["data"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('bb359ac45cf5684194080f8273ee7cef1ed91dc940639a3288dc0387a70ce893','2020-02-29T00:00:00.000Z','cy','1',1,'exposing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('7f05e9202571f0acace8bfcc64fcf46e7af7819d780e286932e9d264b9c6d758','2020-02-29T00:00:00.000Z','dee','1',1,'symptom','["slow"]',1,NULL,'slowness',NULL);
INSERT INTO decision VALUES('5c096ae2805452c276bc04d3cb416bba72910158106a1d1f923d72e7da14f585','2020-02-29T00:00:00.000Z','dee','1',1,'root cause','["misuse"]',1,NULL,'Wrong use',NULL);
INSERT INTO decision VALUES('efccfdc7c5b35911ae8b19f4656e7301e5441f59b0e6236fc56d646fbf2153e4','2020-02-29T00:00:00.000Z','dee','1',1,'introducing stage','["data"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('dea9312053df0301a6271e9c75772266b690fb6189543c4f424b41520c4abf68','2020-02-29T00:00:00.000Z','dee','1',1,'exposing stage','["data"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('0c6c0c54ac8ab577c798bdc9c09c4f4e2744d68a40c7846396141d8d48352ad7','2020-02-29T00:00:00.000Z','cy','900_1',900,'symptom','["leak"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('28d99697c2ad8232994d60d01961f2a3555a9229eef93e55768548e0ab78cdc3','2020-02-29T00:00:00.000Z','cy','900_1',900,'root cause','["bug"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('d0cca718cc1d04365f4e2f47d3098ef03e94dba1644ff0c328426ef7e30b3752','2020-02-29T00:00:00.000Z','cy','900_1',900,'introducing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('8fb510e75431012cde7792d9fa7cd9547402ddead17c190bef1272e2b0fa3756','2020-02-29T00:00:00.000Z','cy','900_1',900,'exposing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('514edde310d980d473723db01cb4777548e8111a8dba4d53b6805a327a23bf10','2020-02-29T00:00:00.000Z','dee','900_1',900,'symptom','["hang"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('e7f384b7bc2b98fcfe0aa35cf3c0d070c4375b9cbdce75a4866aa2f4782499d7','2020-02-29T00:00:00.000Z','dee','900_1',900,'root cause','["bug"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('5e541ca3f0f1606e2199e0086bbaa667ede561dc7e7015172c99e199ac58541d','2020-02-29T00:00:00.000Z','dee','900_1',900,'introducing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('37b2094883a1e1ac7a10d87fe42483d1b1c105def0eb069a969a8a5631b74698','2020-02-29T00:00:00.000Z','dee','900_1',900,'exposing stage','["testing"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('138b78035d2ab4e7acd330102c73411fedb6e4279349985a826bc9244f526428','2020-02-29T00:00:00.000Z','cy','900_2',900,'symptom','["slow"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('d322cec25bee306310c9ae348347e46818cf93d4f2288675b1906053ae82950b','2020-02-29T00:00:00.000Z','cy','900_2',900,'exposing stage','["testing"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('ee1762298da1442c6dd5c4ffb76514eb0d23295e5962364dd00b555506a11eea','2020-02-29T00:00:00.000Z','dee','900_2',900,'symptom','["slow"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('5b9d60f853237fd58b26dce504ab0d591ac7c7f16e5a83bccedf9339678023d1','2020-02-29T00:00:00.000Z','dee','900_2',900,'root cause','["misuse"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('b79983f68034e2cc5ce1a47543b18bb347e2dd5250f2072a34baaa6fd0fe5694','2020-02-29T00:00:00.000Z','dee','900_2',900,'exposing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('0cd7d0325232b2e5108152a037a0ca51dcb946d60b23e56117697b95f551b900','2020-02-29T00:00:00.000Z','merged','1',1,'symptom','["slow"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('91efbdc4249a3ffd2fac8c2162e57a2e07e7ce81ff929061907b003e61a8a847','2020-02-29T00:00:00.000Z','merged','1',1,'root cause','["misuse"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('dc744fc30838e5a6da70529b8c90313fc326fa30c770a68c4347c7ac7f7dc591','2020-02-29T00:00:00.000Z','merged','1',1,'introducing stage','["data"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('038cb3262dc065bcf25f41ecef1f063d8a129c29d5a88902e343141974c9f293','2020-02-29T00:00:00.000Z','merged','1',1,'exposing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('7bcd989826314ad249295e4f16bbecf7597c7b487afd2efab89b245ef5d439c7','2020-02-29T00:00:00.000Z','merged','900_1',900,'symptom','["leak","hang"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('4c41172a17db07c142c7b27665e83d709a728330072923e8afc270c71f27f95b','2020-02-29T00:00:00.000Z','merged','900_1',900,'root cause','["bug"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('8b7a9c022ca8ce06445db49cfc1f37306817cd9642809e2eb0e36822ae25ffc4','2020-02-29T00:00:00.000Z','merged','900_1',900,'introducing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('c7149099e126e71cf48c11c3b4b201e0a79dce12cb4a36ee772567e1dc234b11','2020-02-29T00:00:00.000Z','merged','900_1',900,'exposing stage','["testing"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('0561b61abfdff489932b99018f97e439c17e1db1ef4d4f198cac395147eed711','2020-02-29T00:00:00.000Z','merged','900_2',900,'symptom','["slow"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('246ce1473918b68420eb2faabce8831830b6e12cb266b0906e6a5e4cd1b5d90d','2020-02-29T00:00:00.000Z','merged','900_2',900,'root cause','["misuse"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('f37a69ec6e8ef08c33ff407c823472117dfec16ac7db670e98fc03da58377c80','2020-02-29T00:00:00.000Z','merged','900_2',900,'exposing stage','["training"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('db7797340cacdcea99539e5d827b0fc0de280d5d26fb8d895758622c0b0a93f5','2026-11-23T02:52:01.006Z','ann','2',2,'identification','true',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('91bd4de4723b4f980b35ae3e7f50f2ac7a9adc534322306c3027e2464b4b28bf','2026-11-23T02:52:01.006Z','ann','2',2,'symptom','["slow"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('403a5869a78a9a5434a354b3cc7d2f775029ba43bc469ff1a3bd9f7a348ffb24','2026-11-23T02:52:01.264Z','ann','1',1,'identification','false',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('00b200dba57e5720f902cc3aff763fd316dfcea6c853e6bd18415f60511d6737','2026-11-23T02:52:01.568Z','ann','2',2,'symptom','["leak"]',1,NULL,NULL,NULL);
CREATE TABLE note (
    note_id    TEXT PRIMARY KEY, -- SHA-256, in lower-case hexadecimal, of the JSON array
                                 -- ["coder","subject","note","text","written_at"]
    written_at TEXT NOT NULL,
    coder      TEXT NOT NULL REFERENCES coder (coder),
    subject    TEXT NOT NULL,    -- as in decision
    post_id    INTEGER NOT NULL,
    text       TEXT NOT NULL
) STRICT;
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
CREATE TABLE problem_date (
    problem_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO problem_date VALUES('900_1','2018-05-06T07:08:09.000Z');
INSERT INTO problem_date VALUES('900_2','2018-05-06T07:08:09.000Z');
CREATE TABLE assessment (
    problem_id TEXT NOT NULL,
    approach   TEXT NOT NULL, -- 'profiler', 'xla', 'documentation'
    status     TEXT NOT NULL
               CHECK (status IN ('not applied', 'not solved', 'partially solved')),
    library    TEXT,          -- that the problem was reproduced with; NULL: not said
    PRIMARY KEY (problem_id, approach)
) STRICT, WITHOUT ROWID;
INSERT INTO assessment VALUES('1','documentation','partially solved','tf');
INSERT INTO assessment VALUES('1','profiler','not applied','tf');
INSERT INTO assessment VALUES('1','xla','not solved','tf');
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
CREATE TABLE project (
    project TEXT PRIMARY KEY, -- its name: 'owner/repository', a package, a folder
    url     TEXT              -- where its code is on the web; NULL: not known
) STRICT, WITHOUT ROWID;
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
CREATE TABLE keyword (
    keyword_id INTEGER PRIMARY KEY, -- place in the set, from 1
    keyword    TEXT NOT NULL,       -- as the study prints it
    stems      TEXT NOT NULL,       -- what is compared
    n_words    INTEGER NOT NULL,
    dead       TEXT,                -- why it can never match; NULL when it can
    note       TEXT
) STRICT;
CREATE TABLE post_text (
    post_id INTEGER PRIMARY KEY REFERENCES post (post_id),
    title   TEXT,
    body    TEXT
) STRICT;
CREATE TABLE hit (
    post_id    INTEGER NOT NULL REFERENCES post (post_id),
    field      TEXT NOT NULL CHECK (field IN ('title', 'body')),
    "start"    INTEGER NOT NULL,
    keyword_id INTEGER NOT NULL REFERENCES keyword (keyword_id),
    "end"      INTEGER NOT NULL,
    PRIMARY KEY (post_id, field, "start", keyword_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE candidate_post (
    post_id  INTEGER PRIMARY KEY REFERENCES post (post_id),
    n_hits   INTEGER NOT NULL,
    keywords TEXT NOT NULL -- each once, in the order of the set, joined by ', '
) STRICT;
CREATE TABLE post_fact (
    post_id INTEGER NOT NULL REFERENCES post (post_id),
    fact    TEXT NOT NULL, -- 'tensorflow version', 'gpu', 'batch size', …
    value   TEXT NOT NULL, -- as the post has it, blanks apart
    words   TEXT NOT NULL, -- around the value, where it is first
    field   TEXT NOT NULL, -- where that is: 'title', 'body' or 'code' (the text in <pre>)
    PRIMARY KEY (post_id, fact, value)
) STRICT, WITHOUT ROWID;
CREATE TABLE judgement (
    post_id    INTEGER NOT NULL,
    coder      TEXT NOT NULL,
    is_problem INTEGER NOT NULL CHECK (is_problem IN (0, 1)),
    decided_at TEXT NOT NULL,
    PRIMARY KEY (post_id, coder)
) STRICT, WITHOUT ROWID;
INSERT INTO judgement VALUES(1,'ann',0,'2026-11-23T02:52:01.264Z');
INSERT INTO judgement VALUES(1,'cy',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(1,'dee',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(2,'ann',1,'2026-11-23T02:52:01.006Z');
INSERT INTO judgement VALUES(2,'cy',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(2,'dee',0,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(3,'cy',0,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(3,'dee',0,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(900,'cy',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(900,'dee',1,'2020-02-29T00:00:00.000Z');
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
INSERT INTO label VALUES('1','exposing stage','cy',1,1,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','exposing stage','dee',1,1,7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','exposing stage','merged',1,1,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','introducing stage','cy',1,1,7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','introducing stage','dee',1,1,7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','introducing stage','merged',1,1,7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','root cause','cy',1,1,5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','root cause','dee',1,1,5,NULL,'2020-02-29T00:00:00.000Z',1,'Wrong use');
INSERT INTO label VALUES('1','root cause','merged',1,1,5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','symptom','cy',1,1,1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1','symptom','dee',1,1,1,NULL,'2020-02-29T00:00:00.000Z',1,'slowness');
INSERT INTO label VALUES('1','symptom','merged',1,1,1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('2','symptom','ann',1,2,3,NULL,'2026-11-23T02:52:01.568Z',1,NULL);
INSERT INTO label VALUES('900_1','exposing stage','cy',1,900,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','exposing stage','dee',1,900,9,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','exposing stage','merged',1,900,9,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','introducing stage','cy',1,900,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','introducing stage','dee',1,900,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','introducing stage','merged',1,900,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','root cause','cy',1,900,6,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','root cause','dee',1,900,6,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','root cause','merged',1,900,6,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','symptom','cy',1,900,3,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','symptom','dee',1,900,2,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','symptom','merged',1,900,3,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1','symptom','merged',2,900,2,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','exposing stage','cy',1,900,9,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','exposing stage','dee',1,900,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','exposing stage','merged',1,900,8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','root cause','dee',1,900,5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','root cause','merged',1,900,5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','symptom','cy',1,900,1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','symptom','dee',1,900,1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2','symptom','merged',1,900,1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
CREATE TABLE problem (
    problem_id TEXT PRIMARY KEY, -- the post's id; with _1, _2, … if it has several
    post_id    INTEGER NOT NULL, -- the post may not be in this file
    created_at TEXT,             -- of the post; NULL: see there
    labels     TEXT NOT NULL     -- JSON: of each facet the code_ids; see the view problem_code
) STRICT;
INSERT INTO problem VALUES('1',1,NULL,'{"symptom":[1],"root cause":[5],"introducing stage":[7],"exposing stage":[8]}');
INSERT INTO problem VALUES('900_1',900,'2018-05-06T07:08:09.000Z','{"symptom":[3,2],"root cause":[6],"introducing stage":[8],"exposing stage":[9]}');
INSERT INTO problem VALUES('900_2',900,'2018-05-06T07:08:09.000Z','{"symptom":[1],"root cause":[5],"exposing stage":[8]}');
CREATE INDEX post_parent ON post (parent_id) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX revision_version
    ON revision (post_id, ifnull(body_sha256, ''), ifnull(title, ''), ifnull(tags, ''));
CREATE UNIQUE INDEX api_window_tag ON api_window (tag, created_from);
CREATE INDEX comment_post ON comment (post_id);
CREATE INDEX decision_subject ON decision (subject);
CREATE INDEX decision_coder ON decision (coder, decided_at);
CREATE INDEX decision_undoes ON decision (undoes) WHERE undoes IS NOT NULL;
CREATE UNIQUE INDEX bench_setup_state
    ON bench_setup (machine, versions, ifnull(processor, ''), ifnull(processors, 0),
                    ifnull(memory_kb, 0), ifnull(system, ''), ifnull(kernel, ''),
                    ifnull(architecture, ''), ifnull(memory_limit, ''));
CREATE INDEX bench_result_problem ON bench_result (problem_id, finished_at);
CREATE INDEX bench_result_setup ON bench_result (setup_id);
CREATE INDEX finding_seen_finding ON finding_seen (finding_id);
CREATE INDEX finding_state_finding ON finding_state (finding_id);
CREATE INDEX finding_state_undoes ON finding_state (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX judgement_coder ON judgement (coder, post_id);
CREATE INDEX problem_post ON problem (post_id);
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
CREATE VIEW post_site (post_id, id, site, short, number, url) AS
SELECT p.post_id, iif(s.short IS NULL, '', s.short || ':') || (p.post_id & 9007199254740991), s.name,
       s.short, p.post_id & 9007199254740991,
       coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = p.post_id),
                s.base_url || iif(p.post_type = 'answer', '/a/', '/questions/')
                    || (p.post_id & 9007199254740991))
FROM post AS p LEFT JOIN site AS s ON s.site_id = p.post_id >> 53;
CREATE VIEW screening_read (coder, place, post_id, answer, stratum, read_at) AS
SELECT coder, row_number() OVER (PARTITION BY coder ORDER BY read_at, counted, post_id), post_id, answer,
       stratum, read_at
FROM (SELECT j.coder, j.post_id, iif(j.is_problem, 'yes', 'no') AS answer,
             coalesce(s.stratum, 'hand') AS stratum, coalesce(s.read_at, j.decided_at) AS read_at,
             coalesce(s.place, 0) AS counted
      FROM judgement AS j LEFT JOIN screening AS s USING (coder, post_id)
      UNION ALL
      SELECT s.coder, s.post_id, s.answer, s.stratum, s.read_at, s.place FROM screening AS s
      WHERE s.answer = 'unsure'
        AND NOT EXISTS (SELECT 1 FROM judgement AS j
                        WHERE j.coder = s.coder AND j.post_id = s.post_id));
CREATE VIEW candidate (post_id, title, url, created_at, n_hits, keywords) AS
SELECT p.post_id,
       coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)),
       coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = p.post_id),
                (SELECT base_url FROM site WHERE site_id = p.post_id >> 53)
                    || iif(p.post_type = 'answer', '/a/', '/questions/')
                    || (p.post_id & 9007199254740991)),
       p.created_at, c.n_hits, c.keywords
FROM candidate_post AS c JOIN post AS p USING (post_id);
CREATE VIEW problem_code (problem_id, post_id, facet, place, code_id, category, code) AS
SELECT l.problem_id, l.post_id, f.key, c.key + 1, k.code_id, k.category, k.name
FROM problem AS l, json_each(l.labels) AS f, json_each(f.value) AS c
JOIN code AS k ON k.code_id = c.value;
CREATE VIEW identification (post_id, coder, is_problem) AS
SELECT post_id, coder, is_problem FROM judgement;
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
CREATE VIEW bench_machine (machine, processor, processors, memory_kb, kernel, versions, cases,
                           results, last_at) AS
SELECT s.machine, s.processor, s.processors, s.memory_kb, s.kernel, s.versions,
       count(DISTINCT r.problem_id), count(*), max(r.finished_at)
FROM bench_setup AS s JOIN bench_result AS r USING (setup_id)
GROUP BY s.machine;
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
CREATE VIEW bench_last (result_id, machine, problem_id, finished_at, verdict, metric, unit, buggy,
                        fixed, ratio, ratio_low, ratio_high, runs, tensorflow, why) AS
SELECT result_id, machine, problem_id, finished_at, verdict, metric, unit, buggy, fixed, ratio,
       ratio_low, ratio_high, runs, tensorflow, why
FROM (SELECT *, row_number() OVER (PARTITION BY machine, problem_id
                                   ORDER BY finished_at DESC, result_id DESC) AS place
      FROM bench_ratio)
WHERE place = 1;
CREATE VIEW bench_compare (problem_id, machine_a, verdict_a, ratio_a, low_a, high_a, machine_b,
                           verdict_b, ratio_b, low_b, high_b, same_verdict, apart) AS
SELECT a.problem_id, a.machine, a.verdict, a.ratio, a.ratio_low, a.ratio_high, b.machine,
       b.verdict, b.ratio, b.ratio_low, b.ratio_high, a.verdict = b.verdict,
       a.ratio_low > b.ratio_high OR b.ratio_low > a.ratio_high
FROM bench_last AS a JOIN bench_last AS b USING (problem_id)
WHERE a.machine <> b.machine;
CREATE VIEW bench_memory (result_id, side, place, at_seconds, resident_kb) AS
SELECT r.result_id, r.side, r.place,
       (SELECT value FROM json_each(j.value) WHERE key = 0),
       (SELECT value FROM json_each(j.value) WHERE key = 1)
FROM bench_run AS r, json_each(r.samples) AS j;
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
LEFT JOIN counting AS t USING (finding_id)
;
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
CREATE VIEW campaign_rule (rule, findings, reported, confirmed, fixed, refused, gone) AS
SELECT rule, count(*), count(state), count(*) FILTER (WHERE state IN ('confirmed', 'fixed')),
       count(*) FILTER (WHERE state = 'fixed'), count(*) FILTER (WHERE state = 'refused'),
       count(*) FILTER (WHERE seen = 'gone')
FROM finding_current WHERE is_shown OR state IS NOT NULL
GROUP BY rule ORDER BY rule;
CREATE VIEW problem_label (problem_id, post_id, url, created_at, "introducing_stage", "exposing_stage", "symptom1", "symptom2", "root_cause") AS SELECT l.problem_id, l.post_id, coalesce((SELECT u.url FROM post_url AS u WHERE u.post_id = l.post_id), (SELECT base_url FROM site WHERE site_id = l.post_id >> 53) || iif(p.post_type = 'answer', '/a/', '/questions/') || (l.post_id & 9007199254740991)), coalesce(l.created_at, p.created_at), (SELECT c.name FROM code AS c WHERE c.code_id = (SELECT v.value FROM json_each(l.labels, '$."introducing stage"') AS v WHERE v.key = 0)), (SELECT c.name FROM code AS c WHERE c.code_id = (SELECT v.value FROM json_each(l.labels, '$."exposing stage"') AS v WHERE v.key = 0)), (SELECT c.name FROM code AS c WHERE c.code_id = (SELECT v.value FROM json_each(l.labels, '$."symptom"') AS v WHERE v.key = 0)), (SELECT c.name FROM code AS c WHERE c.code_id = (SELECT v.value FROM json_each(l.labels, '$."symptom"') AS v WHERE v.key = 1)), (SELECT c.name FROM code AS c WHERE c.code_id = (SELECT v.value FROM json_each(l.labels, '$."root cause"') AS v WHERE v.key = 0)) FROM problem AS l LEFT JOIN post AS p ON p.post_id = l.post_id;
CREATE VIEW coding (problem_id, post_id, coder, is_merged, facet, code1, code2, spelling, decided_at, codebook_version) AS SELECT l.subject, l.post_id, l.coder, c.is_merged, l.facet, (SELECT k.name FROM label AS m JOIN code AS k USING (code_id) WHERE m.subject = l.subject AND m.facet = l.facet AND m.coder = l.coder AND m.place = 1), (SELECT k.name FROM label AS m JOIN code AS k USING (code_id) WHERE m.subject = l.subject AND m.facet = l.facet AND m.coder = l.coder AND m.place = 2), l.spelling, l.decided_at, l.codebook_version FROM label AS l JOIN coder AS c USING (coder) WHERE l.place = 1;
CREATE VIEW "symptom_count" (category, code, n, share) AS SELECT c.category, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER () FROM problem AS l JOIN code AS c ON c.code_id = (SELECT v.value FROM json_each(l.labels, '$."symptom"') AS v WHERE v.key = 0) GROUP BY c.code_id ORDER BY count(*) DESC, c.code_id;
CREATE VIEW "root_cause_count" (category, code, n, share) AS SELECT c.category, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER () FROM problem AS l JOIN code AS c ON c.code_id = (SELECT v.value FROM json_each(l.labels, '$."root cause"') AS v WHERE v.key = 0) GROUP BY c.code_id ORDER BY count(*) DESC, c.code_id;
CREATE VIEW "stage_count" (role, "stage", n, share) AS SELECT s.role, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER (PARTITION BY s.role) FROM (SELECT 3 AS place, 'introducing' AS role, (SELECT v.value FROM json_each(l.labels, '$."introducing stage"') AS v WHERE v.key = 0) AS code_id FROM problem AS l UNION ALL SELECT 4 AS place, 'exposing' AS role, (SELECT v.value FROM json_each(l.labels, '$."exposing stage"') AS v WHERE v.key = 0) AS code_id FROM problem AS l) AS s JOIN code AS c USING (code_id) GROUP BY s.place, c.code_id ORDER BY s.place, count(*) DESC, c.code_id;
COMMIT;
