import tensorflow as tf
# --- case: an op in the loop of steps
x = tf.placeholder(tf.float32, [None, 4])
w = tf.get_variable("w", [4, 2])
logits = tf.matmul(x, w)
with tf.Session() as sess:
    for step in range(10000):
        prediction = tf.argmax(logits, 1)  # expect: PP102
        print(sess.run(prediction, feed_dict={x: batch(step)}))
# --- whole: assign in the loop, compat.v1
import tensorflow.compat.v1 as tf

rate = tf.get_variable("rate", [])
with tf.Session() as sess:
    for epoch in range(num_epochs):
        lower = tf.assign(rate, 0.1 / (epoch + 1))  # expect: PP102
        sess.run(lower)
# --- whole: the method assign of a variable
import tensorflow.compat.v1 as tf

beta = tf.Variable(1.0, name="beta")
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for step in range(5000):
    change = beta.assign(0.5 ** step)  # expect: PP102
    sess.run(change)
# --- case: gradients of each example
def saliency(sess, inputs, score, examples):
    maps = []
    for example in examples:
        grad = tf.gradients(score, inputs)[0]  # expect: PP102
        maps.append(sess.run(grad, feed_dict={inputs: example}))
    return maps


saliency(tf.Session(), a, b, c)
# --- case: minimize in the loop
loss = build_loss()
optimizer = tf.train.AdamOptimizer(1e-3)
with tf.Session() as sess:
    for batch in batches:
        train_op = optimizer.minimize(loss)  # expect: PP102
        sess.run(train_op, feed_dict=batch)
# --- case: a method that the loop of another method calls
class Trainer:
    def __init__(self, loss):
        self.sess = tf.Session()
        self.loss = loss
        self.x = tf.placeholder(tf.float32)

    def step(self, data):
        mean = tf.reduce_mean(self.loss)  # expect: PP102
        scaled = mean * 2.0
        return self.sess.run(scaled, {self.x: data})

    def train(self, data):
        for batch in data:
            self.step(batch)


Trainer(loss).train(data)
# --- whole: across files, and only there is the loop
from nets import score


def main(sess, steps):
    for step in range(steps):
        print(sess.run(score(step)))


main(sess, 100000)
# --- file: nets.py
import tensorflow as tf

sess = tf.Session()


def score(step):
    return tf.nn.softmax(tf.constant([1.0, 2.0]) * step)  # expect: PP102
# --- whole: a Saver at each checkpoint
from tensorflow.compat import v1 as tf

sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
    if step % 1000 == 0:
        saver = tf.train.Saver()  # expect: PP102
        saver.save(sess, "model", global_step=step)
# --- case: the initializer of each epoch, while
sess = tf.Session()
while True:
    init = tf.local_variables_initializer()  # expect: PP102
    sess.run(init)
    sess.run(train_op)
# --- case: a session for each image, and the op that decodes it
def read_image(path):
    image = tf.image.decode_jpeg(tf.read_file(path))  # expect: PP102
    with tf.Session() as sess:
        return sess.run(image)


images = [read_image(p) for p in image_files]
# --- case: get_next in the loop
iterator = tf.data.TFRecordDataset(files).batch(8).make_one_shot_iterator()
with tf.Session() as sess:
    for step in range(1000):
        batch = iterator.get_next()  # expect: PP102
        print(sess.run(batch))
# --- whole: from tensorflow import
from tensorflow import Session, one_hot, placeholder

x = placeholder("float32")
with Session() as sess:
    for labels in label_batches:
        targets = one_hot(labels, 10)  # expect: PP102
        print(sess.run(targets))
# --- case: Keras' backend.function for each sample
from keras import backend as K

sess = tf.Session()
K.set_session(sess)
for sample in samples:
    activations = K.function([model.input], [model.layers[3].output])  # expect: PP102
    print(activations([sample]), sess.run(total))
# --- case: eval with a feed, and a placeholder
with tf.Session():
    for row in rows:
        p = tf.placeholder(tf.float32, [None])  # expect: PP102
        y = p * 2
        print(y.eval(feed_dict={p: row}))
# --- case: after an inner loop over layers
sess = tf.Session()
for epoch in range(num_epochs):
    for layer in layers:
        print(layer.name)
    total = tf.add_n(losses)  # expect: PP102
    print(sess.run(total))
# --- case: a graph that was made before the loop is not its own
graph = tf.Graph()
sess = tf.Session(graph=graph)
for document in documents:
    with graph.as_default():
        score = tf.reduce_sum(embedding)  # expect: PP102
        print(sess.run(score))
# --- whole: variables out of two lists, copied in each round
import tensorflow.compat.v1 as tf

with tf.Session() as session:
    for batch in batches:
        session.run(train, {state: batch})
        copy = [to.assign(of) for to, of in zip(target_weights, online_weights)]  # expect: PP102
        session.run(copy)
# --- whole: a variable that a function gave
import tensorflow.compat.v1 as tf

rate = make_rate()
with tf.Session() as sess:
    for step in range(10000):
        sess.run(rate.assign_sub(0.1 * step, use_locking=True).op)
        update = rate.assign(step * 0.5)  # expect: PP102
        sess.run([update, train])
# --- whole: a data set in each round, for a Keras model in graph mode
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for step in range(1000):
    dataset = tf.data.Dataset.from_tensor_slices(rows[step]).batch(64)  # expect: PP102
    outputs.append(model.predict(dataset, steps=1))
# --- case: a schedule of the learning rate in the loop that runs it
place = tf.placeholder(tf.int32, [])
with tf.Session() as sess:
    for turn in range(5000):
        rate = tf.train.exponential_decay(0.1, place, 100, 0.96)  # expect: PP102
        print(sess.run(rate, feed_dict={place: turn}))
# --- case: nodes in the graph that the object keeps, at each call
class Scorer:
    def __init__(self, path):
        self.net = tf.Graph()
        with self.net.as_default():
            self.words = tf.placeholder(tf.float32, [None, 8])
            self.logits = tf.layers.dense(self.words, 3)
            self.sess = tf.Session(graph=self.net)
            tf.train.Saver().restore(self.sess, path)

    def score(self, words):
        with self.net.as_default():
            best = tf.argmax(self.logits, 1)  # expect: PP102
            return self.sess.run(best, feed_dict={self.words: words})


scorer = Scorer("words.ckpt")
while True:
    print(scorer.score(read()))
