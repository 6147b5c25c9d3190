#!/bin/bash
# Public dumps give the posts that Python's XML reader finds in them, attribute by attribute.
# Needs the dumps, $PPMINE_DUMPS/*/Posts.xml, which are not part of the project.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3

dumps=${PPMINE_DUMPS:-/nowhere}
ls "$dumps"/*/Posts.xml >/dev/null 2>&1 || { echo "no dumps in \$PPMINE_DUMPS" && exit 77; }
for dump in "$dumps"/*/Posts.xml; do
    python3 -c '
import sys
from xml.etree import ElementTree
try:
    for _ in ElementTree.iterparse(sys.argv[1]): pass
except ElementTree.ParseError: sys.exit(1)' "$dump" || continue # one of them is no dump
    rm -f some.db
    "$PPMINE" -q -d some.db init
    load some.db 0 --all-tags "$dump"
    python3 - "$dump" <<'EOF'
import json, sqlite3, sys
from xml.etree import ElementTree

NUMBERS = {"AcceptedAnswerId": "accepted_answer_id", "ParentId": "parent_id", "Score": "score",
           "ViewCount": "view_count", "OwnerUserId": "owner_user_id",
           "LastEditorUserId": "last_editor_user_id", "AnswerCount": "answer_count",
           "CommentCount": "comment_count", "FavoriteCount": "favorite_count"}
TEXTS = {"Body": "body_html", "Title": "title", "OwnerDisplayName": "owner_display_name",
         "LastEditorDisplayName": "last_editor_display_name", "ContentLicense": "content_license"}
DATES = {"CreationDate": "created_at", "LastEditDate": "last_edited_at",
         "LastActivityDate": "last_activity_at", "ClosedDate": "closed_at",
         "CommunityOwnedDate": "community_owned_at", "DeletionDate": "deleted_at"}

db = sqlite3.connect("some.db")
db.row_factory = sqlite3.Row
posts = {row["post_id"]: row for row in db.execute("SELECT * FROM post")}
seen = set()
for _, row in ElementTree.iterparse(sys.argv[1]):
    if row.tag != "row" or int(row.get("Id")) in seen:
        continue
    post = posts[int(row.get("Id"))]
    seen.add(post["post_id"])
    expected = {column: int(row.get(name)) if row.get(name) else None
                for name, column in NUMBERS.items()}
    expected |= {column: row.get(name) for name, column in TEXTS.items()}
    expected |= {column: (row.get(name).rstrip("Z") + ".000")[:23] + "Z" if row.get(name) else None
                 for name, column in DATES.items()}
    tags = (row.get("Tags") or "").replace("><", "|").strip("<>|")
    expected["tags"] = tags.split("|") if tags else None
    for column, value in expected.items():
        held = post[column]
        if column == "tags" and held is not None:
            held = json.loads(held)
        if column == "content_license" and not value:
            continue # derived
        if held != value:
            sys.exit(f"{sys.argv[1]}: post {post['post_id']}: {column} is {held!r}, not {value!r}")
    row.clear()
if seen != set(posts):
    sys.exit(f"{sys.argv[1]}: {len(posts)} posts, not {len(seen)}")
EOF
done
