"""PP620: a recurrent network is slow though each of its steps is small.

nn.LSTM takes a whole sequence, and computes what does not depend on the state for all steps at once.
Step by step it starts a dozen operations for each, and as many for the way back.
"""

import torch
from torch import nn

import ppcase

SENTENCES, WORDS, WIDTH, HIDDEN, TAGS = 50, 60, 32, 32, 5

torch.manual_seed(620)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(WIDTH, HIDDEN)
        self.head = nn.Linear(HIDDEN, TAGS)

    def forward(self, words, state):
        outputs = []
        for t in range(words.size(0)):
            output, state = self.lstm(words[t].view(1, 1, -1), state)
            outputs.append(output)
        return self.head(torch.cat(outputs))


model = Tagger()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
sentences = [(torch.randn(WORDS, WIDTH), torch.randint(TAGS, (WORDS,))) for _ in range(SENTENCES)]
with ppcase.work():
    for words, tags in sentences:
        optimizer.zero_grad()
        scores = model(words, (torch.zeros(1, 1, HIDDEN), torch.zeros(1, 1, HIDDEN)))
        criterion(scores.view(-1, TAGS), tags).backward()
        optimizer.step()
ppcase.digest(SENTENCES, *(p.detach().numpy() for p in model.parameters()))
