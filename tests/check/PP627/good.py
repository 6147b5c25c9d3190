import torch
# --- case: added up
(penalty + loss).backward()
optimizer.step()
# --- case: a step between
a, b = model(x)
a.backward(retain_graph=True)
first.step()
b.backward()
second.step()
# --- case: gradients are set to zero between
a, b = model(x)
a.backward(retain_graph=True)
first.zero_grad()
b.backward()
second.step()
# --- case: gradients are read between
a, b = model(x)
a.backward(retain_graph=True)
norm = weight.grad.norm()
b.backward()
# --- case: the second loss is computed afterwards
out = model(x)
a = criterion(out, y)
a.backward(retain_graph=True)
b = critic(out)
b.backward()
# --- case: one graph each
real = critic(x).mean()
real.backward()
fake = critic(z).mean()
fake.backward()
# --- case: a gradient of a gradient
a, b = model(x)
a.backward(retain_graph=True, create_graph=True)
b.backward()
# --- case: gradients that are given
a, b = model(x)
a.backward(one, retain_graph=True)
b.backward(minus_one)
# --- case: the same loss, twice on purpose
loss = model(x)
loss.backward(retain_graph=True)
loss.backward()
# --- whole: two losses of one tape
import tensorflow as tf


def train(x):
    with tf.GradientTape(persistent=True) as tape:
        a, b = losses_of(x)
    g = tape.gradient(a, one.trainable_variables)
    h = tape.gradient(b, two.trainable_variables)
    return g, h
# --- whole: two tapes
import tensorflow as tf


def train(x):
    with tf.GradientTape() as left, tf.GradientTape() as right:
        loss = loss_of(x)
    g = left.gradient(loss, one.trainable_variables)
    h = right.gradient(loss, two.trainable_variables)
    return g, h
# --- whole: one or the other
import tensorflow as tf


def train(x, first):
    with tf.GradientTape() as tape:
        loss = loss_of(x)
    if first:
        g = tape.gradient(loss, one.trainable_variables)
    else:
        g = tape.gradient(loss, two.trainable_variables)
    return g
