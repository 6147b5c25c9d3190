#!/bin/bash
# The API server that other tests fetch from obeys what is known of the real API, rule by rule.
set -eu

exec /usr/bin/python3 -B "$ROOT/tests/api/check_server.py" "$@"
