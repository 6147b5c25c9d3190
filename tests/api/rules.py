"""The clock, the quotas and throttles, and the log of what the client did wrong."""
import collections
import math
import threading
import time

from query import ApiError

DAY = 86400
# Rules whose breach is a violation; the others are only told.
VIOLATIONS = ('rate', 'backoff', 'throttle-ban', 'pagesize', 'too-many-ids', 'key-in-url',
              'no-gzip', 'burst')
INFORMATIVE = ('same-within-a-minute', 'after-quota-end', 'old-style-key')


class Clock:
    """Seconds since 1970: real, or a number that only moves when told."""

    def __init__(self, virtual, start):
        self.virtual, self.offset = virtual, 0.0
        self.value = float(start if start is not None else time.time())
        if not virtual and start is not None:
            self.offset = start - time.time()
        self.lock = threading.Lock()
        self.sleeps = []

    def now(self):
        return self.value if self.virtual else time.time() + self.offset

    def advance(self, seconds):
        if not math.isfinite(seconds):
            raise ValueError('not a number of seconds')
        with self.lock:
            if self.virtual:
                self.value += seconds
            else:
                self.offset += seconds
        return self.now()

    def sleep(self, seconds):
        """A client that sleeps: at once on a virtual clock, really on a real one."""
        if not 0 <= seconds < 1e9:
            raise ValueError('sleep wants seconds, not negative')
        self.sleeps.append({'time': self.now(), 'seconds': seconds})
        if self.virtual:
            return self.advance(seconds)
        time.sleep(seconds)
        return self.now()


class Quota:
    """What one key or address has left in its window."""

    def __init__(self, most, start):
        self.most, self.left, self.start = most, most, start


class Limits:
    """Quotas, backoffs and bans of all clients. Call with the server's lock held."""

    def __init__(self, settings, clock):
        self.settings, self.clock = settings, clock
        self.quotas = {}
        self.backoffs = {}
        self.bans = {}
        self.recent = {}

    def window_end(self, quota, now):
        s = self.settings
        if s['quota_reset'] == 'midnight':
            return (quota.start // DAY + 1) * DAY
        return quota.start + s['quota_window']

    def quota_of(self, who, keyed, now):
        quota = self.quotas.get(who)
        if quota is None or now >= self.window_end(quota, now):
            s = self.settings
            most = s['keys'].get(who[4:]) if keyed else None
            most = most or (s['quota_keyed'] if keyed else s['quota'])
            quota = self.quotas[who] = Quota(most, now)
        return quota

    def spend(self, who, keyed, address, now):
        """(quota_max, quota_remaining, whether it was used up before) after this request.

        A keyed request also takes from the pool of its address. ApiError 502 when all is used.
        """
        quota = self.quota_of(who, keyed, now)
        if quota.left <= -self.settings['quota_grace']:
            seconds = max(1, int(self.window_end(quota, now) - now + 0.999))
            self.bans[who] = now + seconds
            raise ApiError(502, f'too many requests from this IP, more requests available in '
                                f'{seconds} seconds')
        ended = quota.left <= 0
        quota.left -= 1
        if keyed:
            shared = self.quota_of(f'ip:{address}', False, now)
            shared.left = max(0, shared.left - 1)
        return quota.most, quota.left, ended

    def set_quota(self, left):
        """Gives every known client that much, and each new one too."""
        for quota in self.quotas.values():
            quota.left = left

    def set_backoff(self, who, template, seconds):
        self.backoffs[who, template] = self.clock.now() + seconds + self.settings['backoff_margin']

    def check_backoff(self, who, template, now):
        until = self.backoffs.get((who, template))
        if until is None:
            return
        if now >= until:
            del self.backoffs[who, template]
            return
        self.backoffs[who, template] = until + self.settings['backoff_penalty']
        raise ApiError(502, 'Violation of backoff parameter')

    def check_ban(self, who, now):
        until = self.bans.get(who)
        if until is None:
            return
        if now >= until:
            del self.bans[who]
            return
        self.bans[who] = until = until + self.settings['ban_extend']
        raise ApiError(502, f'too many requests from this IP, more requests available in '
                            f'{max(1, int(until - now + 0.999))} seconds')

    def count_recent(self, address, now):
        """How many requests this address made in the last second, this one included."""
        times = self.recent.setdefault(address, collections.deque())
        times.append(now)
        while times[0] <= now - 0.999:  # a millisecond for sums of floats
            times.popleft()
        return len(times)


class Log:
    """Every request, and which rules it broke."""

    def __init__(self, path=None):
        self.entries = []
        self.seen = {}
        self.counts = collections.Counter()
        self.file = open(path, 'w', encoding='utf-8', buffering=1) if path else None

    def violate(self, entry, rule, detail=''):
        entry['violations' if rule in VIOLATIONS else 'notes'].append(rule)
        if detail:
            entry['detail'] = detail
        self.counts[rule] += 1

    def same_before(self, meaning, now):
        before = self.seen.get(meaning)
        self.seen[meaning] = now
        return before is not None and now - before < 60

    def report(self):
        return {
            'total': sum(self.counts[rule] for rule in VIOLATIONS),
            'by_rule': {rule: self.counts[rule] for rule in VIOLATIONS if self.counts[rule]},
            'informative': {rule: self.counts[rule] for rule in INFORMATIVE if self.counts[rule]},
            'requests': len(self.entries),
            'list': [e for e in self.entries if e['violations']]}
