#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten steps of each optimizer of TensorFlow, Keras, PyTorch, optax and others with the defaults of that tool, written to defaults.txt here.

A line is `tool.Name[.variant].gradients step change numbers...` with the steps 1, 2, 3 and 10, all in float64. The numbers are the
distances of the variable from its start, with eleven digits. The variable is a matrix [3, 2]:
  theta0[i] = ((3 i) mod 8 - 4) / 4,  g[i] = size * ((7 i + 5 step + 3) mod 16 - 8) / 16
Gradients:
* `plain` size 1
* `tiny` 1e-7
* `large` 1e4
* `zeros` size 1 in the steps 3 and 4, else 0
* `sparse` plain ones of the rows [step mod 3, (2 step + 1) mod 3], which may be the same row twice (of the values of two rows, added up)

An optimizer without a default rate gets the one that its name here contains, or 0.01. The tools compute the numbers, but in float64:
* TensorFlow gets its own defaults as float64,
* Keras runs on JAX with 64 bits,
* torch.optim.Muon forms its products in the type of the variable.
TensorFlow and PyTorch need not be in one environment: a run replaces the lines of the tools that it finds. `defaults.py tensorflow` runs
one of the parts tensorflow, keras, optax, torch.

A line `version tool number` gives the version that made the numbers. A line `name tool.Name` says that the tool has an optimizer of that
name; docs/optimizers.md says for each how to write it.
"""
import inspect
import os
import sys
import warnings

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["KERAS_BACKEND"] = "jax"   # in float64; with TensorFlow Keras rounds its numbers to float32
warnings.simplefilter("ignore")
import numpy as np

ROWS, WIDTH, STEPS, RECORDED = 3, 2, 10, (1, 2, 3, 10)
DENSE = ("plain", "tiny", "large", "zeros")


def theta0():
    return np.array([((3 * i) % 8 - 4) / 4 for i in range(ROWS * WIDTH)]).reshape(ROWS, WIDTH)


def gradient(kind, step, rows=ROWS):
    size = {"plain": 1, "sparse": 1, "tiny": 1e-7, "large": 1e4, "zeros": 1 if step in (3, 4) else 0}[kind]
    return np.array([size * (((7 * i + 5 * step + 3) % 16 - 8) / 16) for i in range(rows * WIDTH)]).reshape(rows, WIDTH)


def indices(step):
    return np.array([step % 3, (2 * step + 1) % 3])


def record(case, kind, step, theta):
    change = np.ravel(np.asarray(theta, np.float64) - theta0())
    return [f"{case}.{kind} {step} change " + " ".join(f"{v:.11g}" for v in change)] if step in RECORDED else []


def names(tool, module, base=None, listed=None):
    found = [n for n in listed or dir(module) if inspect.isclass(getattr(module, n)) and (base is None or issubclass(getattr(module, n), base)) and getattr(module, n) is not base]
    return [f"name {tool}.{n}" for n in found]


def by_tensorflow():
    import tensorflow as tf

    v1, h = tf.compat.v1, np.float64

    def defaults(optimizer):
        """The tool's own defaults as float64: it would make float32 of Python's floats."""
        return {k: h(p.default) for k, p in inspect.signature(optimizer.__init__).parameters.items() if isinstance(p.default, float)}

    def first(case, optimizer, *given, kinds=(*DENSE, "sparse"), **more):
        lines = []
        for kind in kinds:
            with tf.Graph().as_default(), v1.Session() as session:
                theta, values, where = v1.Variable(theta0()), v1.placeholder(h, [None, WIDTH]), v1.placeholder(tf.int32, [None])
                global_step = v1.train.get_or_create_global_step()
                numbers = {k: v for k, v in {**defaults(optimizer), **more}.items()}
                rule = optimizer(*(global_step if g == "global_step" else h(g) for g in given), **{k: v for k, v in numbers.items() if k not in first_names(optimizer, len(given))})
                g = tf.IndexedSlices(values, where, tf.constant([ROWS, WIDTH])) if kind == "sparse" else tf.reshape(values, [ROWS, WIDTH])
                train = rule.apply_gradients([(g, theta)], global_step=global_step)
                session.run(v1.global_variables_initializer())
                for step in range(1, STEPS + 1):
                    feed = {values: gradient(kind, step, 2 if kind == "sparse" else ROWS)}
                    if kind == "sparse":
                        feed[where] = indices(step)
                    session.run(train, feed)
                    lines += record(f"tf.{case}", kind, step, session.run(theta))
        return lines

    def first_names(optimizer, count):
        return list(inspect.signature(optimizer.__init__).parameters)[1:1 + count]

    T = v1.train
    lines = [f"version tensorflow {tf.__version__}"]
    lines += names("tf.compat.v1.train", T, T.Optimizer)
    lines += first("Adadelta", T.AdadeltaOptimizer)
    lines += first("AdagradDA", T.AdagradDAOptimizer, 0.01, "global_step")
    lines += first("AdagradDA_l1", T.AdagradDAOptimizer, 0.01, "global_step", l1_regularization_strength=h(0.125), l2_regularization_strength=h(0.25))
    lines += first("Adagrad", T.AdagradOptimizer, 0.01)
    lines += first("Adam", T.AdamOptimizer)
    lines += first("Ftrl", T.FtrlOptimizer, 0.001)
    lines += first("Ftrl_beta", T.FtrlOptimizer, 0.001, beta=h(0.5), l1_regularization_strength=h(0.125), l2_regularization_strength=h(0.25))
    lines += first("GradientDescent", T.GradientDescentOptimizer, 0.01)
    lines += first("Momentum", T.MomentumOptimizer, 0.01, 0.9)
    lines += first("Momentum_nesterov", T.MomentumOptimizer, 0.01, 0.9, use_nesterov=True)
    lines += first("ProximalAdagrad", T.ProximalAdagradOptimizer, 0.01)
    lines += first("ProximalAdagrad_l1", T.ProximalAdagradOptimizer, 0.01, l1_regularization_strength=h(0.125), l2_regularization_strength=h(0.25))
    lines += first("ProximalGradientDescent", T.ProximalGradientDescentOptimizer, 0.01)
    lines += first("ProximalGradientDescent_l1", T.ProximalGradientDescentOptimizer, 0.01, l1_regularization_strength=h(0.125), l2_regularization_strength=h(0.25))
    lines += first("RMSProp", T.RMSPropOptimizer, 0.001)
    lines += first("RMSProp_centered", T.RMSPropOptimizer, 0.001, centered=True)
    return lines


def by_keras():
    import jax

    jax.config.update("jax_enable_x64", True)
    import keras

    keras.config.set_floatx("float64")
    K = keras.optimizers
    lines = [f"version keras {keras.__version__}", *names("keras.optimizers", K, K.Optimizer)]

    def later(case, make):
        lines = []
        for kind in DENSE:
            theta, rule = keras.Variable(theta0(), dtype="float64"), make()
            for step in range(1, STEPS + 1):
                rule.apply([jax.numpy.asarray(gradient(kind, step))], [theta])
                lines += record(f"keras.{case}", kind, step, np.asarray(theta.value))
        return lines

    for case in ("Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion", "Muon", "Nadam", "RMSprop", "SGD", "ScheduleFreeAdamW"):
        lines += later(case, getattr(K, case))
    lines += later("Adam_amsgrad", lambda: K.Adam(amsgrad=True))
    lines += later("Adam_weight_decay", lambda: K.Adam(weight_decay=0.125))
    lines += later("Lion_weight_decay", lambda: K.Lion(weight_decay=0.125))
    lines += later("RMSprop_centered", lambda: K.RMSprop(centered=True, momentum=0.5))
    lines += later("SGD_momentum", lambda: K.SGD(momentum=0.9))
    lines += later("SGD_nesterov", lambda: K.SGD(momentum=0.9, nesterov=True))
    lines += later("SGD_weight_decay", lambda: K.SGD(weight_decay=0.125))
    lines += later("ScheduleFreeAdamW_warmup", lambda: K.ScheduleFreeAdamW(warmup_steps=4))
    return lines


def by_optax():
    import jax
    import jax.numpy as jnp
    import optax
    import optax.contrib

    jax.config.update("jax_enable_x64", True)

    def rule(case, made):
        lines = []
        for kind in DENSE:
            theta = jnp.asarray(theta0())
            state = made.init(theta)
            for step in range(1, STEPS + 1):
                change, state = made.update(jnp.asarray(gradient(kind, step)), state, theta)
                theta = optax.apply_updates(theta, change)
                lines += record(f"optax.{case}", kind, step, theta)
        return lines

    def adafactor(momentum=None, weight_decay=None, **factored):
        """optax.adafactor(0.01), whose decay is a power in float32 and whose momentum is kept in float32, both in float64."""
        power = lambda step, exponent: 1.0 - jnp.asarray(step + 1, jnp.float64)**(-exponent)
        links = [optax.scale_by_factored_rms(decay_rate_fn=power, **factored), optax.clip_by_block_rms(1.0), optax.scale_by_learning_rate(0.01, flip_sign=False), optax.scale_by_param_block_rms()]
        links += [optax.ema(momentum, debias=False)] if momentum else []
        links += [optax.add_decayed_weights(weight_decay)] if weight_decay else []
        return optax.chain(*links, optax.scale(-1))

    c = optax.contrib
    lines = [f"version optax {optax.__version__}"]
    optimizers = {n for n in dir(optax._src.alias) if not n.startswith("_") and callable(getattr(optax._src.alias, n)) and n in dir(optax) and n.islower()}
    lines += [f"name optax.{n}" for n in sorted(optimizers) if "GradientTransformation" in str(inspect.signature(getattr(optax, n)).return_annotation)]
    own = [n for n in dir(c) if n.islower() and not n.startswith(("_", "scale_by"))]
    lines += [f"name optax.contrib.{n}" for n in own if "learning_rate" in str(inspect.signature(getattr(c, n)))]
    lines += rule("adabelief", optax.adabelief(1e-3))
    lines += rule("adadelta", optax.adadelta(1.0))
    lines += rule("adafactor", adafactor())
    lines += rule("adafactor_factored", adafactor(min_dim_size_to_factor=1))
    lines += rule("adafactor_momentum", adafactor(momentum=0.75))
    lines += rule("adafactor_factored_momentum", adafactor(momentum=0.75, min_dim_size_to_factor=1))
    lines += rule("adafactor_decay", adafactor(weight_decay=0.125, min_dim_size_to_factor=1))
    lines += rule("adagrad", optax.adagrad(0.01))
    lines += rule("adam", optax.adam(1e-3))
    lines += rule("adam_nesterov", optax.adam(1e-3, nesterov=True))
    lines += rule("adamax", optax.adamax(2e-3))
    lines += rule("adamaxw", optax.adamaxw(2e-3))
    lines += rule("adamw", optax.adamw(1e-3))
    lines += rule("adan", optax.adan(1e-3))
    lines += rule("adan_decay", optax.adan(1e-3, weight_decay=0.125))
    lines += rule("amsgrad", optax.amsgrad(1e-3))
    lines += rule("fromage", optax.fromage(0.01))
    lines += rule("lamb", optax.lamb(1e-3))
    lines += rule("lamb_decay", optax.lamb(1e-3, weight_decay=0.125))
    lines += rule("lars", optax.lars(0.01))
    lines += rule("lars_decay", optax.lars(0.01, weight_decay=0.125, nesterov=True))
    lines += rule("lion", optax.lion(1e-4))
    lines += rule("nadam", optax.nadam(1e-3))
    lines += rule("nadamw", optax.nadamw(1e-3))
    lines += rule("novograd", optax.novograd(1e-3))
    lines += rule("novograd_root", optax.novograd(1e-3, eps_root=1e-8, weight_decay=0.125))
    lines += rule("optimistic_gradient_descent", optax.optimistic_gradient_descent(0.01))
    lines += rule("optimistic_gradient_descent_half", optax.optimistic_gradient_descent(0.01, alpha=0.75, beta=0.5))
    lines += rule("radam", optax.radam(1e-3))
    lines += rule("rmsprop", optax.rmsprop(1e-3))
    lines += rule("rmsprop_momentum", optax.rmsprop(1e-3, momentum=0.5, centered=True))
    lines += rule("rmsprop_outside", optax.rmsprop(1e-3, eps_in_sqrt=False))
    lines += rule("sgd", optax.sgd(0.01))
    lines += rule("sgd_momentum", optax.sgd(0.01, momentum=0.9))
    lines += rule("sgd_nesterov", optax.sgd(0.01, momentum=0.9, nesterov=True))
    lines += rule("sign_sgd", optax.sign_sgd(1e-3))
    lines += rule("signum", optax.signum(1e-3))
    lines += rule("sm3", optax.sm3(0.1))
    lines += rule("yogi", optax.yogi(0.01))
    lines += rule("contrib.ademamix", c.ademamix(1e-3))
    lines += rule("contrib.ademamix_decay", c.ademamix(1e-3, b3=0.75, alpha=2.0, weight_decay=0.125))
    lines += rule("contrib.madgrad", c.madgrad(0.01))
    lines += rule("contrib.prodigy", c.prodigy())
    lines += rule("contrib.prodigy_decay", c.prodigy(weight_decay=0.125))
    lines += rule("contrib.schedule_free_sgd", c.schedule_free_sgd())
    lines += rule("contrib.schedule_free_adamw", c.schedule_free_adamw())
    return lines


def by_torch():
    import torch

    torch.set_default_dtype(torch.float64)
    torch.Tensor.bfloat16 = torch.Tensor.clone   # of Muon's products
    import madgrad
    import pytorch_optimizer
    import schedulefree
    import torch_optimizer
    from importlib.metadata import version

    def rule(case, make, kinds=DENSE):
        lines = []
        for kind in kinds:
            theta = torch.nn.Parameter(torch.tensor(theta0()))
            made = make([theta])
            if hasattr(made, "train"):
                made.train()
            for step in range(1, STEPS + 1):
                g = torch.tensor(gradient(kind, step, 2 if kind == "sparse" else ROWS))
                theta.grad = torch.sparse_coo_tensor(torch.tensor(indices(step))[None], g, (ROWS, WIDTH)).coalesce() if kind == "sparse" else g
                made.step()
                lines += record(case, kind, step, theta.detach().numpy())
        return lines

    o = torch.optim
    lines = [f"version {package} {version(package)}" for package in ("torch", "pytorch_optimizer", "torch_optimizer", "schedulefree", "madgrad")]
    lines += names("torch.optim", o, o.Optimizer)
    for case in ("Adafactor", "Adadelta", "Adagrad", "Adam", "Adamax", "AdamW", "ASGD", "Muon", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD"):
        lines += rule(f"torch.{case}", getattr(o, case), (*DENSE, "sparse") if case in ("Adagrad", "SGD") else DENSE)
    lines += rule("torch.SparseAdam", o.SparseAdam, ("sparse",))
    lines += rule("torch.Adafactor_weight_decay", lambda p: o.Adafactor(p, weight_decay=0.125))
    lines += rule("torch.Adadelta_weight_decay", lambda p: o.Adadelta(p, weight_decay=0.125))
    lines += rule("torch.Adagrad_lr_decay", lambda p: o.Adagrad(p, lr_decay=0.125, weight_decay=0.125))
    lines += rule("torch.Adam_weight_decay", lambda p: o.Adam(p, weight_decay=0.125))
    lines += rule("torch.Adam_amsgrad", lambda p: o.Adam(p, amsgrad=True))
    lines += rule("torch.Adam_decoupled", lambda p: o.Adam(p, weight_decay=0.125, decoupled_weight_decay=True))
    lines += rule("torch.AdamW_amsgrad", lambda p: o.AdamW(p, amsgrad=True))
    lines += rule("torch.Adamax_weight_decay", lambda p: o.Adamax(p, weight_decay=0.125))
    lines += rule("torch.ASGD_weight_decay", lambda p: o.ASGD(p, t0=3, weight_decay=0.125))
    lines += rule("torch.Muon_match_rms_adamw", lambda p: o.Muon(p, adjust_lr_fn="match_rms_adamw"))
    lines += rule("torch.NAdam_decoupled", lambda p: o.NAdam(p, weight_decay=0.125, decoupled_weight_decay=True))
    lines += rule("torch.RAdam_decoupled", lambda p: o.RAdam(p, weight_decay=0.125, decoupled_weight_decay=True))
    lines += rule("torch.RMSprop_centered", lambda p: o.RMSprop(p, centered=True, momentum=0.5, weight_decay=0.125))
    lines += rule("torch.SGD_momentum", lambda p: o.SGD(p, momentum=0.9), (*DENSE, "sparse"))
    lines += rule("torch.SGD_dampening", lambda p: o.SGD(p, momentum=0.9, dampening=0.75, weight_decay=0.125))
    lines += rule("torch.SGD_nesterov", lambda p: o.SGD(p, momentum=0.9, nesterov=True, weight_decay=0.125))
    lines += rule("pytorch_optimizer.Shampoo", pytorch_optimizer.Shampoo)
    lines += rule("pytorch_optimizer.Shampoo_decay", lambda p: pytorch_optimizer.Shampoo(p, momentum=0.5, weight_decay=0.125))
    lines += rule("pytorch_optimizer.SignSGD", pytorch_optimizer.SignSGD)
    lines += rule("torch_optimizer.QHAdam", torch_optimizer.QHAdam)
    lines += rule("schedulefree.SGDScheduleFree", lambda p: schedulefree.SGDScheduleFree(p, weight_decay=0.125))
    lines += rule("schedulefree.SGDScheduleFree_warmup", lambda p: schedulefree.SGDScheduleFree(p, warmup_steps=4))
    lines += rule("schedulefree.AdamWScheduleFree", schedulefree.AdamWScheduleFree)
    lines += rule("schedulefree.AdamWScheduleFree_warmup", lambda p: schedulefree.AdamWScheduleFree(p, warmup_steps=4, weight_decay=0.125))
    lines += rule("schedulefree.AdamWScheduleFree_long_warmup", lambda p: schedulefree.AdamWScheduleFree(p, warmup_steps=1000, foreach=False))
    lines += rule("madgrad.MADGRAD", madgrad.MADGRAD)
    lines += rule("madgrad.MADGRAD_decay", lambda p: madgrad.MADGRAD(p, momentum=0.5, weight_decay=0.125))
    return lines


TOOLS = {"tensorflow": by_tensorflow, "keras": by_keras, "optax": by_optax, "torch": by_torch}
FIRST = {"tf": "tensorflow", "tensorflow": "tensorflow", "keras": "keras", "optax": "optax"}   # by the word of a line before its first dot


def part(line):
    words = line.split(" ")
    return FIRST.get((words[1] if words[0] in ("version", "name") else words[0]).split(".")[0], "torch")


if __name__ == "__main__":
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "defaults.txt")
    lines = {}
    if os.path.exists(path):
        with open(path) as old:
            for line in old:
                lines.setdefault(part(line.rstrip("\n")), []).append(line.rstrip("\n"))
    for tool in sys.argv[1:] or TOOLS:
        try:
            lines[tool] = TOOLS[tool]()
        except ModuleNotFoundError as missing:
            print(f"{tool} stays as it is: {missing}")
    with open(path, "w") as out:
        for tool in TOOLS:
            for line in lines.get(tool, []):
                out.write(line + "\n")
