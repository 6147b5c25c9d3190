"""The methods of the API: routes, parameters, which things an answer has and in what order."""
import re

ERRORS = {
    400: ('bad_parameter', 'An invalid parameter was passed'),
    401: ('access_token_required', 'A method that needs an access token was called without one'),
    402: ('invalid_access_token', 'An invalid access token was passed'),
    403: ('access_denied', 'A method that the caller may not use was called'),
    404: ('no_method', 'A method that does not exist was called'),
    405: ('key_required', 'A method that needs a key was called without one'),
    406: ('access_token_compromised', 'An access token is no longer believed to be secure'),
    407: ('write_failed', 'A write was rejected'),
    409: ('duplicate_request', 'A request was already made with this id'),
    500: ('internal_error', 'An unexpected error occurred in the API'),
    502: ('throttle_violation', 'A throttle was violated'),
    503: ('temporarily_unavailable', 'The API is unavailable for now'),
}
COMMON = {'site', 'key', 'access_token', 'callback', 'filter', 'page', 'pagesize'}
SORTED = COMMON | {'sort', 'order', 'min', 'max', 'fromdate', 'todate'}
SEARCH = SORTED | {'q', 'accepted', 'answers', 'body', 'closed', 'migrated', 'notice', 'nottagged',
                   'tagged', 'title', 'user', 'url', 'views', 'wiki'}
POST_SORTS = ('activity', 'creation', 'votes')
QUESTION_SORTS = POST_SORTS + ('hot', 'week', 'month')
COMMENT_SORTS = ('creation', 'votes')

# Template: type of its items, its sorts (the first is the default), per site or not.
METHODS = {
    '/questions': ('question', QUESTION_SORTS),
    '/questions/{ids}': ('question', POST_SORTS),
    '/questions/{ids}/answers': ('answer', POST_SORTS),
    '/questions/{ids}/comments': ('comment', COMMENT_SORTS),
    '/answers': ('answer', POST_SORTS),
    '/answers/{ids}': ('answer', POST_SORTS),
    '/answers/{ids}/comments': ('comment', COMMENT_SORTS),
    '/posts': ('post', POST_SORTS),
    '/posts/{ids}': ('post', POST_SORTS),
    '/posts/{ids}/comments': ('comment', COMMENT_SORTS),
    '/comments': ('comment', COMMENT_SORTS),
    '/comments/{ids}': ('comment', COMMENT_SORTS),
    '/search/advanced': ('question', POST_SORTS + ('relevance',)),
    '/info': ('info', ()),
    '/sites': ('site', ()),
    '/errors': ('error', ()),
    '/errors/{id}': ('error', ()),
    '/filters/create': ('filter', ()),
    '/filters/{filters}': ('filter', ()),
}
FAR = 2**63
NETWORK = ('/sites', '/errors', '/errors/{id}', '/filters/create', '/filters/{filters}')


class ApiError(Exception):
    """An answer with error_id, and its message."""

    def __init__(self, error_id, message):
        super().__init__(message)
        self.error_id, self.message = error_id, message


def route(path):
    """(template, the text in the id's place) of a path below /2.3; ApiError when there is none."""
    parts = path.strip('/').split('/')
    if path in METHODS and '{' not in path:
        return path, None
    if len(parts) >= 2:
        slot = {'filters': '{filters}', 'errors': '{id}'}.get(parts[0], '{ids}')
        template = '/' + '/'.join([parts[0], slot] + parts[2:])
        numeric = re.fullmatch(r'\d+(;\d+)*', parts[1], re.ASCII)
        if template in METHODS and (slot == '{filters}' or numeric):
            return template, parts[1]
    raise ApiError(404, 'no method found with this name')


def id_list(text, limit=100):
    ids = [int(part) for part in text.split(';')]
    if len(ids) > limit or max(ids) > 2**31 - 1:
        raise ApiError(400, 'ids')
    return list(dict.fromkeys(ids))


def number(params, name, default=None, least=None, most=None):
    text = params.get(name)
    if text is None or text == '':
        return default
    if not re.fullmatch(r'-?\d{1,18}', text, re.ASCII):
        raise ApiError(400, name)
    value = int(text)
    if (least is not None and value < least) or (most is not None and value > most):
        raise ApiError(400, name)
    return value


def choice(params, name, allowed):
    value = params.get(name) or allowed[0]
    if value not in allowed:
        raise ApiError(400, name)
    return value


def truth(params, name):
    value = params.get(name)
    if value is None:
        return None
    if value.lower() not in ('true', 'false'):
        raise ApiError(400, name)
    return value.lower() == 'true'


def is_accepted(question):
    return any(a.id == question.accepted and a.visible() for a in question.answers)


def search_tests(params):
    """The conditions of /search/advanced, as functions of a question."""
    tests = []
    nottagged = set((params.get('nottagged') or '').split(';')) - {''}
    if nottagged:
        if not set(params) & (SEARCH - SORTED - {'nottagged'}):
            raise ApiError(400, 'nottagged')
        tests.append(lambda q: not nottagged & set(q.tags))
    for name, text_of in (('title', lambda q: q.title), ('body', lambda q: q.body),
                          ('q', lambda q: q.title + ' ' + q.body)):
        words = (params.get(name) or '').lower().split()
        if words:
            tests.append(lambda q, words=words, text_of=text_of:
                         all(w in text_of(q).lower() for w in words))
    accepted, closed = truth(params, 'accepted'), truth(params, 'closed')
    if accepted is not None:
        tests.append(lambda q: is_accepted(q) == accepted)
    if closed is not None:
        tests.append(lambda q: (q.closed is not None) == closed)
    if truth(params, 'migrated') or truth(params, 'notice'):
        tests.append(lambda q: False)
    if truth(params, 'wiki'):
        tests.append(lambda q: 'community_owned_date' in q.extra)
    answers, views = number(params, 'answers', least=0), number(params, 'views', least=0)
    if answers is not None:
        tests.append(lambda q: sum(a.visible() for a in q.answers) >= answers)
    if views is not None:
        tests.append(lambda q: q.views >= views)
    user, url = number(params, 'user'), params.get('url')
    if user is not None:
        tests.append(lambda q: q.owner is not None and q.owner.id == user)
    if url:
        pattern = re.compile('.*'.join(re.escape(p) for p in url.split('*')))
        tests.append(lambda q: pattern.search(q.body))
    return tests


def candidates(corpus, template, ids, params):
    """The things of a method before dates, min and max."""
    if template in ('/questions', '/search/advanced'):
        return tagged_questions(corpus, template, params)
    kind = template.split('/')[1]
    if kind == 'comments':
        return corpus.comments.values() if ids is None else pick(corpus.comments, ids)
    wanted = {'questions': (True,), 'answers': (False,), 'posts': (True, False)}[kind]
    found = corpus.posts.values() if ids is None else pick(corpus.posts, ids)
    found = [p for p in found if p.is_question in wanted and p.visible()]
    if template.endswith('/comments'):
        return [c for p in found for c in p.comments]
    if template.endswith('/answers') and ids is not None and kind == 'questions':
        return [a for q in found for a in q.answers]
    return found


def pick(table, ids):
    return [table[i] for i in ids if i in table]


def tagged_questions(corpus, template, params):
    tags = [t for t in (params.get('tagged') or '').lower().split(';') if t]
    found = [p for p in corpus.posts.values() if p.is_question and not p.deleted]
    if len(tags) > 5:
        return []
    if tags and template == '/questions':
        found = [q for q in found if all(t in q.tags for t in tags)]
    elif tags:
        found = [q for q in found if any(t in q.tags for t in tags)]
    if template == '/search/advanced':
        tests = search_tests(params)
        if not tags and not tests and 'nottagged' not in params:
            return found
        found = [q for q in found if all(test(q) for test in tests)]
    return found


SORT_KEY = {
    'activity': lambda t: t.activity, 'creation': lambda t: t.created, 'votes': lambda t: t.score,
    'hot': lambda t: t.score * 86400 + t.activity, 'week': lambda t: t.score,
    'month': lambda t: t.score, 'relevance': lambda t: t.score,
}


def select(corpus, template, ids, params, tie):
    """Everything that the query finds, in its order. tie(thing) orders equal sort values."""
    sort = choice(params, 'sort', METHODS[template][1])
    order = choice(params, 'order', ('desc', 'asc'))
    low, high = number(params, 'min'), number(params, 'max')
    since, until = number(params, 'fromdate', least=0), number(params, 'todate', least=0)
    if sort not in ('activity', 'creation', 'votes'):
        for name, value in (('min', low), ('max', high)):
            if value is not None:
                raise ApiError(400, name)
    key = SORT_KEY[sort]
    found = list(candidates(corpus, template, ids, params))
    if since is not None or until is not None:
        since, until = since or 0, FAR if until is None else until
        found = [t for t in found if since <= t.created <= until]
    if low is not None or high is not None:
        low, high = -FAR if low is None else low, FAR if high is None else high
        found = [t for t in found if low <= key(t) <= high]
    found = [t for t in found if t.visible()]
    found.sort(key=lambda t: (key(t), tie(t)), reverse=order == 'desc')
    return found


def info(corpus):
    questions = [q for q in corpus.questions() if q.visible()]
    answers = [p for p in corpus.posts.values() if not p.is_question and p.visible()]
    return {
        'new_active_users': 3, 'total_users': len(corpus.users), 'badges_per_minute': 0.5,
        'total_badges': len(corpus.users) * 2, 'total_votes': sum(abs(q.score) for q in questions),
        'total_comments': sum(c.visible() for c in corpus.comments.values()),
        'answers_per_minute': 1.25, 'questions_per_minute': 0.75, 'total_answers': len(answers),
        'total_accepted': sum(map(is_accepted, questions)),
        'total_unanswered': sum(not q.answers for q in questions),
        'total_questions': len(questions), 'api_revision': '2026.1.1.1'}
