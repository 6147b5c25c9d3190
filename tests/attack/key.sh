#!/bin/bash
# The key of the API reaches no program that ppmine starts.
set -eu
. "$ROOT/tests/lib/dump.sh"

mkdir bin
for name in 7z 7zz 7za 7zr gnuplot; do
    printf '#!/bin/sh\nenv >>"%s/inherited"\nexit 2\n' "$PWD" >"bin/$name"
    chmod +x "bin/$name"
done
export PPMINE_API_KEY=secretkeyofsomebody PPMINE_API_TOKEN=secrettokenofsomebody
"$PPMINE" -q -d a.db init --published
printf '7z\274\257\047\034\0\4aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' >a.7z
PATH=$PWD/bin:$PATH "$PPMINE" -q -d a.db load a.7z 2>said || :
PATH=$PWD/bin:$PATH "$PPMINE" -q -d a.db stats --plot plots 2>>said || :
[ -s inherited ] || fail "no program was started: a weak test: $(cat said)"
! grep -e secretkey -e secrettoken inherited || fail "the key was inherited"

# A server that repeats the URL it was asked, in whatever form, tells no secret.
cat >server.py <<'END'
import http.server, json, sys, urllib.parse

class Echo(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        key = query["key"][0]
        forms = [key, urllib.parse.quote(key, safe=""), "".join("%%%02x" % ord(c) for c in key),
                 "".join("%%25%02X" % ord(c) for c in key), self.path]
        body = json.dumps({"error_id": 400, "error_name": forms[int(sys.argv[1])],
                           "error_message": "asked " + " ".join(forms)}).encode()
        self.send_response(400)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        with open("requests", "a") as f:
            f.write(self.path + "\n")

server = http.server.HTTPServer(("127.0.0.1", 0), Echo)
with open("port.new", "w") as f:
    f.write(str(server.server_port))
import os
os.rename("port.new", "port")
server.serve_forever()
END
echo 1 >ids
export PPMINE_API_KEY='s3cr+t/k3y((of=so' no_proxy='*'
for form in 0 1 2 3 4; do
    rm -f port
    python3 server.py "$form" &
    server=$!
    for ((n = 0; n < 600; n++)); do [ -s port ] && break; sleep 0.05; done
    rc=0
    "$PPMINE" -d a.db fetch --api-url "http://127.0.0.1:$(cat port)/2.3" --key-in-query --ids ids 2>said || rc=$?
    kill "$server"
    wait "$server" || :
    [ "$rc" -eq 3 ] && grep -q 'error 400' said || fail "form $form: exit code $rc: $(cat said)"
    grep -q '\*\*\*\*\*\*' said || fail "form $form: a weak test: $(cat said)"
    ! grep -qi -e 's3cr' -e '%73%33' -e '%2573' said || fail "form $form: a secret is told: $(cat said)"
done
