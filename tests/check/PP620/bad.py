import torch
from torch import nn
# --- case: a GRU
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for t in range(x.size(0)):
            out, h = self.rnn(x[t], h)  # expect: PP620
            outputs.append(out)
        return torch.stack(outputs)
# --- case: an LSTM, along the second axis
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for t in range(x.size(1)):
            out, (h, c) = self.rnn(x[:, t], (h, c))  # expect: PP620
            outputs.append(out)
        return torch.stack(outputs)
# --- case: a plain RNN
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for t in range(x.shape[0]):
            out, h = self.rnn(x[t:t + 1], h)  # expect: PP620
            outputs.append(out)
        return torch.stack(outputs)
# --- case: a cell
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for t in range(x.size(1)):
            h, c = self.cell(x[:, t], (h, c))  # expect: PP620
            outputs.append(h)
        return torch.stack(outputs)
# --- case: a cell of a GRU
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(10, 10)

    def forward(self, x, h):
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)  # expect: PP620
        return h
# --- case: parts of the input
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for part in x.split(1, dim=1):
            out, (h, c) = self.rnn(part, (h, c))  # expect: PP620
            outputs.append(out)
        return torch.stack(outputs)
# --- case: parts that are counted
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for i, part in enumerate(x.chunk(x.size(1), dim=1)):
            out, h = self.rnn(part, h)  # expect: PP620
            outputs.append(out)
        return torch.stack(outputs)
# --- case: unbound
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for part in x.unbind(1):
            out, h = self.rnn(part, h)  # expect: PP620
            outputs.append(out)
        return torch.stack(outputs)
# --- case: a module that has one
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 10)
        self.gru = nn.GRU(10, 10)

    def forward(self, word, hidden):
        return self.gru(self.embedding(word).view(1, 1, -1), hidden)


encoder = Encoder()
for i in range(len(words)):
    out, hidden = encoder(words[i], hidden)  # expect: PP620
# --- case: an encoder of which nothing is known
def train(words, encoder, hidden):
    outputs = torch.zeros(10, 10)
    for i in range(words.size(0)):
        out, hidden = encoder(words[i], hidden)  # expect: PP620
        outputs[i] = out[0]
    return outputs
# --- case: up to a limit
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(10, 10)

    def forward(self, x, h, c):
        outputs = []
        for t in range(self.length):
            out, h = self.rnn(x[t], h)  # expect: PP620
            outputs.append(out)
        return torch.stack(outputs)
# --- case: at the top of a program
rnn = nn.GRU(10, 10)
for t in range(100):
    out, h = rnn(x[t], h)  # expect: PP620
# --- case: one word of a sentence, without a batch
rnn = nn.LSTM(10, 10)
for t in range(words.size(0)):
    out, state = rnn(words[t].view(1, 1, -1), state)  # expect: PP620
# --- case: with a dimension for the step
rnn = nn.GRU(10, 10)
for t in range(words.size(0)):
    out, h = rnn(words[t].unsqueeze(0), h)  # expect: PP620
# --- case: each text of many, printed
rnn = nn.GRU(10, 10)


def look(words, h):
    for t in range(len(words)):
        out, h = rnn(words[t], h)  # expect: PP620
    return out


for words in texts:
    print(look(words, None))
