# shellcheck shell=bash
# A study of 40 posts with facets of all kinds, one of 60 codes; read with `.`.

# facets_database FILE
facets_database() {
    mkdir -p facets-study
    printf 'name = slow\ntags = python\n' >facets-study/study.ini
    printf 'slow\n' >facets-study/keywords.txt
    cat >facets-study/facets.csv <<'END'
facet,title,about,kind,most,required,asks
relevance,,post,yes/no,,,is it about slowness?
cause,Cause of it,problem,multiple,3,yes,what made it slow?
hours,Hours lost,problem,number,,no,how long did they look?
regression,,problem,yes/no,,no,was it fast before?
place,,problem,codes,1,no,
words,,problem,text,,no,the words that say so
END
    {
        echo 'facet,category,code,short_name,definition,aliases'
        printf 'cause,,%s,,,\n' disk cpu memory network "a lock that other threads of the program hold for too long"
        printf 'cause,,cause number %s,,,\n' {06..60}
        printf 'place,,%s,,,\n' loop start end
    } >facets-study/codebook.csv
    python3 - >facets.xml <<'PYTHON'
print("<posts>")
for i in range(1, 41):
    print(f'<row Id="{i}" PostTypeId="1" CreationDate="2019-01-01T00:00:00.000" Score="1" Title="Case {i} is slow"'
          f' Tags="&lt;python&gt;" Body="&lt;p&gt;It is slow, case {i}.&lt;/p&gt;" />')
print('<row Id="101" PostTypeId="2" ParentId="1" CreationDate="2019-01-02T00:00:00.000" Score="1"'
      ' Body="&lt;p&gt;The disk spins down.&lt;/p&gt;" />')
print("</posts>")
PYTHON
    ppmine -q -d "$1" init --study facets-study
    ppmine -q -d "$1" load facets.xml
    ppmine -q -d "$1" match >/dev/null
}
