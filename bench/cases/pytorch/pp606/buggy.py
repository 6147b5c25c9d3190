"""PP606: the steps of the critic take as long as those of the generator.

The critic's loss depends on what the generator made, so backward() computes the gradients of the
generator's weights as well, five times for each step that uses them. Made under no_grad() it has no
graph.
"""

import torch
from torch import nn

import ppcase

NOISE, WIDTH, PIXELS, BATCH, CRITIC_STEPS = 64, 256, 256, 64, 5

torch.manual_seed(606)
generator = nn.Sequential(nn.Linear(NOISE, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(),
                          nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, PIXELS), nn.Tanh())
critic = nn.Sequential(nn.Linear(PIXELS, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
optimizer_g = torch.optim.SGD(generator.parameters(), lr=0.01)
optimizer_c = torch.optim.SGD(critic.parameters(), lr=0.01)
loader = [torch.rand(BATCH, PIXELS) for _ in range(20)]

with ppcase.work():
    for step, real in enumerate(loader):
        fake = generator(torch.randn(BATCH, NOISE))
        critic_loss = critic(fake).mean() - critic(real).mean()
        optimizer_c.zero_grad()
        critic_loss.backward()
        optimizer_c.step()
        if step % CRITIC_STEPS == 0:
            generator_loss = -critic(generator(torch.randn(BATCH, NOISE))).mean()
            optimizer_g.zero_grad()
            generator_loss.backward()
            optimizer_g.step()
ppcase.digest(len(loader), *(p.detach().numpy() for p in generator.parameters()),
              *(p.detach().numpy() for p in critic.parameters()))
