"""A seeded corpus: questions, answers, comments with realistic tags, dates and texts.

The same seed and size give the same corpus on every machine (Python's Random is stable).
"""
import itertools
import random

from corpus import Comment, Corpus, Post, User

TAGS = ('python', 'tensorflow', 'keras', 'pytorch', 'deep-learning', 'machine-learning', 'numpy',
        'neural-network', 'gpu', 'conv-neural-network', 'lstm', 'c++', 'pandas', 'tensorflow2.0',
        'google-colaboratory', 'opencv', 'cuda', 'c#', 'node.js', '.net', 'image-processing',
        'multiprocessing', 'performance', 'memory-leaks', 'docker', 'tf.keras', 'tensorboard',
        'dataset', 'nlp', 'java') + tuple(f'topic-{n}' for n in range(1, 71))
WORDS = ('model layer batch epoch training loss tensor graph kernel memory device input output '
         'shape weight gradient network data pipeline generator image size thread queue step '
         'function version driver install import session variable checkpoint optimizer metric '
         'validation predict accuracy cache disk buffer loader worker process').split()
VERBS = ('runs takes grows fails crashes hangs waits leaks reads writes computes allocates '
         'finishes returns shows uses prints freezes consumes').split()
HOW = ('slowly', 'very slow', 'too long', 'out of memory', 'twice', 'every time', 'after an hour',
       'on the GPU', 'on the CPU', 'without any error', 'faster than before', 'never', 'in parallel',
       'with 100% usage', 'much slower', 'for hours', 'at random', 'only sometimes')
NAMES = ('Ada', 'Bjørn', 'Chloé', 'Đặng', 'Ewa Łuk', 'Fırat', 'Göran', 'Ħal', 'Íñigo', 'Jürgen',
         '小林', 'Лев', 'מאיה', 'ليلى', 'O\'Neil', 'P&Q', '<b>Quin</b>', '"R"', 'Søren', 'T😀m')

NASTY = {
    'astral': '<p>Faces 😀😁𝒳𝔘 and a flag 🇫🇷, family 👨‍👩‍👧.</p>',
    'bidi': '<p>right \u202eto left\u202c and שלום עולם, \u200fmark.</p>',
    'combining': '<p>Z\u0351\u0343a\u0300\u0301\u0302l\u0327g\u0323o, e\u0301 is not \u00e9.</p>',
    'separators': '<p>line\u2028line\u2029para\u0085next\u00a0nbsp\u200bzero\ufeffbom</p>',
    'controls': '<p>bell\x07 esc\x1b[31m unit\x1f del\x7f one\x01 end</p>',
    'noncharacters': '<p>\uffff \ufffe \ufffd \U0010ffff \ufdd0</p>',
    'unbalanced': '<p><b>bold <i>both</b> italic</i><ul><li>one<li>two</p></div></div>',
    'script': '<p>before<script>if (a < b && c > d) alert("</p>")</script>after</p><style>p{}</style>',
    'entities': '<p>&nbsp;&#x1F600;&#0;&#xD800;&#99999999;&notanentity;&amp;amp;lt; &lt &copy</p>',
    'newlines': '<p>dos\r\nline\rmac\n\n\n\ttab\x0bvertical\x0cfeed</p>',
    'quotes': '<p>"double" \'single\' \\back\\slash\\ `tick` \\u0041 \\"</p>',
    'cdata': '<p>]]> <![CDATA[ x ]]> <!-- comment -- --> <?php ?> </p>',
    'sql': "<p>'); DROP TABLE post; -- %s %n ${HOME} $(true) ; `id`</p>",
    'json': '<p>{"items":[],"has_more":false,"error_id":502}</p>',
    'long-word': '<p>' + 'loooong' * 3000 + '</p>',
    'deep': '<blockquote>' * 400 + 'deep' + '</blockquote>' * 400,
    'big-code': '<pre class="lang-py prettyprint-override"><code>' +
                'x = model.fit(data) # &lt;slow&gt;\n' * 6000 + '</code></pre>',
    'attributes': '<p title="a>b" data-x=\'"\' onclick=x>text <a href="https://e.org/?a=1&b=2">l</a></p>',
    'empty': '',
    'blank': ' \n\t ',
    'only-code': '<pre><code>pass\n</code></pre>',
    'unclosed': '<p>text <pre><code>never closed &amp',
}
ON_DEMAND = {
    'nul': '<p>before\x00after NUL</p>',
    'surrogate': '<p>lone \ud83d surrogate</p>',
}
NASTY_TITLES = {
    'astral': 'Why is 😀 slow in 𝔘?', 'bidi': 'What does \u202egnp.exe do?',
    'quotes': '"quoted" & \'single\' <tag> in \\ title', 'entities': 'Is &amp;lt; the same as &lt;?',
    'script': '<script>alert(1)</script> in training', 'sql': "Robert'); DROP TABLE post;--",
    'controls': 'bell\x07 and tab\t in title', 'separators': 'line\u2028separator\u00a0title',
    'long-word': 'w' * 150, 'json': '{"title": "x"}', 'blank': ' ', 'combining': 'Z\u0351\u0343algo title',
    'noncharacters': 'non \uffff character', 'nul': 'NUL \x00 in title', 'surrogate': 'lone \ud83d in title',
}


class Generator:
    """Texts and posts from one random sequence."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sentences = [self.sentence() for _ in range(3000)]
        self.codes = [self.code() for _ in range(300)]
        self.tag_weights = list(itertools.accumulate(1 / (n + 1) for n in range(len(TAGS))))
        self.users = []

    def sentence(self):
        r = self.random
        words = r.choices(WORDS, k=r.randint(3, 9))
        text = f'The {" ".join(words[:2])} {r.choice(VERBS)} {r.choice(HOW)} with {" ".join(words[2:])}'
        if r.random() < 0.1:
            text += f' (<code>{words[0]}_{words[1]}</code>)'
        if r.random() < 0.05:
            text += ' &amp; naïve café – “quoted” € 中文'
        if r.random() < 0.04:
            text = f'<strong>{text}</strong>'
        if r.random() < 0.04:
            text += f', see <a href="https://example.org/{words[0]}?a=1&amp;b=2">this</a>'
        return text + '.'

    def code(self):
        r = self.random
        lines = [f'{r.choice(WORDS)}_{n} = {r.choice(WORDS)}({r.randint(1, 512)}) # a &lt; b &amp; c'
                 for n in range(r.randint(2, 20))]
        head = r.choice(('<pre><code>', '<pre class="lang-py prettyprint-override"><code>'))
        return head + '\n'.join(lines) + '\n</code></pre>'

    def body(self):
        r = self.random
        parts = []
        for _ in range(r.randint(1, 4)):
            parts.append('<p>' + ' '.join(r.choices(self.sentences, k=r.randint(1, 3))) + '</p>')
            chance = r.random()
            if chance < 0.35:
                parts.append(r.choice(self.codes))
            elif chance < 0.42:
                items = ''.join(f'<li>{s}</li>\n' for s in r.choices(self.sentences, k=3))
                parts.append(f'<ul>\n{items}</ul>')
        return '\n\n'.join(parts) + '\n'

    def title(self):
        r = self.random
        words = r.choices(WORDS, k=3)
        return r.choice((
            f'Why does {words[0]} {words[1]} {r.choice(HOW)} in {words[2]}?',
            f'{words[0].title()} {r.choice(VERBS)} {r.choice(HOW)} when {words[1]} < {words[2]}',
            f'How to make {words[0]} & {words[1]} "{words[2]}" faster',
            f'{words[0].title()} hangs after {r.randint(2, 99)} {words[1]} steps'))

    def tags(self):
        r = self.random
        wanted = r.choices((1, 2, 3, 4, 5), (15, 25, 30, 20, 10))[0]
        picked = {}
        while len(picked) < wanted:
            picked[r.choices(TAGS, cum_weights=self.tag_weights)[0]] = True
        return tuple(picked)

    def make_users(self, corpus, count):
        """Gives the corpus users when it has none; they then write, edit and comment."""
        r = self.random
        for n in range(0 if corpus.users else count):
            uid = 1000 + n * 7
            name = r.choice(NAMES) + (f' {n}' if r.random() < 0.8 else '')
            kind = r.choices(('registered', 'unregistered', 'moderator'), (95, 4, 1))[0]
            rate = r.randint(20, 100) if r.random() < 0.4 else None
            corpus.users[uid] = User(uid, name, int(r.paretovariate(0.6)), kind, rate)
        self.users = list(corpus.users.values())

    def user(self):
        chance = self.random.random()
        if chance < 0.02:
            return User(None, f'user{self.random.randint(1, 9999999)}', kind='does_not_exist')
        if chance < 0.025:
            return None
        return self.users[min(len(self.users) - 1, int(self.random.paretovariate(0.7)) - 1)]

    def dates(self, count, since, until, same_second):
        """Sorted dates in the window; one in ten repeats the one before, and one long run."""
        r = self.random
        dates = sorted(r.randint(since, until) for _ in range(count))
        for n in range(1, count):
            if r.random() < 0.1:
                dates[n] = dates[n - 1]
        start = count // 2
        for n in range(start, min(count, start + same_second)):
            dates[n] = dates[start]
        return sorted(dates)

    def score(self):
        chance = self.random.random()
        if chance < 0.08:
            return -self.random.randint(1, 6)
        return int(self.random.paretovariate(1.1)) - 1 if chance < 0.6 else 0


def plan(gen, count, since, until, same_second):
    """(date, order, question number or None, …) of every post, in the order of ids."""
    r = gen.random
    events = []
    for number, when in enumerate(gen.dates(count, since, until, same_second)):
        events.append((when, len(events), number, True))
        for _ in range(r.choices((0, 1, 2, 3, 6), (25, 45, 18, 9, 3))[0]):
            delay = 60 + int(r.expovariate(1 / (86400 * 10)))
            events.append((when + delay, len(events), number, False))
    return sorted(events)


def finish(gen, post):
    """Scores, edits and closing of one post."""
    r = gen.random
    post.score = gen.score()
    if r.random() < 0.35:
        post.edited = post.created + r.choice((r.randint(1, 3600), r.randint(3600, 86400 * 400)))
        post.editor = gen.user() if r.random() < 0.5 else post.owner
        post.activity = post.edited
    if post.is_question:
        post.views = int(r.paretovariate(0.8) * 20)
        if r.random() < 0.06:
            post.closed = post.created + r.randint(600, 86400 * 30)
            post.closed_reason = r.choice(('Duplicate', 'Not suitable for this site',
                                           'Needs details or clarity'))
        if r.random() < 0.01:
            post.extra['protected_date'] = post.created + 5000
        if r.random() < 0.01:
            post.extra['locked_date'] = post.created + 7000
        if r.random() < 0.01:
            post.extra.update(bounty_amount=50, bounty_closes_date=post.created + 9000)
    elif r.random() < 0.01:
        post.extra['community_owned_date'] = post.created + 100


def comment_on(gen, corpus, post, cid, when):
    text = gen.random.choice(gen.sentences)
    comment = Comment(cid, post, when, text, gen.user(), max(0, gen.score()))
    comment.edited = gen.random.random() < 0.1
    if gen.random.random() < 0.3 and post.owner is not None:
        comment.reply_to = post.owner
    corpus.add_comment(comment)


def make_nasty(corpus, kinds):
    """Puts each nasty kind into some questions, answers and comments, spread evenly."""
    texts = {**NASTY, **ON_DEMAND}
    posts = list(corpus.posts.values())
    if not kinds or not posts:
        return
    rounds = 1 if len(posts) < 2000 else len(posts) // 2000
    step = max(2, len(posts) // (rounds * len(kinds)) - 1)
    for n, kind in zip(range(1, len(posts), step), itertools.cycle(kinds)):
        posts[n].body = texts[kind]
        root = posts[n].root
        if kind in NASTY_TITLES and posts[n].is_question:
            root.title = NASTY_TITLES[kind]
    long = ('big-code', 'long-word', 'deep')
    short = [k for k in kinds if k not in long]
    for comment, kind in zip(list(corpus.comments.values())[::9], itertools.cycle(short or ['sql'])):
        if comment.id % 10 == 1:
            comment.body = texts[kind]


def from_seed(seed, count, since, until, same_second=7, nasty=tuple(NASTY)):
    """A corpus of count questions created in [since, until], and the generator for more."""
    gen = Generator(seed)
    corpus = Corpus()
    gen.make_users(corpus, max(3, count // 4))
    r = gen.random
    roots, pid = {}, 48_000_000
    for when, _, number, is_question in plan(gen, count, since, until, same_second):
        pid += r.randint(1, 40)
        root = None if is_question else roots[number]
        post = Post(pid, is_question, root, when, gen.body(), gen.user())
        if is_question:
            roots[number] = post
            post.title, post.tags = gen.title(), gen.tags()
        finish(gen, post)
        corpus.add_post(post)
    cid = 83_000_000
    for post in list(corpus.posts.values()):
        if not post.is_question:
            post.root.activity = max(post.root.activity, post.activity)
        when = post.created
        for _ in range(r.choices((0, 1, 2, 5), (50, 30, 15, 5))[0]):
            cid += r.randint(1, 9)
            when += r.randint(5, 86400)
            comment_on(gen, corpus, post, cid, when)
    for root in corpus.questions():
        if root.answers and r.random() < 0.45:
            root.accepted = r.choice(root.answers).id
    make_nasty(corpus, nasty)
    return corpus, gen
