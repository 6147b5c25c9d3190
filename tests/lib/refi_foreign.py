"""Projects as other programs write them, and damaged ones; written from the standard. refi_foreign.py DIR writes
DIR/good/*.qdpx, and DIR/bad/NAME.qdpx with the words that must refuse it in DIR/bad/NAME.words. refi_foreign.py --mixed DIR
writes files of XML whose elements and values are those of the good ones, in other places."""

import os
import random
import re
import sys
import zipfile

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
PROJECT = ('<Project xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="Talks &amp; more"'
           ' origin="ATLAS.ti Win 23.4.0" creatingUserGUID="{U1}" xmlns="urn:QDA-XML:project:1.0">')


def guid(n, braces=False):
    text = f"0000000{n:X}-AAAA-4BBB-8CCC-0123456789AB" if n < 16 else f"000000{n:X}-AAAA-4BBB-8CCC-0123456789AB"
    return "{" + text + "}" if braces else text


ANN, BOB, SPEED, SLOW, HANG, LEAK, DEEP, TEXT, OTHER, MEMO, LOST = range(1, 12)
USERS = f'<Users><User guid="{guid(ANN)}" name="Ann"/><User guid="{guid(BOB)}" name="Bob"/></Users>'
CODES = f"""<CodeBook><Codes>
<Code guid="{guid(SPEED)}" name="Speed" isCodable="true" color="#46AA00"><Description>How fast</Description>
 <Code guid="{guid(SLOW)}" name="slow" isCodable="true"><Description>It takes
long.</Description></Code>
 <Code guid="{guid(HANG)}" name="hangs" isCodable="false"><Description>No end</Description>
  <Code guid="{guid(DEEP)}" name="slow" isCodable="true"><NoteRef targetGUID="{guid(MEMO)}"/></Code></Code></Code>
<Code guid="{guid(LEAK)}" name="leak" isCodable="true"/></Codes></CodeBook>"""
NOTES = (f'<Notes><Note guid="{guid(MEMO)}" name="memo" creatingUser="{guid(BOB)}">'
         '<PlainTextContent>a memo</PlainTextContent></Note></Notes>')


def coding(n, user, *codes, at="2023-08-16T17:49:36+02:00"):
    refs = "".join(f'<CodeRef targetGUID="{guid(code, True)}"/>' for code in codes)
    return f'<Coding guid="{guid(n)}" creatingUser="{guid(user)}" creationDateTime="{at}">{refs}</Coding>'


def selection(n, start, end, *inner):
    return f'<PlainTextSelection guid="{guid(n)}" startPosition="{start}" endPosition="{end}">{"".join(inner)}</PlainTextSelection>'


def source(inner, path='plainTextPath="internal://T.txt"', n=TEXT, name="Talk 1"):
    return f'<TextSource guid="{guid(n)}" name="{name}" {path}>{inner}</TextSource>'


def project(sources, notes=NOTES, codes=CODES, users=USERS, more=""):
    return (HEAD + PROJECT.replace("{U1}", guid(ANN)) + users + codes + f"<Sources>{sources}</Sources>" + notes + more
            + "</Project>")


def write(path, qde, files, bom=False):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.qde", (b"\xef\xbb\xbf" if bom else b"") + qde.encode())
        for name, content in files.items():
            archive.writestr(name, content)


WORDS = "Alpha  \U0001f600 is slow.\r\n\r\nIt <hangs> & leaks."


def main(folder):
    os.makedirs(f"{folder}/good")
    os.makedirs(f"{folder}/bad")
    # Positions in units of UTF-16, the text in UTF-16 with its mark, a folder in small letters, two codes in a coding.
    at = len(WORDS[:WORDS.index("It")].encode("utf-16-le")) // 2
    everything = source(selection(20, at, at + 11, coding(21, ANN, SLOW, LEAK)) +
                        selection(22, at + 14, len(WORDS.encode("utf-16-le")) // 2, coding(23, BOB, LEAK, at="2023-08-16T15:49:36"))
                        + coding(24, BOB, DEEP) + f'<NoteRef targetGUID="{guid(MEMO)}"/>')
    rich = source(coding(25, ANN, LEAK), 'richTextPath="internal://R.docx"', OTHER, "Only formatted")
    far = source(coding(26, ANN, SPEED), 'plainTextPath="relative:///../far.txt"', LOST, "Elsewhere")
    pdf = f'<PDFSource guid="{guid(27)}" name="p" path="internal://P.pdf"/>'
    sets = f'<Sets><Set guid="{guid(28)}" name="s"><MemberCode targetGUID="{guid(SLOW)}"/></Set></Sets>'
    write(f"{folder}/good/all.qdpx", project(everything + rich + far + pdf, more=sets),
          {"sources/t.TXT": WORDS.encode("utf-16"), "sources/R.docx": b"PK"}, bom=True)
    inline = source(f"<PlainTextContent>one two</PlainTextContent>{selection(20, 4, 7, coding(21, ANN, SLOW))}", "")
    write(f"{folder}/good/inline.qdpx", project(inline), {})

    seen = (f'<PDFSource guid="{guid(27)}" name="Scan" path="internal://P.pdf">'
            f'<PDFSelection guid="{guid(30)}" page="0" firstX="1" firstY="1" secondX="9" secondY="9">{coding(31, ANN, SLOW)}'
            f'</PDFSelection><Representation guid="{guid(32)}" plainTextPath="internal://P.txt">'
            f'{selection(33, 4, 7, coding(34, ANN, SLOW))}</Representation>{coding(35, BOB, LEAK)}</PDFSource>'
            f'<PictureSource guid="{guid(36)}" name="Screen" path="internal://S.png"><Description>a screen</Description>'
            f'<PictureSelection guid="{guid(37)}" firstX="1" firstY="1" secondX="9" secondY="9">'
            f'{coding(38, BOB, SLOW)}{coding(39, BOB, LEAK)}</PictureSelection></PictureSource>'
            f'<AudioSource guid="{guid(40)}" name="Interview" path="internal://I.m4a">'
            f'<Transcript guid="{guid(41)}" name="first"><PlainTextContent>so it hangs often</PlainTextContent>'
            f'<SyncPoint guid="{guid(42)}" timeStamp="0" position="6"/><SyncPoint guid="{guid(43)}" timeStamp="900" position="11"/>'
            f'<SyncPoint guid="{guid(44)}" timeStamp="950"/>'
            f'<TranscriptSelection guid="{guid(45)}" fromSyncPoint="{guid(42)}" toSyncPoint="{guid(43)}">{coding(46, ANN, DEEP)}'
            f'</TranscriptSelection><TranscriptSelection guid="{guid(47)}" fromSyncPoint="{guid(43)}" toSyncPoint="{guid(44)}">'
            f'{coding(48, ANN, LEAK)}</TranscriptSelection></Transcript>'
            f'<Transcript guid="{guid(49)}" name="second"><PlainTextContent>another hand</PlainTextContent></Transcript></AudioSource>')
    more = (f'<Links><Link guid="{guid(50)}" name="l" originGUID="{guid(SLOW)}" targetGUID="{guid(27)}"/></Links>' + sets)
    text = project(seen, more=more)
    cases = f'<Cases><Case guid="{guid(52)}" name="c"><SourceRef targetGUID="{guid(27)}"/></Case></Cases>'
    write(f"{folder}/good/seen.qdpx", text.replace("<Sources>", cases + "<Sources>"), {"Sources/P.txt": b"one two three"})
    write(f"{folder}/good/widgets.qdpx", project(inline, more="<Widgets><Widget/></Widgets>"), {})

    good = {"Sources/T.txt": "one two"}
    write(f"{folder}/good/users.qdpx", project(source(coding(20, 15, SLOW) + coding(21, 16, SLOW))), good)
    bad = {
        "traversal": (project(source("", 'plainTextPath="internal://../../etc/passwd"')), good, "leads out of the folder"),
        "slash": (project(source("", 'plainTextPath="internal://a/T.txt"')), good, "leads out of the folder"),
        "absent": (project(source("", 'plainTextPath="internal://U.txt"')), good, "'internal://U.txt' is not in the file"),
        "bytes": (project(source("")), {"Sources/T.txt": b"\xff\xfea\x00\x00\xd8"}, "neither UTF-8 nor UTF-16"),
        "latin": (project(source("")), {"Sources/T.txt": b"caf\xe9"}, "neither UTF-8 nor UTF-16"),
        "code": (project(source(coding(20, ANN, 15))), good, "there is no code with the GUID 0000000f"),
        "user-is-code": (project(source(coding(20, SLOW, SLOW))), good, "is not of a user"),
        "note": (project(source(f'<NoteRef targetGUID="{guid(15)}"/>')), good, "there is no note"),
        "variable": (project(source(f'<VariableValue><VariableRef targetGUID="{guid(15)}"/></VariableValue>')), good,
                     "there is no variable"),
        "no-code": (project(source(coding(20, ANN))), good, "a Coding without a CodeRef"),
        "after": (project(source(selection(20, 0, 8))), good, "the passage ends after the end of 'Talk 1'"),
        "before": (project(source(selection(20, 4, 3))), good, "the passage ends before it begins"),
        "negative": (project(source(selection(20, -1, 3))), good, "the position '-1' is not a number"),
        "huge": (project(source(selection(20, 0, 10 ** 30))), good, "is not a number of characters"),
        "guid": (project(source("").replace(guid(TEXT), "7")), good, "'7' is not a GUID"),
        "twice": (project(source("") + source("")), good, "occurs a second time"),
        "time": (project(source(coding(20, ANN, SLOW, at="yesterday at noon, or so"))), good, "is not a time"),
        "zone": (project(source(coding(20, ANN, SLOW, at="2023-08-16T15:49:36+xx:yy"))), good, "is not a time"),
        "name": (project("", codes=CODES.replace('"slow"', '"' + "x" * 200 + '"')), {}, "1 to 150 bytes"),
        "user-name": (project("", users=USERS.replace("Bob", "=1+1")), {}, "the user's name"),
        "entities": (HEAD + '<!DOCTYPE Project [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + PROJECT.replace("{U1}", guid(ANN))
                     + USERS + "<CodeBook/></Project>", {}, "a DTD, which no project has"),
        "attribute-entity": (  # 5 GB, if it were read
            HEAD + f'<!DOCTYPE Project [<!ENTITY a "{"a" * 1000000}">]>'
            + PROJECT.replace("{U1}", guid(ANN)).replace("ATLAS.ti Win 23.4.0", "&a;" * 5000) + USERS
            + "<CodeBook/></Project>", {}, "line "),
        "file-entity": (HEAD + '<!DOCTYPE Project [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
                        + PROJECT.replace("{U1}", guid(ANN)) + USERS + "<Description>&x;</Description></Project>", {},
                        "a DTD, which no project has"),
        "deep": (project("", codes="<CodeBook><Codes>" + "".join(
            f'<Code guid="{guid(0)[:-4]}{i:04x}" name="c" isCodable="true">' for i in range(100)) + "</Code>" * 100
            + "</Codes></CodeBook>"), {}, "more than 32 levels"),
        "deeper": (project("", codes="<CodeBook>" + "<a>" * 5000 + "</a>" * 5000 + "</CodeBook>"), {}, "Excessive depth"),
        "cut": (project(source(""))[:-20], good, "line "),
        "space": (project(source("")).replace("project:1.0", "project:9.0"), good, "neither a project nor a codebook"),
        "no-project": (None, {"other.qde": "x"}, "no project.qde in it"),
        "bomb": (project(source("")), {"Sources/T.txt": b"a" * (300 << 20)}, "larger than 256 MiB"),
    }
    for name, (qde, files, words) in bad.items():
        write(f"{folder}/bad/{name}.qdpx", qde or "", files)
        if qde is None:
            with zipfile.ZipFile(f"{folder}/bad/{name}.qdpx", "w") as archive:
                archive.writestr("other.qde", "x")
        with open(f"{folder}/bad/{name}.words", "w", encoding="utf-8") as f:
            f.write(words)
    with open(f"{folder}/good/all.qdpx", "rb") as f:
        whole = f.read()
    with open(f"{folder}/bad/half.qdpx", "wb") as f:
        f.write(whole[:len(whole) // 2])
    with open(f"{folder}/bad/half.words", "w", encoding="utf-8") as f:
        f.write("damaged")


def mix(folder, n=2000):
    """What a project says in one place it says in another: well-formed, but for what XML itself refuses."""
    chance = random.Random(1)
    text = f'<PlainTextContent>{WORDS.replace("<", "(").replace("&", "+")}</PlainTextContent>'
    inner = (text + selection(20, 7, 12, coding(21, ANN, SLOW, LEAK)) + selection(22, 3, 9, coding(23, BOB, DEEP))
             + coding(24, BOB, SPEED) + f'<NoteRef targetGUID="{guid(MEMO)}"/>'
             + f'<VariableValue><VariableRef targetGUID="{guid(29)}"/><IntegerValue>4</IntegerValue></VariableValue>')
    names = ("post_id", "site", "post_type", "title", "tags", "created_at")
    variables = "<Variables>" + "".join(f'<Variable guid="{guid(29 + i)}" name="{name}" typeOfVariable="Text"/>'
                                        for i, name in enumerate(names)) + "</Variables>"
    qde = project(source(inner, "") + source(coding(40, ANN, HANG), "", OTHER, "48_2")).replace("<CodeBook>",
                                                                                            variables + "<CodeBook>")
    values = re.findall('"([^"]*)"', qde) + ["-1", "0", "99999999999999999999", "[]", "yes", "no", " > ", "a b", "question"]
    elements = re.findall(r"<\w+[^<>]*/>|<(?:Coding|Code|NoteRef|Description)\b.*?</\w+>", qde)
    for i in range(n):
        made = qde
        for _ in range(chance.randint(1, 6)):
            if chance.random() < 0.7:
                places = [m.span(1) for m in re.finditer('"([^"]*)"', made)]
                start, end = chance.choice(places)
                made = made[:start] + chance.choice(values) + made[end:]
            else:
                start = chance.choice([m.start() for m in re.finditer("<(?:Coding|Code|NoteRef|Note|User)\\b", made)])
                made = made[:start] + chance.choice(elements) + made[start:]
        with open(f"{folder}/{i}", "w", encoding="utf-8") as f:
            f.write(made)


if sys.argv[1] == "--mixed":
    os.makedirs(sys.argv[2])
    mix(sys.argv[2])
else:
    main(sys.argv[1])
