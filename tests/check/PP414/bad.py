import tensorflow as tf
# --- case: at each step
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        writer.add_summary(summary, step)  # expect: PP414
# --- case: behind a question for the writer
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged])
        if writer is not None:
            writer.add_summary(summary, step)  # expect: PP414
# --- case: one value
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        session.run(train_op)
        summary = session.run(merged)
        writer.add_summary(summary, step)  # expect: PP414
# --- case: in place
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        session.run(train_op)
        writer.add_summary(session.run(merged), step)  # expect: PP414
# --- case: a function that the loop calls
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")


def train_step(batch):
    _, summary = session.run([train_op, merged], feed_dict={x: batch})
    writer.add_summary(summary, 0)  # expect: PP414


for step in range(100000):
    train_step(batches[step])
# --- case: a nested function
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")


def main():
    def train_step(batch):
        _, step, summary = session.run([train_op, global_step, merged], feed_dict={x: batch})
        writer.add_summary(summary, step)  # expect: PP414

    for batch in batches:
        train_step(batch)
# --- case: while True
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    while True:
        _, summary = session.run([train_op, merged], feed_dict={x: next(batches)})
        writer.add_summary(summary, step)  # expect: PP414
# --- case: epochs and steps
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")

with tf.Session() as session:
    for epoch in range(20):
        for step in range(1000):
            _, summary = session.run([train_op, merged])
            writer.add_summary(summary, step)  # expect: PP414
# --- case: two writers, one cause
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, a = session.run([d_train, d_merged])
        writer.add_summary(a, step)  # expect: PP414
        _, b = session.run([g_train, g_merged])
        writer.add_summary(b, step)
# --- case: pictures
tf.summary.image("input", x)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        writer.add_summary(summary, step)  # expect: PP414
# --- case: old names
tf.histogram_summary("weights", weights)
merged = tf.merge_all_summaries()
writer = tf.train.SummaryWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        writer.add_summary(summary, step)  # expect: PP414
# --- case: a method, and the object that has it
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")


class Agent:
    def __init__(self, writer):
        self.writer = writer

    def update(self, session, batch):
        summary, _ = session.run([merged, self.train_op], feed_dict={x: batch})
        self.writer.add_summary(summary)  # expect: PP414


agent = Agent(writer)
for step in range(100000):
    agent.update(tf.get_default_session(), memory.sample())
# --- case: a method whose callers are not seen: likely
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")


class Agent:
    def update(self, session, batch):
        summary, _ = session.run([merged, self.train_op], feed_dict={x: batch})
        if self.writer:
            self.writer.add_summary(summary)  # expect: PP414 likely


with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        writer.add_summary(summary, step)  # expect: PP414
# --- whole: a method of an object that is a parameter; its name and its arguments say that it is called
import itertools

import numpy as np
import tensorflow as tf

tf.summary.histogram("weights", weights)


class Estimator:
    def update(self, session, states, targets):
        summaries, _ = session.run([self.summaries, self.train_op], {self.x: states, self.y: targets})
        if self.writer:
            self.writer.add_summary(summaries)  # expect: PP414
        options.update(states)


def learn(session, estimator, memory):
    for t in itertools.count():
        states, targets = memory.sample()
        estimator.update(session, states, targets)


estimator = Estimator()
estimator.update(tf.Session(), np.zeros((2, 3)), np.zeros(2))
# --- case: the histograms are in the model's file
import model

merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        writer.add_summary(summary, step)  # expect: PP414
# --- file: model.py
import tensorflow as tf

tf.summary.histogram("weights", weights)
# --- whole: pictures at every step of PyTorch
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    writer.add_image("input", x[0], i)  # expect: PP414
# --- whole: histograms of all weights, at every step
import torch
from tensorboardX import SummaryWriter


def train(model, loader, criterion, optimizer):
    tb = SummaryWriter("runs")
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, weight in model.named_parameters():
            tb.add_histogram(name, weight, i)  # expect: PP414


train(net, torch.utils.data.DataLoader(rows), torch.nn.MSELoss(), torch.optim.SGD(net.parameters(), lr=0.1))
