"""What pip calls in this folder (PEP 517), and so pre-commit: ppcheck, the checker alone, as a wheel.

$PPMINE_WHEEL names a wheel that was made elsewhere, or a folder of wheels: then nothing is compiled. Without it
it is compiled here, which needs a C compiler, make, npm, tree-sitter, jansson and libunistring.
"""
import fnmatch
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


class UnsupportedOperation(Exception):
    """The name that PEP 517 gives it."""


def version():
    with open(os.path.join(ROOT, "base/base.h"), encoding="utf-8") as file:
        return re.search(r'#define PPMINE_VERSION "(.*)"', file.read()).group(1)


def ready_wheel(place):
    """The wheel of this version for this kind of processor, at a place that the user named."""
    wanted = f"ppcheck-{version()}-py3-none-*_{os.uname().machine}.whl"
    paths = [os.path.join(place, name) for name in sorted(os.listdir(place))] if os.path.isdir(place) else [place]
    found = [path for path in paths if os.path.isfile(path) and fnmatch.fnmatchcase(os.path.basename(path), wanted)]
    if len(found) != 1:
        sys.exit(f"ppcheck: PPMINE_WHEEL={place}: {len(found)} files there are called {wanted}, and one is needed")
    return found[0]


def compile_wheel(directory):
    jobs = f"-j{os.cpu_count() or 1}"
    made = subprocess.run(["make", "-s", jobs, "-C", ROOT, "DEPS=:", "build/ppcheck"], stdout=sys.stderr, check=False)
    if made.returncode == 0:
        made = subprocess.run([os.path.join(ROOT, "scripts/wheel"), os.path.join(ROOT, "build/ppcheck"), directory],
                              stdout=subprocess.PIPE, check=False, encoding="utf-8")
    if made.returncode != 0:
        sys.exit("ppcheck: it cannot be compiled here; set PPMINE_WHEEL to a wheel that `make wheel` made, or "
                 "to a folder of them")
    return os.path.basename(made.stdout.strip())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del config_settings, metadata_directory # neither has a say
    place = os.environ.get("PPMINE_WHEEL")
    if not place:
        return compile_wheel(wheel_directory)
    return os.path.basename(shutil.copy(ready_wheel(place), wheel_directory))


def build_sdist(sdist_directory, config_settings=None):
    raise UnsupportedOperation("make dist packs the source")
