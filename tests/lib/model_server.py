#!/usr/bin/env python3
"""A language model's server with faults, for tests: model_server.py PLAN PORTFILE LOG

PLAN is JSON: a title, or a part of it, to what each request about its post gets, in turn; the last for all further ones:
    "good" [yes with the first code of each facet and a quote], "no", "unsure", "prose", "unknown", "invented", "twice",
    "many", "code-of-no", "extra", "cut", "empty", "not-json", "length", "429", "500", "401", "drop", "other-model",
    "pause" [a moment, then "good"], "key", "two" [problems], "two-one-empty", "other-code" [the second of each facet],
    "key-escaped" [as JSON may write it], "twice-said" [two lists of answers], "endless" [tokens], "wait" [for a file `go`],
    "range" [a number that is too large], "number" [as a text], "silent" [says no tokens]
What is sent goes to LOG, a JSON line each.
"""
import http.server
import json
import os
import sys
import time

plan_path, port_path, log_path = sys.argv[1:]
turns = {}


def item(value, name, quote):
    return {name: value, "quote": quote, "reason": "it is said"}


def labels(request, fault):
    post = request["messages"][1]["content"].split("The post, between")[1]
    properties = request["response_format"]["json_schema"]["schema"]["properties"]["problems"]["items"]["properties"]
    quote = post.split("=====")[1].strip().splitlines()[0].removeprefix("Title: ")
    answer, problem = {"judgement": "yes", "why": "the post says so", "problems": []}, {}
    for name, value in properties.items():
        of = value["items"]["properties"]
        if "value" in of:
            given = {"number": 2.50, "string": of["value"].get("enum", ["a text"])[0]}[of["value"]["type"]]
            if fault == "range" and of["value"]["type"] == "number":
                given = of["value"]["maximum"] + 1
            if fault == "number" and of["value"]["type"] == "number":
                given = "2.5"
            problem[name] = [item(given, "value", quote)]
            continue
        codes = of["code"]["enum"]
        problem[name] = [item(codes[1 if fault == "other-code" else 0], "code", quote)]
        if fault == "unknown":
            problem[name][0]["code"] = codes[0] + "s"
        if fault == "invented":
            problem[name][0]["quote"] = "words that nobody wrote"
        if fault == "twice":
            problem[name].append(dict(problem[name][0]))
        if fault == "many":
            problem[name] = [item(c, "code", quote) for c in codes[:value["maxItems"] + 1]]
    if fault not in ("no", "unsure"):
        answer["problems"].append(problem)
    if fault in ("two", "two-one-empty"):
        second = {name: [dict(v[0])] for name, v in problem.items()}
        for name, value in second.items():
            if "code" in value[0]:
                value[0]["code"] = properties[name]["items"]["properties"]["code"]["enum"][1]
        answer["problems"].append({name: [] for name in second} if fault == "two-one-empty" else second)
    if fault in ("no", "unsure"):
        answer["judgement"] = fault
    if fault == "code-of-no":
        answer["judgement"] = "no"
    if fault == "extra":
        problem["new code"] = []
    return answer


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def send(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"]))
        request = json.loads(text)
        with open(plan_path, encoding="utf-8") as file:
            plan = json.load(file)
        post = request["messages"][1]["content"]
        title = next(title for title in plan if title in post.split("The post, between")[1])
        turn = turns[title] = turns.get(title, 0) + 1
        fault = plan[title][min(turn, len(plan[title])) - 1]
        with open(log_path, "a", encoding="utf-8") as log:
            print(json.dumps({"path": self.path, "title": title, "fault": fault, "request": request,
                              "authorization": self.headers["Authorization"]}), file=log)
        if fault in ("429", "500", "401"):
            self.send(int(fault), b'{"error": "no"}', [("Retry-After", "1")] if fault == "429" else [])
            return
        if fault == "key":
            self.send(401, b"wrong key: " + self.headers["Authorization"].encode())
            return
        if fault == "drop":
            self.close_connection = True
            self.connection.close()
            return
        if fault == "pause":
            time.sleep(0.03)
        if fault == "wait":
            open("waits", "w").close()
            while not os.path.exists("go"):
                time.sleep(0.01)
        content = json.dumps(labels(request, fault))
        if fault == "key-escaped":
            key = "".join(f"\\u{ord(c):04x}" for c in self.headers["Authorization"])
            content = content.replace("the post says so", key).replace("it is said", key)
        if fault == "prose":
            content = "Here you are:\n```json\n" + content + "\n```"
        if fault == "cut":
            content = content[:len(content) // 2]
        answer = {"model": "other-2" if fault == "other-model" else "fake-1",
                  "choices": [{"finish_reason": "length" if fault == "length" else "stop",
                               "message": {"role": "assistant", "content": content}}],
                  "usage": {"prompt_tokens": 100, "completion_tokens": 20}}
        if fault == "silent":
            del answer["usage"]
        if fault == "endless":
            answer["usage"] = {"prompt_tokens": 2**63 - 1, "completion_tokens": 2**63 - 1}
        if fault == "empty":
            answer["choices"] = []
        text = json.dumps(answer).encode()
        if fault == "twice-said":
            text = b'{"choices": [], ' + text[1:]
        self.send(200, b"\xff\x00 no json" if fault == "not-json" else text)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a program that was killed does not read its answer


server = Server(("127.0.0.1", 0), Handler)
with open(port_path + ".new", "w", encoding="utf-8") as file:
    print(server.server_address[1], file=file)
os.rename(port_path + ".new", port_path)
server.serve_forever()
