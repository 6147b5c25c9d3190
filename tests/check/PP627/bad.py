import torch
# --- case: a penalty and a loss
for x, y in loader:
    out = model(x)
    penalty, loss = penalize(out), criterion(out, y)
    optimizer.zero_grad()
    penalty.backward(retain_graph=True)  # expect: PP627
    loss.backward()
    optimizer.step()
# --- case: a function of a step
def step(critic, optimizer, real, fake):
    optimizer.zero_grad()
    loss_real = critic(real).mean()
    loss_fake = -critic(fake).mean()
    loss_real.backward(retain_graph=True)  # expect: PP627
    loss_fake.backward(retain_graph=True)
    optimizer.step()
# --- case: three, reported once
def step(model, optimizer, x):
    a, b, c = model(x)
    optimizer.zero_grad()
    a.backward(retain_graph=True)  # expect: PP627
    b.backward(retain_graph=True)
    c.backward()
    optimizer.step()
# --- case: a loop over losses
def step(losses, optimizer):
    optimizer.zero_grad()
    for loss in losses:
        loss.backward(retain_graph=True)  # expect: PP627
    optimizer.step()
# --- case: the old name of the argument
style, content = losses_of(x)
optimizer.zero_grad()
style.backward(retain_variables=True)  # expect: PP627
content.backward()
optimizer.step()
# --- case: a line between
for x in loader:
    a, b = model(x)
    optimizer.zero_grad()
    a.backward(retain_graph=True)  # expect: PP627
    count += 1
    b.backward()
    optimizer.step()
# --- case: a closure
def closure():
    optimizer.zero_grad()
    style, content = losses_of(image)
    style.backward(retain_graph=True)  # expect: PP627
    content.backward()
    return style + content


optimizer.step(closure)
# --- case: both keep the graph
a, b = model(x)
a.backward(retain_graph=True)  # expect: PP627
b.backward(retain_graph=True)
# --- whole: two halves of a network
import tensorflow as tf


@tf.function
def train(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(tf.square(decoder(encoder(x)) - x))
    of_encoder = tape.gradient(loss, encoder.trainable_variables)
    of_decoder = tape.gradient(loss, decoder.trainable_variables)  # expect: PP627
    optimizer.apply_gradients(zip(of_encoder, encoder.trainable_variables))
    optimizer.apply_gradients(zip(of_decoder, decoder.trainable_variables))
# --- whole: gradients that are applied at once
import tensorflow as tf


@tf.function
def train(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_of(x)
    a.apply_gradients(zip(tape.gradient(loss, one.trainable_variables), one.trainable_variables))
    b.apply_gradients(zip(tape.gradient(loss, two.trainable_variables), two.trainable_variables))  # expect: PP627
# --- whole: weights and an input
import tensorflow as tf


def look(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        score = model(x)
    by_weights = tape.gradient(score, model.trainable_weights)
    by_input = tape.gradient(score, x)  # expect: PP627
    return by_weights, by_input
# --- whole: three lists, each after the first reported
import tensorflow as tf


def train(x):
    with tf.GradientTape(persistent=True) as t:
        loss = loss_of(x)
    g = t.gradient(loss, base.trainable_variables)
    h = t.gradient(loss, left.trainable_variables)  # expect: PP627
    i = t.gradient(loss, right.trainable_variables)  # expect: PP627
    return g, h, i
