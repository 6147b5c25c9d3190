# shellcheck shell=bash
# npm_packages: $NODE_MODULES has what tests/browser/package-lock.json names, checksum and all; nothing of it is
# run by npm. Skips the test where npm or a registry is missing.
npm_packages() {
    local kept=${XDG_CACHE_HOME:-$HOME/.cache}/ppmine/browser-tests
    NODE_MODULES=$kept/node_modules
    export NODE_MODULES
    mkdir -p "$kept"
    exec 8>"$kept/lock"
    flock 8
    if ! cmp -s "$ROOT/tests/browser/package-lock.json" "$kept/package-lock.json"; then
        command -v npm >/dev/null || { echo "no npm"; exit 77; }
        cp "$ROOT"/tests/browser/package.json "$ROOT"/tests/browser/.npmrc "$kept"
        cp "$ROOT/tests/browser/package-lock.json" "$kept/package-lock.json"
        if ! (cd "$kept" && timeout 120 npm ci --ignore-scripts --loglevel=error) >"$kept/npm.log" 2>&1; then
            rm -f "$kept/package-lock.json"
            echo "npm cannot fetch: $(tail -1 "$kept/npm.log")"
            exit 77
        fi
    fi
    exec 8>&-
}
