"""Adds to the database FILE what strangers and coders may bring: names that are formulas, turn the
direction of writing, or hold line ends; a private note; paths of somebody's disk; more coders who
give two codes, leave things out and undo. The decisions that count are worked out here."""

import hashlib
import json
import sqlite3
import sys

FORMULA = '=HYPERLINK("http://example.org","\u202egpj")\n\x01,'
db = sqlite3.connect(sys.argv[1])


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def decide(coder, subject, facet, value, time, undoes=None, reason=None, counts=True):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    whole = f"[{quoted(coder)},{quoted(subject)},{quoted(facet)},{text},{quoted(time)}]"
    decision = hashlib.sha256(whole.encode()).hexdigest()
    post = int(subject.split("_")[0])
    db.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, NULL, ?, NULL)",
               (decision, time, coder, subject, post, facet, text, undoes, reason))
    if counts and facet == "identification":
        db.execute("INSERT INTO judgement VALUES (?, ?, ?, ?)", (post, coder, value, time))
    elif counts:
        for place, name in enumerate(value, 1):
            code = db.execute("SELECT code_id FROM code WHERE facet = ? AND name = ?",
                              (facet, name)).fetchone()[0]
            db.execute("INSERT INTO label VALUES (?, ?, ?, ?, ?, ?, NULL, ?, 1, NULL)",
                       (subject, facet, coder, place, post, code, time))
    return decision


for coder in ("cy", FORMULA):
    db.execute("INSERT INTO coder VALUES (?, 0)", (coder,))
posts = [row[0] for row in db.execute("SELECT post_id FROM candidate_post ORDER BY 1")]
for n, post in enumerate(posts):
    time = f"2026-01-01T00:00:00.{n:03}Z"
    if n % 3:
        decide("cy", str(post), "identification", n % 2 == 0, time)
    if n % 4:
        decide(FORMULA, str(post), "identification", n % 5 == 0, time, reason="-1+cmd|x")
problems = [row[0] for row in db.execute("SELECT problem_id FROM problem ORDER BY 1")]
symptoms = [row[0] for row in db.execute("SELECT name FROM code WHERE facet = 'symptom' ORDER BY 1")]
for n, problem in enumerate(problems[:60]):
    first, second = symptoms[n % 7], symptoms[n * 3 % 5]
    time, later = f"2026-01-02T00:00:00.{n:03}Z", f"2026-01-03T00:00:00.{n:03}Z"
    decide("cy", problem, "symptom", [first, second] if first != second else [first], time)
    if n % 7 == 0:
        decision = decide(FORMULA, problem, "symptom", [symptoms[n % 6]], time, counts=False)
        decide(FORMULA, problem, "symptom", {"undoes": decision}, later, decision, counts=False)
    else:
        decide(FORMULA, problem, "symptom", [symptoms[n * 2 % 7]], time)
db.execute("INSERT INTO note VALUES ('x', '2026-01-01T00:00:00.000Z', 'cy', '1', 1, 'MARKNOTE secret')")
db.execute("UPDATE post SET owner_display_name = ?, content_license = NULL"
           " WHERE post_id = (SELECT min(post_id) FROM post)", (FORMULA,))
db.execute("UPDATE post SET owner_display_name = 'two\r\nlines \"of\" name'"
           " WHERE post_id = (SELECT max(post_id) FROM post)")
db.execute("UPDATE post SET title = 'MARKTITLE' || title, body_html = body_html || 'MARKBODY'"
           " WHERE title IS NOT NULL")
for post, body in db.execute("SELECT post_id, body_html FROM post").fetchall():
    db.execute("UPDATE post SET body_sha256 = ? WHERE post_id = ?",
               (hashlib.sha256(body.encode()).hexdigest(), post))
for title in ("MARKOLD one", "MARKOLD two"):
    db.execute("INSERT INTO revision (post_id, title, run_id, seen_at, body_sha256, body_html)"
               " SELECT post_id, ?, run_id, '2026-01-01T00:00:00.000Z', body_sha256, 'MARKREVISION'"
               " FROM post WHERE title IS NOT NULL", (title,))
db.execute("UPDATE post_text SET body = body || 'MARKPLAIN'")
db.execute("UPDATE study SET value = '<b>T</b> | [x](y)\n# z' WHERE key = 'title'")
db.execute("UPDATE run SET source = '/home/MARKPATH/Posts.xml', parameters = json_set(parameters,"
           " '$.k', '/home/MARKPATH/kw.txt', '$.l', json('[\"/a/MARKPATH/b\",3,true,null]'),"
           " '$.u', 'https://example.org/a/b')")
db.commit()
