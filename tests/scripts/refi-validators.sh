#!/bin/bash
# Projects and codebooks of REFI-QDA are read by pyrefiqda, from PyPI, whose classes follow from the schema, and fit the
# schema itself where REFI_XSD names a copy of it; both refuse them once damaged.
set -eu
. "$ROOT/tests/lib/python.sh"
. "$ROOT/tests/lib/facets.sh"
python_with pyrefiqda==0.3.1 || { echo "pyrefiqda cannot be had: $(tail -1 said)" && exit 77; }

ppmine -q init --published
ppmine -q export --qdpx published.qdpx
ppmine -q export --qdc published.qdc
facets_database own.db
ppmine -q -d own.db label set 1 --coder ann --relevance yes --cause disk --hours 2.5 --note 'a note' --reason 'it says “slow”'
ppmine -q -d own.db codebook memo disk 'of a code' --by ann
ppmine -q -d own.db codebook memo --study 'of the study' --by ann
ppmine -q -d own.db export --qdpx own.qdpx --with-notes --with-memos
REFI_XSD=${REFI_XSD-} "$venv/bin/python" -B - <<'PYTHON'
import os
import zipfile

from lxml import etree
from pyrefiqda.models import CodeBook, Project
from xsdata.exceptions import ParserError
from xsdata.formats.dataclass.parsers.config import ParserConfig
from xsdata_pydantic.bindings import XmlParser

strict = XmlParser(config=ParserConfig(fail_on_unknown_properties=True, fail_on_unknown_attributes=True,
                                       fail_on_converter_warnings=True))
schema = etree.XMLSchema(etree.parse(os.environ["REFI_XSD"])) if os.environ["REFI_XSD"] else None


def holds(content, kind):
    try:
        strict.from_bytes(content, kind)
    except (ParserError, ValueError) as error:
        return False, error
    return schema is None or kind is not Project or schema.validate(etree.fromstring(content)), schema and schema.error_log


def depth(codes):
    return max((1 + depth(code.code) for code in codes), default=0)


for name in ("published", "own"):
    content = zipfile.ZipFile(f"{name}.qdpx").read("project.qde")
    fine, why = holds(content, Project)
    assert fine, why
    for old, new in ((b'startPosition="', b'startPosition="x'), (b"<Users>", b"<People>"), (b'isCodable="', b'codable="')):
        if old in content:
            damaged = content.replace(old, new, 1).replace(b"</Users>", new.replace(b"<", b"</") if old == b"<Users>" else b"</Users>")
            assert not holds(damaged, Project)[0], new
book = strict.from_bytes(open("published.qdc", "rb").read(), CodeBook)
assert len(book.codes.code) == 5 and depth(book.codes.code) == 3
PYTHON
