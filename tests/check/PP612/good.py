import torch
# --- case: batches
model = torch.nn.Linear(4, 2)
model.eval()
for images in loader:
    scores.append(model(images))  # lacks: it is not seen to be a batch of one, made in the same function
# --- case: training
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    loss = model(image.unsqueeze(0)).mean()
    loss.backward()
# --- case: an environment
model = torch.nn.Linear(4, 2)
model.eval()
for episode in episodes:
    s = env.reset()
    a = model(s.unsqueeze(0))
    s = env.step(a)
# --- case: a camera
model = torch.nn.Linear(4, 2)
model.eval()
while True:
    frame = camera.read()
    model(frame.unsqueeze(0))
# --- case: one item
model = torch.nn.Linear(4, 2)
model.eval()
print(model(image.unsqueeze(0)))
# --- case: another axis
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    model(image.unsqueeze(1))
# --- case: repeated to a batch
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    x = image.unsqueeze(0).repeat(64, 1, 1, 1)
    model(x)
# --- case: several
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    model(torch.stack([image, image.flip(1)]))
# --- case: a list of two
model = torch.nn.Linear(4, 2)
model.eval()
for a, b in pairs:
    model(torch.tensor([a, b]))
# --- case: a loader gives batches
model = torch.nn.Linear(4, 2)
model.eval()
for x in loader:
    model(x.unsqueeze(0))
# --- case: steps of a decoder
model = torch.nn.Linear(4, 2)
model.eval()
for t in range(100):
    model(x[t].unsqueeze(0))
# --- case: a handful
model = torch.nn.Linear(4, 2)
model.eval()
for image in (a, b, c):
    model(image.unsqueeze(0))
# --- case: games, of which each step needs the one before
model = torch.nn.Linear(4, 2)


def play():
    state, done, total = env.reset(), False, 0
    while not done:
        action = model(torch.FloatTensor(state).unsqueeze(0)).argmax()
        state, reward, done, _ = env.step(action)
        total += reward
    return total


scores = [play() for _ in range(10)]
# --- case: an axis for time, in a module
class Decoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(10, 4)

    def forward(self, word):
        return self.embedding(word.unsqueeze(0))


decoder = Decoder()
for word in words:
    print(decoder(word))
# --- case: a spectrogram, of which each frame needs those before
from tqdm import tqdm

model = torch.nn.Linear(4, 2)
text = torch.LongTensor(codes).unsqueeze(0)
bar = tqdm(range(length))
for i in bar:
    frame = model(text)
# --- case: the loop counts steps, each of which needs the one before
def unroll(net, x, n):
    for i in range(n):
        x = net(x[0].unsqueeze(0))
    return x
# --- case: a tokenizer gives a batch of texts
def embed(texts, tokenizer, model):
    for chunk in batches(texts):
        inputs = tokenizer(chunk, return_tensors="pt", padding=True)
        with torch.no_grad():
            yield model(**inputs).last_hidden_state
# --- case: each step of time needs the state before
def unroll(net, frames, state):
    with torch.no_grad():
        for t in range(frames.size(0)):
            state = net(state[-1].unsqueeze(0))
    return state
# --- case: the module has no weights
class Window(torch.nn.Module):
    def forward(self, x):
        return x * torch.hann_window(x.shape[-1])


window = Window()
for sound in sounds:
    keep(window(sound.unsqueeze(0)))
# --- case: a count that is no number of items
def sample(net, noise, rounds):
    n = rounds
    with torch.no_grad():
        for i in range(n):
            print(net(torch.tensor([3.0]).cuda()))
# --- case: a loader of batches of one
from torch.utils.data import DataLoader


def evaluate(net, data):
    loader = DataLoader(data, batch_size=1, num_workers=4)  # expect: PP612 likely
    with torch.no_grad():
        for image, label in loader:
            print(net(image.cuda()))
# --- case: a loader of batches of one, by position, in a progress bar
from torch.utils.data import DataLoader
from tqdm import tqdm


def evaluate(net, data):
    test_loader = DataLoader(data, 1, False, num_workers=4)  # expect: PP612 likely
    with torch.no_grad():
        for i, (image, label) in enumerate(tqdm(test_loader)):
            print(net(image.cuda()))
# --- case: a loader of batches of one, at the top of a program
from torch.utils.data import DataLoader

loader = torch.utils.data.DataLoader(data, batch_size=1, num_workers=2)  # expect: PP612 likely
with torch.no_grad():
    for image in loader:
        save(model(image))
# --- case: a loader of batches of one that trains
from torch.utils.data import DataLoader


def train(net, data, optimizer):
    loader = DataLoader(data, batch_size=1, num_workers=4)
    for image, label in loader:
        loss = net(image).sum()
        loss.backward()
        optimizer.step()
# --- case: a method of a module that runs none
class Translator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def words_of(self, numbers):
        return [self.words[n] for n in numbers.tolist()]


translator = Translator()
for example in examples:
    print(translator.words_of(torch.LongTensor([example]).to("cuda")))
# --- case: pictures of the sizes of their files
net = torch.nn.Conv2d(3, 8, 3).cuda()
for name in os.listdir("pictures"):
    img = cv2.imread(name)
    if scale != 1:
        img = cv2.resize(img, None, None, fx=scale, fy=scale)
    x = torch.from_numpy(img.transpose(2, 0, 1)).unsqueeze(0)
    out.append(net(x.cuda()))  # expect: PP612 low
# --- case: pictures of the sizes of their files, by another library
from PIL import Image

net = torch.nn.Conv2d(3, 8, 3).cuda()
for name in os.listdir("pictures"):
    x = normalize(to_tensor(Image.open(name))).unsqueeze(0)
    out.append(net(x.cuda()))  # expect: PP612 low
