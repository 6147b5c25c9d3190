"""Changes while a client crawls: edits, votes, deletions, new posts, from a seeded schedule."""
import random

from corpus import Comment, Post

# Kind and its weight in the default mix.
KINDS = {'edit-question': 20, 'edit-answer': 12, 'edit-title': 6, 'retag': 6, 'vote': 20,
         'new-question': 8, 'new-answer': 12, 'new-comment': 8, 'edit-comment': 2, 'accept': 4,
         'close': 3, 'delete-question': 4, 'delete-answer': 4, 'delete-comment': 2,
         'undelete-question': 2, 'undelete-answer': 1}


class Live:
    """Applies mutations to a corpus. The sequence depends on the seed and the corpus alone."""

    def __init__(self, corpus, gen, seed):
        self.corpus, self.gen = corpus, gen
        self.random = random.Random(f'live {seed}')
        self.done = []
        self.ids = sorted(corpus.posts)
        self.questions = [p.id for p in corpus.posts.values() if p.is_question]
        self.comment_ids = sorted(corpus.comments)

    def step(self, kinds, now):
        """One mutation of these kinds (a dict of weights); dates become now."""
        when = int(now)
        for _ in range(50):
            kind = self.random.choices(list(kinds), list(kinds.values()))[0]
            target = getattr(self, 'do_' + kind.replace('-', '_'))(when)
            if target is not None:
                self.done.append({'kind': kind, 'id': target, 'date': when})
                return

    def pick(self, want):
        """A post for which want is true, or None when luck fails."""
        for _ in range(60):
            post = self.corpus.posts[self.random.choice(self.ids)] if self.ids else None
            if post is not None and want(post):
                return post
        return None

    def edited(self, post, when):
        post.edited = max(when, post.created)
        post.editor = self.gen.user()
        self.active(post, when)
        return post.id

    def active(self, post, when):
        post.activity = max(when, post.activity)
        post.root.activity = max(when, post.root.activity)
        self.corpus.touch(post)

    def edit_body(self, post, when):
        if post is None:
            return None
        post.body += f'<p>Edit: {self.gen.sentence()}</p>\n'
        return self.edited(post, when)

    def do_edit_question(self, when):
        return self.edit_body(self.pick(lambda p: p.is_question and p.visible()), when)

    def do_edit_answer(self, when):
        return self.edit_body(self.pick(lambda p: not p.is_question and p.visible()), when)

    def do_edit_title(self, when):
        post = self.pick(lambda p: p.is_question and p.visible())
        if post is None:
            return None
        post.title = self.gen.title()
        return self.edited(post, when)

    def do_retag(self, when):
        post = self.pick(lambda p: p.is_question and p.visible())
        if post is None:
            return None
        first = post.tags[:1]
        post.tags = first + tuple(t for t in self.gen.tags() if t not in first)[:4]
        return self.edited(post, when)

    def do_vote(self, _):
        post = self.pick(Post.visible)
        if post is None:
            return None
        post.score += self.random.choice((1, 1, 1, -1))
        post.views += self.random.randint(0, 9) if post.is_question else 0
        self.corpus.touch(post)
        return post.id

    def new_id(self):
        return (self.ids[-1] if self.ids else 0) + self.random.randint(1, 9)

    def add(self, post, when):
        self.ids.append(post.id)
        self.corpus.add_post(post)
        self.active(post, when)
        return post.id

    def do_new_question(self, when):
        post = Post(self.new_id(), True, None, when, self.gen.body(), self.gen.user(),
                    self.gen.title(), self.gen.tags())
        self.questions.append(post.id)
        return self.add(post, when)

    def do_new_answer(self, when):
        root = self.pick(lambda p: p.is_question and p.visible())
        if root is None:
            return None
        return self.add(Post(self.new_id(), False, root, when, self.gen.body(), self.gen.user()),
                        when)

    def do_new_comment(self, when):
        post = self.pick(Post.visible)
        if post is None:
            return None
        cid = (self.comment_ids[-1] if self.comment_ids else 0) + self.random.randint(1, 9)
        self.comment_ids.append(cid)
        self.corpus.add_comment(Comment(cid, post, when, self.gen.sentence(), self.gen.user()))
        self.corpus.touch(post)
        return cid

    def do_edit_comment(self, _):
        return self.change_comment(lambda c: (setattr(c, 'body', self.gen.sentence()),
                                              setattr(c, 'edited', True)))

    def do_delete_comment(self, _):
        return self.change_comment(lambda c: setattr(c, 'deleted', True))

    def change_comment(self, change):
        for _ in range(20 if self.comment_ids else 0):
            comment = self.corpus.comments[self.random.choice(self.comment_ids)]
            if comment.visible():
                change(comment)
                self.corpus.touch(comment.post)
                return comment.id
        return None

    def do_accept(self, _):
        post = self.pick(lambda p: not p.is_question and p.visible() and p.root.accepted != p.id)
        if post is None:
            return None
        post.root.accepted = post.id
        self.corpus.touch(post)
        return post.id

    def do_close(self, when):
        post = self.pick(lambda p: p.is_question and p.visible() and p.closed is None)
        if post is None:
            return None
        post.closed, post.closed_reason = when, 'Duplicate'
        self.corpus.touch(post)
        return post.id

    def delete(self, want, deleted):
        post = self.pick(want)
        if post is None:
            return None
        post.deleted = deleted
        self.corpus.touch(post)
        return post.id

    def do_delete_question(self, _):
        return self.delete(lambda p: p.is_question and not p.deleted, True)

    def do_delete_answer(self, _):
        return self.delete(lambda p: not p.is_question and not p.deleted, True)

    def do_undelete_question(self, _):
        return self.delete(lambda p: p.is_question and p.deleted, False)

    def do_undelete_answer(self, _):
        return self.delete(lambda p: not p.is_question and p.deleted, False)
