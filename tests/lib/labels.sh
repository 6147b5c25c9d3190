# shellcheck shell=bash
# Words for the tests of label merge and label resolve, read with `.`.

# decide DATABASE CODER SUBJECT FACET VALUE TIME [REASON]: a row of decision, written without ppmine;
# TIME is a day and what follows, or a day. The tables that follow from it stay as they are until a
# merge makes them anew.
decide() {
    python3 - "$@" <<'PYTHON'
import hashlib, json, sqlite3, sys
database, coder, subject, facet, value, at, *reason = sys.argv[1:]
at = at if "T" in at else at + "T00:00:00.000Z"
text = json.dumps([coder, subject, facet, json.loads(value), at], ensure_ascii=False,
                  separators=(",", ":"))
connection = sqlite3.connect(database)
connection.execute("INSERT OR IGNORE INTO coder VALUES (?, ?)", (coder, coder == "merged"))
connection.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, NULL, ?, NULL)",
                   (hashlib.sha256(text.encode()).hexdigest(), at, coder, subject,
                    int(subject.split("_")[0]), facet,
                    json.dumps(json.loads(value), ensure_ascii=False, separators=(",", ":")),
                    reason[0] if reason else None))
connection.commit()
connection.close()
PYTHON
}

# small_study DATABASE: with codes and a guide, and no posts
small_study() {
    mkdir -p small
    printf 'name = small\ntags = a\n' >small/study.ini
    echo slow >small/keywords.txt
    cat >small/codebook.csv <<'CSV'
facet,category,code,short_name,definition,aliases
symptom,Time,slow,,,
symptom,Time,hang,,,freeze
symptom,Memory,leak,,,
root cause,API,misuse,,,
root cause,API,bug,,,
stage,,training,,,
stage,,testing,,,
CSV
    cat >small/disambiguation.csv <<'CSV'
facet,code,versus,rule
symptom,hang,slow,does it end within a day?
stage,training,testing,is anything learnt?
CSV
    ppmine -q -d "$1" init --study small
}

# made_anew DATABASE: judgement, label and problem follow from the decisions again
made_anew() {
    ppmine -q -d "$1" label merge "$1" >/dev/null
}
