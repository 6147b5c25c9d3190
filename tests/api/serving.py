"""The server of server.py: what it takes, and how it answers."""
import argparse
import hashlib
import http.server
import json
import os
import random
import re
import signal
import socket
import struct
import sys
import threading
import time
import urllib.parse
from email.utils import formatdate

import corpus as posts
import generate
from faults import Fault, bomb, change_items, chunks, corrupt
from filters import ALL, Filter, Filters
from live import KINDS, Live
from page import Body, Pages, body_of, dump
from query import (COMMON, ERRORS, METHODS, NETWORK, SEARCH, SORTED, ApiError, id_list, info, number,
                   route, select)
from rules import INFORMATIVE, Clock, Limits, Log

# Name: default, and what it is. Each is an option (with - for _) and can be set at /_control.
SETTINGS = {
    'latency': (0.05, 'virtual seconds that a request takes'),
    'rate': (25, 'requests in any one second above which a violation is counted'),
    'burst': (30, 'requests in any one second above which the edge bans the address'),
    'burst_ban': (30.0, 'seconds of that ban'),
    'quota': (300, 'requests per window of an address without a key'),
    'quota_keyed': (10000, 'requests per window of a key'),
    'quota_window': (86400.0, 'seconds of the quota window'),
    'quota_reset': ('first', 'the window begins with the first request (first) or at midnight'),
    'quota_grace': (1, 'requests answered with negative quota_remaining before the throttle'),
    'backoff_margin': (0.0, 'seconds that must pass on top of a backoff'),
    'backoff_penalty': (0.0, 'seconds that each ignored backoff adds'),
    'ban_extend': (0.0, 'seconds that each request during a throttle ban adds'),
    'auth': ('both', 'where a key is taken from: bearer, query or both'),
    'max_page_keyless': (25, 'last page that needs no key'),
    'unknown_filter': ('safe', 'what an unknown !filter is: safe, unsafe (both: all fields), error'),
    'ties': ('id', 'order of equal sort values: id, scrambled (fixed) or unstable (each request)'),
    'double_escape': (0.0, 'share of posts whose strings are escaped twice under safe filters'),
    'cache': (0.0, 'seconds during which an equal request gets the same items'),
    'date_skew': (0.0, 'seconds added to the Date header'),
    'idle': (60.0, 'real seconds after which an idle connection is closed'),
    'mutate_every': (0, 'mutate after every so many API requests; 0: never'),
    'mutate_interval': (0.0, 'mutate each time so many seconds of the clock have passed; 0: never'),
    'mutate_count': (1, 'mutations each time'),
    'mutate_max': (0, 'stop after so many mutations in all; 0: no end'),
    'mutate_kinds': ('', 'which, as kind=weight;kind=weight (weights may be left out); empty: all'),
}
HTML_PAGE = (b'<!DOCTYPE html>\n<html><head><title>%d</title></head>\n<body><h1>Please wait</h1>'
             b'<p>{"not":"json"} &amp; more.</p></body></html>\n')
SITE_ITEM = {'site_type': 'main_site', 'name': 'Stack Overflow', 'api_site_parameter': 'stackoverflow',
             'site_url': 'https://stackoverflow.com', 'site_state': 'normal'}


class Answer:
    """What goes on the wire: status, body, and what faults do to it."""

    def __init__(self, status, body, kind='application/json; charset=utf-8', compress=True):
        self.status, self.body, self.kind, self.compress = status, body, kind, compress
        self.faults, self.headers = [], []
        self.callback = None


class Request:
    """One API request on its way through the server."""

    def __init__(self, target, headers, address, body=b''):
        split = urllib.parse.urlsplit(target)
        self.path = urllib.parse.unquote(split.path)
        self.query = split.query
        pairs = urllib.parse.parse_qsl(split.query, keep_blank_values=True)
        pairs += urllib.parse.parse_qsl(body.decode('utf-8', 'replace'), keep_blank_values=True)
        self.params = dict(pairs)
        self.headers, self.address = headers, address
        self.template = self.slot = self.error = self.who = None
        self.keyed = False
        self.now, self.number, self.entry, self.faults = 0.0, 0, None, []
        try:
            if not self.path.startswith('/2.3/'):
                raise ApiError(404, 'no method found with this name')
            self.template, self.slot = route(self.path[4:].rstrip('/'))
        except ApiError as error:
            self.error = error

    def meaning(self):
        """What makes two requests semantically the same."""
        slot = tuple(sorted(set(self.slot.split(';')))) if self.slot else ()
        params = sorted((k, v) for k, v in self.params.items() if k not in ('key', 'access_token'))
        return self.template or self.path, slot, tuple(params), self.who


class Api:
    """The server's state. answer() is the API; control() and friends are for the test."""

    def __init__(self, args, settings, corpus, gen):
        self.settings, self.corpus = settings, corpus
        self.clock = Clock(args.virtual_clock, args.clock_start)
        self.limits = Limits(settings, self.clock)
        self.log = Log(args.log_file)
        self.filters = Filters(settings['unknown_filter'])
        self.live = Live(corpus, gen, args.mutate_seed)
        self.seed = args.fault_seed
        self.faults = [Fault(text, self.seed) for text in args.fault]
        self.pages = Pages(self.escaped_twice)
        self.selected, self.cached, self.burst_bans = {}, {}, {}
        self.lock = threading.RLock()
        self.mutated_at = self.clock.now()
        self.again = random.Random(args.fault_seed)

    # --- the API ---

    def answer(self, request):
        with self.lock:
            if self.clock.virtual:
                self.clock.advance(self.settings['latency'])
            self.mutate_on_time()
            answer = self.answer_locked(request)
            every = self.settings['mutate_every']
            if every and request.number % every == 0:
                self.mutate(self.settings['mutate_count'], self.clock.now())
            if self.log.file:
                self.log.file.write(json.dumps(request.entry) + '\n')
            return answer

    def answer_locked(self, request):
        request.now = self.clock.now()
        request.number = len(self.log.entries) + 1
        request.entry = entry = {
            'n': request.number, 'method': request.template, 'path': request.path,
            'query': request.query, 'time': request.now, 'real': time.time(), 'status': None,
            'error_id': None, 'items': None, 'faults': [], 'violations': [], 'notes': []}
        self.log.entries.append(entry)
        try:
            answer = self.judged(request)
        except ApiError as error:
            entry['error_id'] = error.error_id
            answer = self.error_answer(request, error)
        entry['status'] = answer.status
        entry['faults'] = [f.text for f in request.faults]
        answer.faults = [f for f in request.faults if f.phase == 'wire']
        return answer

    def judged(self, request):
        """Checks what the client may do, then answers."""
        if self.burst_banned(request):
            return self.html_answer(429)
        self.identify(request)
        self.note_habits(request)
        banned = self.limits.bans.get(request.who)
        try:
            self.limits.check_ban(request.who, request.now)
        except ApiError:
            self.log.violate(request.entry, 'throttle-ban',
                             f'{banned - request.now:.1f} s before the end of the ban')
            raise
        request.faults = [f for f in self.faults if f.hits(request.number, request.template)]
        for fault in request.faults:
            if fault.phase == 'early':
                return self.early(request, fault)
        if request.error:
            raise request.error
        try:
            self.limits.check_backoff(request.who, request.template, request.now)
        except ApiError:
            self.log.violate(request.entry, 'backoff')
            raise
        self.check_key(request)
        wrapper = {}
        most, left, ended = self.limits.spend(request.who, request.keyed,
                                               request.address, request.now)
        if ended:
            self.log.violate(request.entry, 'after-quota-end')
        wrapper['quota_max'], wrapper['quota_remaining'] = most, left
        request.entry['quota_remaining'] = left
        return self.method_answer(request, wrapper)

    def burst_banned(self, request):
        s, address = self.settings, request.address
        recent = self.limits.count_recent(address, request.now)
        if recent > s['rate']:
            self.log.violate(request.entry, 'rate', f'{recent} requests in one second')
        if recent > s['burst'] and request.now >= self.burst_bans.get(address, 0):
            self.log.violate(request.entry, 'burst')
            self.burst_bans[address] = request.now + s['burst_ban']
        elif request.now < self.burst_bans.get(address, 0):
            self.log.violate(request.entry, 'throttle-ban', 'banned by the edge')
        return request.now < self.burst_bans.get(address, 0)

    def identify(self, request):
        """Who asks: the key (or token) when one is given where it counts, or the address."""
        in_query = request.params.get('key') or request.params.get('access_token')
        header = request.headers.get('Authorization', '')
        in_header = header[7:].strip() if header[:7].lower() == 'bearer ' else ''
        auth = self.settings['auth']
        key = in_header if auth != 'query' and in_header else ''
        if auth != 'bearer' and not key:
            key = in_query or ''
        if in_query and auth == 'bearer':
            self.log.violate(request.entry, 'key-in-url')
        elif in_query:
            self.log.violate(request.entry, 'old-style-key')
        request.keyed = bool(key)
        request.who = f'key:{key}' if key else f'ip:{request.address}'
        request.key, request.in_query = key, bool(in_query)
        request.entry['who'] = 'key' if key else 'ip'

    def check_key(self, request):
        if self.settings['auth'] == 'bearer' and request.in_query:
            raise ApiError(400, 'keys and tokens in the query are no longer accepted, send them in '
                                'the Authorization header as Bearer')
        keys = self.settings['keys']
        if request.keyed and keys and request.key not in keys:
            raise ApiError(400, "`key` doesn't match a known application")

    def note_habits(self, request):
        if self.log.same_before(request.meaning(), request.now):
            self.log.violate(request.entry, 'same-within-a-minute')
        accepted = request.headers.get('Accept-Encoding', '').lower()
        if not any(word in accepted for word in ('gzip', 'deflate', '*')):
            self.log.violate(request.entry, 'no-gzip')
        if re.fullmatch('0*[1-9][0-9]{2,}', request.params.get('pagesize', '')) and \
                request.params['pagesize'].lstrip('0') != '100':
            self.log.violate(request.entry, 'pagesize')
        if request.slot and request.slot.count(';') >= (20 if 'filters' in request.template else 100):
            self.log.violate(request.entry, 'too-many-ids')

    def early(self, request, fault):
        """An answer that a fault puts in the place of the real one."""
        args = fault.args
        if fault.name == 'throttle':
            if args['message'] == 'ip':
                self.limits.bans[request.who] = request.now + args['seconds']
                raise ApiError(502, f'too many requests from this IP, more requests available in '
                                    f'{args["seconds"]} seconds')
            raise ApiError(502, {'backoff': 'Violation of backoff parameter',
                                 'simulated': 'simulated'}.get(args['message'], args['message']))
        if fault.name in ('error', 'plain-error'):
            error = ApiError(args['id'], args.get('message') or 'simulated')
            request.entry['error_id'] = error.error_id
            answer = self.error_answer(request, error)
            answer.compress = fault.name == 'error'
            return answer
        if fault.name == 'html':
            return self.html_answer(args['status'])
        answer = Answer(args.get('status', 500), body_of(b'Service trouble\r\n'), 'text/plain', False)
        if args.get('retry_after'):
            answer.headers.append(('Retry-After', args['retry_after']))
        if fault.name == 'redirect':
            answer.headers.append(('Location', '/2.3/errors/500'))
        if fault.name in ('drop', 'reset'):
            answer.status = 0
            answer.body = fault.name
        return answer

    def html_answer(self, status):
        answer = Answer(status, body_of(HTML_PAGE % status), 'text/html; charset=UTF-8', False)
        return answer

    def error_answer(self, request, error):
        name = ERRORS.get(error.error_id, ERRORS[500])[0]
        body = body_of(dump({'error_id': error.error_id, 'error_message': error.message,
                             'error_name': name}))
        answer = Answer(400, body)
        self.jsonp(request, answer)
        return answer

    def jsonp(self, request, answer):
        callback = request.params.get('callback')
        if callback:
            answer.status, answer.kind = 200, 'application/javascript; charset=utf-8'
            answer.body = body_of(callback.encode() + b'(' + answer.body.plain() + b');')

    # --- methods ---

    def method_answer(self, request, wrapper):
        template, params = request.template, request.params
        if template in NETWORK:
            if 'site' in params:
                raise ApiError(400, 'This method does not accept a site parameter')
        elif not params.get('site'):
            raise ApiError(400, 'site is required')
        elif params['site'] not in ('stackoverflow', 'stackoverflow.com'):
            raise ApiError(400, f'No site found for name `{params["site"]}`')
        filt = self.filters.find(params.get('filter') or 'default')
        if filt is None:
            raise ApiError(400, 'filter')
        page = number(params, 'page', 1, least=1)
        size = number(params, 'pagesize', 30, least=0, most=100)
        if page > self.settings['max_page_keyless'] and not request.keyed:
            raise ApiError(403, f'page above {self.settings["max_page_keyless"]} requires access token '
                                f'or app key')
        things, cache_key = self.things(request)
        moved = sum(f.args['n'] for f in request.faults if f.name == 'shift')
        shown = things[max(0, (page - 1) * size - moved):max(0, page * size - moved)]
        wrapper = {'has_more': size > 0 and len(things) > page * size, **wrapper,
                   'page': page, 'page_size': size, 'total': len(things),
                   'type': METHODS[template][0]}
        return self.page_answer(request, filt, shown, wrapper, cache_key and (cache_key, page, size))

    def things(self, request):
        """(all things that the query finds, key of the page cache or None)."""
        template = request.template
        maker = {'/info': self.info_things, '/sites': lambda r: [SITE_ITEM],
                 '/errors': self.error_things, '/errors/{id}': self.simulated_error,
                 '/filters/create': self.created_filter,
                 '/filters/{filters}': self.decoded_filters}.get(template)
        if maker:
            return maker(request), None
        ids = id_list(request.slot) if request.slot else None
        asked = {k: v for k, v in request.params.items()
                 if k in (SEARCH if 'search' in template else SORTED | {'tagged'})
                 and k not in COMMON}
        meaning = (template, tuple(ids or ()), tuple(sorted(asked.items())))
        unstable = self.settings['ties'] == 'unstable'
        whole = (meaning, *(request.params.get(name) for name in ('page', 'pagesize', 'filter')))
        stale = self.cached.get(whole)
        if self.settings['cache'] and stale and request.now - stale[0] < self.settings['cache']:
            return stale[1:]
        key = (meaning, self.corpus.version, request.number if unstable else 0)
        found = self.selected.get(key)
        if found is None:
            found = select(self.corpus, template, ids, request.params, self.tie(request.number))
            if len(self.selected) > 300:
                self.selected.clear()
            self.selected[key] = found
        if self.settings['cache']:
            self.cached[whole] = (request.now, found, key)
        return found, key

    def tie(self, request_number):
        ties = self.settings['ties']
        if ties == 'id':
            return lambda thing: thing.id
        salt = request_number if ties == 'unstable' else 0
        return lambda thing: (thing.id * 2654435761 + salt * 40503) % 1000003

    def info_things(self, _):
        return [info(self.corpus)]

    def error_things(self, _):
        return [{'error_id': i, 'error_name': name, 'description': text}
                for i, (name, text) in ERRORS.items()]

    def simulated_error(self, request):
        if int(request.slot) not in ERRORS:
            raise ApiError(400, 'id')
        raise ApiError(int(request.slot), 'simulated')

    def created_filter(self, request):
        params = request.params
        base = self.filters.find(params.get('base') or 'default')
        if base is None:
            raise ApiError(400, 'base')
        split = {n: [f for f in (params.get(n) or '').split(';') if f] for n in ('include', 'exclude')}
        unsafe = (params.get('unsafe') or 'false').lower()
        if unsafe not in ('true', 'false'):
            raise ApiError(400, 'unsafe')
        return [self.filters.create(base, split['include'], split['exclude'], unsafe == 'true').item()]

    def decoded_filters(self, request):
        names = request.slot.split(';')
        if len(names) > 20:
            raise ApiError(400, 'filters')
        return [f.item() for f in map(self.filters.find, names) if f is not None]

    def escaped_twice(self, thing):
        share = self.settings['double_escape']
        ident = getattr(thing, 'id', None)
        if not share or ident is None:
            return False
        return int(hashlib.md5(str(ident).encode()).hexdigest()[:6], 16) / 0xffffff < share

    def page_answer(self, request, filt, shown, wrapper, key):
        request.entry.update(items=len(shown), has_more=wrapper['has_more'])
        changes = [f for f in request.faults if f.phase == 'items']
        kind = METHODS[request.template][0]
        ordered = {}
        for name in ('has_more', 'backoff', 'quota_max', 'quota_remaining', 'page', 'page_size',
                     'total', 'type'):
            if name == 'backoff':
                backoff = [f.args['seconds'] for f in changes if f.name == 'backoff']
                if backoff:
                    seconds = max(backoff)
                    self.limits.set_backoff(request.who, request.template, seconds)
                    request.entry['backoff'] = seconds
                    if 'backoff' in filt.wrapper:
                        ordered[name] = int(seconds) if seconds == int(seconds) else seconds
            elif name in filt.wrapper:
                ordered[name] = wrapper[name]
        if 'items' not in filt.wrapper:
            body = body_of(dump(ordered))
        elif any(f.name not in ('backoff', 'shift') for f in changes):
            body = self.changed_body(shown, kind, filt, ordered, changes)
        else:
            if any(f.name == 'shift' for f in changes):
                key = None
            pieces, sums = self.pages.head(shown, kind, filt, key and (key, filt.name))
            body = Body(pieces, sums, b',' + dump(ordered)[1:] if ordered else b'}')
        answer = Answer(200, body)
        self.jsonp(request, answer)
        return answer

    def changed_body(self, shown, kind, filt, wrapper, changes):
        share = any(f.name == 'double-escape' for f in changes)
        again = (lambda thing: True) if share else self.escaped_twice
        items = [posts.render(t, kind, filt, again) for t in shown]
        wrapper = {'items': items, **wrapper}
        for fault in changes:
            wrapper['items'] = change_items(fault, wrapper.get('items', []), wrapper)
            if fault.name == 'missing-wrapper' and 'items' in fault.args['fields'].split(';'):
                del wrapper['items']
        data = dump(wrapper)
        for fault in changes:
            if fault.name == 'bad-json':
                data = data[:max(0, len(data) - fault.args['n'])]
            elif fault.name == 'not-object':
                data = fault.random.choice((b'[]', b'null', b'"text"', b'', b'42', b'{}', b'{"items":{}}'))
            elif fault.name == 'bom':
                data = b'\xef\xbb\xbf' + data
        return body_of(data)

    # --- the corpus lives ---

    def mutate_on_time(self):
        """What happened since the last request, each change at its own time."""
        now, interval = self.clock.now(), self.settings['mutate_interval']
        if not interval:
            self.mutated_at = now
        for _ in range(1000):
            if not interval or self.mutated_at + interval > now:
                return
            self.mutated_at += interval
            self.mutate(self.settings['mutate_count'], self.mutated_at)

    def mutate(self, count, now):
        kinds = {}
        for part in filter(None, self.settings['mutate_kinds'].split(';')):
            kind, _, weight = part.partition('=')
            kinds[kind] = float(weight or 1)
        most = self.settings['mutate_max']
        for _ in range(count):
            if most and len(self.live.done) >= most:
                return
            self.live.step(kinds or KINDS, now)

    # --- for the test ---

    def state(self):
        """Everything there is, also what was deleted; strings as they are, not escaped."""
        full = Filter('!everything', ALL, safe=False)
        out = {'now': self.clock.now(), 'questions': [], 'answers': [], 'comments': []}
        for post in self.corpus.posts.values():
            kind = 'question' if post.is_question else 'answer'
            item = posts.render(post, kind, full)
            for name in ('comments', 'answers'):
                item.pop(name, None)
            out[kind + 's'].append({**item, 'deleted': not post.visible()})
        for comment in self.corpus.comments.values():
            item = posts.render(comment, 'comment', full)
            out['comments'].append({**item, 'deleted': not comment.visible()})
        return out

    def control(self, values):
        """Sets what the test asks for; ValueError with words when it is not understood."""
        for name, value in values.items():
            texts = value if isinstance(value, list) else [value]
            if name == 'fault':
                self.faults += [Fault(text, self.seed) for text in texts]
            elif name == 'faults':
                self.faults = [Fault(text, self.seed) for text in texts if text not in ('', 'none')]
            elif name == 'advance':
                self.clock.advance(float(value))
            elif name == 'quota_left':
                self.limits.set_quota(int(value))
            elif name == 'mutate':
                self.mutate(int(value), self.clock.now())
            elif name in ('delete', 'undelete'):
                for pid in str(value).split(';'):
                    post = self.corpus.posts[int(pid)]
                    post.deleted = name == 'delete'
                    self.corpus.touch(post)
            elif name in SETTINGS:
                self.settings[name] = checked(name, value)
                self.filters.unknown = self.settings['unknown_filter']
                self.pages.clear()
                self.selected.clear()
                self.cached.clear()
            else:
                raise ValueError(f'no setting {name!r}')
        return {'settings': {k: v for k, v in self.settings.items() if k != 'keys'},
                'faults': [f.text for f in self.faults], 'now': self.clock.now(),
                'mutations': len(self.live.done)}


CHOICES = {'auth': ('bearer', 'query', 'both'), 'ties': ('id', 'scrambled', 'unstable'),
           'unknown_filter': ('safe', 'unsafe', 'error'), 'quota_reset': ('first', 'midnight')}


def checked(name, value):
    """A setting's value in its type; ValueError when it cannot be that."""
    value = type(SETTINGS[name][0])(value)
    if name in CHOICES and value not in CHOICES[name]:
        raise ValueError(f'{name} is one of {" ".join(CHOICES[name])}')
    if name == 'mutate_kinds':
        for part in filter(None, value.split(';')):
            if part.partition('=')[0] not in KINDS:
                raise ValueError(f'no mutation {part!r}; there are: {" ".join(KINDS)}')
    return value


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    api = None

    def setup(self):
        self.timeout = self.api.settings['idle']
        super().setup()

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.handle_any(b'')

    def do_POST(self):
        length = self.headers.get('Content-Length', '0')
        self.handle_any(self.rfile.read(int(length)) if length.isdigit() else b'')

    def handle_any(self, body):
        try:
            if self.path.startswith('/_'):
                self.for_test(body)
            else:
                request = Request(self.path, self.headers, self.client_address[0], body)
                self.send(self.api.answer(request))
        except (BrokenPipeError, ConnectionError, TimeoutError):
            self.close_connection = True

    # --- the test's own pages ---

    def for_test(self, body):
        split = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(split.query, keep_blank_values=True)
        one = {name: values[-1] for name, values in query.items()}
        status = 200
        try:
            found = self.test_page(split.path, query, one, body)
        except (ValueError, KeyError, TypeError) as error:
            found, status = {'error': f'{type(error).__name__}: {error}'}, 400
        if found is None:
            found, status = {'error': 'no such page'}, 404
        kind, data = ('application/json', dump(found)) if not isinstance(found, str) else \
            ('text/xml; charset=utf-8', found.encode())
        self.write_head(status, [('Content-Type', kind), ('Content-Length', len(data))])
        self.wfile.write(data)

    def test_page(self, path, query, one, body):
        api = self.api
        if path == '/_clock':
            if 'sleep' in one:
                return {'now': api.clock.sleep(float(one['sleep']))}
            return {'now': api.clock.advance(float(one.get('advance', 0)))}
        with api.lock:
            if path == '/_control':
                given = json.loads(body) if body.strip() else {}
                many = {n: v if n in ('fault', 'faults') else v[-1] for n, v in query.items()}
                return api.control({**many, **given})
            if path == '/_posts.xml':
                return ''.join(posts.posts_xml(api.corpus))
            if path == '/_comments.xml':
                return ''.join(posts.comments_xml(api.corpus))
            if path == '/_state':
                return api.state()
            if path == '/_log':
                return api.log.entries[int(one.get('since', 0)):]
            if path == '/_violations':
                return api.log.report()
            if path == '/_mutations':
                return api.live.done
            if path == '/_sleeps':
                return api.clock.sleeps
        return None

    # --- the wire ---

    def write_head(self, status, headers):
        self.connection.sendall(self.head(status, headers))

    def head(self, status, headers):
        phrase = self.responses.get(status, ('Status',))[0]
        lines = [f'HTTP/1.1 {status} {phrase}']
        lines += [f'{name}: {value}' for name, value in headers]
        when = self.api.clock.now() + self.api.settings['date_skew']
        lines += ['Cache-Control: private', 'Access-Control-Allow-Origin: *',
                  f'Date: {formatdate(when, usegmt=True)}']
        if self.close_connection:
            lines.append('Connection: close')
        return ('\r\n'.join(lines) + '\r\n\r\n').encode()

    def coding(self):
        accepted = self.headers.get('Accept-Encoding', '').lower()
        return 'deflate' if 'deflate' in accepted and 'gzip' not in accepted else 'gzip'

    def send(self, answer):
        if answer.status == 0:
            return self.vanish(answer.body)
        coding = self.coding() if answer.compress else None
        if coding is None:
            data = answer.body.plain()
        else:
            data = answer.body.zlib() if coding == 'deflate' else answer.body.gzip()
        faults = {f.name: f for f in answer.faults}
        data, coding = wire_bytes(answer.body, data, coding, faults)
        headers = [('Content-Type', answer.kind)] + answer.headers
        if coding:
            headers.append(('Content-Encoding', coding))
        self.transmit(answer.status, headers, data, faults)
        return None

    def vanish(self, how):
        if how == 'reset':
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            self.connection.close()
        self.close_connection = True

    def transmit(self, status, headers, data, faults):
        if 'chunked' in faults or 'chunked-cut' in faults:
            fault = faults.get('chunked-cut') or faults['chunked']
            headers.append(('Transfer-Encoding', 'chunked'))
            data = chunks(data, fault.args['size'])
            if 'chunked-cut' in faults:
                self.close_connection = True
            else:
                data += b'0\r\n\r\n'
        elif 'no-length' in faults:
            self.close_connection = True
        else:
            headers.append(('Content-Length', len(data)))
        if 'cut' in faults or 'cut-header' in faults:
            self.close_connection = True
        if 'cut' in faults:
            data = data[:faults['cut'].args['n']]
        whole = self.head(status, headers) + data
        if 'cut-header' in faults:
            whole = whole[:faults['cut-header'].args['n']]
        if 'slow' in faults:
            self.trickle(whole, **faults['slow'].args)
        else:
            self.connection.sendall(whole)

    def trickle(self, data, seconds, chunk, stall):
        """Sends in small pieces over so many real seconds, with a pause in the middle."""
        size = chunk or max(1, len(data) // 40)
        count = (len(data) + size - 1) // size
        for n in range(count):
            self.connection.sendall(data[n * size:(n + 1) * size])
            time.sleep(seconds / count + (stall if n == count // 2 else 0))


def wire_bytes(body, data, coding, faults):
    """The bytes and their declared coding after faults have been at them."""
    if 'plain' in faults:
        data, coding = body.plain(), None
    if 'zlib' in faults:
        data, coding = body.zlib(), 'deflate'
    if 'raw-deflate' in faults:
        data, coding = body.raw_deflate(), 'deflate'
    if 'bomb' in faults:
        data, coding = bomb(faults['bomb'].args['mb']), 'gzip'
    if 'truncated-gzip' in faults:
        data = data[:max(0, len(data) - faults['truncated-gzip'].args['n'])]
    if 'corrupt-gzip' in faults:
        data = corrupt(data, faults['corrupt-gzip'].random)
    if 'trailing-gzip' in faults:
        data += b'trailing bytes'
    if 'no-encoding' in faults:
        coding = None
    if 'wrong-encoding' in faults:
        coding = faults['wrong-encoding'].random.choice(('br', 'identity', 'x-unknown', 'gzip, gzip'))
    return data, coding


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (OSError, ValueError)):
            super().handle_error(request, client_address)


def watch_parent(parent):
    """Ends this process soon after its parent is gone, so that no test leaves a server behind."""
    while os.getppid() == parent:
        time.sleep(0.3)
    os._exit(0)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add('--port', type=int, default=0, help='0: a free one')
    add('--port-file', metavar='F', help='file that gets the port when the server is ready')
    add('--generate', type=int, metavar='N', help='serve N generated questions')
    add('--seed', type=int, default=1, help='of the generator')
    add('--from', dest='since', type=int, default=1514851200, help='first creation date')
    add('--to', dest='until', type=int, default=1614643200, help='last creation date')
    add('--same-second', type=int, default=7, help='questions that share one second, at least once')
    add('--nasty', default=';'.join(generate.NASTY),
        help='kinds of nasty text, separated by ; (more on demand: nul;surrogate); empty for none')
    add('--posts', metavar='FILE', help='serve the posts of this Posts.xml')
    add('--comments', metavar='FILE', help='and of this Comments.xml')
    add('--virtual-clock', action='store_true', help='time moves only by requests and /_clock')
    add('--clock-start', type=float, help='Unix time of the start; default now')
    add('--key', action='append', default=[], metavar='KEY[=QUOTA]', help='known keys; none: all are')
    add('--fault', action='append', default=[], metavar='NAME,…', help='see faults.py')
    add('--fault-seed', type=int, default=1)
    add('--mutate-seed', type=int, default=1)
    add('--log-file', metavar='F', help='the log of requests as NDJSON')
    add('--no-parent-watch', action='store_true', help='stay when the parent ends')
    for name, (default, text) in SETTINGS.items():
        add('--' + name.replace('_', '-'), default=default, help=f'{text} ({default!r})',
            type=lambda value, name=name: checked(name, value))
    return parser.parse_args()


def main():
    parent = os.getppid()
    args = arguments()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if args.posts:
        corpus = posts.from_dump(args.posts, args.comments)
        gen = generate.Generator(args.seed)
        gen.make_users(corpus, 50)
    else:
        nasty = [kind for kind in args.nasty.split(';') if kind]
        corpus, gen = generate.from_seed(args.seed, args.generate or 200, args.since, args.until,
                                         args.same_second, nasty)
    settings = {name: getattr(args, name) for name in SETTINGS}
    settings['keys'] = {k.partition('=')[0]: int(k.partition('=')[2] or 0) for k in args.key}
    Handler.api = Api(args, settings, corpus, gen)
    server = Server(('127.0.0.1', args.port), Handler)
    if args.port_file:
        with open(args.port_file + '.new', 'w', encoding='ascii') as file:
            file.write(f'{server.server_address[1]}\n')
        os.replace(args.port_file + '.new', args.port_file)
    else:
        print(server.server_address[1], flush=True)
    if not args.no_parent_watch:
        threading.Thread(target=watch_parent, args=(parent,), daemon=True).start()
    server.serve_forever(poll_interval=0.2)
