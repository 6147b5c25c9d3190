PRAGMA application_id = 0x70706d69;
PRAGMA user_version = 3;
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
INSERT INTO study VALUES('title','');
CREATE TABLE study_file (
    name       TEXT PRIMARY KEY,
    content    TEXT NOT NULL,
    sha256     TEXT NOT NULL, -- of the content, lower-case hexadecimal
    changed_at TEXT NOT NULL  -- when this content was first loaded
) STRICT;
INSERT INTO study_file VALUES('assessment.csv',replace('problem_id,post_id,library,profiler,xla,documentation\n1,1,tf,not applied,not solved,partially solved\n\n','\n',char(10)),'ce21dc42552dc662eba6af34513b2b1962f55ad23710dabf91eb06b21ebee9b3','2026-11-23T02:56:15.102Z');
INSERT INTO study_file VALUES('codebook.csv',replace('facet,category,code,short_name,definition,aliases\nsymptom,Time,slow,s,It takes long.,slowness\nsymptom,Time,hang,,,freeze\nsymptom,Memory,leak,,,\nsymptom,Memory,"out of ""memory""",oom,,\nroot cause,API,misuse,,,Wrong use\nroot cause,API,bug,,,\nstage,,data,,,\nstage,,training,,,\nstage,,testing,,,\n\n','\n',char(10)),'2242efade85090ddcb277f89d136bf9c1dc134c0d5b01668e81e1809dd286dcf','2026-11-23T02:56:15.102Z');
INSERT INTO study_file VALUES('coding.csv',replace('problem_id,coder,symptom,root_cause,introducing_stage,exposing_stage\n1,cy,slow,misuse,data,training\n1,dee,slowness,Wrong use,data,data\n900_1,cy,leak,bug,training,training\n900_1,dee,hang,bug,training,testing\n900_2,cy,slow,,,testing\n900_2,dee,slow,misuse,,training\n\n','\n',char(10)),'e4725919372901afb0e6acc02fca3eed060ff34de2a3f76d6cea312bdc46b8b0','2026-11-23T02:56:15.102Z');
INSERT INTO study_file VALUES('disambiguation.csv',replace('facet,code,versus,rule\nsymptom,hang,slow,does it end within a day?\nstage,training,testing,is anything learnt?\n\n','\n',char(10)),'c8593e11e0ba7571887a90c996bbeeae78a1f3c4c3827c2a0a9ea9ee4dd5fc43','2026-11-23T02:56:15.102Z');
INSERT INTO study_file VALUES('identification.csv',replace('post_id,coder,is_problem\n1,cy,1\n1,dee,1\n2,cy,1\n2,dee,0\n3,cy,0\n3,dee,0\n900,cy,1\n900,dee,1\n\n','\n',char(10)),'5ca763ba5a5e925ad998d0febb3781897fb45e54291bcf72cf7e59ba66e495c5','2026-11-23T02:56:15.102Z');
INSERT INTO study_file VALUES('keywords.txt',replace('slow\n\n','\n',char(10)),'50c2d0cdf392cbf26b014e21a41fd7e7835674de44769b125f9d496135f46f72','2026-11-23T02:56:15.102Z');
INSERT INTO study_file VALUES('problems.csv',replace('problem_id,post_id,created_at,introducing_stage,exposing_stage,symptom1,symptom2,root_cause\n1,1,,data,training,slow,,misuse\n900_1,900,2018-05-06T07:08:09.000Z,training,testing,leak,hang,bug\n900_2,900,2018-05-06T07:08:09.000Z,,training,slow,,misuse\n\n','\n',char(10)),'401dd9983bff1a564693afed9a8f029bb9eaddceb467f9db4be688ddb092c179','2026-11-23T02:56:15.102Z');
INSERT INTO study_file VALUES('study.ini',replace('name = small\ntags = a\npublished_at = 2020-02-29\n\n','\n',char(10)),'6ecf700801150b9c8d85aac6beab93bb06bdfd6687677a587385784ebb9b23c3','2026-11-23T02:56:15.102Z');
CREATE TABLE run (
    run_id       INTEGER PRIMARY KEY,
    command      TEXT NOT NULL, -- 'load', 'fetch', 'match', …
    tool_version TEXT NOT NULL, -- version of ppmine
    parameters   TEXT NOT NULL, -- JSON object: the options as given
    source       TEXT,          -- a path or URL
    started_at   TEXT NOT NULL,
    finished_at  TEXT,          -- NULL: still runs, or was killed
    outcome      TEXT,          -- 'done', 'stopped' (by a signal) or 'failed'
    counts       TEXT           -- JSON object: what was done
) STRICT;
INSERT INTO run VALUES(1,'init','0.1.0','{"published":true}','small','2026-11-23T02:56:15.102Z','2026-11-23T02:56:15.103Z','ok','{"judgements":8,"codings":6,"problems":3,"assessments":1}');
INSERT INTO run VALUES(2,'load','0.1.0','{"all_tags":true,"strict":false}','posts.xml','2026-11-23T02:56:15.165Z','2026-11-23T02:56:15.170Z','done','{"rows":3,"bytes":626,"questions":2,"answers":1,"others":0,"new":3,"changed":0,"same":0,"older":0,"answers_before_their_question":0,"answers_without_question":0,"watermarks":0,"refused":0}');
CREATE TABLE post (
    post_id                  INTEGER PRIMARY KEY, -- the id on the site
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
    first_run_id             INTEGER NOT NULL REFERENCES run, -- the run that brought the post
    run_id                   INTEGER NOT NULL REFERENCES run, -- the last run that changed the row
    body_sha256              TEXT,    -- of body_html, lower-case hexadecimal
    body_html                TEXT     -- as the site stores it
) STRICT;
INSERT INTO post VALUES(1,'question',NULL,NULL,'It hangs','["a"]',3,NULL,NULL,NULL,NULL,'2018-01-02T03:04:05.000Z',NULL,NULL,'2018-01-02T03:04:05.000Z',NULL,NULL,NULL,NULL,NULL,NULL,'CC BY-SA 3.0',2,2,'87b21f455ba9a2016ff3b85bb3f300ee4f1a52ecc1297c8379e95face637edb2','<p>It hangs.</p>');
INSERT INTO post VALUES(2,'question',NULL,NULL,'It is slow','["a","b"]',1,NULL,NULL,NULL,NULL,'2019-01-02T03:04:05.000Z',NULL,NULL,'2019-02-02T03:04:05.000Z',NULL,NULL,NULL,NULL,NULL,NULL,'CC BY-SA 4.0',2,2,'c11ca103f53ade6476c5360dcb54317dcf47100951d7bf6876fc4d1c7dad4783','<p>It is slow.</p>');
INSERT INTO post VALUES(3,'answer',1,NULL,NULL,NULL,1,NULL,NULL,NULL,NULL,'2018-02-02T03:04:05.000Z',NULL,NULL,'2018-02-02T03:04:05.000Z',NULL,NULL,NULL,NULL,NULL,NULL,'CC BY-SA 3.0',2,2,'8aa89a4ff9534757db6152e2e6a4e366c6c16d32023e99e6ed709ba26cb465c0','<p>Wait.</p>');
CREATE TABLE revision (
    revision_id     INTEGER PRIMARY KEY,
    post_id         INTEGER NOT NULL REFERENCES post,
    title           TEXT,
    tags            TEXT,
    edited_at       TEXT,    -- the latest date known for this version: of its edit, or of creation
    content_license TEXT,
    run_id          INTEGER NOT NULL REFERENCES run, -- the run that put it aside
    seen_at         TEXT NOT NULL,                   -- when it did
    body_sha256     TEXT,
    body_html       TEXT
) STRICT;
CREATE TABLE code (
    code_id     INTEGER PRIMARY KEY,
    facet       TEXT NOT NULL CHECK (facet IN ('symptom', 'root cause', 'stage')),
    category    TEXT, -- NULL: the facet has none
    name        TEXT NOT NULL,
    short_name  TEXT,
    definition  TEXT,
    retired_in  INTEGER, -- the codebook version since which it is no longer given; NULL: it is
    merged_into INTEGER REFERENCES code, -- the code as which its labels count since then
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
    code_id INTEGER NOT NULL REFERENCES code,
    alias   TEXT NOT NULL,
    PRIMARY KEY (code_id, alias)
) STRICT, WITHOUT ROWID;
INSERT INTO code_alias VALUES(1,'slowness');
INSERT INTO code_alias VALUES(2,'freeze');
INSERT INTO code_alias VALUES(5,'Wrong use');
CREATE TABLE disambiguation (
    code_id   INTEGER NOT NULL REFERENCES code,
    versus_id INTEGER NOT NULL REFERENCES code,
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
    coder            TEXT NOT NULL REFERENCES coder,
    subject          TEXT NOT NULL,    -- a post's id; of a problem: with _1, _2, … if there are many
    post_id          INTEGER NOT NULL, -- the post may not be in this file
    facet            TEXT NOT NULL CHECK (facet IN ('identification', 'symptom', 'root cause',
                                                    'introducing stage', 'exposing stage')),
    value            TEXT NOT NULL     -- JSON: true or false; or the names of the codes, as in
                                       -- ["out of memory","memory leak"]; [] for none
                     CHECK (value IN ('true', 'false') OR value GLOB '[[]*]' OR value GLOB '{*}'),
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
INSERT INTO decision VALUES('3fd332b1d1376869f477d6575792f27b85efd9015c4be9a790fd2ef3b446dc3d','2026-11-23T02:56:15.279Z','ann','2',2,'identification','true',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('23b05850fc9dfa29a654518a50f1656afdf96a27168f7ba82e7294eeeca20e77','2026-11-23T02:56:15.279Z','ann','2',2,'symptom','["slow"]',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('c401110b3aca97e3f954d6050d37e497cd57643528bf2e1e2369cfd1856cc5ee','2026-11-23T02:56:15.361Z','ann','1',1,'identification','false',1,NULL,NULL,NULL);
INSERT INTO decision VALUES('25ca8baf549235299045aa0070682ab221b50da89d65fc06a31f1f400618af7f','2026-11-23T02:56:15.420Z','ann','2',2,'symptom','["leak"]',1,NULL,NULL,NULL);
CREATE TABLE note (
    note_id    TEXT PRIMARY KEY, -- SHA-256, in lower-case hexadecimal, of the JSON array
                                 -- ["coder","subject","note","text","written_at"]
    written_at TEXT NOT NULL,
    coder      TEXT NOT NULL REFERENCES coder,
    subject    TEXT NOT NULL,    -- as in decision
    post_id    INTEGER NOT NULL,
    text       TEXT NOT NULL
) STRICT;
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
CREATE TABLE keyword (
    keyword_id INTEGER PRIMARY KEY, -- place in the set, from 1
    keyword    TEXT NOT NULL,       -- as the study prints it
    stems      TEXT NOT NULL,       -- what is compared
    n_words    INTEGER NOT NULL,
    dead       TEXT,                -- why it can never match; NULL when it can
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
    keywords TEXT NOT NULL -- each once, in the order of the set, joined by ', '
) STRICT;
CREATE TABLE post_fact (
    post_id INTEGER NOT NULL REFERENCES post,
    fact    TEXT NOT NULL, -- 'tensorflow version', 'gpu', 'batch size', …
    value   TEXT NOT NULL, -- as the post has it, blanks apart
    words   TEXT NOT NULL, -- around the value, where it stands first
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
INSERT INTO judgement VALUES(1,'ann',0,'2026-11-23T02:56:15.361Z');
INSERT INTO judgement VALUES(1,'cy',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(1,'dee',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(2,'ann',1,'2026-11-23T02:56:15.279Z');
INSERT INTO judgement VALUES(2,'cy',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(2,'dee',0,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(3,'cy',0,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(3,'dee',0,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(900,'cy',1,'2020-02-29T00:00:00.000Z');
INSERT INTO judgement VALUES(900,'dee',1,'2020-02-29T00:00:00.000Z');
CREATE TABLE label (
    problem_id       TEXT NOT NULL, -- the post's id; with _1, _2, … if it holds several problems
    post_id          INTEGER NOT NULL,
    coder            TEXT NOT NULL,
    facet            TEXT NOT NULL,
    code1            INTEGER, -- of code; the one that it was merged into, if it was
    code2            INTEGER,
    decided_at       TEXT NOT NULL,
    codebook_version INTEGER NOT NULL, -- with which the decision was made
    spelling         TEXT, -- as in decision
    PRIMARY KEY (problem_id, facet, coder)
) STRICT, WITHOUT ROWID;
INSERT INTO label VALUES('1',1,'cy','exposing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'dee','exposing stage',7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'merged','exposing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'cy','introducing stage',7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'dee','introducing stage',7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'merged','introducing stage',7,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'cy','root cause',5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'dee','root cause',5,NULL,'2020-02-29T00:00:00.000Z',1,'Wrong use');
INSERT INTO label VALUES('1',1,'merged','root cause',5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'cy','symptom',1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('1',1,'dee','symptom',1,NULL,'2020-02-29T00:00:00.000Z',1,'slowness');
INSERT INTO label VALUES('1',1,'merged','symptom',1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('2',2,'ann','symptom',3,NULL,'2026-11-23T02:56:15.420Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'cy','exposing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'dee','exposing stage',9,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'merged','exposing stage',9,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'cy','introducing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'dee','introducing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'merged','introducing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'cy','root cause',6,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'dee','root cause',6,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'merged','root cause',6,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'cy','symptom',3,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'dee','symptom',2,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_1',900,'merged','symptom',3,2,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'cy','exposing stage',9,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'dee','exposing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'merged','exposing stage',8,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'dee','root cause',5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'merged','root cause',5,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'cy','symptom',1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'dee','symptom',1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
INSERT INTO label VALUES('900_2',900,'merged','symptom',1,NULL,'2020-02-29T00:00:00.000Z',1,NULL);
CREATE TABLE problem (
    problem_id        TEXT PRIMARY KEY, -- the post's id; with _1, _2, … if it holds several
    post_id           INTEGER NOT NULL, -- the post may not be in this file
    created_at        TEXT,             -- of the post; NULL: see there
    introducing_stage INTEGER REFERENCES code,
    exposing_stage    INTEGER REFERENCES code,
    symptom1          INTEGER REFERENCES code,
    symptom2          INTEGER REFERENCES code,
    root_cause        INTEGER REFERENCES code
) STRICT;
INSERT INTO problem VALUES('1',1,NULL,7,8,1,NULL,5);
INSERT INTO problem VALUES('900_1',900,'2018-05-06T07:08:09.000Z',8,9,3,2,6);
INSERT INTO problem VALUES('900_2',900,'2018-05-06T07:08:09.000Z',NULL,8,1,NULL,5);
CREATE INDEX post_parent ON post (parent_id) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX revision_version
    ON revision (post_id, ifnull(body_sha256, ''), ifnull(title, ''), ifnull(tags, ''));
CREATE INDEX decision_subject ON decision (subject);
CREATE INDEX decision_coder ON decision (coder, decided_at);
CREATE INDEX decision_undoes ON decision (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX judgement_coder ON judgement (coder, post_id);
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
       p.owner_display_name,
       (SELECT base_url FROM site) || '/users/' || p.owner_user_id,
       p.content_license, r.source, r.command, r.parameters, r.tool_version, r.started_at,
       f.started_at, p.body_sha256
FROM post AS p
JOIN run AS r ON r.run_id = p.run_id
JOIN run AS f ON f.run_id = p.first_run_id;
COMMIT;
