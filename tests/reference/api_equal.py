#!/usr/bin/env python3
"""Compares a database that was fetched with the state of the API server that it came from.

    api_equal.py DATABASE SERVER-URL TAG[;TAG…] [--from UNIX] [--to UNIX] [--no-refresh] [--ids FILE]

The server (tests/api) hands out everything that it has, also what is deleted. Expected in the
database: each question with one of the tags that was created in the window, its answers and
comments. Whatever else is held must be as it is on the server, too. --no-refresh: only what a crawl
alone guarantees is asked for, that no question and no answer is missing.
"""
import argparse
import datetime
import json
import sqlite3
import sys
import urllib.request


def iso(seconds):
    if seconds is None:
        return None
    when = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return when.strftime('%Y-%m-%dT%H:%M:%S.000Z')


def clean(text):
    """What no client can keep as it is: NUL and lone surrogates become U+FFFD."""
    if text is None:
        return None
    return ''.join('\ufffd' if c == '\0' or 0xd800 <= ord(c) < 0xe000 else c for c in text)


def person(item, name):
    user = item.get(name) or {}
    return user.get('user_id'), clean(user.get('display_name'))


def post_row(item, kind):
    owner, owner_name = person(item, 'owner')
    editor, editor_name = person(item, 'last_editor')
    row = {
        'post_type': kind, 'score': item['score'], 'comment_count': item['comment_count'],
        'created_at': iso(item['creation_date']), 'last_edited_at': iso(item.get('last_edit_date')),
        'last_activity_at': iso(item['last_activity_date']),
        'community_owned_at': iso(item.get('community_owned_date')),
        'content_license': item['content_license'], 'body_html': clean(item['body']),
        'owner_user_id': owner, 'owner_display_name': owner_name,
        'last_editor_user_id': editor, 'last_editor_display_name': editor_name,
        'parent_id': item['question_id'] if kind == 'answer' else None}
    if kind == 'question':
        row.update(title=clean(item['title']), tags=item['tags'], view_count=item['view_count'],
                   answer_count=item['answer_count'], favorite_count=item['favorite_count'],
                   accepted_answer_id=item.get('accepted_answer_id'),
                   closed_at=iso(item.get('closed_date')))
    return row


def comment_row(item):
    user, name = person(item, 'owner')
    return {'post_id': item['post_id'], 'user_id': user, 'user_display_name': name,
            'reply_to_user_id': (item.get('reply_to_user') or {}).get('user_id'),
            'score': item['score'], 'edited': int(item['edited']),
            'created_at': iso(item['creation_date']), 'content_license': item['content_license'],
            'body_html': clean(item['body'])}


class Comparison:
    def __init__(self):
        self.faults = 0

    def fault(self, text):
        self.faults += 1
        if self.faults <= 10:
            print(text)

    def rows(self, what, key, wanted, held):
        for name, value in wanted.items():
            if held[name] != value:
                self.fault(f'{what} {key}: {name} is {held[name]!r}, on the server {value!r}')


def held_rows(db, query, key):
    rows = {}
    for row in db.execute(query):
        row = dict(row)
        if row.get('tags'):
            row['tags'] = json.loads(row['tags'])
        rows[row[key]] = row
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('database')
    parser.add_argument('server')
    parser.add_argument('tags')
    parser.add_argument('--from', dest='since', type=int, default=0)
    parser.add_argument('--to', dest='until', type=int, default=2**60)
    parser.add_argument('--no-refresh', action='store_true')
    parser.add_argument('--ids', help='these questions, whatever their tags')
    args = parser.parse_args()

    with urllib.request.urlopen(args.server + '/_state') as answer:
        state = json.load(answer)
    questions = {q['question_id']: q for q in state['questions']}
    answers = {a['answer_id']: a for a in state['answers']}
    comments = {c['comment_id']: c for c in state['comments']}
    tags = set(args.tags.split(';'))
    wanted = {i for i, q in questions.items() if not q['deleted'] and tags & set(q['tags'])
              and args.since <= q['creation_date'] <= args.until}
    if args.ids:
        with open(args.ids, encoding='ascii') as file:
            wanted = {int(line) for line in file if int(line) in questions
                      and not questions[int(line)]['deleted']}
    db = sqlite3.connect(f'file:{args.database}?mode=ro', uri=True)
    db.row_factory = sqlite3.Row
    posts = held_rows(db, 'SELECT * FROM post', 'post_id')
    held_comments = held_rows(db, 'SELECT * FROM comment', 'comment_id')
    authors = held_rows(db, 'SELECT * FROM author', 'user_id')

    c = Comparison()
    for i in wanted - set(posts):
        c.fault(f'question {i} is missing')
    for i, a in answers.items():
        if a['question_id'] in wanted and not a['deleted'] and i not in posts:
            c.fault(f'answer {i} of {a["question_id"]} is missing')
    if not args.no_refresh:
        compare_all(c, posts, held_comments, authors, questions, answers, comments)
    if db.execute('PRAGMA integrity_check').fetchone()[0] != 'ok':
        c.fault('the database is damaged')
    if not wanted:
        c.fault('nothing was expected: the comparison says nothing')
    if c.faults:
        print(f'{c.faults} differences')
    sys.exit(1 if c.faults else 0)


def compare_all(c, posts, held_comments, authors, questions, answers, comments):
    for i, held in posts.items():
        kind = held['post_type']
        item = (questions if kind == 'question' else answers).get(i)
        if item is None:
            c.fault(f'post {i} is not on the server')
        elif item['deleted'] != (held['deleted_at'] is not None):
            c.fault(f'{kind} {i}: deleted_at is {held["deleted_at"]!r}, on the server deleted is '
                    f'{item["deleted"]}')
        elif not item['deleted']:
            c.rows(kind, i, post_row(item, kind), held)
    live = {i for i, held in posts.items() if held['deleted_at'] is None}
    for i, item in comments.items():
        if item['post_id'] in live and not item['deleted'] and i not in held_comments:
            c.fault(f'comment {i} of {item["post_id"]} is missing')
    for i, held in held_comments.items():
        item = comments[i]
        if held['post_id'] not in live:
            continue
        if item['deleted'] != (held['deleted_at'] is not None):
            c.fault(f'comment {i}: deleted_at is {held["deleted_at"]!r}, on the server deleted is '
                    f'{item["deleted"]}')
        elif not item['deleted']:
            c.rows('comment', i, comment_row(item), held)
    for item in [*questions.values(), *answers.values()]:
        user = item.get('owner') or {}
        if item.get('question_id') in live and not item['deleted'] and 'user_id' in user:
            held = authors.get(user['user_id'])
            if held is None or held['link'] != user['link']:
                c.fault(f'author {user["user_id"]}: no link, or another one')


if __name__ == '__main__':
    main()
