#!/bin/bash
# Posts leave a database as NDJSON and come back as they were; a reader of Posts.xml in Python finds
# the same posts; each line agrees with the JSON Schema.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3 zstd
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || { echo "python3-jsonschema is not there"; exit 77; }

posts() { # DB: its posts, comments and authors
    content "$1"
    sqlite3 "$1" "SELECT quote(comment_id), quote(post_id), quote(user_id),
        quote(user_display_name), quote(reply_to_user_id), quote(score), quote(edited),
        quote(created_at), quote(deleted_at), quote(content_license), quote(body_html)
        FROM comment ORDER BY comment_id"
    sqlite3 "$1" "SELECT quote(user_id), quote(display_name), quote(link) FROM author ORDER BY 1"
}

round_trip() { # DB: through NDJSON into a second database
    "$PPMINE" -d "$1" export -t posts -f ndjson >posts.ndjson
    rm -f again.db
    "$PPMINE" -q -d again.db init
    zstd -qc posts.ndjson | "$PPMINE" -q -d again.db load --ndjson --all-tags --strict -
    posts "$1" >before
    posts again.db >after
    [ -s before ] || fail "$1 has no posts"
    same "posts of $1 are others after NDJSON" before after
    "$PPMINE" -d again.db export -t posts -f ndjson >again.ndjson
    same "NDJSON of $1 is another the second time" posts.ndjson again.ndjson
    # Loading what is there already changes nothing.
    "$PPMINE" -d again.db load --ndjson --all-tags posts.ndjson 2>err
    grep -q " 0 new, 0 changed" err || fail "the same posts again: $(cat err)"
}

as_xml_says() { # DUMP: posts.ndjson has what Python reads in the dump, and keeps to the schema
    /usr/bin/python3 - "$1" posts.ndjson "$ROOT/docs/posts.schema.json" <<'END'
import json, re, sys
import jsonschema
import xml.etree.ElementTree as ET

dump, lines, schema = sys.argv[1:]
validator = jsonschema.Draft202012Validator(json.load(open(schema, encoding="utf-8")))
found = {}
for line in open(lines, encoding="utf-8", newline="\n"):
    post = json.loads(line)
    validator.validate(post)
    found[post["post_id"]] = post
types = {"1": "question", "2": "answer"}
names = {"Score": "score", "ViewCount": "view_count", "AnswerCount": "answer_count",
         "CommentCount": "comment_count", "FavoriteCount": "favorite_count",
         "ParentId": "parent_id", "AcceptedAnswerId": "accepted_answer_id",
         "OwnerUserId": "owner_user_id", "LastEditorUserId": "last_editor_user_id"}
n = 0
for _, row in ET.iterparse(dump):
    if row.tag != "row" or row.get("Id") in ("1000000001", "1000000010"):  # watermarks
        continue
    row = row.attrib
    post = found.pop(int(row["Id"]))
    n += 1
    assert row["PostTypeId"] not in types or post["post_type"] == types[row["PostTypeId"]], post
    assert post["title"] == row.get("Title"), post
    assert post["body_html"] == row.get("Body"), (post["body_html"], row.get("Body"))
    assert (post["created_at"] or "Z")[:19] == row.get("CreationDate", "Z")[:19], post
    tags = re.findall(r"[^<>|]+", row.get("Tags", ""))
    assert (post["tags"] or []) == tags, (post, tags)
    for name, member in names.items():
        assert post[member] == (int(row[name]) if row.get(name) else None), (post, name)
assert n > 0 and not found, (n, found)
END
}

"$PPMINE" -q -d sample.db init
"$PPMINE" -q -d sample.db load --all-tags "$ROOT/tests/data/posts.xml"
round_trip sample.db

# What a dump never has: comments, authors, deleted ones, texts that JSON has to escape.
sqlite3 sample.db "
INSERT INTO author (user_id, display_name, link) VALUES (-1, 'Community', NULL), (7, 'a \"quoted\" name', 'https://example.org/7');
INSERT INTO comment (comment_id, post_id, user_id, user_display_name, reply_to_user_id, score, edited,
    created_at, deleted_at, content_license, run_id, body_html)
SELECT 1000 + post_id, post_id, 7, NULL, -1, 3, post_id % 2, '2020-01-02T03:04:05.000Z',
    iif(post_id % 3, NULL, '2020-02-01T00:00:00.000Z'), 'CC BY-SA 4.0', run_id,
    'a ' || char(9, 10, 27, 8232) || '\\ \" </script> ' || char(128512) FROM post LIMIT 5;
INSERT INTO comment (comment_id, post_id, run_id) SELECT 5000 + post_id, post_id, run_id FROM post
    ORDER BY post_id DESC LIMIT 2;
UPDATE post SET deleted_at = '2021-01-01T00:00:00.000Z' WHERE post_id IN (SELECT max(post_id) FROM post);"
round_trip sample.db
/usr/bin/python3 - posts.ndjson "$ROOT/docs/posts.schema.json" <<'END'
import json, sys
import jsonschema

validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[2], encoding="utf-8")))
n = 0
for line in open(sys.argv[1], encoding="utf-8", newline="\n"):
    post = json.loads(line)
    validator.validate(post)
    n += len(post["comments"] or [])
assert n == 7, n
END

for dump in "$ROOT/studies/dlperf/sample/Posts.xml" ${PPMINE_DUMPS:+"$PPMINE_DUMPS"/*/Posts.xml}; do
    rm -f dump.db
    "$PPMINE" -q -d dump.db init
    "$PPMINE" -q -d dump.db load --all-tags "$dump" || continue
    round_trip dump.db
    as_xml_says "$dump"
done
