"""A server of the pages, and requests to it, for the tests of serve."""
import copy
import http.client
import json
import os
import re
import subprocess
import urllib.parse


def hyphens(headers):
    return {name.replace("_", "-"): value for name, value in headers.items()}


class Server:
    """ppmine serve on a free port; the launch link is exchanged for the cookie."""

    def __init__(self, database, coder, *options, launch=True):
        self.process = subprocess.Popen(
            [os.environ.get("PPMINE", "ppmine"), "-d", database, "serve",
             *(["--coder", coder] if coder else []), "--port", "0", "--no-browser", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.link = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.link)
        self.host, self.port, self.launch_path = parts.netloc, parts.port, self.link.split(parts.netloc)[1]
        self.cookie = None
        if launch and coder:
            self.enter(self.launch_path)

    def enter(self, launch_path):
        """Exchanges a launch link for the cookie."""
        answer = self.get(launch_path)
        assert answer.status == 200, answer.text
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def visitor(self, launch_path=None):
        """The same server, seen by somebody else."""
        other = copy.copy(self)
        other.cookie = None
        if launch_path:
            other.enter(launch_path)
        return other

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, kill=False):
        (self.process.kill if kill else self.process.terminate)()
        self.process.wait(20)
        self.process.stdout.close()

    def request(self, method, path, body=None, **headers):
        headers = hyphens(headers)
        headers.setdefault("Host", self.host)
        if self.cookie:
            headers.setdefault("Cookie", self.cookie)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if body is not None:
            headers.setdefault("Content-Length", str(len(body)))
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        answer.content = answer.read()
        answer.text = answer.content.decode(errors="replace")
        connection.close()
        return answer

    def get(self, path, **headers):
        return self.request("GET", path, **headers)

    def follow(self, path):
        """GET, along redirects; the path that was reached is in .path."""
        for _ in range(5):
            answer = self.get(path)
            answer.path = path
            if answer.status != 303:
                return answer
            path = answer.headers["Location"]
        raise AssertionError("redirects without end")

    def form(self, path, fields, **headers):
        headers = hyphens(headers)
        headers.setdefault("Origin", "http://" + self.host)
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        return self.request("POST", path, urllib.parse.urlencode(fields, doseq=True).encode(), **headers)

    def api(self, path, body=None, **headers):
        if body is None:
            answer = self.get(path, **headers)
        else:
            headers = hyphens(headers)
            headers.setdefault("Origin", "http://" + self.host)
            headers.setdefault("Content-Type", "application/json")
            answer = self.request("POST", path, json.dumps(body).encode(), **headers)
        answer.json = json.loads(answer.text)
        return answer


def checked(page, name):
    """The values of the inputs of this name that the page has checked."""
    return re.findall(r'name="%s" value="([^"]*)" checked' % re.escape(name), page)
