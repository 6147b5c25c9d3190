"""The posts that the server serves, their visibility, and how they look as API items."""
import datetime
import functools
import hashlib
import html
import re
import xml.etree.ElementTree as ET

from filters import escape

SITE = 'https://stackoverflow.com'


class User:
    __slots__ = ('id', 'name', 'reputation', 'kind', 'accept_rate')

    def __init__(self, uid, name, reputation=1, kind='registered', accept_rate=None):
        self.id, self.name, self.reputation = uid, name, reputation
        self.kind, self.accept_rate = kind, accept_rate


class Post:
    """A question or an answer. Dates are Unix seconds; None where a post has no such date.

    root is the question of the thread; root.version grows with every change in the thread.
    """
    __slots__ = ('id', 'is_question', 'root', 'created', 'edited', 'activity', 'score', 'owner',
                 'editor', 'title', 'body', 'tags', 'views', 'answers', 'accepted', 'closed',
                 'closed_reason', 'comments', 'deleted', 'version', 'license', 'extra')

    def __init__(self, pid, is_question, root, created, body, owner=None, title=None, tags=()):
        self.id, self.is_question = pid, is_question
        self.root = self if is_question else root
        self.created = self.activity = created
        self.edited = self.editor = None
        self.score, self.views = 0, 0
        self.owner, self.title, self.body, self.tags = owner, title, body, tuple(tags)
        self.answers, self.comments = [], []
        self.accepted = self.closed = self.closed_reason = None
        self.deleted, self.version = False, 0
        self.license = license_of(created)
        self.extra = {}

    def visible(self):
        return not self.deleted and not self.root.deleted


class Comment:
    __slots__ = ('id', 'post', 'created', 'score', 'owner', 'reply_to', 'body', 'edited',
                 'deleted', 'license')

    def __init__(self, cid, post, created, body, owner=None, score=0):
        self.id, self.post, self.created, self.body = cid, post, created, body
        self.owner, self.score, self.reply_to = owner, score, None
        self.edited = self.deleted = False
        self.license = license_of(created)

    def visible(self):
        return not self.deleted and self.post.visible()


def license_of(when):
    """The licence of a contribution by its date (UTC)."""
    if when < 1302220800:
        return 'CC BY-SA 2.5'
    return 'CC BY-SA 3.0' if when < 1525219200 else 'CC BY-SA 4.0'


class Corpus:
    """Everything by id. version grows with every change, so that caches know."""

    def __init__(self):
        self.posts = {}
        self.comments = {}
        self.users = {}
        self.version = 0

    def questions(self):
        return (p for p in self.posts.values() if p.is_question)

    def add_post(self, post):
        self.posts[post.id] = post
        if not post.is_question:
            post.root.answers.append(post)

    def add_comment(self, comment):
        self.comments[comment.id] = comment
        comment.post.comments.append(comment)

    def touch(self, post):
        post.root.version += 1
        self.version += 1


# --- from a dump ---

def seconds(text):
    if not text:
        return None
    when = datetime.datetime.fromisoformat(text[:23])
    return int(when.replace(tzinfo=datetime.timezone.utc).timestamp())


def split_tags(text):
    return [tag for tag in re.split(r'[<>|]+', text or '') if tag]


def rows(path):
    for _, node in ET.iterparse(path):
        if node.tag == 'row':
            yield node.attrib
        node.clear()


def user_of(corpus, row, id_name, name_name):
    uid = row.get(id_name)
    if uid is None:
        name = row.get(name_name)
        return User(None, name, kind='does_not_exist') if name is not None else None
    uid = int(uid)
    if uid not in corpus.users:
        corpus.users[uid] = User(uid, row.get(name_name) or f'user{uid}', 1 + uid % 5000)
    return corpus.users[uid]


def post_from_row(corpus, row):
    is_question = row['PostTypeId'] == '1'
    root = None if is_question else corpus.posts.get(int(row.get('ParentId', 0)))
    if not is_question and root is None:
        return None
    post = Post(int(row['Id']), is_question, root, seconds(row['CreationDate']),
                row.get('Body', ''), user_of(corpus, row, 'OwnerUserId', 'OwnerDisplayName'),
                row.get('Title'), split_tags(row.get('Tags')))
    post.score = int(row.get('Score') or 0)
    post.views = int(row.get('ViewCount') or 0)
    post.edited = seconds(row.get('LastEditDate'))
    post.editor = user_of(corpus, row, 'LastEditorUserId', 'LastEditorDisplayName')
    post.activity = seconds(row.get('LastActivityDate')) or post.edited or post.created
    post.accepted = int(row['AcceptedAnswerId']) if row.get('AcceptedAnswerId') else None
    post.closed = seconds(row.get('ClosedDate'))
    post.closed_reason = 'Not suitable for this site' if post.closed else None
    if seconds(row.get('CommunityOwnedDate')):
        post.extra['community_owned_date'] = seconds(row['CommunityOwnedDate'])
    post.license = row.get('ContentLicense') or post.license
    return post


def from_dump(posts_path, comments_path=None):
    """The corpus of a Posts.xml; answers may stand before their questions."""
    corpus = Corpus()
    late = []
    for row in rows(posts_path):
        if row.get('PostTypeId') in ('1', '2'):
            post = post_from_row(corpus, row)
            if post:
                corpus.add_post(post)
            else:
                late.append(dict(row))
    for row in late:
        post = post_from_row(corpus, row)
        if post:
            corpus.add_post(post)
    for row in rows(comments_path) if comments_path else ():
        post = corpus.posts.get(int(row['PostId']))
        if post:
            comment = Comment(int(row['Id']), post, seconds(row['CreationDate']),
                              html.escape(row.get('Text', ''), quote=False),
                              user_of(corpus, row, 'UserId', 'UserDisplayName'),
                              int(row.get('Score') or 0))
            corpus.add_comment(comment)
    return corpus


# --- to a dump ---

NOT_XML = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
ATTRIBUTE = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#xA;', '\r': '&#xD;',
             '\t': '&#x9;'}


def xml_row(values):
    """One row; characters that XML cannot hold are left out."""
    def quoted(value):
        return re.sub('[&<>"\n\r\t]', lambda m: ATTRIBUTE[m.group()], NOT_XML.sub('', str(value)))
    return '  <row ' + ' '.join(f'{n}="{quoted(v)}"' for n, v in values if v is not None) + ' />\n'


def dump_date(when, pid):
    """As dumps write it, with milliseconds that the API does not tell."""
    if when is None:
        return None
    text = datetime.datetime.fromtimestamp(when, datetime.timezone.utc).isoformat()[:19]
    return f'{text}.{pid * 7 % 1000:03}'


def dump_user(user, id_name, name_name):
    if user is None:
        return []
    return [(id_name, user.id)] if user.id is not None else [(name_name, user.name)]


def posts_xml(corpus):
    """Posts.xml of what is visible, in the order of ids."""
    yield '<?xml version="1.0" encoding="utf-8"?>\n<posts>\n'
    for post in sorted(corpus.posts.values(), key=lambda p: p.id):
        if not post.visible():
            continue
        accepted = [a.id for a in post.answers if a.id == post.accepted and a.visible()]
        question = post.is_question
        yield xml_row([
            ('Id', post.id), ('PostTypeId', 1 if question else 2),
            ('AcceptedAnswerId', accepted[0] if accepted else None),
            ('ParentId', None if question else post.root.id),
            ('CreationDate', dump_date(post.created, post.id)), ('Score', post.score),
            ('ViewCount', post.views if question else None), ('Body', post.body),
            *dump_user(post.owner, 'OwnerUserId', 'OwnerDisplayName'),
            *dump_user(post.editor, 'LastEditorUserId', 'LastEditorDisplayName'),
            ('LastEditDate', dump_date(post.edited, post.id)),
            ('LastActivityDate', dump_date(post.activity, post.id)), ('Title', post.title),
            ('Tags', ''.join(f'<{t}>' for t in post.tags) if question else None),
            ('AnswerCount', sum(a.visible() for a in post.answers) if question else None),
            ('CommentCount', sum(c.visible() for c in post.comments)),
            ('ClosedDate', dump_date(post.closed, post.id)),
            ('CommunityOwnedDate', dump_date(post.extra.get('community_owned_date'), post.id)),
            ('ContentLicense', post.license)])
    yield '</posts>\n'


def comments_xml(corpus):
    """Comments.xml of what is visible."""
    yield '<?xml version="1.0" encoding="utf-8"?>\n<comments>\n'
    for comment in sorted(corpus.comments.values(), key=lambda c: c.id):
        if comment.visible():
            yield xml_row([
                ('Id', comment.id), ('PostId', comment.post.id), ('Score', comment.score),
                ('Text', markdown(comment.body)), ('CreationDate', dump_date(comment.created, comment.id)),
                *dump_user(comment.owner, 'UserId', 'UserDisplayName'),
                ('ContentLicense', comment.license)])
    yield '</comments>\n'


# --- as items ---

@functools.lru_cache(200000)
def slug(text):
    return re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')[:80]


def picture(uid):
    digest = hashlib.md5(str(uid).encode()).hexdigest()
    return f'https://www.gravatar.com/avatar/{digest}?s=256&d=identicon&r=PG'


def user_fields(user):
    if user.id is None:
        return {'user_type': user.kind, 'display_name': user.name}
    fields = {'account_id': user.id + 1000003, 'reputation': user.reputation, 'user_id': user.id,
              'user_type': user.kind}
    if user.accept_rate is not None:
        fields['accept_rate'] = user.accept_rate
    fields['profile_image'] = Later(picture, user.id)
    fields['display_name'] = user.name
    fields['link'] = f'{SITE}/users/{user.id}/{slug(user.name)}'
    return fields


def markdown(body):
    """Source text that could have given the body: code blocks indented, other tags dropped."""
    def block(match):
        code = re.sub('<[^>]*>', '', match.group(1))
        return '\n' + '\n'.join('    ' + line for line in code.splitlines()) + '\n'
    text = re.sub(r'(?s)<pre[^>]*>(.*?)</pre>', block, body)
    text = re.sub(r'</?code>', '`', text)
    return html.unescape(re.sub('<[^>]*>', '', text))


class Later:
    """A field that is computed only when a filter shows it."""
    __slots__ = ('make', 'source')

    def __init__(self, make, source):
        self.make, self.source = make, source


def shared_fields(post):
    down = -post.score if post.score < 0 else post.id % 3
    fields = {
        'score': post.score, 'last_activity_date': post.activity, 'creation_date': post.created,
        'content_license': post.license, 'body': post.body, 'body_markdown': Later(markdown, post.body),
        'down_vote_count': down, 'up_vote_count': post.score + down,
    }
    fields.update(post.extra)
    if post.edited is not None:
        fields['last_edit_date'] = post.edited
    if post.owner is not None:
        fields['owner'] = post.owner
    if post.editor is not None:
        fields['last_editor'] = post.editor
    fields['comments'] = comments = [c for c in post.comments if c.visible()]
    fields['comment_count'] = len(comments)
    return fields


def question_fields(post):
    answers = [a for a in post.answers if a.visible()]
    accepted = [a for a in answers if a.id == post.accepted]
    fields = shared_fields(post)
    fields.update({
        'tags': post.tags, 'title': post.title, 'question_id': post.id, 'view_count': post.views,
        'is_answered': bool(accepted) or any(a.score > 0 for a in answers),
        'answer_count': len(answers), 'favorite_count': max(0, post.score // 3),
        'close_vote_count': 0, 'delete_vote_count': 0, 'reopen_vote_count': 0,
        'link': f'{SITE}/questions/{post.id}/{slug(post.title)}',
        'share_link': f'{SITE}/q/{post.id}', 'answers': answers,
    })
    if accepted:
        fields['accepted_answer_id'] = post.accepted
    if post.closed is not None:
        fields.update(closed_date=post.closed, closed_reason=post.closed_reason)
    if not answers:
        del fields['answers']
    return fields


def answer_fields(post):
    root = post.root
    fields = shared_fields(post)
    fields.update({
        'is_accepted': root.accepted == post.id, 'answer_id': post.id, 'question_id': root.id,
        'tags': root.tags, 'title': root.title, 'share_link': f'{SITE}/a/{post.id}',
        'link': f'{SITE}/questions/{root.id}/{slug(root.title)}/{post.id}#{post.id}',
    })
    return fields


def post_fields(post):
    fields = shared_fields(post)
    fields.update({
        'post_id': post.id, 'post_type': 'question' if post.is_question else 'answer',
        'title': post.root.title, 'link': f'{SITE}/{"q" if post.is_question else "a"}/{post.id}',
        'share_link': f'{SITE}/{"q" if post.is_question else "a"}/{post.id}',
    })
    return fields


def comment_fields(comment):
    post = comment.post
    fields = {
        'edited': comment.edited, 'score': comment.score, 'creation_date': comment.created,
        'post_id': post.id, 'comment_id': comment.id, 'content_license': comment.license,
        'post_type': 'question' if post.is_question else 'answer', 'body': comment.body,
        'body_markdown': Later(markdown, comment.body),
        'link': f'{SITE}/questions/{post.root.id}/{slug(post.root.title)}#comment{comment.id}_{post.id}',
    }
    if comment.owner is not None:
        fields['owner'] = comment.owner
    if comment.reply_to is not None:
        fields['reply_to_user'] = comment.reply_to
    return fields


MAKE = {'question': question_fields, 'answer': answer_fields, 'post': post_fields,
        'comment': comment_fields, 'shallow_user': user_fields}
NESTED = {'owner': 'shallow_user', 'last_editor': 'shallow_user', 'reply_to_user': 'shallow_user',
          'answers': 'answer', 'comments': 'comment'}
HTML = frozenset(('body', 'link', 'share_link', 'profile_image'))


def render(thing, kind, filt, again=lambda thing: False):
    """The item of a thing under a filter. again(thing): its strings are escaped twice."""
    fields = thing if isinstance(thing, dict) else MAKE[kind](thing)
    twice = filt.safe and again(thing)
    item = {}
    for name in filt.of[kind]:
        if name not in fields:
            continue
        value = fields[name]
        if isinstance(value, Later):
            value = value.make(value.source)
        if name in NESTED:
            inner = NESTED[name]
            if isinstance(value, list):
                value = [render(v, inner, filt, again) for v in value]
                if not value:
                    continue
            else:
                value = render(value, inner, filt, again)
        elif filt.safe and name not in HTML:
            if isinstance(value, str):
                value = escape(escape(value)) if twice else escape(value)
            elif isinstance(value, tuple):
                value = [escape(v) for v in value]
        item[name] = value
    return item
