#!/bin/bash
# The validators of Data Package, RO-Crate and Croissant, from PyPI, accept the metadata of two packages, and refuse
# them once damaged. The context of RO-Crate, which its validator would fetch, is the one that ro-crate-py brings.
set -eu
. "$ROOT/tests/lib/python.sh"
. "$ROOT/tests/lib/facets.sh"
python_with frictionless==5.21.0 roc-validator==0.13.0 rocrate mlcroissant==1.1.1 ||
    { echo "the validators cannot be had: $(tail -1 said)" && exit 77; }
bin=$venv/bin

ppmine -q init --published
ppmine -q export --open --package plain --no-plots --licence 'CC BY 4.0'
facets_database own.db
ppmine -q -d own.db label set 1 --coder ann --relevance yes --cause disk --hours 2.5 --words '=1+1; "so"'
ppmine -q -d own.db export --open --package own --no-plots

crate() { # FOLDER: a copy whose context is inline
    rm -rf crate && cp -r "$1" crate
    "$bin/python" -B - <<'PYTHON'
import json, os, rocrate
metadata = json.load(open("crate/ro-crate-metadata.json"))
metadata["@context"] = json.load(open(os.path.join(os.path.dirname(rocrate.__file__), "data/ro-crate.jsonld")))["@context"]
json.dump(metadata, open("crate/ro-crate-metadata.json", "w"))
PYTHON
    "$bin/rocrate-validator" -y validate --no-paging -v -l required crate
}
judge() { # FOLDER good|damaged
    local want=0 got
    [ "$2" = good ] || want=1
    for one in "frictionless validate $1/datapackage.json" "mlcroissant validate --jsonld $1/croissant.json" "crate $1"; do
        got=0
        case $one in crate*) crate "$1" ;; *) "$bin"/$one ;; esac >judged 2>&1 || got=1
        [ "$got" -eq "$want" ] || { echo "$one of the $2 package: exit $got" && tail -30 judged && exit 1; }
    done
}
judge plain good
judge own good
sed -i '2s/^[^,]*,/x,/; 2s/,[^,]*,/,y,/' own/data/decisions.csv # an id that is no number: its checksum is another one
sed -i 's/"cr:FileObject"/"cr:NoSuchThing"/' own/croissant.json
sed -i 's/"datePublished"/"dateOfNothing"/' own/ro-crate-metadata.json
judge own damaged
