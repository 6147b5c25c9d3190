import torch
# --- case: backwards
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in reversed(range(rewards.size(0))):  # expect: PP609
        out[i] = rewards[i] + 0.9 * last * masks[i]
        last = out[i]
    return out
# --- case: forwards
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):  # expect: PP609
        out[i] = rewards[i] * masks[i]
    return out
# --- case: from one on
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for t in range(1, rewards.size(0)):  # expect: PP609
        out[t] = rewards[t] - values[t]
    return out
# --- case: by its length
x = torch.rand(n)
y = torch.zeros(n)
for i in range(len(x)):  # expect: PP609
    y[i] = x[i] * 2 + 1


def run(n):
    x = torch.rand(n)
    y = torch.zeros(n)
    for i in range(len(x)):  # expect: PP609 likely
        y[i] = x[i] * 2 + 1
    return y
# --- case: with methods
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):  # expect: PP609
        out[i] = rewards[i].abs() + masks[i]
    return out
# --- case: with item()
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):  # expect: PP609
        out[i] = rewards[i].item() + masks[i].item()
    return out
# --- case: with a branch
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):  # expect: PP609
        if masks[i] > 0:
            out[i] = rewards[i]
        else:
            out[i] = values[i]
    return out
# --- case: two results
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):  # expect: PP609
        out[i] = rewards[i]
        values[i] = masks[i]
    return out
# --- case: numbers one by one
device = torch.device("cuda")
x = torch.arange(1000).to(device)
for i in range(1000):
    names.append(words[int(x[i])])  # expect: PP609
# --- case: item() of each
device = torch.device("cuda")
x = torch.arange(1000).to(device)
for i in range(len(words)):
    count[words[i]] += x[i].item()  # expect: PP609
# --- case: of rows
device = torch.device("cuda")
x = torch.arange(1000).to(device)
for i in range(len(words)):
    draw(float(x[i, 0]))  # expect: PP609
# --- case: of a comparison's operand
device = torch.device("cuda")
x = torch.arange(1000).to(device)
for i in range(5000):
    print(i, int(x[i]))  # expect: PP609
# --- case: each word is compared
def decode(model, loader, end):
    for x in loader:
        words = model(x.cuda()).argmax(1)
        left = [i for i, word in enumerate(words) if word != end]  # expect: PP609
        show(left)
# --- case: each box is rounded
for x in loader:
    boxes = model(x.cuda())
    for box in boxes:  # expect: PP609
        draw(int(box[0]), int(box[1]))
# --- case: each value is asked for
for x in loader:
    scores = model(x.cuda()).max(1)[0]
    for score in scores:  # expect: PP609
        write(score.item())
# --- case: the shape of a parameter that is handled as a tensor, with results added up in place
def aggregate(heat):
    heat = heat.transpose(1, 0).contiguous()
    out = heat.clone()
    for i in range(1, heat.shape[0]):  # expect: PP609
        more = heat[i] >= heat[i - 1]
        out[i] += out[i - 1] * more.float()
    return out


for x in loader:
    show(aggregate(model(x.cuda())))
# --- case: from the end, down
def returns(rewards, gamma):
    out = torch.zeros_like(rewards)
    for t in range(rewards.size(0) - 2, -1, -1):  # expect: PP609
        out[t] = rewards[t] + gamma * out[t + 1]
    return out


for x in loader:
    returns(model(x), 0.9).sum().backward()
# --- case: a size that has a name
def running(x):
    n, width = x.size()
    out = torch.zeros(n, width)
    for i in range(1, n):  # expect: PP609
        out[i] = out[i - 1] * 0.9 + x[i]
    return out


for x in loader:
    running(model(x)).sum().backward()
# --- case: numbers of old releases, one by one
features = model(images.cuda())
for i in range(count):
    table[i] = features[0, i].data[0]  # expect: PP609
# --- case: the parameter of a forward(), by a method that only tensors have
class Scan(torch.nn.Module):
    def forward(self, heat):
        width = heat.unsqueeze(0)
        out = torch.zeros_like(width)[0]
        for i in range(1, heat.shape[0]):  # expect: PP609
            out[i] = out[i - 1] * 0.9 + heat[i]
        return out
# --- case: the parameter of a forward(), bound to a view of itself first
class Scan(torch.nn.Module):
    def forward(self, heat):
        heat = heat.reshape(-1, 10)
        heat = heat.transpose(1, 0).contiguous()
        out = torch.zeros(10, 10)
        for i in range(1, heat.shape[0]):  # expect: PP609
            out[i] = out[i - 1] * 0.9 + heat[i]
        return out
# --- case: numbers of what is known by its item() alone, for each fact
def tables(kg, device):
    heads = {}
    torch.zeros(1).to("cuda")
    for i in range(kg.n_facts):
        heads[kg.tail[i].item(), kg.relations[i].item()] = kg.head[i].item()  # expect: PP609
    return heads
# --- case: numbers behind a call that gets the number of the row
device = torch.device("cuda")


def known(table, one, other, i):
    try:
        key = one[i].item()  # expect: PP609
        return table[key, other[i].item()]
    except KeyError:
        return None


def hide(scores, table, one, other):
    for i in range(scores.shape[0]):
        columns = known(table, one, other, i)
        if columns is not None:
            scores[i][columns] = 0
# --- case: the index is one of two targets
device = torch.device("cuda")


def tell(x, names, count):
    for i, name in enumerate(names):
        count[name] += x[i].item()  # expect: PP609


for x in loader:
    tell(x, names, {})
# --- case: a while loop asks for the score of each box
def show(net, images):
    for image in images:
        found = net(image.cuda()).data
        for c in range(found.size(1)):
            k = 0
            while found[0, c, k, 0] >= 0.6:  # expect: PP609
                print(c, k)
                k += 1
# --- case: a branch asks for each score
def count(net, loader):
    n = 0
    for images in loader:
        scores = net(images.cuda()).softmax(1)
        for k in range(len(images)):
            if scores[k, 1] > 0.5:  # expect: PP609
                n += 1
    return n
# --- case: places of one tensor, in another
def match(overlaps):
    best_box = torch.argmax(overlaps, 0)
    best_prior = torch.argmax(overlaps, 1)
    for j in range(best_prior.size(0)):  # expect: PP609
        best_box[best_prior[j]] = j
    return best_box
# --- case: the same of all places
def results(outputs, names):
    found = []
    scores, places = torch.sort(outputs)
    for i in range(scores.size(0)):
        found.append({"label": names[places[i].item()]})  # expect: PP609
    return found


for x in loader:
    results(net(x.cuda()), names)
# --- case: in each step
net = torch.nn.Linear(2, 2).cuda()
for step, x in enumerate(loader):
    y = net(x)
    y.mean().backward()
    print([v.item() for v in y])  # expect: PP609
