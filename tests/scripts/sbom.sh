#!/bin/bash
# make sbom: CycloneDX as its schema wants it, with each library that the program is linked with.
set -eu
. "$ROOT/tests/lib/dump.sh"
skip_below_wrapper
need python3 readelf dpkg-query ldd

"$ROOT/scripts/sbom" "$TEST_BUILD/ppmine" >bom.json
"$ROOT/scripts/sbom" "$TEST_BUILD/ppmine" >again.json
same "two bills" bom.json again.json
# By readelf, which does not load the program, and by dpkg's list of versions.
readelf -d "$TEST_BUILD/ppmine" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >needed
dpkg-query -W -f '${Package} ${Version}\n' >installed
python3 - <<'END'
import json
bom = json.load(open("bom.json"))
parts = bom["components"]
names = {p["value"]: part for part in parts for p in part.get("properties", []) if p["name"] == "soname"}
needed = open("needed").read().split()
assert len(needed) > 10, needed
missing = [n for n in needed if n not in names]
assert not missing, f"not in the bill: {missing}"
installed = set(open("installed").read().splitlines())
for soname, part in names.items():
    assert f"{part['name']} {part['version']}" in installed, (soname, part)
    assert part["purl"].startswith(f"pkg:deb/debian/{part['name']}@"), part
for name in ("tree-sitter-python", "d3", "%40observablehq/plot"):
    assert any(p["purl"].startswith(f"pkg:npm/{name}@") for p in parts), f"no {name}"
references = {p["bom-ref"] for p in parts}
assert len(references) == len(parts), "one reference twice"
assert set(bom["dependencies"][0]["dependsOn"]) == references
END

# The schema is in a package of the CycloneDX project.
if ! python3 -m pip download -q --no-deps --no-binary :none: -d . cyclonedx-python-lib==11.12.0 >said 2>&1; then
    echo "the schema cannot be fetched: $(tail -1 said)"
    exit 77
fi
python3 - <<'END'
import copy, glob, json, zipfile
import jsonschema
archive = zipfile.ZipFile(glob.glob("cyclonedx_python_lib-*.whl")[0])
def schema(name):
    return json.loads(archive.read(f"cyclonedx/schema/_res/{name}.SNAPSHOT.schema.json"))
main = schema("bom-1.5")
base = "http://cyclonedx.org/schema/" # a name: all that it refers to is in the store
store = {f"{base}{name}.SNAPSHOT.schema.json": schema(name) for name in ("bom-1.5", "spdx", "jsf-0.82")}
validator = jsonschema.Draft7Validator(main, resolver=jsonschema.RefResolver(base, main, store=store))
bom = json.load(open("bom.json"))
errors = [f"{list(e.path)}: {e.message}" for e in validator.iter_errors(bom)]
assert not errors, errors
wrong = copy.deepcopy(bom) # the schema sees what is wrong
wrong["components"][0]["type"] = "part"
assert list(validator.iter_errors(wrong))
END
