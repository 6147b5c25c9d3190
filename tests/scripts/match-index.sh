#!/bin/bash
# The full-text index, which match makes from the stems of its threads, is the one that the SQL function stem() gives
# to FTS5: each word at each place, sizes, ranks and totals. And what match --keywords answers from it is
# what reading all posts gives, and what --replace then does; for keyword sets of all forms, drawn at random.
set -eu

python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1
fail() {
    echo "$*"
    exit 1
}

cat >posts.py <<'PY'
import random, sys
from xml.sax.saxutils import quoteattr
r = random.Random(int(sys.argv[1]))
n_posts, n_common = int(sys.argv[2]), 60
common = ["slow", "slower", "slowly", "faster", "train", "training", "memory", "leak", "gpu", "cpu", "run",
          "r-cnn", "per", "second", "out", "of", "take", "takes", "long", "na\u00efve", "\u738b", "Stra\u00dfe", "I"]
rare = ["w%dx" % i for i in range(int(sys.argv[3]))] + ["%s%d" % ("x" * n, i) for n in range(11, 17) for i in range(90)]
def word():
    return r.choice(common) if r.random() < .4 else r.choice(rare) if r.random() < .9 else str(r.randrange(10**6))
def body(n):
    out = []
    for _ in range(n):
        out.append(word())
        out.append(r.choice([" "] * 12 + [", ", "<br>", "</p><p>", "<b>", "\n", "<pre>x = slow</pre>"]))
    return "<p>" + "".join(out) + "</p>"
print("<posts>")
ids = sorted(r.sample(range(1, 2**r.choice([14, 31, 45])), n_posts))
for i, post in enumerate(ids):
    size = int(sys.argv[4]) if i == n_posts // 2 else r.choice([0, 1, 5, 50, 300])
    text = body(size) if size else r.choice(["", "<pre>only code</pre>"])
    if i == 7:
        text += "<p>" + "a" * 40000 + " " + "b" * 33000 + " slow</p>"
    if r.random() < .5:
        print('<row Id="%d" PostTypeId="1" CreationDate="2020-01-01T00:00:00.000" Title=%s Tags="&lt;keras&gt;" Body=%s />'
              % (post, quoteattr(" ".join(word() for _ in range(r.randint(0, 8)))), quoteattr(text)))
    else:
        print('<row Id="%d" PostTypeId="%d" ParentId="%d" CreationDate="2020-01-01T00:00:00.000" Body=%s />'
              % (post, r.choice([2, 2, 2, 4]), ids[0], quoteattr(text)))
print("</posts>")
PY

# What FTS5 makes of the stems, beside what match made.
cat >compare.sql <<'SQL'
.load ./ppmine
INSERT INTO post_search (post_search) VALUES ('integrity-check');
CREATE VIRTUAL TABLE reference USING fts5 (title, body, content = '', tokenize = 'ascii');
INSERT INTO reference (rowid, title, body) SELECT post_id, stem(title), stem(body) FROM post_text;
INSERT INTO reference (reference) VALUES ('optimize');
CREATE VIRTUAL TABLE temp.made_words USING fts5vocab (main, post_search, instance);
CREATE VIRTUAL TABLE temp.reference_words USING fts5vocab (main, reference, instance);
SELECT 'words', (SELECT count(*) FROM made_words) > 1000,
    (SELECT count(*) FROM (SELECT * FROM made_words EXCEPT SELECT * FROM reference_words)),
    (SELECT count(*) FROM (SELECT * FROM reference_words EXCEPT SELECT * FROM made_words)),
    (SELECT count(*) FROM made_words) - (SELECT count(*) FROM reference_words);
SELECT 'sizes', count(*) FROM (SELECT * FROM post_search_docsize EXCEPT SELECT * FROM reference_docsize);
SELECT 'posts', (SELECT count(*) FROM post_search_docsize) - (SELECT count(*) FROM post_text);
SELECT 'totals', (SELECT block FROM post_search_data WHERE id = 1) = (SELECT block FROM reference_data WHERE id = 1);
SELECT 'ranks', count(*) FROM (
    SELECT rowid, rank FROM post_search WHERE post_search MATCH 'slow OR memori' EXCEPT
    SELECT rowid, rank FROM reference WHERE reference MATCH 'slow OR memori');
SELECT 'phrase', count(*) FROM (
    SELECT rowid FROM post_search WHERE post_search MATCH '"out of" AND train' EXCEPT
    SELECT rowid FROM reference WHERE reference MATCH '"out of" AND train');
SELECT 'backwards', (SELECT group_concat(rowid) FROM (SELECT rowid FROM post_search WHERE post_search MATCH 'slow' ORDER BY rowid DESC)) =
    (SELECT group_concat(rowid) FROM (SELECT rowid FROM reference WHERE reference MATCH 'slow' ORDER BY rowid DESC));
SQL
cat >expected <<'END'
words|1|0|0|0
sizes|0
posts|0
totals|1
ranks|0
phrase|0
backwards|1
END
ln -s "$ROOT/build/ppmine.so" ppmine.so
make_database() { # SEED POSTS RARE-WORDS WORDS-OF-ONE-POST: made.db
    $python posts.py "$@" >Posts.xml
    rm -f made.db
    ppmine -q -d made.db init
    ppmine -q -d made.db load --all-tags Posts.xml
    ppmine -q -d made.db match >matched
}
for seed in 1 2 3; do
    make_database $seed $((seed * 700)) $((seed * 20000)) 200000
    cp made.db compared.db
    sqlite3 compared.db <compare.sql >said 2>&1 || fail "seed $seed: $(cat said)"
    diff expected said || fail "seed $seed: the index is not what FTS5 makes"
    # FTS5 goes on with it as with its own.
    sqlite3 compared.db "INSERT INTO post_search (rowid, title, body) VALUES (1 << 50, 'slow', 'new word');
        INSERT INTO post_search (post_search) VALUES ('optimize');
        INSERT INTO post_search (post_search) VALUES ('integrity-check');
        SELECT count(*) FROM post_search WHERE post_search MATCH 'new'" >said
    [ "$(cat said)" = 1 ] || fail "seed $seed: FTS5 cannot write the index: $(cat said)"
done

cat >keywords.py <<'PY'
import random, sys
r = random.Random(int(sys.argv[1]))
words = ["slow", "slower", "slowly", "faster", "train", "memory", "leak", "gpu", "cpu", "run", "r-cnn", "per", "second",
         "out", "of", "takes", "long", "na\u00efve", "\u738b", "w1x", "w2x", "w3x", "nowhere", "cnn", "7"]
def words_of(n):
    out = []
    for i in range(n):
        if i and r.random() < .2:
            out.append("*" + r.choice(["", "2", "3"]))
        out.append("|".join(r.sample(words, r.choice([1, 1, 1, 2, 3]))))
    return " ".join(out)
lines = set()
for _ in range(r.randint(1, 12)):
    field = r.choice(["", "", "", "title: ", "body: "])
    lines.add(field + words_of(r.choice([1, 1, 2, 2, 3])))
for _ in range(r.choice([0, 0, 1, 3])):
    lines.add("! " + " ".join(r.sample(words, r.randint(1, 3))))
print("\n".join(sorted(lines)))
PY
# Each set reads all posts three times: fewer and shorter ones.
make_database 4 700 20000 5000
n=0
for seed in $(seq 1 30); do
    $python keywords.py "$seed" >set.txt
    options=$([ $((seed % 5)) -gt 0 ] || echo --verbatim)
    if ! ppmine -v -d made.db match --keywords set.txt $options --format json >index.json 2>err; then
        grep -q 'set.txt:' err || fail "seed $seed: $(cat err)" # no such set
        continue
    fi
    n=$((n + 1))
    grep -q 'answered from the full-text index' err || fail "seed $seed: the posts were read"
    cp made.db copy.db
    sqlite3 copy.db "INSERT INTO run (command, tool_version, parameters, started_at) VALUES ('load', '', '{}', '')"
    ppmine -v -d copy.db match --keywords set.txt $options --format json >read.json 2>err
    ! grep -q 'answered from' err || fail 'posts may have come since the last match, and the index was asked'
    cmp index.json read.json || fail "seed $seed: the index says something else than the posts: $(cat set.txt)"
    ppmine -q -d copy.db match --keywords set.txt --replace $options >matched
    sqlite3 copy.db "ATTACH 'made.db' AS was;
        SELECT post_id, 'gained' FROM candidate_post WHERE post_id NOT IN (SELECT post_id FROM was.candidate_post) UNION
        SELECT post_id, 'lost' FROM was.candidate_post WHERE post_id NOT IN (SELECT post_id FROM main.candidate_post)
        ORDER BY 1" >replaced
    jq -r '.[] | select(.id == "trial-posts") | .rows[] | "\(.post_id)|\(.change)"' index.json >tried
    cmp replaced tried || fail "seed $seed: --replace does something else: $(cat set.txt)"
done
[ "$n" -gt 20 ] || fail "only $n sets were tried"
# Code is in no index that was made without it.
ppmine -v -d made.db match --keywords set.txt --include-code --format json 2>err >/dev/null
! grep -q 'answered from' err || fail 'the index knows nothing of code'
