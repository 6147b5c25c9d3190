import tensorflow as tf
# --- case: each 100 steps
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        if step % 100 == 0:
            _, summary = session.run([train_op, merged])
            writer.add_summary(summary, step)  # lacks: it runs in some steps only
        else:
            session.run(train_op)
# --- case: written each 100 steps
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged])
        if step % 100 == 0:
            writer.add_summary(summary, step)
# --- case: numbers only: little to gain
tf.summary.scalar("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        writer.add_summary(summary, step)  # expect: PP414 low
# --- case: Python's numbers
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        loss, _ = session.run([loss_op, train_op])
        summary = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=loss)])
        writer.add_summary(summary, step)
# --- case: once in an epoch
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")

with tf.Session() as session:
    for epoch in range(20):
        for step in range(1000):
            session.run(train_op)
        summary = session.run(merged)
        writer.add_summary(summary, epoch)
# --- case: once
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")

with tf.Session() as session:
    writer.add_summary(session.run(merged))
# --- case: a handful of rounds
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(3):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        writer.add_summary(summary, step)
# --- case: the caller asks
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")


def log(batch):
    summary = session.run(merged, feed_dict={x: batch})
    writer.add_summary(summary)


for step in range(100000):
    session.run(train_op)
    if step % 50 == 0:
        log(batches[step])
# --- case: the graph alone
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
writer.add_graph(tf.get_default_graph())
# --- case: a supervisor does it
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        supervisor.loop()
        session.run(train_op)
# --- case: TensorFlow 2, every 100 steps
writer = tf.summary.create_file_writer("logs")
for step in tf.range(100000):
    if step % 100 == 0:
        with writer.as_default():
            tf.summary.histogram("weights", weights, step)
# --- case: a method that only evaluates, whose callers are not seen
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")


class Agent:
    def evaluate(self, session):
        self.writer.add_summary(session.run(self.merged))
# --- case: the writer of something else
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        session.run(train_op)
        report.add_summary("step")
# --- whole: the same, called behind an if elsewhere, or once in an epoch: likely
import itertools

import tensorflow as tf

tf.summary.histogram("weights", weights)


class Estimator:
    def update(self, session, states, targets):
        summaries, _ = session.run([self.summaries, self.train_op], {self.x: states, self.y: targets})
        self.writer.add_summary(summaries)  # expect: PP414 likely

    def improve(self, session, states, targets):
        summaries, _ = session.run([self.summaries, self.train_op], {self.x: states, self.y: targets})
        self.writer.add_summary(summaries)  # expect: PP414 likely

    def refresh(self, table):
        summaries, _ = session.run([self.summaries, self.train_op], {self.x: table})
        self.writer.add_summary(summaries)  # expect: PP414 likely


def learn(session, estimator, memory):
    for t in itertools.count():
        states, targets = memory.sample()
        estimator.train(session, states, targets)
        estimator.refresh(targets)
        if t % 100 == 0:
            estimator.update(session, states, targets)
    for epoch in range(100):
        estimator.improve(session, states, targets)
# --- case: flushed now and then
writer = tf.summary.FileWriter("logs")
with tf.Session() as sess:
    for i in range(10000):
        _, value = sess.run([train_op, loss], feed_dict={x: batches[i]})
        if i % 500 == 0:
            writer.flush()
# --- case: flushed after each epoch
summary_writer = tf.summary.create_file_writer("logs")
for epoch in range(100):
    for batch in tf.data.Dataset.from_tensor_slices(rows).batch(8):
        train_step(batch)
    summary_writer.flush()
# --- case: a round of the loop makes many steps
writer = tf.summary.create_file_writer("logs")
done = 0
while done < total_steps:
    optimizer.apply_gradients(compiled_loop(iterator, steps_per_loop))
    done += steps_per_loop
    writer.flush()  # expect: PP414 low
# --- case: another file is flushed
with tf.Session() as sess:
    for i in range(10000):
        _, value = sess.run([train_op, loss], feed_dict={x: batches[i]})
        log.write("%g\n" % value)
        log.flush()
# --- whole: pictures now and then
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if i % 500 == 0:
        writer.add_image("input", x[0], i)
# --- whole: histograms after each epoch
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
for epoch in range(100):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    writer.add_histogram("weights", model.weight, epoch)
# --- whole: a number at every step
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    writer.add_scalar("rate", schedule.rate, i)
# --- case: as its author says
tf.summary.histogram("weights", weights)
merged = tf.summary.merge_all()
writer = tf.summary.FileWriter("logs")
with tf.Session() as session:
    for step in range(100000):
        _, summary = session.run([train_op, merged], feed_dict={x: batches[step]})
        # Write summaries at every step
        writer.add_summary(summary, step)  # expect: PP414 low
# --- case: flushed at every step of TensorFlow 2
summary_writer = tf.summary.create_file_writer("logs")


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for step, batch in enumerate(tf.data.Dataset.from_tensor_slices(rows).batch(8)):
    loss = train_step(batch)
    with summary_writer.as_default():
        tf.summary.scalar("loss", loss, step=step)
    summary_writer.flush()  # expect: PP414 low
# --- case: flushed at every step of a session
writer = tf.summary.FileWriter("logs")
with tf.Session() as sess:
    for i in range(10000):
        _, value = sess.run([train_op, loss], feed_dict={x: batches[i]})
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=value)]), i)
        writer.flush()  # expect: PP414 low
