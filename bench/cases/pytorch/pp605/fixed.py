"""PP605: training a decoder slows down with the square of the length.

Each write into a slice is an operation that backward() undoes by copying the gradient of the whole
tensor. torch.stack of a list is one operation.
"""

import torch
from torch import nn

import ppcase

LENGTH, BATCH, VOCABULARY, HIDDEN = 150, 16, 256, 32

torch.manual_seed(605)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(HIDDEN, HIDDEN)
        self.head = nn.Linear(HIDDEN, VOCABULARY)
        self.back = nn.Linear(VOCABULARY, HIDDEN)

    def forward(self, word, hidden):
        outputs = []
        for t in range(LENGTH):
            hidden = self.cell(word, hidden)
            output = self.head(hidden)
            word = self.back(output)
            outputs.append(output)
        return torch.stack(outputs)


model = Decoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
batches = [(torch.randn(BATCH, HIDDEN), torch.randint(VOCABULARY, (LENGTH * BATCH,)))
           for _ in range(3)]
with ppcase.work():
    for x, y in batches:
        outputs = model(x, torch.zeros(BATCH, HIDDEN))
        optimizer.zero_grad()
        criterion(outputs.reshape(-1, VOCABULARY), y).backward()
        optimizer.step()
ppcase.digest(len(batches), *(p.detach().numpy() for p in model.parameters()))
