#!/usr/bin/env python3
"""Time of `ppmine fetch` against the time in which curl downloads the same pages.

    bench/fetch/run.py [--questions N] [--runs N] [--warm] [--json FILE]

A test server on this machine (tests/api) holds the questions, all of which have one of three tags.
Both ask it for the same URLs, one after the other over one connection, compressed; ppmine without its
limit of requests per second, which nobody but a local server would bear. curl throws the pages away;
ppmine reads them, keeps them compressed, and stores posts, comments and authors. Runs alternate, so
that a busy machine is unkind to both; the least time of each counts. Each run has a server that was
just started and makes its pages; --warm: one that has them ready, so that curl only copies bytes.
"""
import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PPMINE = os.path.join(ROOT, 'build', 'ppmine')
TAGS = ('python', 'tensorflow', 'keras')


class Server:
    """A test server, while a `with` lasts; gives the URL of its API."""

    def __init__(self, folder, questions):
        self.port_file = os.path.join(folder, 'port')
        self.questions = questions

    def __enter__(self):
        if os.path.exists(self.port_file):
            os.unlink(self.port_file)
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, 'tests', 'api', 'server.py'),
             '--port-file', self.port_file, '--generate', str(self.questions),
             '--quota', '1000000000', '--rate', '1000000000', '--burst', '1000000000',
             '--latency', '0'])
        while not os.path.exists(self.port_file):
            if self.process.poll() is not None:
                sys.exit('the server does not start')
            time.sleep(0.1)
        with open(self.port_file, encoding='ascii') as file:
            return f'http://127.0.0.1:{int(file.read())}/2.3'

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def timed(command, **how):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    subprocess.run(command, check=True, **how)
    seconds = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fetch(folder, url):
    db = os.path.join(folder, 'bench.db')
    for ending in ('', '-wal', '-shm', '-fetch-lock'):
        if os.path.exists(db + ending):
            os.unlink(db + ending)
    subprocess.run([PPMINE, '-q', '-d', db, 'init'], check=True)
    command = [PPMINE, '-q', '-d', db, 'fetch', '--api-url', url, '--rate', '0', '--to', '2029-12-31']
    for tag in TAGS:
        command += ['--tag', tag]
    return timed(command), db


def curl(folder, requests, url):
    """A command that asks for the same pages. The filter is made first, as in a crawl."""
    path = os.path.join(folder, 'curl.conf')
    with open(path, 'w', encoding='utf-8') as file:
        for request in requests:
            quoted = (url + request).replace('\\', '\\\\').replace('"', '\\"')
            file.write(f'url = "{quoted}"\noutput = "/dev/null"\n')
    return ['curl', '-sS', '--noproxy', '*', '--globoff', '--compressed', '-K', path]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--questions', type=int, default=20000)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--warm', action='store_true')
    parser.add_argument('--json')
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with Server(folder, args.questions) as url:
            _, db = fetch(folder, url)
        connection = sqlite3.connect(db)
        posts = dict(connection.execute('SELECT post_type, count(*) FROM post GROUP BY 1'))
        requests = [r for r, in connection.execute('SELECT request FROM api_answer ORDER BY answer_id')]
        connection.close()
        times = {'curl': [], 'ppmine': []}
        for _ in range(args.runs):
            with Server(folder, args.questions) as url:
                if args.warm:
                    fetch(folder, url)
                times['curl'].append(timed(curl(folder, requests, url)))
            with Server(folder, args.questions) as url:
                if args.warm:
                    fetch(folder, url)
                times['ppmine'].append(fetch(folder, url)[0])
    pages = len(requests)
    least = {name: min(run) for name, run in times.items()}
    ratio = least['ppmine'][0] / least['curl'][0]
    print(f'{posts.get("question", 0)} questions, {posts.get("answer", 0)} answers, {pages} pages')
    for name, (seconds, cpu) in least.items():
        print(f'{name:8} {seconds:7.2f} s, of the processor {cpu:.2f} s')
    print(f'ratio    {ratio:7.2f}')
    if args.json:
        with open(args.json, 'w', encoding='utf-8') as file:
            json.dump({'posts': posts, 'pages': pages, 'times': times, 'ratio': ratio}, file)


if __name__ == '__main__':
    main()
