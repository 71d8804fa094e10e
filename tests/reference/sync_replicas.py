#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What TensorFlow's SyncReplicasOptimizer makes of random schedules, event by event; written to sync_replicas.txt in this folder.

Made with tensorflow-cpu 2.21 (compat.v1): a parameter server and workers in one process, each with a separate graph and session. Worker 0
is the chief. The script feeds the gradients; those of rows are sorted and summed. The file is a list of traces.
A trace begins with
  sgd|momentum|adam whole|parts WORKERS NEEDED INITIAL     whole: nothing happens within a gradient, or within an update
It continues with events, one a line:
  compute K g0 g1 row row s s      worker K has a gradient: of v0 (float), v1 (double) and of two rows of vs [4, 1] (float)
  push K U                         it gives that of variable U (0: v0, 1: v1, 2: vs)
  start                            the chief waits for gradients, in a thread
  take U                           it has taken the mean of one variable (and TensorFlow updates this one immediately)
  chief                            it has taken all, updated and made tokens
  begin K                          worker K has taken a token

After an event comes the state, except after compute and start, and where the chief has something to take:

  = global step, tokens in the queue, gradients in the three accumulators, local step of each worker, v0, v1, vs

After some takes of one update variables have already moved. Where all are updated together, these wait for the others.
Numbers are exact (hexadecimal).
"""
import os
import re
import socket
import threading
import time

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
MOST, EVENTS, TRACES = 4, 60, 24


def text(values):
    return " ".join(re.sub(r"\.?0*p", "p", float(v).hex()) for v in np.ravel(values))


def rule(name):
    if name == "sgd":
        return tf.train.GradientDescentOptimizer(0.25)
    if name == "momentum":
        return tf.train.MomentumOptimizer(0.125, 0.75)
    return tf.train.AdamOptimizer(0.05)


class Worker:
    """A graph like that of each worker, and its session."""

    def __init__(self, server, number, name, workers, needed, initial, prefix):
        self.graph = tf.Graph()
        with self.graph.as_default():
            with tf.device("/job:ps/task:0"):
                step = tf.Variable(0, name=prefix + "step", trainable=False, dtype=tf.int64)
                v0 = tf.Variable(0.5, name=prefix + "v0", dtype=tf.float32)
                v1 = tf.Variable(-0.25, name=prefix + "v1", dtype=tf.float64)
                vs = tf.Variable([[1.0], [2.0], [3.0], [4.0]], name=prefix + "vs", dtype=tf.float32)
            with tf.device(f"/job:worker/task:{number}"):
                self.g0, self.g1 = tf.placeholder(tf.float32, []), tf.placeholder(tf.float64, [])
                self.rows, self.gs = tf.placeholder(tf.int64, [2]), tf.placeholder(tf.float32, [2, 1])
                # gradients of a lookup: sorted and summed, as the optimizer's documentation requires
                unique, where = tf.unique(tf.sort(self.rows))
                summed = tf.math.unsorted_segment_sum(tf.gather(self.gs, tf.argsort(self.rows, stable=True)), where, tf.size(unique))
                optimizer = tf.train.SyncReplicasOptimizer(
                    rule(name), replicas_to_aggregate=needed, total_num_replicas=workers, name=prefix + "sync")
                before = set(op.name for op in self.graph.get_operations())
                optimizer.apply_gradients(
                    [(self.g0, v0), (self.g1, v1), (tf.IndexedSlices(summed, unique, tf.constant([4, 1], tf.int64)), vs)], global_step=step)
                ops = [op for op in self.graph.get_operations() if op.name not in before]
                self.push = [op for op in ops if op.type.endswith("AccumulatorApplyGradient")]   # in the order of the pairs
                assert len(self.push) == 3
                self.counts = []
                for accumulator, device in optimizer._accumulator_list:
                    with tf.device(device):
                        self.counts.append(accumulator.num_accumulated())
                queue = optimizer._sync_token_queue
                token = queue.dequeue()
                self.local_step = optimizer._local_step
                self.begin = tf.assign(self.local_step, tf.reshape(token, []), use_locking=False)
                self.size = queue.size()
                self.drain = queue.dequeue_many(self.size)   # its name is the same in all traces
                self.values = [step, v0, v1, vs]
                self.local_init = optimizer.chief_init_op if number == 0 else optimizer.local_step_init_op
                self.chief = optimizer.get_chief_queue_runner().enqueue_ops[0] if number == 0 else None
                self.global_init = tf.variables_initializer(tf.global_variables())
                self.initial = optimizer.get_init_tokens_op(initial) if number == 0 else None
        self.session = tf.Session(server.target, graph=self.graph)


def trace(servers, index, random, out):
    name, whole = ("sgd", "momentum", "adam")[index % 3], index % 2 == 0
    workers, needed = int(random.integers(1, MOST + 1)), int(random.integers(1, MOST + 1))
    least = max(0, needed - workers)
    initial = needed if random.integers(0, 2) else least + int(random.integers(0, 2))
    all_workers = [Worker(servers[k], k, name, workers, needed, initial, f"t{index}_") for k in range(workers)]
    chief = all_workers[0]
    chief.session.run(chief.global_init)
    chief.session.run(chief.local_init)
    chief.session.run(chief.drain)
    for w in all_workers[1:]:
        w.session.run(w.local_init)
    chief.session.run(chief.initial)
    out.write(f"{name} {'whole' if whole else 'parts'} {workers} {needed} {initial}\n")

    def state():
        step, v0, v1, vs = chief.session.run(chief.values)
        counts = chief.session.run(chief.counts)
        local = [int(w.session.run(w.local_step)) for w in all_workers]
        size = chief.session.run(chief.size)
        out.write(f"= {step} {size} {' '.join(map(str, counts))} {' '.join(map(str, local))} {text(v0)} {text(v1)} {text(vs)}\n")

    phase, given, feed = ["compute"] * workers, [set() for _ in range(workers)], [None] * workers
    count, taken, step, local = [0, 0, 0], [False] * 3, 0, [0] * workers
    tokens = [0] * initial
    waiting = None

    def run_chief():
        try:
            chief.session.run(chief.chief)
        except tf.errors.CancelledError:   # the trace is over
            pass

    def settle():
        """What the chief can take it takes, which is waited for."""
        nonlocal waiting, step
        some = False
        for u in range(3):
            if waiting is not None and not taken[u] and count[u] >= needed:
                while chief.session.run(chief.counts[u]) != 0:
                    time.sleep(0.0005)
                taken[u], count[u] = True, 0
                out.write(f"take {u}\n")
                some = True
        if some and not all(taken):
            state()
        if all(taken):
            waiting.join()
            waiting = None
            step += 1
            taken[:] = [False] * 3
            tokens.extend([step] * max(workers, needed))
            out.write("chief\n")
            state()

    state()
    for _ in range(EVENTS):
        if waiting is None and random.integers(0, 6) == 0 and (not whole or min(count) >= needed):
            out.write("start\n")
            waiting = threading.Thread(target=run_chief)
            waiting.start()
            settle()
            continue
        k = int(random.integers(0, workers))
        w = all_workers[k]
        if phase[k] == "compute":
            rows, gs = random.integers(0, 4, 2), random.standard_normal((2, 1)).astype(np.float32)
            g0, g1 = np.float32(random.standard_normal()), random.standard_normal()
            feed[k] = {w.g0: g0, w.g1: g1, w.rows: rows, w.gs: gs}
            out.write(f"compute {k} {text(g0)} {text(g1)} {rows[0]} {rows[1]} {text(gs)}\n")
            phase[k], given[k] = "push", set()
        elif phase[k] == "push":
            left = [u for u in range(3) if u not in given[k]]
            for u in random.permutation(left) if whole else [random.choice(left)]:
                w.session.run(w.push[u], feed[k])
                given[k].add(u)
                count[u] += local[k] >= step + taken[u]
                out.write(f"push {k} {u}\n")
                if waiting is None or taken[u] or count[u] < needed:
                    state()
                settle()
            if len(given[k]) == 3:
                phase[k] = "wait"
        elif tokens:
            w.session.run(w.begin)
            local[k], phase[k] = tokens.pop(0), "compute"
            out.write(f"begin {k}\n")
            state()
    for w in all_workers:
        w.session.close()


def main():
    ports = []
    sockets = [socket.socket() for _ in range(MOST + 1)]
    for s in sockets:
        s.bind(("localhost", 0))
        ports.append(s.getsockname()[1])
    for s in sockets:
        s.close()
    cluster = tf.train.ClusterSpec({"ps": [f"localhost:{ports[0]}"], "worker": [f"localhost:{p}" for p in ports[1:]]})
    server = tf.train.Server(cluster, job_name="ps", task_index=0)
    workers = [tf.train.Server(cluster, job_name="worker", task_index=k) for k in range(MOST)]
    random = np.random.default_rng(7)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sync_replicas.txt")
    with open(path, "w") as out:
        for index in range(TRACES):
            trace(workers, index, random, out)


main()
