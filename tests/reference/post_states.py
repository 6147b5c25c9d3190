#!/usr/bin/env python3
"""A small site that changes, seen five times: three dumps and two crawls; and what must be known of
it in the end, whatever the order in which these are loaded.

    post_states.py SEED DATABASE…

Writes dump1.xml, dump2.xml, dump3.xml and expected.txt into the current folder, and the answers of
the two crawls into two databases that `ppmine init` made. What is expected follows from the history
alone: the newest state that has a value gives it.
"""
import datetime
import json
import random
import sqlite3
import subprocess
import sys
from xml.sax.saxutils import quoteattr

START = 1_528_000_000  # in the window of the study
YEAR = 31_557_600
USERS = {n: f"Ann {n}" for n in range(1, 9)}


def iso(moment, fine=True):
    """Moments are milliseconds; the API knows seconds."""
    if moment is None:
        return None
    text = datetime.datetime.fromtimestamp(moment // 1000, datetime.timezone.utc)
    return text.strftime("%Y-%m-%dT%H:%M:%S.") + ("%03d" % (moment % 1000) if fine else "000") + "Z"


class Site:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.now = START * 1000
        self.posts, self.comments, self.names = {}, {}, dict(USERS)
        self.next_id = 100
        for _ in range(8):
            self.ask()

    def tick(self):
        self.now += self.random.randint(1_000_000, 90_000_000)
        return self.now

    def new(self, **fields):
        self.next_id += 1
        moment = self.tick()
        post = dict(id=self.next_id, type=1, parent=None, score=0, views=None, answers=None,
                    favorites=None, created=moment, edited=None, active=moment, closed=None,
                    owner=self.random.choice(list(USERS)), editor=None, accepted=None, title=None,
                    tags=None, body=f"<p>Post {self.next_id}, r&amp;d, \u00fc</p>", gone=False)
        post.update(fields)
        self.posts[post["id"]] = post
        return post

    def ask(self):
        self.new(views=1, answers=0, favorites=0, title="Slow & odd", tags=["keras"])

    def some(self, kind=None):
        there = [p for p in self.posts.values() if not p["gone"] and kind in (None, p["type"])]
        return self.random.choice(there) if there else None

    def step(self):
        post, question = self.some(), self.some(1)
        if question is None:
            return self.ask()
        act = self.random.choice(("ask", "answer", "answer", "vote", "vote", "edit", "edit", "retag",
                                  "accept", "close", "gone", "comment", "rename", "view"))
        if act == "ask":
            self.ask()
        elif act == "answer":
            self.new(type=2, parent=question["id"])
            question["active"] = self.now
        elif act == "vote":
            post["score"] += self.random.choice((-2, 1, 3))
        elif act == "view":
            question["views"] += self.random.randint(1, 50)
            question["favorites"] += self.random.randint(0, 2)
        elif act == "edit":
            if self.random.random() < 0.3 and "body0" in post:
                post["body"], post["body0"] = post["body0"], post["body"]  # taken back
            else:
                post["body0"] = post["body"]
                post["body"] = f"<p>Edited {self.random.randint(0, 10**6)}</p>"
            post["edited"] = post["active"] = self.tick()
            post["editor"] = self.random.choice(list(USERS))
        elif act == "retag":
            question["tags"] = ["keras"] + self.random.sample(["python", "gpu", "rnn"], 1)
            question["edited"] = question["active"] = self.tick()
            question["editor"] = self.random.choice(list(USERS))
        elif act == "accept":
            answers = [p["id"] for p in self.posts.values()
                       if p["parent"] == question["id"] and not p["gone"]]
            question["accepted"] = self.random.choice(answers + [None])
        elif act == "close":
            question["closed"] = self.tick() if question["closed"] is None else None
        elif act == "gone" and self.random.random() < 0.7:
            for p in self.posts.values():
                if p is post or p["parent"] == post["id"]:
                    p["gone"] = not p["gone"]
                if p["accepted"] == post["id"]:
                    p["accepted"] = None
        elif act == "comment":
            number = 9000 + len(self.comments)
            moment = self.tick() // 1000 * 1000
            self.comments[number] = dict(id=number, post=post["id"], score=0, created=moment,
                                         user=self.random.choice(list(USERS)), gone=False)
        elif act == "rename":
            self.names[self.random.choice(list(USERS))] = f"Bo {self.random.randint(0, 99)}"
        for c in self.comments.values():
            if self.random.random() < 0.05:
                c["score"] += 1
            if self.random.random() < 0.02:
                c["gone"] = not c["gone"]

    def see(self, kind):
        """The state of the site now."""
        self.tick()
        present = {p["id"] for p in self.posts.values() if not p["gone"] and
                   (p["parent"] is None or not self.posts[p["parent"]]["gone"])}
        posts = {i: dict(self.posts[i]) for i in sorted(present)}
        for p in posts.values():
            if p["type"] == 1:
                p["answers"] = sum(1 for q in posts.values() if q["parent"] == p["id"])
        comments = {c["id"]: dict(c) for c in self.comments.values()
                    if not c["gone"] and c["post"] in present}
        known = [p["id"] for p in self.posts.values() if p["type"] == 1]
        return dict(kind=kind, at=self.now, posts=posts, comments=comments, names=dict(self.names),
                    known=known)


# --- the two forms ---

def write_dump(sight, path, has_favorites):
    with open(path, "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for p in sight["posts"].values():
            row = dict(Id=p["id"], PostTypeId=p["type"], ParentId=p["parent"],
                       AcceptedAnswerId=p["accepted"], CreationDate=iso(p["created"])[:-1],
                       Score=p["score"], ViewCount=p["views"], Body=p["body"],
                       OwnerUserId=p["owner"], LastEditorUserId=p["editor"],
                       LastEditDate=p["edited"] and iso(p["edited"])[:-1],
                       LastActivityDate=iso(p["active"])[:-1], Title=p["title"],
                       Tags=p["tags"] and "".join(f"<{t}>" for t in p["tags"]),
                       AnswerCount=p["answers"], ClosedDate=p["closed"] and iso(p["closed"])[:-1],
                       ContentLicense="CC BY-SA 4.0")
            if has_favorites:
                row["FavoriteCount"] = p["favorites"]
            text = " ".join(f"{k}={quoteattr(str(v), {chr(34): '&quot;'})}"
                            for k, v in row.items() if v is not None)
            out.write(f"  <row {text} />\n")
        out.write("</posts>\n")


def api_user(sight, number):
    return dict(user_id=number, user_type="registered", display_name=sight["names"][number],
                link=f"https://stackoverflow.com/users/{number}")


def api_post(sight, p):
    comments = [dict(comment_id=c["id"], post_id=c["post"], score=c["score"], edited=False,
                     creation_date=c["created"] // 1000, body="<i>so</i>",
                     content_license="CC BY-SA 4.0", owner=api_user(sight, c["user"]))
                for c in sight["comments"].values() if c["post"] == p["id"]]
    item = dict(score=p["score"], creation_date=p["created"] // 1000, body=p["body"],
                last_activity_date=p["active"] // 1000, content_license="CC BY-SA 4.0",
                owner=api_user(sight, p["owner"]), comment_count=len(comments))
    if comments:
        item["comments"] = comments
    if p["edited"]:
        item.update(last_edit_date=p["edited"] // 1000, last_editor=api_user(sight, p["editor"]))
    return item


def write_crawl(sight, path):
    items = []
    for p in sight["posts"].values():
        if p["type"] != 1:
            continue
        answers = [q for q in sight["posts"].values() if q["parent"] == p["id"]]
        item = api_post(sight, p)
        item.update(question_id=p["id"], title=p["title"], tags=p["tags"], view_count=p["views"],
                    favorite_count=p["favorites"], answer_count=len(answers),
                    link=f"https://stackoverflow.com/questions/{p['id']}")
        if p["closed"]:
            item["closed_date"] = p["closed"] // 1000
        if p["accepted"]:
            item["accepted_answer_id"] = p["accepted"]
        if answers:
            item["answers"] = [dict(api_post(sight, q), answer_id=q["id"], question_id=p["id"],
                                    is_accepted=q["id"] == p["accepted"]) for q in answers]
        items.append(item)
    body = json.dumps(dict(items=items, has_more=False, quota_remaining=9)).encode()
    packed = subprocess.run(["zstd", "-q", "-c", "--check", f"--stream-size={len(body)}"], input=body, stdout=subprocess.PIPE,
                            check=True).stdout
    ids = ";".join(map(str, sight["known"]))
    db = sqlite3.connect(path)
    db.execute("INSERT INTO run (command, tool_version, parameters, started_at)"
               " VALUES ('fetch', '', '{}', ?)", (iso(sight["at"], False),))
    db.execute("INSERT INTO api_answer (run_id, answered_at, method, request, n_items,"
               " quota_remaining, safe_filter, body_zstd) VALUES (1, ?, '/questions/{ids}', ?, ?, 9,"
               " 0, ?)", (iso(sight["at"], False), f"/questions/{ids}?pagesize=100", len(items),
                          packed))
    db.commit()
    db.close()


# --- what must be known in the end ---

def finest(sights, number, field, moment):
    """A date as a dump wrote it where one did, else in seconds."""
    fine = any(s["kind"] == "dump" and s["posts"][number][field] == moment
               for s in sights if number in s["posts"])
    return iso(moment, fine)


def person(sights, number, who, when):
    """Id, and the newest name that an answer of the API gave with it (for an edit: with that
    edit)."""
    last = [s for s in sights if number in s["posts"]][-1]["posts"][number]
    if last[who] is None:
        return None, None
    names = [s["names"][last[who]] for s in sights if s["kind"] == "crawl" and number in s["posts"]
             and s["posts"][number][who] == last[who]
             and (when is None or s["posts"][number][when] == last[when])]
    return last[who], names[-1] if names else None


def version(p):
    tags = p["tags"] and json.dumps(p["tags"], separators=(",", ":"))
    return p["title"], tags, p["body"]


def expected_post(sights, number):
    seen = [s for s in sights if number in s["posts"]]
    last, at = seen[-1]["posts"][number], seen[-1]["at"]
    later = [s for s in sights if s["kind"] == "crawl" and s["at"] > at
             and (last["parent"] or number) in s["known"]]
    favorites = [s["posts"][number]["favorites"] for s in seen if s["has_favorites"]]

    def date(field):
        return finest(sights, number, field, last[field])

    return [number, "question" if last["type"] == 1 else "answer", last["parent"], last["accepted"],
            last["title"], version(last)[1], last["score"], last["views"], last["answers"],
            favorites[-1] if favorites else None, date("created"),
            iso(later[0]["at"], False) if later else None, date("edited"), date("active"),
            date("closed"), *person(sights, number, "owner", None),
            *person(sights, number, "editor", "edited"), last["body"]]


def expected_revisions(sights, number):
    seen = [s for s in sights if number in s["posts"]]
    found = {}
    for s in seen:
        p = s["posts"][number]
        edited = iso(p["edited"] or p["created"], s["kind"] == "dump")
        found[version(p)] = max(found.get(version(p), ""), edited)
    found.pop(version(seen[-1]["posts"][number]))
    return [[number, *v, edited] for v, edited in found.items()]


def expected_comment(sights, number):
    crawls = [s for s in sights if s["kind"] == "crawl"]
    seen = [s for s in crawls if number in s["comments"]]
    last = seen[-1]["comments"][number]
    later = [s for s in crawls if s["at"] > seen[-1]["at"] and last["post"] in s["posts"]]
    return [number, last["post"], last["score"], seen[-1]["names"][last["user"]],
            iso(later[0]["at"], False) if later else None]


def write_expected(sights, path):
    posts = sorted({n for s in sights for n in s["posts"]})
    lines = [expected_post(sights, n) for n in posts]
    for n in posts:
        lines += sorted(expected_revisions(sights, n), key=lambda r: [str(c or "") for c in r[1:]])
    lines += [expected_comment(sights, n) for n in sorted(
        {n for s in sights if s["kind"] == "crawl" for n in s["comments"]})]
    with open(path, "w", encoding="utf-8") as out:
        for line in lines:
            out.write("|".join("" if c is None else str(c) for c in line) + "\n")


def main():
    site = Site(int(sys.argv[1]))
    kinds = ["dump", "crawl", "dump", "crawl", "dump"]
    if int(sys.argv[1]) > 1:
        site.random.shuffle(kinds)
    sights, dumps, crawls = [], [], []
    for kind in kinds:
        for _ in range(40):
            site.step()
        site.now += YEAR * 200
        sight = site.see(kind)
        sight["has_favorites"] = kind == "crawl" or len(dumps) < 2
        # A dump is of the time of the last activity in it; a crawl comes later than all it saw.
        if kind == "dump":
            sight["at"] = max(p["active"] for p in sight["posts"].values())
        else:
            sight["at"] = site.now // 1000 * 1000 + 1000
            site.now = sight["at"]
        sights.append(sight)
        (dumps if kind == "dump" else crawls).append(sight)
    for n, sight in enumerate(dumps):
        write_dump(sight, f"dump{n + 1}.xml", sight["has_favorites"])
    for sight, path in zip(crawls, sys.argv[2:]):
        write_crawl(sight, path)
    write_expected(sights, "expected.txt")


main()
