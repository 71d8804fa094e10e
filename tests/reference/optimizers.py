#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten steps of every update rule by TensorFlow (compat.v1, graph mode) or optax, written to optimizers.txt in this folder.

Made with tensorflow-cpu 2.21 and optax 0.2.8. A line is `case step quantity numbers...`. The inputs are exact binary fractions that the
C++ test makes by the same formulas:
  theta0[i] = ((3 i) mod 8 - 4) / 4,  g[i] = ((7 i + 5 step + 3) mod 16 - 8) / 16        (15 numbers: 5 rows of 3)
  sparse: indices = [step mod 5, (3 step + 1) mod 5, step mod 5], values as g over 3 rows of 3 (the first and last add up).
Hyper-parameters are float64 for float64 variables (TensorFlow rounds Python floats to float32 first).

Some rules are computed here from their formulas in float64:
* Lazy Adam and AdamW, which left TensorFlow with contrib,
* row-wise Adagrad (FBGEMM's EXACT_ROWWISE_ADAGRAD: a += sum(g^2) / D; w -= rate / (sqrt(a) + eps) g),
* LAMB over the rows that occur.
LAMB is optax.lamb, Adafactor optax.adafactor and, in float64, its chain; they get a sparse gradient as a dense one.
"""
import os

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
ROWS, WIDTH, STEPS = 5, 3, 10


def theta0():
    return np.array([((3 * i) % 8 - 4) / 4 for i in range(ROWS * WIDTH)]).reshape(ROWS, WIDTH)


def gradient(step, rows=ROWS):
    return np.array([((7 * i + 5 * step + 3) % 16 - 8) / 16 for i in range(rows * WIDTH)]).reshape(rows, WIDTH)


def indices(step):
    return np.array([step % 5, (3 * step + 1) % 5, step % 5])


def h(value, np_type):
    return np.float64(value) if np_type is np.float64 else float(value)


T = tf.train
RULES = {
    "gradient_descent": (lambda h: T.GradientDescentOptimizer(h(0.1)), []),
    "momentum": (lambda h: T.MomentumOptimizer(h(0.1), h(0.9)), ["momentum"]),
    "nesterov": (lambda h: T.MomentumOptimizer(h(0.1), h(0.9), use_nesterov=True), ["momentum"]),
    "adagrad": (lambda h: T.AdagradOptimizer(h(0.3), 0.1), ["accumulator"]),
    "adam": (lambda h: T.AdamOptimizer(h(0.05), h(0.9), h(0.999), h(1e-8)), ["m", "v"]),
    "rms_prop": (lambda h: T.RMSPropOptimizer(h(0.05), h(0.875), h(0.5), h(1e-3)), ["rms", "momentum"]),
    "centered_rms_prop": (lambda h: T.RMSPropOptimizer(h(0.05), h(0.875), h(0.5), h(1e-3), centered=True), ["rms", "mg", "momentum"]),
    "ftrl": (lambda h: T.FtrlOptimizer(h(0.3), h(-0.5)), ["accum", "linear"]),
    "ftrl_l1_l2": (lambda h: T.FtrlOptimizer(h(0.3), h(-0.5), 0.25, h(0.125), h(0.5)), ["accum", "linear"]),
    "ftrl_shrinkage": (
        lambda h: T.FtrlOptimizer(h(0.3), h(-0.5), 0.25, h(0.125), h(0.5), l2_shrinkage_regularization_strength=h(0.25)),
        ["accum", "linear"]),
    "ftrl_power": (lambda h: T.FtrlOptimizer(h(0.3), h(-0.75), 0.25, h(0.125), h(0.5)), ["accum", "linear"]),
}


def write(out, case, step, quantity, values):
    out.write(f"{case} {step} {quantity} " + " ".join(str(v) for v in np.ravel(values)) + "\n")


def by_tensorflow(out):
    for name, (make, slots) in RULES.items():
        for np_type, suffix in ((np.float32, "float"), (np.float64, "double")):
            for sparse in (False, True):
                case = f"{name}.{suffix}.{'sparse' if sparse else 'dense'}"
                with tf.Graph().as_default(), tf.Session() as session:
                    theta = tf.Variable(theta0().astype(np_type))
                    values = tf.placeholder(np_type)
                    where = tf.placeholder(tf.int32)
                    optimizer = make(lambda value: h(value, np_type))
                    if sparse:
                        values.set_shape([3, WIDTH])
                        where.set_shape([3])
                        grad = tf.IndexedSlices(values, where, tf.constant([ROWS, WIDTH]))
                    else:
                        values.set_shape([ROWS, WIDTH])
                        grad = values
                    train = optimizer.apply_gradients([(grad, theta)])
                    session.run(tf.global_variables_initializer())
                    for step in range(1, STEPS + 1):
                        feed = {values: gradient(step, 3 if sparse else ROWS)}
                        if sparse:
                            feed[where] = indices(step)
                        session.run(train, feed)
                        write(out, case, step, "theta", session.run(theta))
                        for slot in slots:
                            write(out, case, step, slot, session.run(optimizer.get_slot(theta, slot)))


def by_formula(out):
    eta, b1, b2, eps, decay = 0.05, 0.9, 0.999, 1e-8, 0.01
    for name in ("lazy_adam", "adamw", "adamw_by_rate"):
        for sparse in (False, True):
            if name == "adamw_by_rate" and sparse:
                continue
            case = f"{name}.double.{'sparse' if sparse else 'dense'}"
            theta, m, v = theta0(), np.zeros((ROWS, WIDTH)), np.zeros((ROWS, WIDTH))
            for step in range(1, STEPS + 1):
                g, present = gradient(step), np.ones(ROWS, bool)
                if sparse:
                    g = np.zeros((ROWS, WIDTH))
                    np.add.at(g, indices(step), gradient(step, 3))
                    present = np.isin(np.arange(ROWS), indices(step))
                alpha = eta * np.sqrt(1 - b2**step) / (1 - b1**step)
                if name == "adamw":
                    theta[present] -= decay * theta[present]
                if name == "adamw_by_rate":
                    theta[present] -= eta * decay * theta[present]
                rows = present if name == "lazy_adam" else np.ones(ROWS, bool)
                m[rows] = b1 * m[rows] + (1 - b1) * g[rows]
                v[rows] = b2 * v[rows] + (1 - b2) * g[rows]**2
                theta[rows] -= alpha * m[rows] / (np.sqrt(v[rows]) + eps)
                for quantity, values in (("theta", theta), ("m", m), ("v", v)):
                    write(out, case, step, quantity, values)


def summed(step, sparse):
    if not sparse:
        return gradient(step), np.ones(ROWS, bool)
    g = np.zeros((ROWS, WIDTH))
    np.add.at(g, indices(step), gradient(step, 3))
    return g, np.isin(np.arange(ROWS), indices(step))


LAMB = dict(b1=0.9, b2=0.999, eps=1e-3, weight_decay=0.125)


def lamb_by_optax(out):
    import jax
    import optax

    jax.config.update("jax_enable_x64", True)
    for np_type, suffix in ((np.float32, "float"), (np.float64, "double")):
        for sparse in (False, True):
            case = f"lamb.{suffix}.{'sparse' if sparse else 'dense'}"
            rule = optax.lamb(0.05, **LAMB)
            theta = jax.numpy.asarray(theta0().astype(np_type))
            state = rule.init(theta)
            for step in range(1, STEPS + 1):
                change, state = rule.update(jax.numpy.asarray(summed(step, sparse)[0].astype(np_type)), state, theta)
                theta = optax.apply_updates(theta, change)
                for quantity, values in (("theta", theta), ("m", state[0].mu), ("v", state[0].nu)):
                    write(out, case, step, quantity, np.asarray(values))


def reduced_by_formula(out):
    theta, m, v = theta0(), np.zeros((ROWS, WIDTH)), np.zeros((ROWS, WIDTH))
    b1, b2 = LAMB["b1"], LAMB["b2"]
    for step in range(1, STEPS + 1):
        g, rows = summed(step, True)
        m[rows] = b1 * m[rows] + (1 - b1) * g[rows]
        v[rows] = b2 * v[rows] + (1 - b2) * g[rows]**2
        u = m[rows] / (1 - b1**step) / (np.sqrt(v[rows] / (1 - b2**step)) + LAMB["eps"]) + LAMB["weight_decay"] * theta[rows]
        theta[rows] -= 0.05 * np.linalg.norm(theta[rows]) / np.linalg.norm(u) * u
        for quantity, values in (("theta", theta), ("m", m), ("v", v)):
            write(out, "lazy_lamb.double.sparse", step, quantity, values)
    for sparse in (False, True):
        theta, accumulator = theta0(), np.full(ROWS, 0.25)
        for step in range(1, STEPS + 1):
            g, rows = summed(step, sparse)
            accumulator[rows] += np.mean(g[rows]**2, axis=1)
            theta[rows] -= 0.3 / (np.sqrt(accumulator[rows]) + 1e-3)[:, None] * g[rows]
            for quantity, values in (("theta", theta), ("accumulator", accumulator)):
                write(out, f"rowwise_adagrad.double.{'sparse' if sparse else 'dense'}", step, quantity, values)


# name: optax.adafactor's options, shape of the 15 numbers. optax takes t to a power in float32. For float64 it is float64 here, in the same
# chain.
ADAFACTOR = {
    "adafactor": (dict(), (ROWS, WIDTH)),
    "adafactor_clipped": (dict(threshold=0.5, decay=0.5, weight_decay=0.125), (ROWS, WIDTH)),
    "adafactor_plain": (dict(threshold=None, scale=False), (WIDTH, ROWS)),
    "adafactor_vector": (dict(), (ROWS * WIDTH,)),
    "adafactor_vector_clipped": (dict(threshold=0.5, decay=0.5, weight_decay=0.125), (ROWS * WIDTH,)),
}


def adafactor(np_type, decay=0.8, threshold=1.0, scale=True, weight_decay=0.0):
    import jax.numpy as jnp
    import optax

    if np_type is np.float32:
        return optax.adafactor(0.05, 1, decay, 0, scale, threshold, weight_decay_rate=weight_decay)

    def power(step, exponent):
        return 1.0 - jnp.asarray(step + 1, np_type)**(-exponent)

    rules = [optax.scale_by_factored_rms(True, decay, 0, 1, 1e-30, decay_rate_fn=power)]
    if threshold is not None:
        rules.append(optax.clip_by_block_rms(threshold))
    rules.append(optax.scale_by_learning_rate(0.05, flip_sign=False))
    if scale:
        rules.append(optax.scale_by_param_block_rms())
    return optax.chain(*rules, optax.add_decayed_weights(weight_decay), optax.scale(-1))


def adafactor_by_optax(out):
    import jax
    import optax

    jax.config.update("jax_enable_x64", True)
    for np_type, suffix in ((np.float32, "float"), (np.float64, "double")):
        for sparse in (False, True):
            for name, (options, shape) in ADAFACTOR.items():
                if sparse and shape != (ROWS, WIDTH):
                    continue
                case = f"{name}.{suffix}.{'sparse' if sparse else 'dense'}"
                rule = adafactor(np_type, **options)
                theta = jax.numpy.asarray(theta0().reshape(shape).astype(np_type))
                state = rule.init(theta)
                for step in range(1, STEPS + 1):
                    g = summed(step, sparse)[0].reshape(shape).astype(np_type)
                    change, state = rule.update(jax.numpy.asarray(g), state, theta)
                    theta = optax.apply_updates(theta, change)
                    # optax' rows are those of the longer axis
                    rows, columns = (state[0].v_col, state[0].v_row) if shape[0] > shape[-1] else (state[0].v_row, state[0].v_col)
                    moments = [("vr", rows), ("vc", columns)] if len(shape) == 2 else [("vr", state[0].v)]
                    for quantity, values in [("theta", theta)] + moments:
                        write(out, case, step, quantity, np.asarray(values))


if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "optimizers.txt"), "w") as out:
        by_tensorflow(out)
        by_formula(out)
        lamb_by_optax(out)
        adafactor_by_optax(out)
        reduced_by_formula(out)
