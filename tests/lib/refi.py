"""Reads a project of REFI-QDA as its standard has it, with no code of the program, and compares it with the database
that it came from: refi.py PROJECT.qdpx STUDY.db."""

import re
import sqlite3
import sys
import uuid
import xml.etree.ElementTree as ET
import zipfile

SPACE = "{urn:QDA-XML:project:1.0}"
# The order of the elements in each, and whether one must be there.
SEQUENCES = {
    "Project": "Users CodeBook Variables Cases Sources Notes Links Sets Graphs Description NoteRef",
    "TextSource": "Description PlainTextContent PlainTextSelection Coding NoteRef VariableValue",
    "PlainTextSelection": "Description Coding NoteRef",
    "Coding": "CodeRef NoteRef",
    "Code": "Description NoteRef Code",
}
GUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def check(condition, words):
    if not condition:
        sys.exit(f"refi.py: {words}")


def text_of(archive, source):
    path = source.get("plainTextPath")
    check(path.startswith("internal://"), path)
    return archive.read("Sources/" + path[11:]).decode("utf-8")


def main(path, database):
    archive = zipfile.ZipFile(path)
    check(archive.testzip() is None, "a damaged file")
    check(all(i.date_time == (1980, 1, 1, 0, 0, 0) for i in archive.infolist()), "a time in the archive")
    root = ET.fromstring(archive.read("project.qde"))
    check(root.tag == SPACE + "Project", root.tag)
    guids = set()
    for node in root.iter():
        name = node.tag[len(SPACE):]
        order = SEQUENCES.get(name, "").split()
        at = [order.index(child.tag[len(SPACE):]) for child in node] if order else []
        check(at == sorted(at), f"{name}: children in another order")
        if node.get("guid"):
            check(GUID.fullmatch(node.get("guid")) and uuid.UUID(node.get("guid")).version == 5, node.get("guid"))
            check(node.get("guid") not in guids, f"{node.get('guid')} twice")
            guids.add(node.get("guid"))
    for node in root.iter():
        for key in ("targetGUID", "creatingUser"):
            check(node.get(key) is None or node.get(key) in guids, f"{node.get(key)} is nowhere")

    db = sqlite3.connect(database)
    users = {u.get("guid"): u for u in root.iter(SPACE + "User")}
    coders = dict(db.execute("SELECT coder, is_merged FROM coder"))
    check({u.get("name"): int(u.get("id") == "merged") for u in users.values()} == coders, "users")

    # Each code by its GUID: facet, category, name.
    codes = {}

    def walk(node, title, above):
        for child in node.findall(SPACE + "Code"):
            if child.get("isCodable") == "true":
                codes[child.get("guid")] = (title, " > ".join(above) or None, child.get("name"))
            walk(child, title, [*above, child.get("name")])

    for facet in root.find(f"{SPACE}CodeBook/{SPACE}Codes"):
        check(facet.get("isCodable") == "false", "a facet can be given")
        walk(facet, facet.get("name"), [])
    known = set(db.execute("SELECT f.title, c.category, c.name FROM facet f JOIN code c ON c.facet = f.list"
                           " WHERE f.kind = 'codes' AND c.code_id < 1 << 52 AND c.retired_in IS NULL"))
    check(known <= set(codes.values()), f"codes: {known - set(codes.values())} are missing")

    # What was said: (post, problem or post, coder, facet, category, code, time), once for each passage or post.
    notes = {n.get("guid"): n for n in root.iter(SPACE + "Note")}
    variables = {v.get("guid"): v.get("name") for v in root.iter(SPACE + "Variable")}
    found, passages = set(), 0
    for source in root.iter(SPACE + "TextSource"):
        text = text_of(archive, source)
        values = {variables[v[0].get("targetGUID")]: v[1].text for v in source.findall(SPACE + "VariableValue")}
        post = int(values["post_id"])
        *short, site = values["site"].split(" ")
        held = db.execute("SELECT post_id, title FROM post WHERE post_id & 9007199254740991 = ? AND post_id >> 53 ="
                          " (SELECT site_id FROM site WHERE name = ?)", (post, site)).fetchone()
        title = held and held[1:]
        post = "".join(f"{s}:" for s in short) + str(post)
        check((title is not None) == ("post_type" in values), f"{post}: held or not")
        check(title is None or title[0] is None or text.startswith(title[0] + "\n\n"), f"{post}: title")

        def said(coding, subject):
            note = coding.find(SPACE + "NoteRef")
            reason = notes[note.get("targetGUID")][0].text if note is not None else None
            found.add((subject, users[coding.get("creatingUser")].get("name"),
                       *codes[coding.find(SPACE + "CodeRef").get("targetGUID")], coding.get("creationDateTime"), reason))
            return reason

        for selection in source.findall(SPACE + "PlainTextSelection"):
            start, end = int(selection.get("startPosition")), int(selection.get("endPosition"))
            check(0 <= start <= end <= len(text), f"{start}-{end} of {len(text)}")
            for coding in selection.findall(SPACE + "Coding"):
                reason = said(coding, selection.get("name") or post)
                if (start, end) != (0, len(text)):
                    passages += 1
                    check(f"“{text[start:end]}”" in reason, f"'{text[start:end]}' is not what {reason} quotes")
        for coding in source.findall(SPACE + "Coding"):
            said(coding, post)
    reason = ("(SELECT max(d.reason) FROM decision d WHERE d.post_id = l.post_id AND d.subject = l.subject"
              " AND d.coder = l.coder AND d.facet = {} AND d.decided_at = l.decided_at AND d.undoes IS NULL)")
    wanted = set(db.execute(
        f"SELECT l.subject, l.coder, f.title, c.category, c.name, l.decided_at, {reason.format('l.facet')}"
        " FROM label l JOIN facet f USING (facet) JOIN code c USING (code_id) WHERE f.kind <> 'text'"))
    judged = reason.format("(SELECT facet FROM facet WHERE place = 1)").replace("d.subject = l.subject AND", "")
    public = ("coalesce((SELECT short || ':' FROM site s WHERE s.site_id = l.post_id >> 53), '')"
              " || (l.post_id & 9007199254740991)")
    wanted |= set(db.execute(
        f"SELECT {public}, l.coder, (SELECT title FROM facet WHERE place = 1), NULL,"
        f" iif(is_problem, 'yes', 'no'), l.decided_at, {judged} FROM judgement l"))
    check(found == wanted, f"{len(found - wanted)} that nobody said: {list(found - wanted)[:3]};"
                           f" {len(wanted - found)} are missing: {list(wanted - found)[:3]}")
    # Memos are notes of codes, and of the project; who has one wrote it, and when.
    pinned = [(codes.get(node.get("guid"), (None, None, None)), ref.get("targetGUID"))
              for node in [root, *root.iter(SPACE + "Code")] for ref in node.findall(SPACE + "NoteRef")]
    memos = {(users[notes[n].get("creatingUser")].get("name"), notes[n].get("creationDateTime"), facet, name, notes[n][0].text)
             for (facet, _, name), n in pinned}
    wanted = set(db.execute("SELECT m.coder, m.written_at, f.title, m.code, m.text FROM code_memo m LEFT JOIN facet f"
                            " ON f.list = m.facet WHERE NOT m.undone"))
    check(not memos or memos == wanted, f"memos: {memos ^ wanted}")
    private = [n[0].text for n in notes.values() if n.get("name") == "note"]
    print(f"codes {len(codes)}, codings {len(found)}, passages {passages}, private notes {len(private)}, memos {len(memos)}")


main(*sys.argv[1:])
