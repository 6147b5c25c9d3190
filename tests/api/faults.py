"""Faults: which requests get one, and what it does to the answer.

A fault is written NAME[,p=0.1][,at=3;7][,every=5][,after=10][,count=2][,method=/questions][,ARG=…]:
with neither p, at nor every, it hits every request; count ends it after so many hits. Numbers count
API requests from 1. Each fault has its own seeded random sequence, so runs repeat.
"""
import random
import zlib

# Name: what comes instead of the answer (early), or is done to the items and wrapper (items), or
# to the bytes on the wire (wire); and its arguments with their defaults.
FAULTS = {
    'throttle': ('early', {'seconds': 30, 'message': 'ip'}),
    'error': ('early', {'id': 500, 'message': ''}),
    'status': ('early', {'status': 500, 'retry_after': ''}),
    'html': ('early', {'status': 503}),
    'plain-error': ('early', {'id': 500}),
    'drop': ('early', {}),
    'reset': ('early', {}),
    'redirect': ('early', {'status': 302}),
    'backoff': ('items', {'seconds': 10.0}),
    'empty-more': ('items', {}),
    'no-more': ('items', {}),
    'missing-fields': ('items', {'share': 0.3, 'fields': ''}),
    'missing-wrapper': ('items', {'fields': ''}),
    'null-fields': ('items', {'share': 0.2}),
    'wrong-types': ('items', {'share': 0.1}),
    'duplicate-items': ('items', {}),
    'lose-items': ('items', {'n': 1}),
    'new-field': ('items', {}),
    'shuffle': ('items', {}),
    'shift': ('items', {'n': 1}),
    'quota': ('items', {'remaining': -1}),
    'double-escape': ('items', {}),
    'bad-json': ('items', {'n': 40}),
    'not-object': ('items', {}),
    'bom': ('items', {}),
    'truncated-gzip': ('wire', {'n': 50}),
    'corrupt-gzip': ('wire', {}),
    'trailing-gzip': ('wire', {}),
    'slow': ('wire', {'seconds': 2.0, 'chunk': 0, 'stall': 0.0}),
    'cut': ('wire', {'n': 100}),
    'cut-header': ('wire', {'n': 20}),
    'no-encoding': ('wire', {}),
    'wrong-encoding': ('wire', {}),
    'plain': ('wire', {}),
    'zlib': ('wire', {}),
    'raw-deflate': ('wire', {}),
    'chunked': ('wire', {'size': 1000}),
    'chunked-cut': ('wire', {'size': 1000}),
    'no-length': ('wire', {}),
    'bomb': ('wire', {'mb': 64}),
    'none': ('wire', {}),
}
HOW = {'p': float, 'at': str, 'every': int, 'after': int, 'count': int, 'method': str, 'seed': int}


class Fault:
    """One fault that was asked for; ValueError with words when it is not understood."""

    def __init__(self, text, seed=1):
        name, *parts = text.split(',')
        if name not in FAULTS:
            raise ValueError(f'no fault {name!r}; there are: {" ".join(sorted(FAULTS))}')
        self.name, self.text = name, text
        self.phase, defaults = FAULTS[name]
        self.args = dict(defaults)
        how = {}
        for part in parts:
            arg, _, value = part.partition('=')
            if arg in HOW:
                how[arg] = HOW[arg](value)
            elif arg in defaults:
                self.args[arg] = type(defaults[arg])(value)
            else:
                raise ValueError(f'fault {name} has no {arg!r}; it has: '
                                 f'{" ".join([*HOW, *defaults])}')
        self.p, self.every = how.get('p'), how.get('every')
        self.at = {int(n) for n in how['at'].split(';')} if 'at' in how else None
        self.after, self.count, self.method = how.get('after', 0), how.get('count'), how.get('method')
        self.random = random.Random(f'{how.get("seed", seed)} {text}')

    def hits(self, number, template):
        """Whether the API request of that number gets this fault."""
        if number <= self.after or self.count == 0 or self.method not in (None, template):
            return False
        if self.at is not None:
            hit = number in self.at
        elif self.every is not None:
            hit = number % self.every == 0
        else:
            hit = self.p is None or self.random.random() < self.p
        if hit and self.count is not None:
            self.count -= 1
        return hit


def change_items(fault, items, wrapper):
    """Applies a fault of phase items that works on decoded items. Returns the items."""
    r, share = fault.random, fault.args.get('share', 0)
    if fault.name == 'empty-more':
        wrapper['has_more'] = True
        return []
    if fault.name == 'no-more':
        wrapper['has_more'] = False
    if fault.name == 'shuffle':
        r.shuffle(items)
    if fault.name == 'duplicate-items':
        return [i for item in items for i in (item, item)]
    if fault.name == 'lose-items':
        return items[:max(0, len(items) - fault.args['n'])]
    if fault.name == 'missing-wrapper':
        for name in (fault.args['fields'] or r.choice(list(wrapper) or [''])).split(';'):
            wrapper.pop(name, None)
    if fault.name == 'new-field':
        for item in items:
            item['news'] = {'last_activity_date': 1890000000 + r.randrange(1000000)}
    if fault.name == 'quota':
        wrapper['quota_remaining'] = fault.args['remaining']
    named = [f for f in fault.args.get('fields', '').split(';') if f]
    for item in items:
        for name in list(item):
            hit = name in named if named else r.random() < share
            if hit and fault.name == 'missing-fields':
                del item[name]
            elif hit and fault.name == 'null-fields':
                item[name] = None
            elif hit and fault.name == 'wrong-types':
                item[name] = r.choice(('text', -1, 1.5, [], {}, True, 2**63, [[None]]))
    return items


def corrupt(data, rand):
    """Flips one byte in the middle half of the data."""
    data = bytearray(data)
    if len(data) > 8:
        data[rand.randrange(len(data) // 4, len(data) * 3 // 4)] ^= 1 << rand.randrange(8)
    return bytes(data)


def bomb(megabytes):
    """A gzip stream of many spaces: small on the wire, huge when unpacked."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b' ' * (1 << 20)
    return b''.join(squeeze.compress(block) for _ in range(megabytes)) + squeeze.flush()


def chunks(data, size):
    return b''.join(b'%x\r\n%s\r\n' % (len(data[n:n + size]), data[n:n + size])
                    for n in range(0, len(data), size))
