import torch
import torch.nn.functional as F
# --- case: values of an episode
values, returns = run()
parts = []
for value, gain in zip(values, returns):
    parts.append(F.smooth_l1_loss(value, torch.tensor([gain])))  # expect: PP628
loss = torch.stack(parts).sum()
# --- whole: log probabilities of an episode
import torch

parts = []
for log_prob, gain in zip(policy.log_probs, returns):
    parts.append(-log_prob * gain)  # expect: PP628
loss = torch.cat(parts).sum()
loss.backward()
# --- case: both, in a function
def finish(model, optimizer, gains):
    policy_parts, value_parts = [], []
    for (log_prob, value), gain in zip(model.saved, gains):
        policy_parts.append(-log_prob * gain)  # expect: PP628
        value_parts.append(F.mse_loss(value, torch.tensor([gain])))  # expect: PP628
    loss = torch.stack(policy_parts).sum() + torch.stack(value_parts).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# --- case: items of a batch
def train(model, loader, optimizer):
    for x, y in loader:
        out = model(x)
        loss = 0
        for i in range(out.size(0)):
            loss += F.cross_entropy(out[i], y[i])  # expect: PP628
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


train(torch.nn.Linear(3, 3), torch.utils.data.DataLoader(rows), torch.optim.SGD([w], lr=0.1))
# --- case: a criterion, bound by a plain sum
criterion = torch.nn.CrossEntropyLoss()
model = torch.nn.Linear(8, 3)
for x, y in loader:
    out = model(x)
    loss = 0
    for i in range(len(x)):
        loss = loss + criterion(out[i], y[i])  # expect: PP628
    loss.backward()
    optimizer.step()
# --- case: a sum of Python
parts = []
for value, gain in zip(values, gains):
    parts.append(F.mse_loss(value, torch.FloatTensor([gain])))  # expect: PP628
loss = sum(parts)
# --- case: the mean
parts = []
for value, gain in zip(values, gains):
    parts.append(F.l1_loss(value, torch.as_tensor([gain])))  # expect: PP628
loss = torch.stack(parts).mean()
# --- case: steps in time
model = torch.nn.LSTM(8, 8)
out, state = model(x)
loss = 0
for t in range(x.size(0)):
    loss += F.mse_loss(out[t], x[t])  # expect: PP628
loss.backward()
# --- case: weighted
net = torch.nn.Linear(8, 8)
out = net(x)
loss = 0
for i in range(x.shape[0]):
    loss += 0.5 * F.mse_loss(out[i], x[i])  # expect: PP628
loss.backward()
# --- whole: negative by a product of parentheses
import torch

losses = []
for log_prob, advantage in zip(log_probs, advantages):
    losses.append((-log_prob * advantage))  # expect: PP628
torch.cat(losses).sum().backward()
# --- case: enumerated
net = torch.nn.Linear(8, 8)
out = net(x)
loss = 0
for i, target in enumerate(targets):
    loss += F.cross_entropy(out[i], target)  # expect: PP628
loss.backward()
# --- case: self.criterion
class Trainer:
    def __init__(self):
        self.net = torch.nn.Linear(8, 3)
        self.criterion = torch.nn.CrossEntropyLoss()

    def step(self, x, y):
        out = self.net(x)
        loss = 0
        for i in range(x.size(0)):
            loss += self.criterion(out[i], y[i])  # expect: PP628
        loss.backward()


Trainer().step(x, y)
