"""Fields, filters and escaping: which fields an answer shows, and in which order.

A filter is a set of fields per type plus safe/unsafe. Field order follows real answers.
"""
import hashlib
import re

# (field, shown by the default filter), in the order in which real answers have them.
TYPES = {
    'question': (
        ('tags', 1), ('answers', 0), ('comments', 0), ('owner', 1), ('last_editor', 0),
        ('comment_count', 0), ('delete_vote_count', 0), ('reopen_vote_count', 0),
        ('close_vote_count', 0), ('is_answered', 1), ('view_count', 1), ('favorite_count', 0),
        ('down_vote_count', 0), ('up_vote_count', 0), ('bounty_amount', 1),
        ('bounty_closes_date', 1), ('closed_date', 1), ('protected_date', 1),
        ('accepted_answer_id', 1), ('answer_count', 1), ('community_owned_date', 1), ('score', 1),
        ('locked_date', 1), ('last_activity_date', 1), ('creation_date', 1), ('last_edit_date', 1),
        ('question_id', 1), ('content_license', 1), ('share_link', 0), ('body_markdown', 0),
        ('link', 1), ('closed_reason', 1), ('title', 1), ('body', 0)),
    'answer': (
        ('tags', 0), ('comments', 0), ('owner', 1), ('last_editor', 0), ('comment_count', 0),
        ('down_vote_count', 0), ('up_vote_count', 0), ('is_accepted', 1),
        ('community_owned_date', 1), ('score', 1), ('last_activity_date', 1),
        ('last_edit_date', 1), ('creation_date', 1), ('answer_id', 1), ('question_id', 1),
        ('content_license', 1), ('share_link', 0), ('body_markdown', 0), ('link', 0),
        ('title', 0), ('body', 0)),
    'comment': (
        ('owner', 1), ('reply_to_user', 1), ('edited', 1), ('score', 1), ('post_type', 0),
        ('creation_date', 1), ('post_id', 1), ('comment_id', 1), ('content_license', 1),
        ('link', 0), ('body_markdown', 0), ('body', 0)),
    'post': (
        ('comments', 0), ('owner', 1), ('last_editor', 0), ('comment_count', 0),
        ('down_vote_count', 0), ('up_vote_count', 0), ('score', 1), ('last_edit_date', 1),
        ('last_activity_date', 1), ('creation_date', 1), ('post_type', 1), ('post_id', 1),
        ('content_license', 1), ('share_link', 0), ('body_markdown', 0), ('link', 1),
        ('title', 0), ('body', 0)),
    'shallow_user': (
        ('account_id', 1), ('reputation', 1), ('user_id', 1), ('user_type', 1),
        ('accept_rate', 1), ('profile_image', 1), ('display_name', 1), ('link', 1)),
    'info': tuple((name, 1) for name in (
        'new_active_users', 'total_users', 'badges_per_minute', 'total_badges', 'total_votes',
        'total_comments', 'answers_per_minute', 'questions_per_minute', 'total_answers',
        'total_accepted', 'total_unanswered', 'total_questions', 'api_revision')),
    'site': tuple((name, 1) for name in (
        'site_type', 'name', 'site_url', 'api_site_parameter', 'site_state')),
    'filter': (('filter', 1), ('filter_type', 1), ('included_fields', 1)),
    'error': (('error_id', 1), ('error_name', 1), ('description', 1)),
    '': (
        ('items', 1), ('has_more', 1), ('backoff', 1), ('quota_max', 1), ('quota_remaining', 1),
        ('error_id', 1), ('error_name', 1), ('error_message', 1),
        ('page', 0), ('page_size', 0), ('total', 0), ('type', 0)),
}
ALL = frozenset(f'{t}.{name}' for t, fields in TYPES.items() for name, _ in fields)
DEFAULT = frozenset(f'{t}.{name}' for t, fields in TYPES.items() for name, on in fields if on)
BODIES = frozenset(name for name in ALL if name.endswith('.body'))
LEGACY = {
    '_b': BODIES, '_a': {'question.answers'}, '_c': {'question.comments', 'answer.comments'},
    '_ba': BODIES | {'question.answers'},
    '_bc': BODIES | {'question.comments', 'answer.comments'},
    '_bca': BODIES | {'question.comments', 'answer.comments', 'question.answers'},
    '_ac': {'question.comments', 'answer.comments', 'question.answers'},
}


class Filter:
    """One immutable filter: name, kept fields by type in answer order, safe or not."""

    def __init__(self, name, included, safe=True):
        self.name = name
        self.included = frozenset(included)
        self.safe = safe
        self.of = {t: tuple(f for f, _ in fields if f'{t}.{f}' in self.included)
                   for t, fields in TYPES.items()}
        self.wrapper = frozenset(self.of[''])

    def item(self):
        return {'filter': self.name, 'filter_type': 'safe' if self.safe else 'unsafe',
                'included_fields': sorted(self.included)}


class Filters:
    """All filters of one server. unknown says what a '!…' never created here means."""

    def __init__(self, unknown='safe'):
        self.unknown = unknown
        self.known = {
            'default': Filter('default', DEFAULT), 'withbody': Filter('withbody', DEFAULT | BODIES),
            'none': Filter('none', ()), 'total': Filter('total', {'.total'}),
        }
        for name, more in LEGACY.items():
            self.known[name] = Filter(name, DEFAULT | set(more), safe=False)

    def find(self, name):
        """The filter of that name, or None."""
        found = self.known.get(name)
        if found is None and re.fullmatch(r'![\x21-\x7e]{1,200}', name):
            if self.unknown == 'error':
                return None
            found = Filter(name, ALL, safe=self.unknown == 'safe')
            self.known[name] = found
        return found

    def create(self, base, include, exclude, unsafe):
        """The filter made from base; names that are no field are dropped without a word."""
        fields = (set(base.included) | (set(include) & ALL)) - set(exclude)
        text = '\n'.join(sorted(fields)) + ('unsafe' if unsafe else '')
        name = '!' + re.sub('[01]', '*', hashlib.sha256(text.encode()).hexdigest()[:18])
        made = self.known[name] = Filter(name, fields, safe=not unsafe)
        return made


SPECIAL = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
TO_ESCAPE = re.compile('[&<>"\'\u00a0-\u00ff\U00010000-\U0010ffff]')


def escape(text):
    """Text made safe to stand in HTML, as the API does it: Latin-1 and astral become numbers."""
    return TO_ESCAPE.sub(lambda m: SPECIAL.get(m.group()) or f'&#{ord(m.group())};', text)
