"""A browser for tests: Debian's Chromium, driven through chromedriver's WebDriver protocol."""
import json
import os
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def is_there():
    return shutil.which("chromium") is not None and shutil.which("chromedriver") is not None


class Browser:
    """Headless; all it asks the network for must be on loopback: everything else fails to resolve."""

    def __init__(self, script=True, width=1280, height=900):
        self.folder = tempfile.mkdtemp(prefix="ppmine-browser-", dir=os.environ.get("TEST_WORK"))
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if "successfully on port" in line:
                self.port = int(line.split("on port")[1].strip(" .\n"))
                break
        options = {
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--user-data-dir={self.folder}", f"--window-size={width},{height}",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
            "prefs": {} if script else {"profile.managed_default_content_settings.javascript": 2},
        }
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = "/session/" + made["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(20)
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"]) from None

    def go(self, address):
        self.call("POST", self.session + "/url", {"url": address})

    def address(self):
        return self.call("GET", self.session + "/url")

    def script(self, text, *args):
        return self.call("POST", self.session + "/execute/sync", {"script": text, "args": list(args)})

    def script_async(self, text, *args):
        """A script that calls its last argument when it is done."""
        return self.call("POST", self.session + "/execute/async", {"script": text, "args": list(args)})

    def cdp(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self.call("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def cookies(self):
        return self.call("GET", self.session + "/cookie")

    def find(self, css):
        return self.call("POST", self.session + "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.call("POST", f"{self.session}/element/{self.find(css)}/click")

    def write(self, css, text):
        self.call("POST", f"{self.session}/element/{self.find(css)}/value", {"text": text})

    def press(self, *keys):
        """Keys, one after the other, each down and up, wherever the focus is."""
        self.call("POST", self.session + "/actions", {"actions": [{
            "type": "key", "id": "keyboard",
            "actions": [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]}]})

    def wait(self, text, *args, seconds=20):
        """Until a script gives something true. The page itself looks again, which is cheaper than to ask it each time."""
        import time
        again = f"""const end = performance.now() + 2000, args = arguments, now = function () {{ {text} }};
            return new Promise((done) => (function look() {{
                let value = null;
                try {{ value = now.apply(null, args); }} catch {{ }}
                if (value || performance.now() > end) done(value); else setTimeout(look, 20);
            }})());"""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = self.script(again, *args)
            except AssertionError:  # between two pages
                value = None
                time.sleep(0.02)
            if value:
                return value
        raise AssertionError(f"never true: {text} at {self.address()}")

    def complaints(self):
        """What the console says: errors, and what the content security policy refused."""
        return [entry["message"] for entry in
                self.call("POST", self.session + "/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses that the pages asked for since the last call."""
        found = []
        for entry in self.call("POST", self.session + "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def screenshot(self, path):
        import base64
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))
