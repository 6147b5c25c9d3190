"""A line between a browser and a server of the pages: slow, and losing answers."""
import http.client
import random
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Line:
    """Forwards to the port. Each request and each answer takes half of `latency` seconds; of answers, the share `lost`
    never arrives, though the server did what was asked."""

    def __init__(self, port, seed):
        self.port, self.latency, self.lost, self.n_lost = port, 0.0, 0.0, 0
        self.random = random.Random(seed)
        line = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                time.sleep(line.latency / 2)
                to = http.client.HTTPConnection("127.0.0.1", line.port, timeout=60)
                headers = {name: value.replace(f":{line.own}", f":{line.port}") for name, value in self.headers.items()}
                try:
                    to.request(self.command, self.path, body or None, {**headers, "Connection": "close"})
                    answer = to.getresponse()
                    content = answer.read()
                except OSError: # the server is gone
                    self.close_connection = True
                    return
                finally:
                    to.close()
                time.sleep(line.latency / 2)
                if line.random.random() < line.lost:
                    line.n_lost += 1
                    self.close_connection = True
                    return
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = forward

            def log_message(self, *_):
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_): # the browser went away
                pass

        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.own = self.server.server_port
        self.address = f"http://127.0.0.1:{self.own}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
