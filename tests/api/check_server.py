"""Checks the API server against what is known of the real API, rule by rule.

The expected results are computed here, from /_state and from constants, with none of the server's
modules. Every check is a function named check_…; its first line says what must hold.
"""
import contextlib
import gzip
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
START = 1700000000.0
# As real answers have them.
WRAPPER = ['items', 'has_more', 'quota_max', 'quota_remaining']
QUESTION = ('tags owner is_answered view_count bounty_amount bounty_closes_date closed_date '
            'protected_date accepted_answer_id answer_count community_owned_date score locked_date '
            'last_activity_date creation_date last_edit_date question_id '
            'content_license link closed_reason title').split()
QUESTION_ALWAYS = ('tags is_answered view_count answer_count score last_activity_date creation_date '
                   'question_id content_license link title').split()
OWNER = 'account_id reputation user_id user_type accept_rate profile_image display_name link'.split()


class Reply:
    """Status, headers, bytes and, where they unpack and parse, JSON."""

    def __init__(self, status, headers, raw):
        self.status, self.headers, self.raw = status, headers, raw

    @property
    def plain(self):
        if self.raw[:2] == b'\x1f\x8b':
            return gzip.decompress(self.raw)
        if self.headers.get('Content-Encoding') == 'deflate':
            return zlib.decompress(self.raw)
        return self.raw

    @property
    def json(self):
        return json.loads(self.plain.decode('utf-8-sig'))

    @property
    def items(self):
        return self.json['items']


class Site:
    """One running server."""

    def __init__(self, process, port):
        self.process, self.port = process, port
        self.base = f'http://127.0.0.1:{port}'

    def get(self, path, accept='gzip', bearer=None, **params):
        """A request below /2.3 with site=stackoverflow, unless site=None."""
        params = {'site': 'stackoverflow', **params}
        query = urllib.parse.urlencode({k: v for k, v in params.items() if v is not None})
        headers = {'Accept-Encoding': accept} if accept else {}
        if bearer:
            headers['Authorization'] = f'Bearer {bearer}'
        return self.fetch(f'/2.3{path}?{query}', headers)

    def fetch(self, target, headers=None, body=None):
        request = urllib.request.Request(self.base + target, headers=headers or {}, data=body)
        try:
            with OPENER.open(request, timeout=30) as answer:
                return Reply(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, error.headers, error.read())

    def own(self, page):
        return self.fetch(page).json

    def control(self, **values):
        reply = self.fetch('/_control?' + urllib.parse.urlencode(values, doseq=True))
        same(200, reply.status, f'control {values}: {reply.raw}')
        return reply.json

    def sleep(self, seconds):
        return self.own(f'/_clock?sleep={seconds}')['now']

    def violations(self):
        return self.own('/_violations')['by_rule']

    def raw(self, target, source='127.0.0.1', extra=''):
        """Every byte of the answer until the server closes; b'RESET' for a reset."""
        with socket.create_connection(('127.0.0.1', self.port), 10, (source, 0)) as sock:
            sock.sendall(f'GET {target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n{extra}'
                         'Connection: close\r\n\r\n'.encode())
            data = b''
            try:
                while chunk := sock.recv(65536):
                    data += chunk
            except ConnectionResetError:
                return b'RESET'
            return data

    def all(self, path, **params):
        """The items of all pages, with a key."""
        found = []
        for page in range(1, 1000):
            reply = self.get(path, page=page, key='k', **{'pagesize': 100, **params}).json
            found += reply['items']
            if not reply['has_more']:
                return found
        raise AssertionError('has_more never ends')


@contextlib.contextmanager
def site(*options, count=150, clock=True, env=None):
    """A server that ends with the block."""
    with tempfile.TemporaryDirectory() as folder:
        port_file = os.path.join(folder, 'port')
        command = [sys.executable, os.path.join(HERE, 'server.py'), '--port-file', port_file, *options]
        if '--posts' not in options:
            command += ['--generate', str(count)]
        if clock:
            command += ['--virtual-clock', '--clock-start', str(START)]
        with subprocess.Popen(command, env={**os.environ, **(env or {})}) as process:
            try:
                yield Site(process, wait_for_port(port_file, process))
            finally:
                process.terminate()
                process.wait(10)


def wait_for_port(port_file, process):
    for _ in range(600):
        if os.path.exists(port_file):
            with open(port_file, encoding='ascii') as file:
                return int(file.read())
        if process.poll() is not None:
            raise AssertionError(f'the server ended with {process.returncode}')
        time.sleep(0.05)
    raise AssertionError('the server did not start')


def same(expected, found, what=''):
    assert expected == found, f'{what}\n  expected: {str(expected)[:600]}\n  found:    {str(found)[:600]}'


def error(reply, error_id, name, message):
    same(400, reply.status, reply.raw)
    same({'error_id': error_id, 'error_message': message, 'error_name': name}, reply.json)
    same(['error_id', 'error_message', 'error_name'], list(reply.json))


def subsequence(names, order):
    assert [n for n in order if n in names] == list(names), f'{names} is not in the order {order}'


def escaped(text):
    """As the real API escapes: markup, quotes, Latin-1 and what is above U+FFFF."""
    names = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
    return ''.join(names.get(c) or (f'&#{ord(c)};' if 160 <= ord(c) < 256 or ord(c) > 0xffff else c)
                   for c in text)


# --- wrapper, fields, filters ---

def check_wrapper_has_the_order_of_real_answers():
    """items, has_more, quota_max, quota_remaining; backoff after has_more"""
    with site() as s:
        same(WRAPPER, list(s.get('/questions').json))
        s.control(fault='backoff,count=1')
        same(WRAPPER[:2] + ['backoff'] + WRAPPER[2:], list(s.get('/answers').json))


def check_default_fields_and_their_order():
    """a default question has the fields of a real one in its order, and no body"""
    with site() as s:
        items = s.all('/questions')
        for item in items:
            subsequence(item, QUESTION)
            assert not set(QUESTION_ALWAYS) - set(item), item
            subsequence(item.get('owner', {}), OWNER)
        every = set().union(*items)
        assert set(QUESTION) - every <= {'bounty_amount', 'bounty_closes_date', 'protected_date',
                                          'locked_date', 'community_owned_date'}, every
        deleted = [i['owner'] for i in items if i.get('owner', {}).get('user_type') == 'does_not_exist']
        assert all(list(o) == ['user_type', 'display_name'] for o in deleted)


def check_builtin_filters():
    """withbody adds bodies and nothing else; none is empty; total is the total alone"""
    with site() as s:
        total = sum(not q['deleted'] for q in s.own('/_state')['questions'])
        for path in ('/questions', '/answers', '/comments', '/posts'):
            for plain, more in zip(s.get(path).items, s.get(path, filter='withbody').items):
                same(plain, {k: v for k, v in more.items() if k != 'body'})
                assert 'body' in more and 'body_markdown' not in more
        same({}, s.get('/questions', filter='none').json)
        same({'total': total}, s.get('/questions', filter='total').json)
        error(s.get('/questions', filter='unsafe'), 400, 'bad_parameter', 'filter')
        assert all('answers' in q for q in s.get('/questions', filter='_ba').items if q['answer_count'])


def check_created_filters_select():
    """a created filter shows exactly its fields, drops unknown names in silence, is immutable"""
    with site() as s:
        create = {'base': 'none', 'unsafe': 'true', 'site': None,
                  'include': '.items;.has_more;question.title;question.owner;shallow_user.user_id;'
                             'question.no_such_field;nonsense'}
        made = s.get('/filters/create', **create).items[0]
        same(['.has_more', '.items', 'question.owner', 'question.title', 'shallow_user.user_id'],
             made['included_fields'])
        same('unsafe', made['filter_type'])
        page = s.get('/questions', filter=made['filter'], pagesize=100).json
        same(['items', 'has_more'], list(page))
        assert all(set(i) <= {'title', 'owner'} and set(i.get('owner', {})) <= {'user_id'}
                   for i in page['items'])
        same(made, s.get('/filters/create', **create).items[0])
        same([made], s.get('/filters/' + urllib.parse.quote(made['filter']), site=None).items)
        body = urllib.parse.urlencode({'base': made['filter'], 'exclude': 'question.owner;.has_more'})
        posted = json.loads(s.fetch('/2.3/filters/create', {'Accept-Encoding': 'gzip'},
                                    body.encode()).plain)['items'][0]
        same(['.items', 'question.title', 'shallow_user.user_id'], posted['included_fields'])
        same('safe', posted['filter_type'])
        error(s.get('/filters/create', site=None, base='bogus'), 400, 'bad_parameter', 'base')


def check_unknown_bang_filter_is_everything():
    """a '!…' that was not made here shows all fields, nested ones too; --unknown-filter changes it"""
    with site() as s:
        page = s.get('/questions', filter='!9_bDDxJY5', pagesize=100).json
        for name in ('page', 'page_size', 'total', 'type'):
            assert name in page, name
        same('question', page['type'])
        full = [q for q in page['items'] if q['answer_count'] and 'comments' in q]
        assert full and all(len(q['answers']) == q['answer_count'] for q in full)
        assert any('comments' in a for q in full for a in q['answers'])
        assert all('body' in q and 'body_markdown' in q and 'share_link' in q for q in full)
        s.control(unknown_filter='error')
        error(s.get('/questions', filter='!other'), 400, 'bad_parameter', 'filter')


def check_escaping():
    """safe filters escape titles, names and tags, Latin-1 by number; unsafe ones do not"""
    with site(count=400) as s:
        state = {q['question_id']: q for q in s.own('/_state')['questions']}
        unsafe = s.get('/filters/create', site=None, unsafe='true').items[0]['filter']
        changed = 0
        for item in s.all('/questions'):
            raw = state[item['question_id']]
            same((escaped(raw['title']), raw['link']), (item['title'], item['link']))
            same([escaped(tag) for tag in raw['tags']], item['tags'])
            changed += raw['title'] != item['title']
        assert changed > 50, changed
        for item in s.all('/questions', filter=unsafe):
            same(state[item['question_id']]['title'], item['title'])
        names = {q['owner']['display_name'] for q in s.all('/questions') if 'owner' in q}
        assert any('&#248;' in n for n in names) and any('小林' in n for n in names), names


def check_double_escaping():
    """with --double-escape 1 every string is escaped twice, links and bodies are not"""
    with site() as s:
        once = s.all('/questions', filter='withbody')
        s.control(double_escape=1)
        twice = s.all('/questions', filter='withbody')
        assert any('&amp;quot;' in q['title'] for q in twice)
        for a, b in zip(once, twice):
            same((escaped(a['title']), a['link'], a['body']), (b['title'], b['link'], b['body']))
        s.control(double_escape=0.3)
        share = sum(a != b for a, b in zip(once, s.all('/questions', filter='withbody')))
        assert 0 < share < len(once), share


# --- paging, sorts, ids, tags ---

def check_paging():
    """pages are disjoint and complete; 30 by default; page and pagesize are checked"""
    with site() as s:
        ids = [q['question_id'] for q in s.all('/questions', pagesize=7, sort='creation')]
        same(sorted(set(ids)), sorted(ids))
        same({q['question_id'] for q in s.own('/_state')['questions']}, set(ids))
        same(30, len(s.get('/questions').items))
        same([], s.get('/questions', page=25, pagesize=100).items)
        same({'items': [], 'has_more': False, 'total': 150, 'page': 1, 'page_size': 0, 'type': 'question'},
             {k: v for k, v in s.get('/questions', pagesize=0, filter='!all').json.items()
              if 'quota' not in k})
        for name, value in (('pagesize', 101), ('pagesize', -1), ('pagesize', 'x'), ('page', 0),
                            ('page', '1.5'), ('page', '٣')):
            error(s.get('/questions', **{name: value}), 400, 'bad_parameter', name)
        same({'pagesize': 1}, s.violations())


def check_page_26_needs_a_key():
    """without a key page 26 is refused, with one it is not"""
    with site() as s:
        same(200, s.get('/questions', page=25, pagesize=5).status)
        error(s.get('/questions', page=26, pagesize=5), 403, 'access_denied',
              'page above 25 requires access token or app key')
        same(5, len(s.get('/questions', page=26, pagesize=5, key='k').items))
        same(5, len(s.get('/questions', page=26, pagesize=5, bearer='k').items))


def plain_select(items, sort, order, ident, **bounds):
    """What a method must give, from the items of /_state."""
    value = {'activity': 'last_activity_date', 'creation': 'creation_date', 'votes': 'score'}[sort]
    kept = [i for i in items if not i['deleted']
            and bounds.get('min', -1e18) <= i[value] <= bounds.get('max', 1e18)
            and bounds.get('fromdate', 0) <= i['creation_date'] <= bounds.get('todate', 1e18)]
    kept.sort(key=lambda i: (i[value], i[ident]), reverse=order == 'desc')
    return [i[ident] for i in kept]


def check_sorts_and_bounds():
    """every sort, both orders, min and max by the sort, fromdate and todate by creation, inclusive"""
    with site() as s:
        s.control(mutate=60)
        state = s.own('/_state')
        middle = sorted(q['creation_date'] for q in state['questions'])[50:100]
        for path, kind, ident, sorts in (
                ('/questions', 'questions', 'question_id', ('activity', 'creation', 'votes')),
                ('/search/advanced', 'questions', 'question_id', ('activity', 'creation', 'votes')),
                ('/answers', 'answers', 'answer_id', ('activity', 'creation', 'votes')),
                ('/comments', 'comments', 'comment_id', ('creation', 'votes'))):
            for sort in sorts:
                low, high = (0, 3) if sort == 'votes' else (middle[10], middle[-10])
                for bounds in ({}, {'min': low}, {'max': high}, {'min': low, 'max': high},
                               {'fromdate': middle[0], 'todate': middle[-1]},
                               {'fromdate': middle[0], 'todate': middle[-1], 'min': low}):
                    for order in ('asc', 'desc'):
                        expected = plain_select(state[kind], sort, order, ident, **bounds)
                        assert expected or bounds, (path, sort)
                        found = [i[ident] for i in s.all(path, sort=sort, order=order, **bounds)]
                        same(expected, found, f'{path} {sort} {order} {bounds}')
        same(s.get('/questions', sort='activity', order='desc').items, s.get('/questions').items)
        same(s.get('/comments', sort='creation', order='desc').items, s.get('/comments').items)
        for params, wrong in (({'sort': 'random'}, 'sort'), ({'order': 'up'}, 'order'),
                              ({'min': 'x'}, 'min'), ({'sort': 'hot', 'min': 1}, 'min'),
                              ({'sort': 'relevance'}, 'sort'), ({'fromdate': '1.5'}, 'fromdate'),
                              ({'todate': 'now'}, 'todate')):
            error(s.get('/questions', **params), 400, 'bad_parameter', wrong)
        error(s.get('/comments', sort='activity'), 400, 'bad_parameter', 'sort')


def check_ties():
    """--ties scrambled keeps pages disjoint, unstable moves equal items from request to request"""
    with site('--same-second', '40', '--ties', 'scrambled', count=60) as s:
        plain = [q['question_id'] for q in s.all('/questions', sort='creation', order='asc', pagesize=100)]
        pages = [q['question_id'] for q in s.all('/questions', sort='creation', order='asc', pagesize=9)]
        same(plain, pages)
        assert plain != sorted(plain)
        s.control(ties='unstable')
        orders = {tuple(q['question_id'] for q in s.get('/questions', sort='creation', pagesize=100).items)
                  for _ in range(5)}
        assert len(orders) > 1


def check_tags():
    """tagged means all of them for /questions, any of them for /search/advanced; six find nothing"""
    with site(count=300) as s:
        state = [q for q in s.own('/_state')['questions'] if not q['deleted']]
        def expected(test):
            return {q['question_id'] for q in state if test(set(q['tags']))}
        def found(path, **params):
            return {q['question_id'] for q in s.all(path, **params)}
        both = {'python', 'tensorflow'}
        assert expected(both.issubset) and expected(both.issubset) != expected(both.intersection)
        same(expected(both.issubset), found('/questions', tagged='python;tensorflow'))
        same(expected(both.intersection), found('/search/advanced', tagged='tensorflow;python'))
        same(expected(lambda t: 'keras' in t), found('/questions', tagged='Keras'))
        same(expected(lambda t: 'c++' in t), found('/search/advanced', tagged='c++'))
        same(expected(lambda t: 'keras' in t and 'python' not in t),
             found('/search/advanced', tagged='keras', nottagged='python'))
        error(s.get('/search/advanced', nottagged='python'), 400, 'bad_parameter', 'nottagged')
        six = 'python;tensorflow;keras;pytorch;numpy;gpu'
        for path in ('/questions', '/search/advanced'):
            same(set(), found(path, tagged=six))
        assert found('/search/advanced', tagged=six.rpartition(';')[0])


def check_search():
    """the conditions of /search/advanced, one by one"""
    with site(count=300) as s:
        state = [q for q in s.own('/_state')['questions'] if not q['deleted']]
        someone = next(q['owner']['user_id'] for q in state if 'user_id' in q.get('owner', {}))
        for params, test in (
                ({'accepted': 'true'}, lambda q: 'accepted_answer_id' in q),
                ({'accepted': 'false'}, lambda q: 'accepted_answer_id' not in q),
                ({'closed': 'true'}, lambda q: 'closed_date' in q),
                ({'answers': 2}, lambda q: q['answer_count'] >= 2),
                ({'views': 100}, lambda q: q['view_count'] >= 100),
                ({'title': 'faster'}, lambda q: 'faster' in q['title'].lower()),
                ({'body': 'gradient'}, lambda q: 'gradient' in q['body'].lower()),
                ({'user': someone}, lambda q: q.get('owner', {}).get('user_id') == someone),
                ({'url': 'https://example.org/*b=2'}, lambda q: 'https://example.org/' in q['body'])):
            expected = {q['question_id'] for q in state if test(q)}
            assert 0 < len(expected) < len(state), params
            same(expected, {q['question_id'] for q in s.all('/search/advanced', **params)}, params)
        error(s.get('/search/advanced', accepted='maybe'), 400, 'bad_parameter', 'accepted')


def check_ids():
    """vectors: unknown and deleted ids are absent, order does not matter, at most 100, numeric"""
    with site() as s:
        state = s.own('/_state')
        ids = [q['question_id'] for q in state['questions']][:99]
        gone = ids[5]
        s.control(delete=gone)
        path = '/questions/' + ';'.join(map(str, ids + [999999999]))
        back = '/questions/' + ';'.join(map(str, reversed(ids)))
        items = s.get(path, pagesize=100).items
        same(set(ids) - {gone}, {q['question_id'] for q in items})
        same(items, s.get(back, pagesize=100).items)
        same(30, len(s.get(path).items))
        same(len(ids) - 1, len(s.get(urllib.parse.quote(path), pagesize=100).items))
        s.control(undelete=gone)
        same(set(ids), {q['question_id'] for q in s.get(path, pagesize=100).items})
        hundred_one = '/questions/' + ';'.join(str(n) for n in range(1, 102))
        error(s.get(hundred_one), 400, 'bad_parameter', 'ids')
        same({'too-many-ids': 1}, s.violations())
        for bad in ('/questions/abc', '/questions/1;x', '/questions/-1', '/questions/1;;2',
                    '/questions/1.5', '/nothing', '/questions/1/nothing', '/', '/filters'):
            error(s.get(bad), 404, 'no_method', 'no method found with this name')
        error(s.get('/questions/99999999999'), 400, 'bad_parameter', 'ids')
        for outside in ('/2.2/questions', '/questions'):
            same(404, json.loads(gzip.decompress(s.fetch(outside).raw))['error_id'])


def check_threads():
    """answers, comments and posts by ids come as one list over all ids, and page"""
    with site() as s:
        s.control(mutate=80)
        state = s.own('/_state')
        alive = {k: [i for i in state[k] if not i['deleted']] for k in ('questions', 'answers', 'comments')}
        qids = [q['question_id'] for q in alive['questions']][:60]
        aids = [a['answer_id'] for a in alive['answers']][:60]
        pids = qids[:50] + aids[:50]
        def ask(path, ids, ident, **params):
            return {i[ident] for i in s.all(path.replace('{ids}', ';'.join(map(str, ids))), **params)}
        same({a['answer_id'] for a in alive['answers'] if a['question_id'] in qids},
             ask('/questions/{ids}/answers', qids, 'answer_id', pagesize=11))
        same(set(aids), ask('/answers/{ids}', aids, 'answer_id'))
        same(set(pids), ask('/posts/{ids}', pids, 'post_id'))
        same(set(), ask('/answers/{ids}', qids, 'answer_id'))
        for path, ids in (('/questions/{ids}/comments', qids), ('/answers/{ids}/comments', aids),
                          ('/posts/{ids}/comments', pids)):
            expected = {c['comment_id'] for c in alive['comments'] if c['post_id'] in ids}
            assert len(expected) > 10
            same(expected, ask(path, ids, 'comment_id', pagesize=7))
        same(set(), ask('/answers/{ids}/comments', qids, 'comment_id'))
        same({'question', 'answer'}, {p['post_type'] for p in s.get(
            '/posts/' + ';'.join(map(str, pids)), pagesize=100).items})


# --- errors, info, sites ---

def check_errors():
    """every error is HTTP 400 with its id in a compressed body; /errors/{id} simulates"""
    with site('--key', 'good') as s:
        listed = s.get('/errors', site=None).items
        for item in listed:
            error(s.get(f'/errors/{item["error_id"]}', site=None), item['error_id'], item['error_name'],
                  'simulated')
        assert {400, 401, 402, 403, 404, 405, 406, 500, 502, 503} <= {i['error_id'] for i in listed}
        error(s.get('/errors/999', site=None), 400, 'bad_parameter', 'id')
        error(s.get('/questions', site=None), 400, 'bad_parameter', 'site is required')
        error(s.get('/questions', site='nosuch'), 400, 'bad_parameter', 'No site found for name `nosuch`')
        error(s.get('/errors'), 400, 'bad_parameter', 'This method does not accept a site parameter')
        error(s.get('/questions', key='bad'), 400, 'bad_parameter', "`key` doesn't match a known application")
        same(200, s.get('/questions', key='good').status)
        same(200, s.get('/questions', site='stackoverflow.com').status)
        same(b'\x1f\x8b', s.get('/errors/500', site=None).raw[:2])
        same({}, s.violations())
        called = s.get('/errors/404', site=None, callback='cb')
        same((200, b'cb({"error_id":404'), (called.status, called.plain[:18]))


def check_info_and_sites():
    """/info counts what is there, /sites lists the site"""
    with site() as s:
        state = s.own('/_state')
        info = s.get('/info').items[0]
        same((len(state['questions']), len(state['answers']), len(state['comments'])),
             (info['total_questions'], info['total_answers'], info['total_comments']))
        s.control(delete=state['questions'][0]['question_id'])
        same(len(state['questions']) - 1, s.get('/info').items[0]['total_questions'])
        same('stackoverflow', s.get('/sites', site=None).items[0]['api_site_parameter'])


# --- compression ---

def check_compression():
    """gzip even when not asked for (counted), deflate when only that is accepted"""
    with site() as s:
        for accept, coding in (('gzip', 'gzip'), ('gzip, deflate', 'gzip'), ('deflate', 'deflate'),
                               (None, 'gzip'), ('identity', 'gzip')):
            reply = s.get('/questions', accept=accept, filter='withbody', pagesize=100)
            same(coding, reply.headers['Content-Encoding'])
            same(100, len(reply.items))
            same('application/json; charset=utf-8', reply.headers['Content-Type'])
        same({'no-gzip': 2}, s.violations())


# --- quotas, backoffs, throttles ---

def check_quota():
    """each key and each address counts down to 0, then -1, then 502 with the seconds left"""
    with site('--quota', '3', '--quota-keyed', '5', '--key', 'a', '--key', 'b=2') as s:
        left = [(r['quota_max'], r['quota_remaining']) for r in (s.get('/info').json for _ in range(4))]
        same([(3, 2), (3, 1), (3, 0), (3, -1)], left)
        reply = s.get('/info')
        same(400, reply.status)
        seconds = int(re.fullmatch('too many requests from this IP, more requests available in '
                                   r'(\d+) seconds', reply.json['error_message']).group(1))
        same(502, reply.json['error_id'])
        assert 86399 <= seconds <= 86400, seconds
        same([5, 4], list(s.get('/info', key='a').json.values())[2:])
        same([2, 1], list(s.get('/info', key='b').json.values())[2:])
        other = s.raw('/2.3/info?site=stackoverflow', source='127.0.0.2')
        same(2, json.loads(gzip.decompress(other.split(b'\r\n\r\n', 1)[1]))['quota_remaining'])
        same({}, s.violations())
        s.get('/info')
        same({'throttle-ban': 1}, s.violations())
        s.sleep(seconds - 1)
        same(502, s.get('/info').json['error_id'])
        s.sleep(1.5)
        same(2, s.get('/info').json['quota_remaining'])


def check_quota_at_midnight():
    """--quota-reset midnight begins a new window at 00:00 UTC"""
    with site('--quota', '5', '--quota-reset', 'midnight') as s:
        same(4, s.get('/info').json['quota_remaining'])
        s.sleep(86400 - START % 86400 - 1)
        same(3, s.get('/info').json['quota_remaining'])
        s.sleep(1)
        same(4, s.get('/info').json['quota_remaining'])


def check_keyed_requests_use_the_address_pool():
    """a keyed request also takes one from the keyless pool of its address"""
    with site('--quota', '10') as s:
        for _ in range(4):
            s.get('/info', key='k')
        same(5, s.get('/info').json['quota_remaining'])


def check_backoff():
    """a backoff holds for one method, says so when ignored, and ends on time"""
    with site() as s:
        s.control(fault='backoff,at=1,seconds=10')
        same(10, s.get('/questions').json['backoff'])
        same(200, s.get('/questions/1').status)
        error(s.get('/questions', page=2), 502, 'throttle_violation', 'Violation of backoff parameter')
        same({'backoff': 1}, s.violations())
        s.sleep(9.8)
        same(502, s.get('/questions').json['error_id'])
        s.sleep(0.1)
        same(200, s.get('/questions').status)
        s.control(faults='backoff,count=1,seconds=0.2')
        same(0.2, s.get('/answers').json['backoff'])
        s.control(faults='backoff,count=1,seconds=5', backoff_margin=1)
        s.get('/comments')
        s.sleep(5.5)
        same(502, s.get('/comments').json['error_id'])
        s.sleep(0.5)
        same(200, s.get('/comments').status)
        s.control(faults='backoff,count=1,seconds=5', backoff_margin=0, backoff_penalty=100)
        s.get('/posts')
        s.get('/posts')
        s.sleep(50)
        same(502, s.get('/posts').json['error_id'])


def check_backoff_is_told_only_if_the_filter_has_it():
    """without .backoff in the filter the backoff holds all the same"""
    with site('--fault', 'backoff,at=1') as s:
        same({'total': 150}, s.get('/questions', filter='total').json)
        same(502, s.get('/questions').json['error_id'])


def check_throttle():
    """the throttle messages; a ban of N seconds holds for all methods and then ends"""
    with site('--fault', 'throttle,at=1,seconds=30', '--fault', 'throttle,at=5,message=backoff',
              '--fault', 'throttle,at=6,message=simulated') as s:
        text = 'too many requests from this IP, more requests available in %d seconds'
        error(s.get('/questions'), 502, 'throttle_violation', text % 30)
        error(s.get('/answers'), 502, 'throttle_violation', text % 30)
        s.sleep(10)
        error(s.get('/info'), 502, 'throttle_violation', text % 20)
        same({'throttle-ban': 2}, s.violations())
        s.sleep(20)
        same(200, s.get('/questions').status)
        error(s.get('/info'), 502, 'throttle_violation', 'Violation of backoff parameter')
        error(s.get('/info'), 502, 'throttle_violation', 'simulated')
        same(200, s.get('/info').status)
        same({'throttle-ban': 2}, s.violations())


def check_rate():
    """more than 25 requests in a second are a violation, more than 30 bring the edge's ban"""
    with site('--latency', '0.035') as s:
        for _ in range(40):
            same(200, s.get('/info').status)
        same({'rate': 15}, s.violations())
    with site('--latency', '0.04') as s:
        for _ in range(60):
            s.get('/info')
        same({}, s.violations())
    with site('--latency', '0.01') as s:
        statuses = [s.get('/info').status for _ in range(32)]
        same([200] * 30 + [429] * 2, statuses)
        same(b'<!DOCTYPE', s.get('/info').raw[:9])
        same({'rate': 8, 'burst': 1, 'throttle-ban': 2}, s.violations())
        s.sleep(29)
        same(429, s.get('/info').status)
        s.sleep(2)
        same(200, s.get('/info').status)


def check_same_request_within_a_minute():
    """is told, not counted; ids in any order and another key are the same; a minute later it is not"""
    with site() as s:
        s.get('/questions/1;2', key='k', sort='votes')
        s.get('/questions/2;1', sort='votes', key='k')
        same({'same-within-a-minute': 1}, {k: v for k, v in s.own('/_violations')['informative'].items()
                                           if k != 'old-style-key'})
        s.sleep(60)
        s.get('/questions/1;2', key='k', sort='votes')
        s.get('/questions/1;2', key='k', sort='creation')
        same(1, s.own('/_violations')['informative']['same-within-a-minute'])
        same(0, s.own('/_violations')['total'])


def check_bearer():
    """--auth bearer refuses keys in the query; --auth query does not see the header"""
    with site('--auth', 'bearer', '--key', 'good') as s:
        same(10000, s.get('/info', bearer='good').json['quota_max'])
        same(300, s.get('/info').json['quota_max'])
        same(400, s.get('/info', bearer='bad').json['error_id'])
        for name in ('key', 'access_token'):
            reply = s.get('/info', **{name: 'good'})
            same((400, 'bad_parameter'), (reply.status, reply.json['error_name']))
        same({'key-in-url': 2}, s.violations())
        s.control(auth='query')
        same(300, s.get('/info', bearer='good').json['quota_max'])
        same(10000, s.get('/info', key='good').json['quota_max'])
        s.control(auth='both')
        same(10000, s.get('/info', key='good').json['quota_max'])
        same({'key-in-url': 2}, s.violations())


# --- faults ---

def check_faults_instead_of_an_answer():
    """error, status, html, plain-error, redirect, drop, reset come in the place of the answer"""
    target = '/2.3/info?site=stackoverflow'
    with site() as s:
        s.control(faults='error,id=503')
        error(s.get('/info'), 503, 'temporarily_unavailable', 'simulated')
        for status in (500, 502, 503, 504):
            s.control(faults=f'status,status={status}')
            same(status, s.get('/info').status)
        for status in (200, 403, 503):
            s.control(faults=f'html,status={status}')
            reply = s.get('/info')
            same((status, 'text/html; charset=UTF-8', b'<!DOCTYPE'),
                 (reply.status, reply.headers['Content-Type'], reply.raw[:9]))
        s.control(faults='plain-error,id=502')
        reply = s.get('/info')
        same((400, None, 502), (reply.status, reply.headers['Content-Encoding'], reply.json['error_id']))
        s.control(faults='redirect')
        same(b'HTTP/1.1 302 Found', s.raw(target)[:18])
        s.control(faults='drop')
        same(b'', s.raw(target))
        s.control(faults='reset')
        same(b'RESET', s.raw(target))
        s.control(faults='none')
        same(200, s.get('/info').status)


def check_faults_in_items():
    """what can be wrong with items and wrapper is wrong when asked for"""
    with site() as s:
        good = s.get('/questions').json
        def bad(fault, **params):
            s.control(faults=fault)
            return s.get('/questions', **params)
        same(([], True), tuple(bad('empty-more').json[k] for k in ('items', 'has_more')))
        same(False, bad('no-more').json['has_more'])
        for fields in ('has_more', 'items', 'quota_remaining;quota_max'):
            same([w for w in WRAPPER if w not in fields.split(';')],
                 list(bad(f'missing-wrapper,fields={fields}').json))
        assert all('title' not in i and 'score' in i for i in bad('missing-fields,fields=title').items)
        same(True, sum(map(len, bad('missing-fields').items)) < sum(map(len, good['items'])))
        assert any(v is None for i in bad('null-fields').items for v in i.values())
        assert bad('wrong-types').items != good['items']
        same([i for i in good['items'] for _ in (1, 2)], bad('duplicate-items').items)
        same(good['items'][:-2], bad('lose-items,n=2').items)
        s.control(faults='new-field')
        news = s.get('/questions').items
        assert all(item.pop('news')['last_activity_date'] >= 1890000000 for item in news)
        same(good['items'], news)
        found = bad('shuffle').items
        assert found != good['items']
        same(sorted(map(str, good['items'])), sorted(map(str, found)))
        same(good['items'][:-1], bad('shift', page=1).items[0:29])
        same(good['items'][-1], bad('shift', page=2).items[0])
        same(-1, bad('quota,remaining=-1').json['quota_remaining'])
        assert any('&amp;quot;' in i['title'] for i in bad('double-escape', pagesize=100).items)
        with_bom = bad('bom')
        same((b'\xef\xbb\xbf{', good['items']), (with_bom.plain[:4], with_bom.items))
        for fault in ('bad-json',):
            try:
                json.loads(bad(fault).plain)
                raise AssertionError(f'{fault} parses')
            except ValueError:
                pass
        kinds = {bad('not-object').plain} | {s.get('/questions').plain for _ in range(40)}
        assert len(kinds) > 1 and not any(k.startswith(b'{"items":[') for k in kinds), kinds


def check_faults_on_the_wire():
    """what can be wrong with the bytes is wrong when asked for"""
    target = '/2.3/questions?site=stackoverflow&pagesize=100&filter=withbody'
    def split(data):
        head, _, body = data.partition(b'\r\n\r\n')
        return head.decode().split('\r\n'), body
    with site('--quota', '1000') as s:
        def bad(fault):
            s.control(faults=fault)
            head, body = split(s.raw(target))
            headers = dict(line.split(': ', 1) for line in head[1:])
            return headers, body
        def unpacked(body, wbits=31):
            return json.loads(zlib.decompress(body, wbits))['items']
        _, body = bad('none')
        good = unpacked(body)
        headers, body = bad('truncated-gzip,n=50')
        same(len(body), int(headers['Content-Length']))
        refuse(lambda: gzip.decompress(body))
        refuse(lambda: gzip.decompress(bad('corrupt-gzip')[1]))
        _, body = bad('trailing-gzip')
        same(b'trailing bytes', body[-14:])
        headers, body = bad('no-encoding')
        same((None, good), (headers.get('Content-Encoding'), unpacked(body)))
        headers, body = bad('wrong-encoding')
        assert headers['Content-Encoding'] not in ('gzip', 'deflate')
        same(good, unpacked(body))
        headers, body = bad('plain')
        same((None, good), (headers.get('Content-Encoding'), json.loads(body)['items']))
        headers, body = bad('zlib')
        same(('deflate', good), (headers['Content-Encoding'], unpacked(body, 15)))
        headers, body = bad('raw-deflate')
        same(('deflate', good), (headers['Content-Encoding'], unpacked(body, -15)))
        headers, body = bad('chunked,size=777')
        same(('chunked', None), (headers['Transfer-Encoding'], headers.get('Content-Length')))
        same((b'309\r\n', b'0\r\n\r\n'), (body[:5], body[-5:]))
        same(good, s.get('/questions', pagesize=100, filter='withbody').items)
        assert not bad('chunked-cut')[1].endswith(b'0\r\n\r\n')
        headers, body = bad('no-length')
        same((None, good), (headers.get('Content-Length'), unpacked(body)))
        headers, body = bad('cut,n=123')
        same((True, 123), (int(headers['Content-Length']) > 1000, len(body)))
        s.control(faults='cut-header,n=30')
        same(30, len(s.raw(target)))
        s.control(faults='slow,seconds=0.6')
        begin = time.monotonic()
        data = s.raw(target)
        assert time.monotonic() - begin >= 0.55
        same(good, unpacked(split(data)[1]))
        _, body = bad('bomb,mb=8')
        same((True, 8 << 20), (len(body) < 100000, len(gzip.decompress(body))))


def refuse(action):
    try:
        action()
    except (EOFError, OSError, zlib.error, http.client.IncompleteRead):
        return
    raise AssertionError('damage was not noticed')


def check_fault_schedules():
    """at, every, after, count, method and p choose the requests; the same seed chooses the same"""
    def statuses(*faults, n=12, seed='1', path='/info'):
        with site(*(x for f in faults for x in ('--fault', f)), '--fault-seed', seed) as s:
            return [s.get(path).status for _ in range(n)]
    ok, no = 200, 503
    same([ok, ok, no, ok, no] + [ok] * 7, statuses('html,at=3;5'))
    same([ok, ok, ok, no] * 3, statuses('html,every=4'))
    same([ok] * 10 + [no] * 2, statuses('html,after=10'))
    same([no] * 2 + [ok] * 10, statuses('html,count=2'))
    same([ok] * 12, statuses('html,method=/questions'))
    same([no] * 12, statuses('html,method=/info'))
    first = statuses('html,p=0.3', n=40)
    assert 3 < first.count(no) < 25, first
    same(first, statuses('html,p=0.3', n=40))
    assert first != statuses('html,p=0.3', n=40, seed='2')
    with site() as s:
        for wrong in ('fault=nothing', 'fault=html,colour=red', 'fault=html,p=x', 'nothing=1', 'auth=x',
                      'mutate_kinds=dance', 'quota=x'):
            same(400, s.fetch('/_control?' + wrong).status, wrong)
        same(200, s.fetch('/_control', body=json.dumps(
            {'faults': ['html,count=1', 'status,count=1'], 'quota': 7}).encode()).status)
        same([503, 200], [s.get('/info').status for _ in range(2)][:2])


# --- the clock ---

def check_virtual_clock():
    """time moves by latency and by /_clock alone; Date follows, with --date-skew"""
    with site('--latency', '0.5') as s:
        same(START, s.own('/_clock')['now'])
        s.get('/info')
        same(START + 0.5, s.own('/_clock')['now'])
        same(START + 10, s.own('/_clock?sleep=9.5')['now'])
        same(START + 70, s.own('/_clock?advance=60')['now'])
        same([{'time': START + 0.5, 'seconds': 9.5}], s.own('/_sleeps'))
        for bad in ('sleep=nan', 'sleep=-1', 'sleep=inf', 'sleep=x', 'advance=nan'):
            same(400, s.fetch('/_clock?' + bad).status, bad)
        same(START + 70, s.own('/_clock')['now'])
        s.control(date_skew=-3600, latency=0)
        same('Tue, 14 Nov 2023 21:14:30 GMT', s.get('/info').headers['Date'])


def check_real_clock():
    """without --virtual-clock the time is real, and sleep sleeps"""
    with site(clock=False) as s:
        assert abs(s.own('/_clock')['now'] - time.time()) < 2
        begin = time.monotonic()
        s.own('/_clock?sleep=0.3')
        assert 0.3 <= time.monotonic() - begin < 5
        s.own('/_clock?advance=1000')
        assert abs(s.own('/_clock')['now'] - time.time() - 1000) < 2


# --- the living corpus ---

def check_live_corpus():
    """posts change while a client pages; what it finds in the end is what /_state tells"""
    with site('--mutate-every', '1', '--mutate-count', '3') as s:
        before = s.own('/_state')
        first = s.get('/questions', pagesize=100).items
        s.all('/questions', pagesize=10)
        done = s.own('/_mutations')
        assert len(done) > 40, len(done)
        assert first != s.get('/questions', pagesize=100).items
        s.control(mutate_every=0)
        served_is_state(s)
        after = s.own('/_state')
        assert all(len(after[kind]) >= len(before[kind]) for kind in ('questions', 'answers', 'comments'))
        kinds = {d['kind'] for d in done}
        assert {'edit-question', 'vote', 'new-answer'} <= kinds, kinds


def served_is_state(s):
    """Asserts that the three lists give exactly what /_state has and is not deleted."""
    state = s.own('/_state')
    for kind, path, ident in (('questions', '/questions', 'question_id'),
                              ('answers', '/answers', 'answer_id'),
                              ('comments', '/comments', 'comment_id')):
        seen = {i[ident]: i for i in s.all(path, filter='_b')}
        alive = {i[ident]: i for i in state[kind] if not i['deleted']}
        same(set(alive), set(seen), kind)
        for i, item in seen.items():
            same({k: v for k, v in alive[i].items() if k in item}, item)


def check_every_kind_of_mutation_shows():
    """after each kind, pages that were served before are served anew, equal to the state"""
    with site('--nasty', '', count=60) as s:
        for kind in ('edit-question edit-answer edit-title retag vote new-question new-answer new-comment '
                     'edit-comment accept close delete-question delete-answer delete-comment '
                     'undelete-question undelete-answer').split():
            s.control(mutate_kinds=kind)
            served_is_state(s)
            before = s.own('/_state')
            s.control(mutate=4)
            after = s.own('/_state')
            assert any(before[k] != after[k] for k in ('questions', 'answers', 'comments')), kind
            served_is_state(s)


def check_mutations_move_items():
    """an edit bumps the activity of its question and moves it to the front; a vote does not"""
    with site() as s:
        s.control(mutate_kinds='edit-answer', mutate=1)
        done = s.own('/_mutations')[-1]
        answer = s.get(f'/answers/{done["id"]}').items[0]
        top = s.get('/questions', pagesize=1).items[0]
        same((answer['question_id'], int(START)), (top['question_id'], top['last_activity_date']))
        same(answer['last_edit_date'], answer['last_activity_date'])
        s.sleep(100)
        order = [q['question_id'] for q in s.all('/questions')]
        s.control(mutate_kinds='vote;accept;close;new-comment;edit-comment', mutate=40)
        same(order, [q['question_id'] for q in s.all('/questions')])
        s.control(mutate_kinds='new-question', mutate=1)
        same(s.own('/_mutations')[-1]['id'], s.get('/questions', pagesize=1).items[0]['question_id'])
        s.control(mutate_kinds='delete-question', mutate=1)
        gone = s.own('/_mutations')[-1]['id']
        same([], s.get(f'/questions/{gone}').items)
        same([], s.get(f'/questions/{gone}/answers').items)
        same([], s.get(f'/posts/{gone}/comments').items)


def check_mutations_by_time():
    """--mutate-interval changes posts as time passes, each change at its own second, up to a maximum"""
    with site('--mutate-interval', '10', '--mutate-max', '7', '--mutate-kinds', 'edit-question') as s:
        s.sleep(35)
        same(0, len(s.own('/_mutations')))
        s.get('/info')
        same([START + 10, START + 20, START + 30], [d['date'] for d in s.own('/_mutations')])
        s.sleep(1000)
        s.get('/info')
        same(7, len(s.own('/_mutations')))


def check_cache():
    """--cache serves the same page for so long although posts changed"""
    with site('--cache', '60', '--mutate-kinds', 'new-question') as s:
        first = s.get('/questions').items
        s.control(mutate=5)
        same(first, s.get('/questions').items)
        assert first != s.get('/questions', pagesize=29).items[:29] + first[29:]
        s.sleep(61)
        assert first != s.get('/questions').items


# --- where posts come from ---

DUMP = '''<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="7" PostTypeId="2" ParentId="4" CreationDate="2019-01-02T03:04:05.678" Score="-2" Body="&lt;p&gt;An answer&lt;/p&gt;&#xA;" OwnerDisplayName="user9" LastActivityDate="2019-01-02T03:04:05.678" CommentCount="0" ContentLicense="CC BY-SA 4.0" />
  <row Id="4" PostTypeId="1" AcceptedAnswerId="7" CreationDate="2018-01-02T03:04:05.999" Score="5" ViewCount="" Body="&lt;p&gt;A &amp;lt; B&lt;/p&gt;" OwnerUserId="8" LastEditorUserId="9" LastEditDate="2020-01-01T00:00:00.000" LastActivityDate="2020-01-01T00:00:00.000" Title="Is A &lt; B?" Tags="&lt;c++&gt;&lt;keras&gt;" AnswerCount="1" CommentCount="1" ClosedDate="2019-05-05T00:00:00.000" />
  <row Id="5" PostTypeId="1" CreationDate="2011-04-07T00:00:00.000" Score="0" Body="" Title="Old" Tags="|java|c#|" />
  <row Id="6" PostTypeId="5" CreationDate="2011-04-07T00:00:00.000" Score="0" Body="wiki" />
</posts>
'''
COMMENTS = '''<?xml version="1.0" encoding="utf-8"?>
<comments>
  <row Id="1" PostId="4" Score="3" Text="x &lt; y" CreationDate="2018-01-03T00:00:00.100" UserId="8" />
  <row Id="2" PostId="99" Score="3" Text="lost" CreationDate="2018-01-03T00:00:00.100" UserId="8" />
</comments>
'''


def check_dump():
    """a Posts.xml and Comments.xml are served with all that they tell"""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, n) for n in ('Posts.xml', 'Comments.xml')]
        for name, text in zip(names, (DUMP, COMMENTS)):
            with open(name, 'w', encoding='utf-8') as file:
                file.write(text)
        with site('--posts', names[0], '--comments', names[1]) as s:
            unsafe = '_b'
            four, five = s.get('/questions', filter=unsafe, sort='creation').items
            same((4, 'Is A < B?', ['c++', 'keras'], 5, 0, '<p>A &lt; B</p>', 8, 1514862245, 1577836800,
                  1577836800, 7, 1557014400, 'CC BY-SA 3.0', True, 1),
                 tuple(four[k] if k != 'owner' else four['owner']['user_id'] for k in (
                     'question_id', 'title', 'tags', 'score', 'view_count', 'body', 'owner',
                     'creation_date', 'last_edit_date', 'last_activity_date', 'accepted_answer_id',
                     'closed_date', 'content_license', 'is_answered', 'answer_count')))
            same((5, ['java', 'c#'], 'CC BY-SA 2.5', False),
                 tuple(five[k] for k in ('question_id', 'tags', 'content_license', 'is_answered')))
            assert 'owner' not in five and 'last_edit_date' not in five
            answer = s.get('/questions/4/answers', filter=unsafe).items[0]
            same((7, 4, -2, True, '<p>An answer</p>\n', 'does_not_exist'),
                 tuple(answer[k] for k in ('answer_id', 'question_id', 'score', 'is_accepted', 'body'))
                 + (answer['owner']['user_type'],))
            comments = s.get('/posts/4;5;7/comments', filter=unsafe).items
            same([(1, 4, 3, 'x &lt; y')],
                 [tuple(c[k] for k in ('comment_id', 'post_id', 'score', 'body')) for c in comments])


def check_dump_round_trip():
    """what /_posts.xml writes is served again as the same questions and answers"""
    keep = {'question': ('question_id', 'title', 'tags', 'body', 'score', 'creation_date', 'link',
                         'last_edit_date', 'last_activity_date', 'accepted_answer_id', 'closed_date',
                         'view_count', 'answer_count', 'content_license'),
            'answer': ('answer_id', 'question_id', 'body', 'score', 'is_accepted', 'creation_date')}
    nasty = 'astral;bidi;combining;unbalanced;script;entities;quotes;cdata;sql;json;deep;empty;blank'
    with site('--nasty', nasty) as s, tempfile.TemporaryDirectory() as folder:
        s.control(mutate=50)
        name = os.path.join(folder, 'Posts.xml')
        with open(name, 'wb') as file:
            file.write(s.fetch('/_posts.xml').raw)
        with site('--posts', name) as again:
            for path, kind in (('/questions', 'question'), ('/answers', 'answer')):
                first, second = ([{k: i.get(k) for k in keep[kind]} for i in t.all(path, filter='_b')]
                                 for t in (s, again))
                assert len(first) > 100
                same(first, second, path)


def check_generator():
    """the same seed gives the same posts whatever the process; posts look like posts"""
    def digest(*options, env=None):
        with site(*options, env=env) as s:
            state = s.own('/_state')
            return hashlib.sha256(json.dumps(state).encode()).hexdigest(), state
    one, state = digest('--seed', '5', env={'PYTHONHASHSEED': '1'})
    same(one, digest('--seed', '5', env={'PYTHONHASHSEED': '2'})[0])
    assert one != digest('--seed', '6')[0]
    questions, answers = state['questions'], state['answers']
    dates = [q['creation_date'] for q in questions]
    assert all(1514851200 <= d <= 1614643200 for d in dates)
    assert max(map(dates.count, dates)) >= 7
    assert all(i['last_edit_date'] > i['creation_date'] for i in questions + answers if 'last_edit_date' in i)
    assert all(i['last_activity_date'] >= i['creation_date'] for i in questions + answers)
    assert sum('last_edit_date' in i for i in questions) > 20
    roots = {q['question_id']: q for q in questions}
    assert all(roots[a['question_id']]['creation_date'] < a['creation_date']
               and a['answer_id'] > a['question_id'] for a in answers)
    assert all(roots[a['question_id']]['last_activity_date'] >= a['last_activity_date'] for a in answers)
    counts = [sum(t in q['tags'] for q in questions) for t in ('python', 'keras', 'topic-50')]
    same(sorted(counts, reverse=True), counts)
    assert counts[0] > 40


def check_nasty_texts():
    """every kind of nasty text arrives as it is; NUL and lone surrogates on demand"""
    marks = ('😀', '\u202e', '\u0351', '\u2028', '\x07', '\uffff', '</div></div>', '<script>', '&#0;',
             '\r\n', '\\u0041', ']]>', 'DROP TABLE', '{"items"', 'loooong' * 100, '<blockquote>' * 400,
             'data-x', '&amp;amp;lt;')
    with site(count=300) as s:
        bodies = [i['body'] for path in ('/questions', '/answers') for i in s.all(path, filter='_b')]
        text = '\n'.join(bodies)
        same([], [m for m in marks if m not in text])
        assert '' in bodies and any(len(b) > 100000 for b in bodies)
        titles = [q['title'] for q in s.all('/questions', filter='_b')]
        assert any('<' in t for t in titles) and any('"' in t for t in titles)
    with site('--nasty', 'nul;surrogate', count=40) as s:
        raw = s.get('/questions', filter='_b', pagesize=100).plain
        assert b'\\u0000' in raw and b'\\ud83d' in raw
    with site('--nasty', '', count=40) as s:
        text = s.get('/questions', filter='_b', pagesize=100).plain.decode()
        assert not any(m in text for m in ('\u202e', 'DROP', '\\u0000', '\uffff'))


# --- the process ---

def check_log():
    """/_log and --log-file tell every API request, and no other"""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, 'log')
        with site('--log-file', name, '--fault', 'html,at=2') as s:
            s.get('/questions/1;2', page=1)
            s.get('/info')
            s.get('/nothing')
            s.own('/_clock')
            log = s.own('/_log')
            same([(1, '/questions/{ids}', 200, None), (2, '/info', 503, None), (3, None, 400, 404)],
                 [tuple(e[k] for k in ('n', 'method', 'status', 'error_id')) for e in log])
            same(['html,at=2'], log[1]['faults'])
            same('site=stackoverflow&page=1', log[0]['query'])
            same(log[2:], s.own('/_log?since=2'))
            with open(name, encoding='utf-8') as file:
                same(log, [json.loads(line) for line in file])


def check_connections():
    """connections stay open, and many clients at once are all counted"""
    with site('--rate', '100000', '--burst', '100000', '--quota', '100000') as s:
        connection = http.client.HTTPConnection('127.0.0.1', s.port)
        for _ in range(20):
            connection.request('GET', '/2.3/info?site=stackoverflow', headers={'Accept-Encoding': 'gzip'})
            same(200, connection.getresponse().read() and 200)
            used = connection.sock
        assert used is connection.sock and used is not None
        connection.close()
        threads = [threading.Thread(target=lambda: [s.get('/questions') for _ in range(10)])
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        log = s.own('/_log')
        same(list(range(1, 101)), [e['n'] for e in log])
        same({200}, {e['status'] for e in log})


def check_hostile_requests():
    """a client that talks nonsense does no harm"""
    with site() as s:
        for data in (b'\x00\xff\r\n\r\n', b'GET\r\n\r\n', b'GET /2.3/questions HTTP/9.9\r\n\r\n',
                     b'GET /' + b'a' * 70000 + b' HTTP/1.1\r\n\r\n', b'FOO /2.3/info HTTP/1.1\r\n\r\n',
                     b'POST /2.3/filters/create HTTP/1.1\r\nContent-Length: x\r\n\r\n'):
            with socket.create_connection(('127.0.0.1', s.port), 10) as sock:
                sock.sendall(data)
                sock.shutdown(socket.SHUT_WR)
                with contextlib.suppress(ConnectionResetError):
                    sock.recv(65536)
        for path in ('/2.3/questions?site=%ff%fe&page=%00', '/2.3/%ff',
                     '/2.3/questions?pagesize=%C2%B2&site=stackoverflow'):
            same(400, s.fetch(path).status, path)
        same(200, s.get('/info').status)


def check_speed():
    """300 known pages of 100 items with bodies cost the server less than a second of one core"""
    with site(count=1000) as s:
        def used():
            with open(f'/proc/{s.process.pid}/stat', encoding='ascii') as file:
                fields = file.read().rpartition(')')[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
        s.control(quota=100000)
        connection = http.client.HTTPConnection('127.0.0.1', s.port)
        def ask(n):
            for page in range(n):
                connection.request('GET', '/2.3/questions?site=stackoverflow&pagesize=100&filter=withbody'
                                   f'&page={page % 10 + 1}', headers={'Accept-Encoding': 'gzip'})
                connection.getresponse().read()
        ask(10)
        begin = used()
        ask(300)
        seconds = used() - begin
        connection.close()
        assert seconds < 1, f'{seconds:.2f} s for 300 pages'


def check_sigterm():
    """SIGTERM ends the server at once"""
    with site() as s:
        s.process.send_signal(signal.SIGTERM)
        same(0, s.process.wait(5))


def check_ends_with_its_parent():
    """a server whose parent is killed is gone a moment later"""
    with tempfile.TemporaryDirectory() as folder:
        port_file = os.path.join(folder, 'port')
        parent = subprocess.Popen([sys.executable, '-c', 'import subprocess, sys, time\n'
                                   'subprocess.Popen(sys.argv[1:])\ntime.sleep(60)', sys.executable,
                                   os.path.join(HERE, 'server.py'), '--generate', '5', '--port-file',
                                   port_file])
        try:
            s = Site(None, wait_for_port(port_file, parent))
            same(200, s.get('/info').status)
        finally:
            parent.kill()
            parent.wait(5)
        for _ in range(50):
            try:
                s.get('/info')
            except (urllib.error.URLError, ConnectionError):
                return
            time.sleep(0.1)
        raise AssertionError('the server outlived its parent')


def main():
    wanted = sys.argv[1:]
    failed = total = 0
    for name, check in list(globals().items()):
        if not name.startswith('check_') or (wanted and name[6:] not in wanted):
            continue
        total += 1
        begin = time.monotonic()
        try:
            check()
            print(f'ok   {name[6:]} ({time.monotonic() - begin:.1f} s)', flush=True)
        except Exception as trouble:  # each check tells its story, and the others go on
            failed += 1
            where = trouble.__traceback__
            while where.tb_next and where.tb_next.tb_frame.f_code.co_filename == __file__ \
                    and where.tb_next.tb_frame.f_code.co_name not in ('same', 'error', 'subsequence'):
                where = where.tb_next
            print(f'FAIL {name[6:]}: {check.__doc__.strip()}\n  line {where.tb_lineno}: '
                  f'{type(trouble).__name__}: {trouble}', flush=True)
    print(f'{total - failed} of {total} checks passed')
    sys.exit(failed > 0 or total == 0)


main()
