#!/usr/bin/env python3
"""GitHub's REST API and a Discourse on loopback, for tests: github_server.py --port-file FILE --issues N.

It keeps its own corpus, pages, dates, ETags, quota and rate limits, and its faults are drawn before each answer.
/_state has what a faithful copy holds, /_log the requests, /_violations what a client must not do, /_control sets
and changes things, /_clock is a clock that stands still unless somebody sleeps. `github_server.py equal DB SERVER`
compares a database with it.
"""
import sys
sys.dont_write_bytecode = True
import argparse
import gzip
import hashlib
import http.server
import json
import random
import re
import sqlite3
import threading
import time
import urllib.parse
import urllib.request

START = 1_600_000_000
ROW = 100_000_000_000
PER_PAGE = 100


def iso(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def seconds_of(text):
    return int(time.mktime(time.strptime(text + " UTC", "%Y-%m-%dT%H:%M:%SZ %Z"))) - time.timezone


class Corpus:
    """Repositories by name; each item is a dict with what GitHub knows of it."""

    def __init__(self, n, seed):
        self.random = random.Random(seed)
        self.graph = False  # whether a copy has what only GraphQL shows
        self.now = START + 10_000_000.0
        self.next_comment, self.next_review = 1000, 995
        self.next_user = {}
        self.repositories = {"big/repo": {}, "small/one": {}}
        self.ids = {"big/repo": 77, "small/one": 78}
        self.moved = {"old/name": "small/one"}
        self.topics = {}
        for number in range(1, n + 1):
            self.add("big/repo", number, START + number * 600)
        for number in range(1, 8):
            self.add("small/one", number, START + number * 1000)
        for number in range(8, 11):
            item = self.add("small/one", number, START + number * 1000, "discussion")
            for i in range(4):
                self.comment(item, "comments", item["updated"] + i)
            item["comments"][1]["replies"] = item["comments"][2:]
            del item["comments"][2:]
        crowded = [i for i in self.repositories["big/repo"].values() if 2 <= i["number"] <= 132]
        for item in crowded:  # a bot changed them all at once
            item["updated"] = START + 5_000_000
        for item in list(self.repositories["big/repo"].values())[:1]:
            for _ in range(130):
                self.comment(item, "comments", START + 3_000_000 + _)
        self.add_topic(5, 47)
        self.add_topic(6, 3)

    def user(self):
        if self.random.random() < 0.05:
            return None
        number = self.random.randrange(1, 40)
        return {"login": f"user{number}", "id": 5000 + number, "html_url": f"https://github.com/user{number}"}

    def words(self):
        return " ".join(self.random.choice(("train", "slow", "gpu", "größer", "memory", "日本", "step", "x1"))
                        for _ in range(self.random.randrange(1, 9)))

    def add(self, repository, number, created, kind=None):
        kind = kind or ("pull" if number % 5 == 0 else "issue")
        item = {"repository": repository, "number": number, "kind": kind, "title": self.words(),
                "body": None if number % 17 == 0 else self.words(), "user": self.user(), "created": created,
                "updated": created + self.random.randrange(0, 4_000_000), "closed": None,
                "labels": sorted(set(self.random.choices(("bug", "perf: gpu", "docs"), k=number % 3))),
                "up": number % 4, "down": number % 3, "comments": [], "code_comments": [], "reviews": []}
        if number % 4 == 0:
            item["closed"] = item["updated"]
        self.repositories[repository][number] = item
        for _ in range(number % 3):
            self.comment(item, "comments", item["updated"])
        if kind == "pull":
            self.comment(item, "code_comments", item["updated"])
            self.comment(item, "reviews", item["updated"])
            self.comment(item, "reviews", item["updated"])
            item["reviews"][-1]["body"] = ""  # an approval without words is no post
        return item

    def comment(self, item, kind, at):
        self.next_comment += 1
        self.next_review += kind == "reviews"
        # Comments, comments on code and reviews are counted by themselves, and may have the same id.
        item[kind].append({"id": self.next_review if kind == "reviews" else self.next_comment,
                           "body": self.words(), "user": self.user(), "created": at, "updated": at, "up": 0, "down": 0})
        item["updated"] = max(item["updated"], at)

    def add_topic(self, number, n):
        posts = [{"id": number * 1000 + i, "post_number": i, "post_type": 3 if i == 4 else 1, "username": f"d{i % 7}",
                  "user_id": 60 + i % 7, "created_at": iso(START + i)[:-1] + ".000Z",
                  "updated_at": iso(START + i)[:-1] + ".000Z", "cooked": f"<p>{self.words()}</p>", "version": 1,
                  "actions_summary": [{"id": 2, "count": i % 5}]} for i in range(1, n + 1)]
        self.topics[number] = {"id": number, "title": self.words(), "tags": ["performance"], "views": 12,
                               "posts_count": n, "slug": "a-topic", "posts": posts}

    def mutate(self):
        """One change as time goes by: an edit, a comment, a new issue."""
        self.now += 1
        items = self.repositories["big/repo"]
        what, item = self.random.randrange(4), self.random.choice(list(items.values()))
        at = int(self.now)
        if what == 0:
            item["title"], item["updated"] = self.words() + " edited", at
        elif what == 1:
            self.comment(item, "comments", at)
        elif what == 2:
            new = self.add("big/repo", max(items) + 1, at)
            new["updated"] = at
        elif item["comments"]:
            comment = self.random.choice(item["comments"])
            comment["body"], comment["updated"] = self.words() + " edited", at

    # --- as REST shows them ---

    def _written(self, entry, url):
        return {"body": entry["body"], "user": entry["user"], "html_url": url, "created_at": iso(entry["created"]),
                "updated_at": iso(entry["updated"]),
                "reactions": {"total_count": entry["up"] + entry["down"], "+1": entry["up"], "-1": entry["down"]}}

    def rest_item(self, item, base):
        place = "pull" if item["kind"] == "pull" else "issues"
        api = f"{base}/repos/{item['repository']}"
        shown = self._written(item, f"https://github.com/{item['repository']}/{place}/{item['number']}")
        shown.update(id=9_000_000 + item["number"], node_id=f"N{item['number']}", number=item["number"],
                     title=item["title"], labels=[{"id": 1, "name": name} for name in item["labels"]],
                     state="closed" if item["closed"] else "open", comments=len(item["comments"]),
                     closed_at=iso(item["closed"]) if item["closed"] else None, repository_url=api,
                     url=f"{api}/issues/{item['number']}")
        if item["kind"] == "pull":
            shown["pull_request"] = {"url": f"{api}/pulls/{item['number']}"}
        return shown

    def rest_comment(self, item, kind, entry, base):
        api = f"{base}/repos/{item['repository']}"
        shown = self._written(entry, f"https://github.com/{item['repository']}/issues/{item['number']}#{entry['id']}")
        shown["id"] = entry["id"]
        if kind == "comments":
            shown["issue_url"] = f"{api}/issues/{item['number']}"
        else:
            shown["pull_request_url"] = f"{api}/pulls/{item['number']}"
        if kind == "code_comments":
            shown.update(diff_hunk="@@", path="a.py")
        if kind == "reviews":
            del shown["created_at"], shown["updated_at"], shown["reactions"]
            shown.update(submitted_at=iso(entry["created"]), state="COMMENTED")
        return shown

    # --- what a copy holds ---

    def state(self, wanted):
        """Rows of post: of whole repositories ("big/repo"), or of single items ("big/repo 7", "topic 5")."""
        rows = []
        for name in wanted:
            if name.startswith("topic "):
                rows += self.topic_rows(self.topics[int(name[6:])])
                continue
            repository, _, number = name.partition(" ")
            for item in self.repositories[repository].values():
                if int(number or item["number"]) == item["number"] and (self.graph or item["kind"] != "discussion"):
                    rows += self.rows_of(item, bool(number) or self.graph)
        return rows

    def rows_of(self, item, is_alone):
        def row(entry, number, parent, score):
            user = entry["user"] or {}
            body = "" if entry["body"] is None else entry["body"]
            return {"id": number, "parent": parent, "title": entry.get("title"), "body": f"<p>{body}</p>\n" if body else "",
                    "score": score, "created": iso(entry["created"]), "owner": user.get("id"),
                    "name": user.get("login"), "tags": entry.get("labels"), "site": "github.com/" + item["repository"]}
        rows = [row(item, item["number"], None, item["up"] - item["down"])]
        for row_of, kind in ((1, "comments"), (2, "code_comments"), (3, "reviews")):
            if kind == "reviews" and not is_alone:
                continue  # lists of a repository have none
            for entry in item[kind]:
                for said in (entry, *entry.get("replies", [])):
                    if said["body"]:
                        place = 4 if item["kind"] == "discussion" else row_of
                        score = None if row_of == 3 and not self.graph else said["up"] - said["down"]
                        rows.append(row(said, said["id"] + place * ROW, item["number"], score))
        return rows

    def topic_rows(self, topic):
        first = topic["posts"][0]["id"]
        return [{"id": p["id"], "parent": None if p["post_number"] == 1 else first,
                 "title": topic["title"] if p["post_number"] == 1 else None, "body": p["cooked"],
                 "score": p["actions_summary"][0]["count"], "created": p["created_at"][:19] + "Z", "owner": p["user_id"],
                 "name": p["username"], "tags": topic["tags"] if p["post_number"] == 1 else None, "site": "127.0.0.1"}
                for p in topic["posts"] if p["post_type"] == 1]


# --- GraphQL: as much of it as a client may use, with the types that GitHub has ---

WRITTEN = {"author": "Actor", "body": None, "bodyHTML": None, "url": None, "createdAt": None, "updatedAt": None,
           "lastEditedAt": None, "reactionGroups": "Group"}
COMMENT = {**WRITTEN, "fullDatabaseId": None}
THREAD = {**WRITTEN, "number": None, "title": None, "closedAt": None, "labels": "Labels", "id": None}
TYPES = {
    "Query": {"repository": "Repository"},
    "Repository": {"issues": "Issues", "pullRequests": "Pulls", "discussions": "Discussions", "discussion": "Discussion"},
    "Issues": {"nodes": "Issue", "pageInfo": "Page", "totalCount": None},
    "Pulls": {"nodes": "Pull", "pageInfo": "Page", "totalCount": None},
    "Discussions": {"nodes": "Discussion", "pageInfo": "Page", "totalCount": None},
    "Issue": {**THREAD, "comments": "Comments"},
    "Pull": {**THREAD, "comments": "Comments", "reviews": "Reviews"},
    "Discussion": {**THREAD, "comments": "Said", "upvoteCount": None},
    "Comments": {"nodes": "Comment", "pageInfo": "Page", "totalCount": None}, "Comment": COMMENT,
    "Reviews": {"nodes": "Review", "pageInfo": "Page", "totalCount": None}, "Review": {**COMMENT, "submittedAt": None},
    "Said": {"nodes": "Spoken", "pageInfo": "Page", "totalCount": None},
    "Spoken": {**WRITTEN, "databaseId": None, "replies": "Said"},
    "Labels": {"nodes": "Label", "totalCount": None}, "Label": {"name": None},
    "Group": {"content": None, "reactors": "Count", "users": "Count"}, "Count": {"totalCount": None},
    "Page": {"hasNextPage": None, "endCursor": None}, "Actor": {"login": None, "url": None, "databaseId": None},
}
CONNECTIONS = ("issues", "pullRequests", "discussions", "comments", "reviews", "replies", "labels")


class GraphError(Exception):
    pass


def parse_graph(text):
    """The fields of an operation: [(name, arguments, fields)]; those on a type as a field "...Type"."""
    tokens = re.findall(r'\.\.\.|[A-Za-z_]\w*|\$\w+|-?\d+|"[^"]*"|[{}():!,\[\]]', text)
    if tokens[:1] == ["query"]:
        tokens = tokens[tokens.index("{"):]

    def value():
        token = tokens.pop(0)
        if token == "{":
            made = {}
            while tokens[0] != "}":
                name = tokens.pop(0)
                tokens.pop(0)
                made[name] = value()
                if tokens[0] == ",":
                    tokens.pop(0)
            tokens.pop(0)
            return made
        return int(token) if token.lstrip("-").isdigit() else token

    def fields():
        made = []
        if tokens.pop(0) != "{":
            raise GraphError("no fields")
        while tokens[0] != "}":
            name, arguments = tokens.pop(0), {}
            if name == "...":
                if tokens.pop(0) != "on":
                    raise GraphError("a fragment")
                name += tokens.pop(0)
            if tokens[0] == "(":
                tokens[0] = "{"
                tokens[tokens.index(")")] = "}"
                arguments = value()
            made.append((name, arguments, fields() if tokens[0] == "{" else None))
        tokens.pop(0)
        return made
    made = fields()
    if tokens:
        raise GraphError("something follows the query")
    return made


def run_graph(fields, kind, found, variables):
    """What of `found` the fields ask for; a function is called with the arguments."""
    shown = {}
    for name, arguments, inner in fields:
        if name.startswith("...") and kind == "Actor":
            if found and name[3:] == found["__typename"]:
                shown.update(run_graph(inner, kind, found, variables))
            continue
        if name not in TYPES[kind]:
            raise GraphError(f"Field '{name}' doesn't exist on type '{kind}'")
        if (TYPES[kind][name] is None) != (inner is None):
            raise GraphError(f"Field '{name}' of '{kind}': selections")
        arguments = {key: variables.get(v[1:]) if isinstance(v, str) and v[0] == "$" else v for key, v in arguments.items()}
        if name in CONNECTIONS and not 1 <= (arguments.get("first") or 0) <= 100:
            raise GraphError(f"'{name}': first is missing, or not from 1 to 100")
        value = found[name](arguments) if callable(found[name]) else found[name]
        of = TYPES[kind][name]
        if of is None or value is None:
            shown[name] = value
        elif isinstance(value, list):
            shown[name] = [None if v is None else run_graph(inner, of, v, variables) for v in value]
        else:
            shown[name] = run_graph(inner, of, value, variables)
    return shown


def pages(entries, arguments, show):
    """A connection; cursors are keys of the order, so that what changes does not move the rest."""
    def key(e):
        return (-e["updated"], -e["number"]) if arguments.get("orderBy") else (e["created"], e["id"])
    if arguments.get("orderBy") not in (None, {"field": "UPDATED_AT", "direction": "DESC"}):
        raise GraphError("an order that this server does not have")
    after = arguments.get("after")
    after = tuple(int(x) for x in after.rstrip("=").split("+")) if after else None
    rest = [e for e in sorted(entries, key=key) if after is None or key(e) > after]
    taken = rest[:arguments["first"]]
    return {"totalCount": len(entries), "nodes": [show(e) for e in taken],
            "pageInfo": {"hasNextPage": len(rest) > len(taken), "endCursor": "%d+%d==" % key(taken[-1]) if taken else None}}


def graph_written(entry, url):
    user = entry["user"]
    actor = user and {"__typename": "User", "login": user["login"], "url": user["html_url"], "databaseId": user["id"]}
    groups = [{"content": name, "reactors": {"totalCount": n}, "users": {"totalCount": n}}
              for name, n in (("THUMBS_UP", entry["up"]), ("THUMBS_DOWN", entry["down"]), ("HEART", 3))]
    return {"author": actor, "body": entry["body"] or "", "bodyHTML": None, "url": url, "createdAt": iso(entry["created"]),
            "updatedAt": iso(entry["updated"]), "lastEditedAt": None, "reactionGroups": groups}


def graph_thread(item):
    place = {"pull": "pull", "issue": "issues", "discussion": "discussions"}[item["kind"]]
    url = f"https://github.com/{item['repository']}/{place}/{item['number']}"

    def comment(entry):
        kind = "discussioncomment" if item["kind"] == "discussion" else "issuecomment"
        shown = graph_written(entry, f"{url}#{kind}-{entry['id']}")
        shown.update(databaseId=entry["id"], fullDatabaseId=str(entry["id"]), submittedAt=iso(entry["created"]),
                     replies=lambda a: pages(entry.get("replies", []), a, comment))
        return shown
    shown = graph_written(item, url)
    shown.update(id="N", number=item["number"], title=item["title"], upvoteCount=1,
                 closedAt=iso(item["closed"]) if item["closed"] else None,
                 labels=lambda a: {"totalCount": 1, "nodes": [{"name": name} for name in item["labels"]][:a["first"]]},
                 comments=lambda a: pages(item["comments"], a, comment),
                 reviews=lambda a: pages(item["reviews"], a, comment))
    return shown


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, options):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.RLock()
        self.corpus = Corpus(options.issues, options.seed)
        self.options = options
        self.log, self.violations = [], []
        self.faults = [f for f in options.faults.split(",") if f]
        self.n = self.quota_used = 0
        self.closed_until = 0.0
        self.quota_from = self.corpus.now
        self.denied = None
        self.part, self.mega = "", 0
        self.base = f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.do_GET()

    def do_GET(self):
        self.posted = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.server.lock:
            split = urllib.parse.urlsplit(self.path)
            query = dict(urllib.parse.parse_qsl(split.query, keep_blank_values=True))
            if split.path.startswith("/_"):
                self.own_page(split.path[2:], query)
            else:
                self.api(split.path, split.query, query)

    # --- the server's own pages ---

    def own_page(self, page, query):
        s, c = self.server, self.server.corpus
        if page == "clock":
            c.now += float(query.get("sleep", 0)) + float(query.get("advance", 0))
            return self.send(200, {"now": c.now})
        if page == "state":
            return self.send(200, c.state(query["of"].split(",")))
        if page == "log":
            return self.send(200, s.log)
        if page == "violations":
            return self.send(200, {"total": len(s.violations), "list": s.violations[:5]})
        if "faults" in query:
            s.faults = [f for f in query["faults"].split(",") if f]
        if "delete" in query:
            del c.repositories["small/one"][int(query["delete"])]
        if "edit" in query:
            item = c.repositories["small/one"][int(query["edit"])]
            c.now += 1
            item["title"], item["updated"] = "edited by hand", int(c.now)
        if "token" in query:
            s.options.token = query["token"]
        if "deny" in query:
            s.denied = query["deny"]
        if "part" in query:  # a thread that GraphQL gives without its comments, among others ("3") or always ("3 alone")
            s.part = query["part"]
        if "mega" in query:  # a topic without the list of its posts
            s.mega = int(query["mega"])
        if "crowd" in query:  # a topic whose first answer has all of its posts
            c.add_topic(9, int(query["crowd"]))
        for name in ("mutate_every", "quota"):
            if name in query:
                setattr(s.options, name, int(query[name]))
        return self.send(200, {})

    # --- the API ---

    def violation(self, what):
        self.server.violations.append(f"{what}: {self.path}")

    def api(self, path, raw, query):
        s, c = self.server, self.server.corpus
        s.n += 1
        c.now += 0.05
        if c.now - s.quota_from >= 3600:
            s.quota_from, s.quota_used = c.now, 0
        s.log.append({"path": self.path, "code": 0})
        if c.now < s.closed_until:
            self.violation("a request while none may be sent")
        if s.options.token and "/t/" not in path and self.headers.get("Authorization") != "Bearer " + s.options.token:
            self.violation("no token")
        if s.options.token and ("/t/" in path and self.headers.get("Authorization")):
            self.violation("the token of GitHub for another server")
        if s.options.token and s.options.token in self.path:
            self.violation("a token in a URL")
        if s.options.mutate_every and s.n % s.options.mutate_every == 0:
            c.mutate()
        fault = s.faults.pop(0) if s.faults and s.n % 2 == 0 else ""
        if self.fault(fault):
            return
        if s.quota_used >= s.options.quota:
            s.closed_until = s.quota_from + 3600
            self.send(403, {"message": "API rate limit exceeded for 127.0.0.1."}, self.quota())
            return
        self.answer(path, raw, query, fault)

    def quota(self):
        s = self.server
        return {"X-RateLimit-Limit": s.options.quota, "X-RateLimit-Remaining": max(0, s.options.quota - s.quota_used),
                "X-RateLimit-Reset": int(s.quota_from + 3600) + 1}

    def fault(self, fault):
        s, c = self.server, self.server.corpus
        if fault == "429":
            s.closed_until = c.now + 7
            self.send(429, {"message": "slow down"}, {"Retry-After": 7})
        elif fault == "403":
            s.closed_until = c.now + 59
            self.send(403, {"message": "You have exceeded a secondary rate limit. Please wait."})
        elif fault == "403-after":
            s.closed_until = c.now + 30
            self.send(403, {"message": "Wait."}, {"Retry-After": 30})
        elif fault in ("500", "502", "503"):
            self.send(int(fault), {"message": "Server Error"})
        elif fault == "html":
            self.send_bytes(200, b"<html>Unicorn!</html>", {"Content-Type": "text/html"})
        elif fault == "reset":
            self.close_connection = True
            self.connection.close()
        else:
            return False
        return True

    def not_found(self):
        self.send(404, {"message": "Not Found", "documentation_url": "https://docs.github.com", "status": "404"}, self.quota())

    def answer(self, path, raw, query, fault):
        s, c = self.server, self.server.corpus
        if path == s.denied:
            return self.send(403, {"message": "Resource not accessible"}, self.quota())
        if path == "/graphql":
            return self.graph(fault)
        if topic := re.fullmatch(r"/t/(\d+)(/posts)?\.json", path):
            return self.topic(int(topic[1]), topic[2], urllib.parse.parse_qs(raw).get("post_ids[]"), fault)
        if by_id := re.match(r"/repositories/(\d+)(/.*)", path):
            names = [name for name, number in c.ids.items() if number == int(by_id[1])]
            path = f"/repos/{names[0]}{by_id[2]}" if names else path
        if (by_id := re.fullmatch(r"/repositories/(\d+)", path)) and int(by_id[1]) in c.ids.values():
            name = [name for name, number in c.ids.items() if number == int(by_id[1])][0]
            return self.good({"id": int(by_id[1]), "full_name": name, "html_url": "https://github.com/" + name}, fault)
        found = re.fullmatch(r"/repos/([^/]+/[^/]+)/(.+)", path)
        if not found:
            return self.not_found()
        name, rest = found[1], found[2]
        if name in c.moved:
            to = f"{s.base}/repositories/{c.ids[c.moved[name]]}/{rest}" + (f"?{raw}" if raw else "")
            return self.send(301, {"message": "Moved Permanently", "url": to}, {"Location": to, **self.quota()})
        items = {n: i for n, i in c.repositories.get(name, {}).items() if i["kind"] != "discussion"}
        if name not in c.repositories:
            return self.not_found()
        if single := re.fullmatch(r"issues/(\d+)", rest):
            number = int(single[1])
            if number in items:
                return self.good(c.rest_item(items[number], s.base), fault)
            if number <= 7 and name == "small/one":
                return self.send(410, {"message": "This issue was deleted", "status": "410"}, self.quota())
            return self.not_found()
        kinds = {"issues/comments": "comments", "pulls/comments": "code_comments", "pulls/reviews": "reviews"}
        part = re.fullmatch(r"(issues|pulls)/(\d+)/(comments|reviews)", rest)
        if rest == "issues":
            chosen = [(i["updated"], i["number"], c.rest_item(i, s.base)) for i in items.values()]
        elif part and int(part[2]) in items:
            item, kind = items[int(part[2])], kinds[f"{part[1]}/{part[3]}"]
            chosen = [(e["created"], e["id"], c.rest_comment(item, kind, e, s.base)) for e in item[kind]]
        elif rest in kinds and not part:
            kind = kinds[rest]
            chosen = [(e["updated"], e["id"], c.rest_comment(i, kind, e, s.base)) for i in items.values() for e in i[kind]]
        else:
            return self.not_found()
        if not part and (query.get("sort"), query.get("direction")) != ("updated", "asc"):
            self.violation("not in the order of change")
        if rest == "issues" and query.get("state") != "all":
            self.violation("only open issues")
        since = seconds_of(query["since"]) if "since" in query else 0
        chosen = sorted((x for x in chosen if x[0] >= since), key=lambda x: x[:2])
        page, size = int(query.get("page", 1)), int(query.get("per_page", 30))
        headers = {}
        if len(chosen) > page * size:
            follow = urllib.parse.urlencode({**query, "page": page + 1})
            headers["Link"] = (f"<{s.base}/repositories/{c.ids[name]}/{rest}?{follow}>; rel=\"next\", "
                               f"<{s.base}/x?page=9>; rel=\"last\"")
        return self.good([x[2] for x in chosen[(page - 1) * size:page * size]], fault, headers)

    def graph(self, fault):
        c, request = self.server.corpus, json.loads(self.posted)
        variables = request.get("variables", {})
        name = f"{variables.get('o')}/{variables.get('n')}"
        c.graph = True

        def repository(_):
            if name not in c.repositories:
                return None
            items = c.repositories[name].values()

            def of(kind):
                return lambda a: pages([i for i in items if i["kind"] == kind], a, graph_thread)

            def one(arguments):
                found = c.repositories[name].get(arguments["number"])
                return graph_thread(found) if found and found["kind"] == "discussion" else None
            return {"issues": of("issue"), "pullRequests": of("pull"), "discussions": of("discussion"), "discussion": one}
        if fault == "limit":
            return self.send(200, {"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]})
        if fault == "late" and variables.get("k", 0) > 20:
            return self.send(502, {"message": "We couldn't respond to your request in time."})
        try:
            data = run_graph(parse_graph(request["query"]), "Query", {"repository": repository}, variables)
        except GraphError as e:
            self.violation(str(e))
            return self.send(200, {"errors": [{"message": str(e)}]})
        answer = {"data": data}
        number, _, alone = s_part.partition(" ") if (s_part := self.server.part) else ("0", "", "")
        for threads in (data["repository"] or {}).values() if alone or variables.get("k", 0) > 1 else ():
            for thread in (threads or {}).get("nodes", []):
                if thread["number"] == int(number):
                    thread["comments"] = None
                    answer["errors"] = [{"type": "RESOURCE_LIMITS_EXCEEDED", "message": "Resource limits exceeded."}]
        if data["repository"] is None or data["repository"].get("discussion", 1) is None:
            answer["errors"] = [{"type": "NOT_FOUND", "message": f"Could not resolve to {name}."}]
        if fault == "null":
            answer = {"data": None, "errors": [{"message": "Something went wrong while executing your query."}]}
        return self.good(answer, fault)

    def topic(self, number, only_posts, ids, fault):
        topic = self.server.corpus.topics.get(number)
        if topic is None:
            return self.not_found()
        posts = topic["posts"]
        if only_posts:
            shown = {"post_stream": {"posts": [p for p in posts if str(p["id"]) in (ids or [])]}, "id": number}
            if len(ids or []) > 20:
                self.violation("too many posts at once")
        else:
            shown = {key: value for key, value in topic.items() if key != "posts"}
            shown["post_stream"] = {"posts": posts if number == 9 else posts[:20], "stream": [p["id"] for p in posts]}
            if number == self.server.mega:
                del shown["post_stream"]["stream"]
        return self.good(shown, fault)

    # --- answers ---

    def good(self, value, fault, headers=None):
        body = json.dumps(value).encode()
        etag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
        if self.headers.get("If-None-Match") == etag:
            return self.send_bytes(304, b"", {"ETag": etag, **self.quota()})
        self.server.quota_used += 1
        if fault == "wrong":
            body = json.dumps({"what": 1} if isinstance(value, list) else {"data": {"repository": 5}} if "data" in value else [1]).encode()
        if fault == "broken":
            body = body[:-5]
        self.send_bytes(200, body, {"ETag": etag, **self.quota(), **(headers or {})}, fault == "cut", fault == "slow")

    def send(self, code, value, headers=None):
        self.send_bytes(code, json.dumps(value).encode(), headers or {})

    def send_bytes(self, code, body, headers, cut=False, slow=False):
        if self.server.log and not self.path.startswith("/_"):
            self.server.log[-1]["code"] = code
        if len(body) > 500 and "gzip" in (self.headers.get("Accept-Encoding") or ""):
            body = gzip.compress(body, 1)
            headers["Content-Encoding"] = "gzip"
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if cut:
            self.close_connection = True
            body = body[:len(body) // 2]
        half = len(body) // 2
        if slow:
            self.wfile.write(body[:half])
            self.wfile.flush()
            time.sleep(0.3)
            body = body[half:]
        self.wfile.write(body)


def rows_of_database(path, sites):
    """Of the database, as Corpus.state has them: by the site of the short name in the id."""
    db = sqlite3.connect(path)
    rows = {}
    for post_id, parent, title, tags, score, created, owner, name, body in db.execute(
            "SELECT post_id, parent_id, title, tags, score, created_at, owner_user_id, owner_display_name, body_html"
            " FROM post WHERE deleted_at IS NULL"):
        mask = (1 << 53) - 1
        rows[sites[post_id >> 53], post_id & mask] = {
            "id": post_id & mask, "parent": None if parent is None else parent & mask, "title": title, "body": body,
            "score": score, "created": created[:19] + "Z", "owner": None if owner is None else owner & mask,
            "name": name, "tags": None if tags is None else json.loads(tags), "site": sites[post_id >> 53]}
    return rows


def equal(path, server, of):
    """0 when the database has what the server has of these, and nothing else."""
    with urllib.request.urlopen(f"{server}/_state?of={urllib.parse.quote(of)}") as answer:
        expected = {(row["site"], row["id"]): row for row in json.load(answer)}
    db = sqlite3.connect(path)
    # Short names of the test's study: a letter and a digit, as a number (base/study/site.c).
    codes = sorted({row[0] >> 53 for row in db.execute("SELECT post_id FROM post")})
    names = dict(zip(sorted(codes), sorted({site for site, _ in expected}, key=ORDER.index)))
    found = rows_of_database(path, names)
    bad = 0
    for key in sorted(set(expected) | set(found), key=str):
        want, got = expected.get(key), found.get(key)
        if want is not None:
            want = {**want, "tags": want["tags"] or None}
        if want is not None and got is not None and key[1] // ROW == 3 and got["score"] is None:
            want["score"] = None  # REST shows reviews without
        if got is not None:
            got = {**got, "tags": got["tags"] or None}
        if want != got:
            bad += 1
            if bad < 4:
                print(f"{key}:\n  server   {want}\n  database {got}")
    print(f"{len(expected)} posts on the server, {len(found)} in the database, {bad} differ")
    return 1 if bad or not expected else 0


ORDER = ["github.com/big/repo", "github.com/small/one", "127.0.0.1"]  # of the short names b1, s1, t1


def main():
    if sys.argv[1:2] == ["equal"]:
        sys.exit(equal(*sys.argv[2:5]))
    parser = argparse.ArgumentParser()
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--issues", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", default="")
    parser.add_argument("--token", default="")
    parser.add_argument("--quota", type=int, default=5000)
    parser.add_argument("--mutate-every", type=int, default=0)
    options = parser.parse_args()
    server = Server(options)
    with open(options.port_file + ".new", "w", encoding="ascii") as out:
        out.write(str(server.server_port))
    import os
    os.rename(options.port_file + ".new", options.port_file)
    server.serve_forever()


if __name__ == "__main__":
    main()
