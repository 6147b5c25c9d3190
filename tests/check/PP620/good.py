import torch
from torch import nn
# --- case: the whole sequence
rnn = nn.GRU(10, 10)
out, h = rnn(x, h)
# --- case: the output is the next input
rnn = nn.GRU(10, 10)
for t in range(100):
    out, h = rnn(out, h)  # lacks: it is not seen to be the input of one step
# --- case: the next word is chosen
decoder = nn.GRU(10, 10)
for t in range(100):
    out, h = decoder(words[t], h)
    words[t + 1] = out.argmax()
# --- case: attention
def decode(decoder, words, hidden, seen):
    for t in range(words.size(0)):
        out, hidden = decoder(words[t], hidden, seen)
# --- case: no state
encoder = nn.Linear(10, 10)
for t in range(100):
    out = encoder(x[t])
# --- case: the state starts anew
rnn = nn.GRU(10, 10)
for t in range(100):
    out, last = rnn(x[t], start)
# --- case: batches of a loader
rnn = nn.GRU(10, 10)
for x in loader:
    out, h = rnn(x, h)
# --- case: another module
def run(mixer, x, h):
    for t in range(x.size(0)):
        out, h = mixer(x[t], h)
# --- case: the same input
rnn = nn.GRU(10, 10)
for t in range(100):
    out, h = rnn(x, h)
# --- case: a second layer of cells
cell = nn.LSTMCell(10, 10)
for t in range(100):
    h, c = cell(below[t - 1] + h, (h, c))
    below[t] = h
# --- case: while it has not ended
rnn = nn.GRU(10, 10)
while not done:
    out, h = rnn(word, h)
# --- case: a decoder whose first word is chosen
def decode(decoder, word, hidden):
    for t in range(20):
        out, hidden = decoder(word, hidden)
        word = out.argmax(1)
# --- case: in another shape, and not of the step
rnn = nn.GRU(10, 10)
for t in range(words.size(0)):
    out, h = rnn(word.unsqueeze(0), h)
# --- case: one text, to look at what comes
rnn = nn.GRU(10, 10)


def look(words, h):
    for t in range(len(words)):
        out, h = rnn(words[t], h)  # expect: PP620 low
    return out


print(look(words, None))
