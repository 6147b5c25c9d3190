#!/usr/bin/python3
"""A dump whose posts are nasty HTML, the same on every run.

    nasty-html.py > Posts.xml

Post 1 and on: every piece below by itself between keywords; from 1000 on: random mixtures.

Left out, because a tree and a linear reader may well differ there: libxml2 drops stray end tags and
a second <html>, <body> or <!DOCTYPE> without a trace (a reader of the stream sees a tag, which ends
a word); it ends a <p> before a block within, and with it the inline elements that are open, which
it may open again. So elements nest properly here, blocks stand in blocks, and no piece can swallow
the end tag of another (an open comment or quote, a "<" before a letter).
"""

import random
from xml.sax.saxutils import escape

SEED = 20220822     # any constant: a difference found once is found again

WORDS = """slow slowly runs slow slower hangs hang hung very slow memory leak memories leaking
    CPU time gpu utilization util take longer taking long per second seconds OOM oom extremely
    cpu ram performance issues issue throughput efficiently speeds the a of not xslow slowx
    été café \u212aeras \u0130x 慢 \u00a0 2x it's can't run-slow run_slow memory/leak""".split(" ")

REFERENCES = """&amp; &lt; &gt; &quot; &apos; &nbsp; &nbsp &eacute; &eacute &bogus; &thetasym; &
    &; &a.b; &x:y; &lt &AMP; &#115;low &#x73;low &#X73;low &#115low s&#108;ow s&#;low s&#;l&#ow &#x
    s&#0;low s&#1;low s&#xD800;low s&#xFFFE;low s&#x110000;low s&#99999999999;low &#32; &#10; &#xd;
    &#9; &#8490; &#304; &#128; &#150; &#x1F600; &#128512; &amp;#115;low &amp;lt;b&amp;gt; &#38;#115;
    &hellip; &mdash; &shy; &zwj; &Alpha;&Omega; run&nbsp;slow run&#32;slow run&#160;slow""".split()

MARKUP = ["<,", "<<,", "< ", "<1", "<!,", "<!- ", "<!x>", "<![CDATA[slow]]>", "<br>", "<br/>", "<BR />",
          "<hr>", "<img src=\"a>b\" alt='slow'>", "<img src=a/>", "<i/>", "<code/>", "<pre/>", "<div/>",
          "<script/>", "<style/>", "<!-- slow -->", "<!-- > -- > -->", "<!---->", "<!-- slow --!>",
          "<!-- a -- b --->", "<!-->slow-->", "<!--->slow-->", "<?php slow ?>", "<?x>",
          "<script>if (a < b) slow();</script>", "<SCRIPT>\"</p>\" slow</sCripT>",
          "<script>slow</scripts> slow</script>", "<script>slow</scrip></script>",
          "<style>p > i { slow }</style >", "<!-- \n -->", "\t", "\n", "\r", " ", ";", "]]>", "/>", ">"]

ATTRIBUTES = ["", " a", " a=b", " a=\"b>c\"", " a='>'", " a = \"x>y\"", " a=b\"c", " a=\"b\"c='d>'",
              " title=\"slow\"", " x:y=1", " a=&quot;", " a=\n\">\"", " \"", " \"a", " =", " =a", " =\"",
              " a==", " $=\"", " 1=\"", " / a=\">\"", "\n", "\ta\n=\nb", " a=b/c", " class='x y' "]

INLINE = ["b", "i", "em", "strong", "code", "kbd", "a", "span", "foo", "o:b", "x-y", "abcdefghijklmnop"]
BLOCK = ["div", "blockquote", "pre", "DIV", "Pre", "section", "figure"]


def text(source):
    pieces = []
    for _ in range(source.randint(1, 8)):
        kind = source.random()
        if kind < 0.6:
            pieces.append(source.choice(WORDS))
            pieces.append(source.choice([" ", " ", " ", "", ", ", "\n", "-"]))
        elif kind < 0.8:
            pieces.append(source.choice(REFERENCES))
        else:
            pieces.append(source.choice(MARKUP))
    return "".join(pieces)


def element(source, names, content):
    name = source.choice(names)
    return f"<{name}{source.choice(ATTRIBUTES)}>{content}</{name}>"


def inline(source, depth):
    content = text(source)
    if depth > 0 and source.random() < 0.4:
        content += inline(source, depth - 1) + text(source)
    # an <a> in an <a> ends the outer one
    names = INLINE if depth == 2 else [name for name in INLINE if name != "a"]
    return element(source, names, content)


def block(source, depth):
    pieces = []
    for _ in range(source.randint(1, 4)):
        kind = source.random()
        if kind < 0.4:
            pieces.append(text(source))
        elif kind < 0.8 or depth == 0:
            pieces.append(inline(source, 2))
        else:
            pieces.append(block(source, depth - 1))
    return element(source, BLOCK, "".join(pieces))


def row(number, title, body):
    quote = {'"': "&quot;", "\n": "&#xA;", "\r": "&#xD;", "\t": "&#x9;"}
    return (f'  <row Id="{number}" PostTypeId="1" CreationDate="2019-01-01T00:00:00.000" Score="0"'
            f' Body="{escape(body, quote)}" Title="{escape(title, quote)}" Tags="&lt;keras&gt;" />')


def main():
    source = random.Random(SEED)
    print('<?xml version="1.0" encoding="utf-8"?>\n<posts>')
    number = 0
    singles = [*REFERENCES, *MARKUP, *(f"<i{a}>x</i>" for a in ATTRIBUTES)]
    for piece in singles:
        number += 1
        body = f"<div>slow run{piece}slow memory {piece} leak {piece}hangs{piece}</div>"
        print(row(number, f"memory {piece} leak", body))
    for number in range(1000, 4000):
        print(row(number, text(source), "<div>w " + block(source, 2) + text(source) + "</div>"))
    print("</posts>")


if __name__ == "__main__":
    main()
