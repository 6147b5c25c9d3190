"""Posts in the forms of other programs, and what must become of them. Used by tests/scripts/load-forms.sh.

A post is made, written in each form by code that knows nothing of ours, loaded, exported and compared. Then one
member of each row is damaged: what is stored may lack a value, but never has another one."""
import bz2
import copy
import csv
import gzip
import html
import io
import json
import os
import random
import subprocess
import sys
from datetime import datetime, timezone

PPMINE = os.environ["PPMINE"]
REPO, SE = "github.com/ann/fast", "stackoverflow.com"
WORDS = "slow gpu \u00e9poque <b> & \"quote\" memory it's \u4e2d\u6587 faster; a|b, c".split()
rnd = random.Random(int(os.environ.get("SEED", "7")))


def epoch(date):
    return int(datetime.strptime(date, "%Y-%m-%dT%H:%M:%S.000Z").replace(tzinfo=timezone.utc).timestamp())


def words(n, plain=False):
    return " ".join(rnd.choice(["slow", "gpu", "memory", "faster", "batch"] if plain else WORDS) for _ in range(n))


def date():
    return datetime.fromtimestamp(rnd.randrange(1230768000, 1600000000), timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def post(number, answers=True):
    """A question and an answer, as the export must have them, less what a form does not have."""
    q = {"post_id": number, "post_type": "question", "title": words(4), "tags": rnd.sample(["keras", "c++", "tf.data", "gpu-1"], 2),
         "score": rnd.randrange(-3, 50), "created_at": date(), "last_activity_at": date(), "owner_user_id": rnd.randrange(1, 10**6),
         "owner_display_name": words(1), "text": words(6, True)}
    a = {"post_id": number + 1, "post_type": "answer", "parent_id": number, "score": rnd.randrange(-3, 50), "created_at": date(),
         "owner_user_id": rnd.randrange(1, 10**6), "owner_display_name": words(1), "text": words(3, True)}
    return [q, a] if answers else [q]


def as_html(p):
    return dict({k: v for k, v in p.items() if k != "text"}, body_html=f"<p>{p['text']}</p>")


def as_markdown(p):
    return dict({k: v for k, v in p.items() if k != "text"}, body_html=f"<p>{p['text']}</p>\n")


def without(p, *members):
    return {k: v for k, v in p.items() if k not in members}


# Each form: rows of a pair of posts, and what they become.

def own(q, a):
    return [dict(as_html(p), v=1) for p in (q, a)], [as_html(q), as_html(a)]


def se_item(p, **more):
    return dict({"owner": {"user_id": p["owner_user_id"], "display_name": html.escape(p["owner_display_name"]).replace("&#x27;", "&#39;")},
                 "score": p["score"], "creation_date": epoch(p["created_at"]), "body": f"<p>{p['text']}</p>"}, **more)


def api(q, a, nested=False):
    answer = se_item(a, answer_id=a["post_id"], question_id=q["post_id"])
    item = se_item(q, question_id=q["post_id"], title=html.escape(q["title"]).replace("&#x27;", "&#39;"), tags=q["tags"],
                   last_activity_date=epoch(q["last_activity_at"]), link=f"https://{SE}/questions/{q['post_id']}/x")
    if nested:
        return [dict(item, answers=[answer])], [as_html(q), as_html(a)]
    return [item, answer], [as_html(q), as_html(a)]


def perceval(rows, name, category, origin):
    return [{"backend_name": name, "category": category, "data": r, "origin": origin, "uuid": "0"} for r in rows]


def perceval_se(q, a):
    rows, want = api(q, a, True)
    return perceval(rows, "StackExchange", "question", "stackoverflow"), want


def dump(q, a, tags="<%s>", glue="><"):
    row = {"Id": str(q["post_id"]), "PostTypeId": "1", "CreationDate": q["created_at"][:-1], "Score": str(q["score"]),
           "Title": q["title"], "Body": f"<p>{q['text']}</p>", "Tags": tags % glue.join(q["tags"]),
           "LastActivityDate": q["last_activity_at"][:-1], "OwnerUserId": str(q["owner_user_id"]),
           "OwnerDisplayName": q["owner_display_name"]}
    answer = {"Id": a["post_id"], "PostTypeId": 2, "ParentId": q["post_id"], "CreationDate": a["created_at"][:-1], "Score": a["score"],
              "Body": f"<p>{a['text']}</p>", "OwnerUserId": a["owner_user_id"], "OwnerDisplayName": a["owner_display_name"]}
    return [row, answer], [as_html(q), as_html(a)]


def dump_bars(q, a):
    return dump(q, a, "|%s|", "|")


def bigquery(q, a):
    def row(p, **more):
        return dict({"id": p["post_id"], "creation_date": p["created_at"][:19].replace("T", " ") + " UTC", "score": p["score"],
                     "body": f"<p>{p['text']}</p>", "owner_user_id": p["owner_user_id"],
                     "owner_display_name": p["owner_display_name"]}, **more)
    return [row(q, post_type_id=1, title=q["title"], tags="|".join(q["tags"]), parent_id=None,
                last_activity_date=str(epoch(q["last_activity_at"]))),
            row(a, post_type_id=2, parent_id=q["post_id"])], [as_html(q), as_html(a)]


COMMENT = 100000000000


def tracked(q, a, *missing):
    question = dict(as_markdown(q), site=REPO, url=f"https://{REPO}/issues/{q['post_id']}")
    answer = dict(as_markdown(a), site=REPO, post_id=COMMENT + a["post_id"])
    return [without(question, *missing), without(answer, *missing)]


def rest(q, a, nested=False):
    def common(p, link):
        return {"url": "https://api.github.com/x", "html_url": link, "user": {"login": p["owner_display_name"], "id": p["owner_user_id"]},
                "created_at": p["created_at"][:19] + "Z", "body": p["text"],
                "reactions": {"+1": 60 + p["score"], "-1": 60}}
    link = f"https://{REPO}/issues/{q['post_id']}"
    issue = dict(common(q, link), id=987654321, number=q["post_id"], title=q["title"], labels=[{"name": t, "id": 1} for t in q["tags"]],
                 updated_at=q["last_activity_at"][:19] + "Z", comments=1)
    comment = dict(common(a, link + f"#issuecomment-{a['post_id']}"), id=a["post_id"],
                   issue_url=f"https://api.github.com/repos/ann/fast/issues/{q['post_id']}")
    want = tracked(q, a)
    want[0]["answer_count"] = 1
    want[1]["url"] = comment["html_url"]
    if nested:
        return [dict(issue, comments_data=[without(comment, "issue_url")])], want
    return [issue, comment], want


def perceval_github(q, a):
    rows, want = rest(q, a, True)
    return perceval(rows, "GitHub", "issue", f"https://{REPO}"), want


def archive(q, a):
    (issue, comment), want = rest(q, a)
    event = {"id": "1", "actor": {"login": "x"}, "repo": {"id": 1, "name": "ann/fast"}, "public": True, "created_at": "2020-01-01T00:00:00Z"}
    return [dict(event, type="IssuesEvent", payload={"action": "opened", "issue": issue}),
            dict(event, type="IssueCommentEvent", payload={"comment": comment})], want


def gh(q, a, graph=False):
    def common(p, link):
        return {"url": link, "author": {"login": p["owner_display_name"], "id": "MDQ6"}, "createdAt": p["created_at"][:19] + "Z",
                "body": p["text"], "reactionGroups": [{"content": "THUMBS_UP", "users": {"totalCount": 60 + p["score"]}},
                                                      {"content": "THUMBS_DOWN", "users": {"totalCount": 60}}]}
    link = f"https://{REPO}/issues/{q['post_id']}"
    comments = [dict(common(a, f"{link}#issuecomment-{a['post_id']}"), id="IC_kw")]
    labels = [{"id": "x", "name": t} for t in q["tags"]]
    item = dict(common(q, link), number=q["post_id"], title=q["title"], updatedAt=q["last_activity_at"][:19] + "Z",
                labels={"nodes": labels} if graph else labels, comments={"nodes": comments, "totalCount": 1} if graph else comments)
    want = tracked(q, a, "owner_user_id")
    want[1]["url"] = comments[0]["url"]
    if graph:
        want[0]["answer_count"] = 1
    return [item], want


def graphql(q, a):
    return gh(q, a, True)


def gitlab(q, a):
    link = f"https://gitlab.com/ann/fast/-/issues/{q['post_id']}"
    note = {"id": a["post_id"], "body": a["text"], "created_at": a["created_at"][:19] + ".000+00:00", "system": False,
            "author": {"id": a["owner_user_id"], "username": a["owner_display_name"]}}
    item = {"id": 5, "iid": q["post_id"], "project_id": 4, "title": q["title"], "description": q["text"], "labels": q["tags"],
            "created_at": q["created_at"], "updated_at": q["last_activity_at"], "web_url": link, "upvotes": 60 + q["score"], "downvotes": 60,
            "author": {"id": q["owner_user_id"], "username": q["owner_display_name"]},
            "notes_data": [note, {"id": 3, "body": "closed", "system": True}]}
    want = tracked(q, a)
    for w in want:
        w["site"] = "gitlab.com/ann/fast"
    want[0]["url"] = link
    del want[1]["score"]
    return [item], want


def perceval_gitlab(q, a):
    rows, want = gitlab(q, a)
    return perceval(rows, "GitLab", "issue", "https://gitlab.com/ann/fast"), want


def jira(q, a):
    def plus2(p):
        moment = datetime.fromtimestamp(epoch(p["created_at"]) + 7200, timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.000+0200")
    comment = {"id": str(a["post_id"]), "author": {"displayName": a["owner_display_name"]}, "body": a["text"], "created": plus2(a)}
    item = {"id": str(q["post_id"]), "key": "FAST-1", "self": "https://jira.example.org/rest/api/2/issue/1", "comments_data": [comment],
            "fields": {"summary": q["title"], "description": q["text"], "created": plus2(q), "labels": q["tags"],
                       "updated": q["last_activity_at"][:-1] + "+0000", "creator": {"displayName": q["owner_display_name"]},
                       "votes": {"votes": q["score"]}}}
    want = [without(as_html(p), "owner_user_id") for p in (q, a)]
    want[0].update(site="jira.example.org", url="https://jira.example.org/browse/FAST-1")
    want[1].update(site="jira.example.org", post_id=COMMENT + a["post_id"])
    del want[1]["score"]
    return [item], want


def perceval_jira(q, a):
    rows, want = jira(q, a)
    return perceval(rows, "Jira", "issue", "https://jira.example.org"), want


def bugzilla(q, a):
    comments = [{"id": 1, "count": 0, "text": q["text"]},
                {"id": a["post_id"], "text": a["text"], "creation_time": a["created_at"][:19] + "Z", "creator": a["owner_display_name"]}]
    item = {"id": q["post_id"], "summary": q["title"], "product": "P", "component": "C", "keywords": q["tags"], "comments": comments,
            "creation_time": q["created_at"][:19] + "Z", "last_change_time": q["last_activity_at"][:19] + "Z",
            "creator": q["owner_display_name"]}
    want = [without(as_html(p), "owner_user_id", "score") for p in (q, a)]
    for w in want:
        w["site"] = "bugs.example.org"
    want[0]["url"] = f"https://bugs.example.org/show_bug.cgi?id={q['post_id']}"
    want[1]["post_id"] += COMMENT
    return perceval([item], "BugzillaREST", "bug", "https://bugs.example.org"), want


def discourse(q, a):
    def one(p, n):
        return {"id": p["post_id"], "post_number": n, "post_type": 1, "cooked": f"<p>{p['text']}</p>", "user_id": p["owner_user_id"],
                "username": p["owner_display_name"], "created_at": p["created_at"],
                "actions_summary": [{"id": 2, "count": abs(p["score"])}]}
    item = {"id": 77, "title": q["title"], "tags": q["tags"], "posts_count": 2,
            "post_stream": {"posts": [dict(one(q, 1), updated_at=q["last_activity_at"]), one(a, 2)]}}
    want = [dict(as_html(p), site="forum.example.org", score=abs(p["score"]), url=f"https://forum.example.org/t/77/{n}")
            for n, p in ((1, q), (2, a))]
    want[0]["answer_count"] = 1
    return perceval([item], "Discourse", "topic", "https://forum.example.org"), want


FORMS = [own, api, perceval_se, dump, dump_bars, bigquery, rest, perceval_github, archive, gh, graphql, gitlab, perceval_gitlab, jira,
         perceval_jira, bugzilla, discourse]
TABLES = [own, dump, dump_bars, bigquery]
SITES = {"github": REPO, "gitlab": "gitlab.com/ann/fast", "jira": "jira.example.org", "bugzilla": "bugs.example.org",
         "discourse": "forum.example.org", "rest": REPO, "archive": REPO, "gh": REPO, "graphql": REPO}


def site_of(form):
    return next((site for word, site in SITES.items() if word in form.__name__), SE)


# --- a database for each site, and what it has ---

def database(site):
    path = f"empty-{site.replace('/', '-')}.db"
    if not os.path.exists(path):
        folder = "study-" + site.replace("/", "-")
        subprocess.run(["cp", "-r", f"{os.environ['ROOT']}/studies/dlperf", folder], check=True)
        ini = open(f"{folder}/study.ini").read().splitlines()
        open(f"{folder}/study.ini", "w").write("\n".join(f"site = {site}" if l.startswith("site ") else l for l in ini) + "\n")
        subprocess.run([PPMINE, "-q", "-d", path, "init", "--study", folder], check=True)
    subprocess.run(["cp", path, "x.db"], check=True)
    for end in ("-wal", "-shm"):
        if os.path.exists("x.db" + end):
            os.remove("x.db" + end)
    return "x.db"


def load(site, name, content):
    db = database(site)
    with open(name, "wb") as f:
        f.write(content)
    run = subprocess.run([PPMINE, "-d", db, "load", "--all-tags", "--format", "json", name], capture_output=True, text=True)
    out = subprocess.run([PPMINE, "-d", db, "export", "--table", "posts", "--format", "ndjson"], capture_output=True, text=True)
    posts = [json.loads(line) for line in out.stdout.splitlines()]
    return run, posts


DERIVED = {"v", "content_license", "url", "site", "last_activity_at", "comments", "authors"}


def compare(what, got, want, site):
    got = {p["post_id"]: p for p in got}
    for w in want:
        p = got.pop(w["post_id"], None)
        if p is None:
            sys.exit(f"{what}: post {w['post_id']} is not there; there are {sorted(got)}")
        for member, value in w.items():
            if member == "site":
                value = p.get("site", value) if value == site else value
            if p.get(member, site if member == "site" else None) != value:
                sys.exit(f"{what}: {member} is {p.get(member)!r}, and must be {value!r}")
        for member in p:
            if member not in w and member not in DERIVED and p[member] is not None:
                sys.exit(f"{what}: {member} is {p[member]!r}, and the post has none")
    if got:
        sys.exit(f"{what}: posts {sorted(got)} come from nowhere")


def lines(rows):
    return "".join(json.dumps(r) + "\n" for r in rows).encode()


def as_csv(rows, delimiter):
    names = list(dict.fromkeys(k for r in rows for k in r))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, delimiter=delimiter)
    writer.writeheader()
    for r in rows:
        writer.writerow({k: "" if v is None else json.dumps(v) if isinstance(v, list) else v for k, v in r.items()})
    return out.getvalue().encode()


WRAPPERS = {api: lambda rows: {"items": rows, "has_more": False, "quota_max": 300},
            rest: lambda rows: {"total_count": len(rows), "incomplete_results": False, "items": rows},
            graphql: lambda rows: {"data": {"repository": {"issues": {"nodes": rows}}}},
            jira: lambda rows: {"startAt": 0, "total": len(rows), "issues": rows}}


def writings(form, rows):
    yield "lines", "x.ndjson", lines(rows)
    yield "a list", "x.json", json.dumps(rows).encode()
    if form in (own, rest, jira):
        yield "an indented list in gz", "x.gz", gzip.compress(json.dumps(rows, indent=2, ensure_ascii=False).encode())
    if form in WRAPPERS:
        yield "a wrapper", "w.json", json.dumps(WRAPPERS[form](rows)).encode()
    if form in (own, gh):
        yield "UTF-16", "x16.json", json.dumps(rows, ensure_ascii=False).encode("utf-16")
        yield "a marked list", "xm.json", b"\xef\xbb\xbf" + json.dumps(rows, ensure_ascii=False).encode()
    if form in TABLES:
        yield "CSV", "x.csv", as_csv(rows, ",")
        yield "CSV with semicolons in bz2", "x.bz2", bz2.compress(as_csv(rows, ";"))


def right():
    for form in FORMS:
        rows, want = [], []
        for n in range(12):
            r, w = form(*post(1000 + 10 * n))
            rows, want = rows + r, want + w
        for how, name, content in writings(form, rows):
            what = f"{form.__name__} as {how}"
            run, posts = load(site_of(form), name, content)
            if run.returncode != 0:
                sys.exit(f"{what}: exit code {run.returncode}: {run.stderr}")
            compare(what, posts, want, site_of(form))
            counts = json.loads(run.stdout)
            if counts["rows"] != len(want) or counts["kept"] != len(want) or counts["left_out"]:
                sys.exit(f"{what}: {len(want)} posts, and the counts are {run.stdout}")
    print(f"{len(FORMS)} forms are read right")


# --- damaged rows ---

BAD = [{"id": {"id": 3}}, [[1], 2], True, 1e300, 2**70, "\x00x", -5, ""]


def places(value, path=()):
    """All members in objects, in lists too."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield path + (k,)
            yield from places(v, path + (k,))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from places(v, path + (i,))


def damage(row, path, how):
    row = copy.deepcopy(row)
    at = row
    for step in path[:-1]:
        at = at[step]
    if how == "gone":
        del at[path[-1]]
    else:
        at[path[-1]] = how
    return row


TEXTS = {"title", "body_html", "owner_display_name", "url", "site", "tags"}


def is_true(member, value, want, how):
    """A text may be the damaged one; a number may be the number that was written."""
    if value == want.get(member):
        return True
    if how == -5 and (value == -5 or member == "score"):
        return True  # what was written; thumbs are subtracted
    return member in TEXTS and how in ("", "\x00x", "gone")


def damaged():
    n_stored = n_tried = 0
    for form in FORMS:
        cases, wants, number = [], {}, 1000
        first, want = form(*post(number))
        places_of = [(i, p) for i, r in enumerate(first) for p in places(r)]
        few = int(os.environ.get("PLACES", "16"))
        for i, path in rnd.sample(places_of, min(few, len(places_of))):
            for how in ["gone"] + rnd.sample(BAD, 2):
                number += 10
                rows, want = form(*post(number))
                cases.append((json.dumps(damage(rows[i], path, how)), how, path))
                for w in want:
                    wants[w["post_id"]] = (w, how, path)
        site, rest_of_cases = site_of(form), cases
        n_tried += len(cases)
        stops = 0
        while rest_of_cases:
            head = lines(first[:1])
            run, posts = load(site, "d.ndjson", head + "".join(c + "\n" for c, _, _ in rest_of_cases).encode())
            if run.returncode not in (0, 3):
                sys.exit(f"{form.__name__}, damaged: exit code {run.returncode}: {run.stderr[-500:]}")
            for p in posts:
                if p["post_id"] in (1000, 1001, COMMENT + 1001, COMMENT + 3):  # of the first row; of the system
                    continue
                if p["post_id"] not in wants:
                    sys.exit(f"{form.__name__}, damaged: post {p['post_id']} comes from nowhere: {p}")
                want, how, path = wants[p["post_id"]]
                n_stored += 1
                for member, value in ((m, v) for m, v in p.items() if v is not None):
                    if member not in DERIVED - {"last_activity_at"} and not is_true(member, value, want, how):
                        sys.exit(f"{form.__name__}, {path} is {how!r}: {member} of post {p['post_id']} is stored as {value!r}, and was "
                                 f"{want.get(member)!r}")
            if "from here on" not in run.stderr:
                break
            line = int(run.stderr.split("line ")[1].split(":")[0])
            rest_of_cases = rest_of_cases[line - 1:]
            stops += 1
            if stops > 500:
                sys.exit(f"{form.__name__}: the file changes its form too often")
    print(f"{n_tried} damaged rows, {n_stored} posts stored, none of them false")


def changed():
    """A file changes its form in the middle: refused, with its line."""
    for one, other in ((own, api), (dump, bigquery), (rest, own)):
        rows = one(*post(1000))[0] + other(*post(2000))[0]
        run, posts = load(site_of(one), "c.ndjson", lines(rows))
        at = f"line {len(one(*post(1000))[0]) + 1}:"
        if run.returncode != 3 or at not in run.stderr:
            sys.exit(f"{one.__name__}, then {other.__name__}: exit code {run.returncode}: {run.stderr}")
        if any(p["post_id"] >= 2000 and p["post_id"] < COMMENT for p in posts):
            sys.exit(f"{one.__name__}, then {other.__name__}: what follows was stored")
    print("a form that changes is refused")


def look_alikes():
    """Rows of other people's tables, with ids under known names and texts under others: none is stored without its text."""
    rows = ({"question_id": 5, "question_title": "t", "question_body": "b", "tags": ["keras"]},
            {"question_id": 5, "answer_id": 6, "question_title": "t", "answer_body": "a"},
            {"comment_id": 5, "post_id": 6, "comment_text": "a"},
            {"post_id": 5, "title": "t", "content": "c", "date": "2018-01-01"},
            {"id": 5, "title": "t", "content": "c", "creation_date": "2018-01-01 00:00:00 UTC"})
    for row in rows:
        for n in (1, 2):  # the second one is read as the first
            run, posts = load(SE, "l.ndjson", lines([row] * n))
            if run.returncode != 3 or posts or "no form that is known; nearest:" not in run.stderr:
                sys.exit(f"{row}: exit code {run.returncode}, {posts}: {run.stderr}")
    print(f"{len(rows)} tables that only look like known ones are refused")


if __name__ == "__main__":
    right()
    changed()
    look_alikes()
    damaged()
