import torch
import torch.nn.functional as F
# --- case: all at once
loss = F.smooth_l1_loss(torch.stack(values), torch.tensor(gains), reduction="sum")
# --- case: feature maps of layers
loss = 0
for real, fake in zip(real_features, fake_features):
    loss += F.l1_loss(fake, real)
# --- case: several outputs, each with its weight
loss = 0
for i, output in enumerate(outputs):
    loss += F.cross_entropy(output, y)
# --- case: a step of a decoder in each round
decoder = torch.nn.LSTMCell(8, 8)
loss = 0
for t in range(y.size(0)):
    h, c = decoder(word, (h, c))
    loss += F.cross_entropy(h, y[t])
    word = y[t]
# --- case: steps of training
model = torch.nn.Linear(3, 3)
for x, y in loader:
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# --- case: an evaluation
model = torch.nn.Linear(3, 3)
total = 0
with torch.no_grad():
    out = model(x)
    for i in range(len(x)):
        total += F.mse_loss(out[i], y[i])
# --- case: kept apart, for each item its own
net = torch.nn.Linear(8, 8)
out = net(x)
losses = []
for i in range(x.size(0)):
    losses.append(F.mse_loss(out[i], x[i]))
worst = max(range(len(losses)), key=lambda i: losses[i].item())
# --- case: a handful
net = torch.nn.Linear(8, 8)
out = net(x)
loss = 0
for i in range(3):
    loss += F.mse_loss(out[i], y[i])
# --- case: boxes of images, whose numbers differ
loss = 0
for boxes, truth in zip(predicted, wanted):
    loss += F.smooth_l1_loss(boxes, truth)
# --- whole: a product without a logarithm
import torch

parts = []
for weight, value in zip(weights, values):
    parts.append(-weight * value)
total = torch.stack(parts)
# --- case: of what the round computes
net = torch.nn.Linear(8, 8)
loss = 0
for part in parts:
    guess = net(part)
    loss += F.mse_loss(guess, part)
# --- case: only some items
net = torch.nn.Linear(8, 8)
out = net(x)
loss = 0
for i in range(x.size(0)):
    if wanted[i]:
        loss += F.mse_loss(out[i], x[i])
