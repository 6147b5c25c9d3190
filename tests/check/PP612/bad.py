import torch
# --- case: unsqueezed
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    pass
    scores.append(model(image.unsqueeze(0)).argmax(1))  # expect: PP612
# --- case: by way of a name
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    x = transform(image).unsqueeze(0)
    scores.append(model(x).argmax(1))  # expect: PP612
# --- case: on a device
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    x = transform(image).unsqueeze(0).to(device)
    scores.append(model(x).argmax(1))  # expect: PP612
# --- case: None as an index
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    pass
    scores.append(model(image[None]).argmax(1))  # expect: PP612
# --- case: a list of one
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    pass
    scores.append(model(torch.tensor([image])).argmax(1))  # expect: PP612
# --- case: a list of one, by its type
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    pass
    scores.append(model(torch.LongTensor([image]).cuda()).argmax(1))  # expect: PP612
# --- case: torch.unsqueeze
model = torch.nn.Linear(4, 2)
model.eval()
for image in images:
    pass
    scores.append(model(torch.unsqueeze(image, 0)).argmax(1))  # expect: PP612
# --- case: files of a folder
model = torch.nn.Linear(4, 2)
model.eval()
for path in sorted(paths):
    x = load(path).unsqueeze(0)
    scores.append(model(x).argmax(1))  # expect: PP612
# --- case: enumerated
model = torch.nn.Linear(4, 2)
model.eval()
for i, image in enumerate(images):
    pass
    scores.append(model(image.unsqueeze(0)).argmax(1))  # expect: PP612
# --- case: a function that the loop calls
model = torch.nn.Linear(4, 2)
model.eval()


def predict(image):
    return model(image.unsqueeze(0)).argmax(1)  # expect: PP612


for image in images:
    print(predict(image))
# --- case: in a comprehension
model = torch.nn.Linear(4, 2)
model.eval()


def predict(image):
    x = image.unsqueeze(0)
    return model(x)  # expect: PP612


scores = [predict(image) for image in images]
# --- case: without gradients
model = torch.nn.Linear(4, 2)
model.eval()
with torch.no_grad():
    for image in dataset:
        y = model(image.unsqueeze(0))  # expect: PP612
# --- case: by a method of an object that is handed over
class Agent:
    def __init__(self):
        self.net = torch.nn.Linear(4, 2)

    def value(self, state):
        with torch.no_grad():
            return self.net(state.unsqueeze(0)).max().item()  # expect: PP612


def test(learner, memory):
    found = []
    for state in memory:
        found.append(learner.value(state))
    return found


test(Agent(), memory)
# --- case: the loop counts the items
def evaluate(net, items, device):
    right = 0
    for i in range(len(items)):
        x, y = items[i]
        x = x.unsqueeze(0).to(device)
        with torch.no_grad():
            out = net(x)  # expect: PP612
        right += int(out.argmax(1) == y)
    return right
# --- case: code outside the project builds the module
from PIL import Image
from torchvision import transforms
from zoo import build


def detect(args, paths):
    model = build(args)
    model.cuda()
    model.eval()
    for path in paths:
        image = transforms.ToTensor()(Image.open(path).resize((64, 64))).unsqueeze(0).cuda()
        with torch.no_grad():
            print(model(image).argmax(1))  # expect: PP612
# --- case: a tokenizer gives a batch of one text
def embed(texts, tokenizer, model):
    found = []
    for text in texts:
        inputs = tokenizer(text, return_tensors="pt", truncation=True).to("cuda")
        with torch.no_grad():
            out = model(**inputs)  # expect: PP612
        found.append(out.last_hidden_state.mean(1).cpu())
    return torch.cat(found)
# --- case: answers generated prompt by prompt
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2").cuda()


def answer(prompt):
    inputs = tokenizer(prompt, return_tensors="pt")
    ids = model.generate(inputs.input_ids.cuda(), max_new_tokens=50)  # expect: PP612
    return tokenizer.decode(ids[0])


answers = []
for row in load_rows():
    answers.append(answer(row))
# --- case: the rows of a batch, one by one
def test(model, loader):
    model.eval()
    with torch.no_grad():
        for images, labels in loader:
            for k in range(images.size(0)):
                print(model(images[k].unsqueeze(0).cuda()).argmax())  # expect: PP612
# --- case: a count of items that has a name
def test(net, data):
    net.eval()
    n_images = len(data)
    with torch.no_grad():
        for i in range(n_images):
            image, label = data[i]
            x = image.unsqueeze(0)
            print(net(x.cuda()).argmax())  # expect: PP612
# --- case: a count of rows that has a name
def test(model, images):
    n = images.shape[0]
    with torch.no_grad():
        for i in range(n):
            print(model(images[i][None].cuda()))  # expect: PP612
# --- case: the length of a list of files, with the old wrapper
from torch.autograd import Variable


def test(net, files):
    count = len(files)
    for i in range(count):
        x = Variable(load(files[i]).unsqueeze(0), volatile=True)
        save(net(x).data)  # expect: PP612
# --- case: a method of a module of the project, over items that are called a loader
from torchtext.data import Dataset


class Translator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def translate(self, words):
        return self.fc(words).argmax(1)


translator = Translator()
test_loader = Dataset(examples=data["test"], fields=fields)
for example in test_loader:
    words = [vocabulary[word] for word in example.src]
    print(translator.translate(torch.LongTensor([words]).to("cuda")))  # expect: PP612
# --- case: pictures that get one size
net = torch.nn.Conv2d(3, 8, 3).cuda()
for name in os.listdir("pictures"):
    img = cv2.resize(cv2.imread(name), (300, 300))
    x = torch.from_numpy(img.transpose(2, 0, 1)).unsqueeze(0)
    out.append(net(x.cuda()))  # expect: PP612
