#!/usr/bin/python3
"""The posts of a dump that make_dump.py made, as docs/posts.md has them.

    make_ndjson.py Posts.xml OUT
"""

import html
import json
import re
import sys

ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
TYPES = {"1": "question", "2": "answer"}
NUMBERS = (("parent_id", "ParentId"), ("accepted_answer_id", "AcceptedAnswerId"), ("score", "Score"),
           ("view_count", "ViewCount"), ("answer_count", "AnswerCount"), ("comment_count", "CommentCount"),
           ("owner_user_id", "OwnerUserId"))
DATES = (("created_at", "CreationDate"), ("last_activity_at", "LastActivityDate"))
TEXTS = (("title", "Title"), ("content_license", "ContentLicense"), ("body_html", "Body"))


def post(row):
    out = {"v": 1, "post_id": int(row["Id"]), "site": "stackoverflow.com", "post_type": TYPES[row["PostTypeId"]]}
    out |= {ours: int(row[theirs]) for ours, theirs in NUMBERS if row.get(theirs)}
    out |= {ours: row[theirs] + "Z" for ours, theirs in DATES if theirs in row}
    if row.get("Tags"):
        out["tags"] = [tag for tag in re.split("[<>|]", row["Tags"]) if tag]
    return out | {ours: row[theirs] for ours, theirs in TEXTS if theirs in row}


with open(sys.argv[1], encoding="utf-8-sig") as dump, open(sys.argv[2], "w", encoding="utf-8") as out:
    for line in dump:
        if line.lstrip().startswith("<row "):
            row = {name: html.unescape(value) for name, value in ATTRIBUTE.findall(line)}
            out.write(json.dumps(post(row), ensure_ascii=False) + "\n")
