# shellcheck shell=bash
# Python environments for tests, read with `.`. They are kept in $TEST_CACHE, outside of the build, so that they are
# made once for all copies of the project.

# python_with REQUIREMENT…: sets $venv to an environment that has these packages, from PyPI; fails where they cannot be
# had, and the last line of the file said tells why.
python_with() {
    local key
    key=$(printf '%s\n' "$(python3 -VV)" "$(command -v python3)" "$@" | sha256sum | cut -c 1-16)
    venv=$TEST_CACHE/venv-$key
    mkdir -p "$TEST_CACHE" 2>/dev/null && [ -w "$TEST_CACHE" ] || venv=$PWD/venv-$key
    {
        flock 9 # another run may be making it
        [ -e "$venv/installed" ] || {
            rm -rf "$venv" && python3 -m venv "$venv" &&
                timeout 500 "$venv/bin/python" -m pip install -q "$@" && touch "$venv/installed"
        }
    } 9>"$venv.lock" >said 2>&1
}
