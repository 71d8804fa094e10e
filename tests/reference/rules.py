#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Twenty steps of the rules that optimizers.py does not have, each by the tool that it comes from, written to rules.txt in this folder.

A line is `case.dense|sparse step quantity numbers...` with the steps 1, 2, 5 and 20, all in float64; the inputs are those of optimizers.py:
  theta0[i] = ((3 i) mod 8 - 4) / 4,  g[i] = ((7 i + 5 step + 3) mod 16 - 8) / 16        (15 numbers: 5 rows of 3)
  sparse: indices = [step mod 5, (3 step + 1) mod 5, step mod 5], values as g over 3 rows of 3 (the first and last add up).
Made with tensorflow-cpu 2.21 (kernels by tf.raw_ops), optax 0.2.8, torch 2.13, pytorch_optimizer 4.1.0, torch_optimizer 0.3.0 and
madgrad 1.3. TensorFlow and PyTorch need not be in one environment: a run replaces the lines of the tools that it finds.
`rules.py tensorflow optax formula` replaces those of these tools alone.

`formula` makes the rules for which no tool can be installed:
* the rules that left TensorFlow with contrib, by the formulas in its 1.15.5 sources,
* the rules for rows, whose formulas are in their docstrings.

Semantics of a sparse gradient:
* `exact` as a dense one with zeros,
* `lazy` the rows that occur alone, by the tool's sparse kernel if it has one,
* `present` as exact, but the variable moves on the rows that occur alone.
"""
import os
import sys

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np

ROWS, WIDTH, STEPS, RECORDED = 5, 3, 20, (1, 2, 5, 20)


def theta0():
    return np.array([((3 * i) % 8 - 4) / 4 for i in range(ROWS * WIDTH)]).reshape(ROWS, WIDTH)


def gradient(step, rows=ROWS):
    return np.array([((7 * i + 5 * step + 3) % 16 - 8) / 16 for i in range(rows * WIDTH)]).reshape(rows, WIDTH)


def summed(step, sparse):
    """The gradient as a dense one, and the rows that occur."""
    if not sparse:
        return gradient(step), np.arange(ROWS)
    where = np.array([step % 5, (3 * step + 1) % 5, step % 5])
    g = np.zeros((ROWS, WIDTH))
    np.add.at(g, where, gradient(step, 3))
    return g, np.unique(where)


def run(case, semantics, state, step, sparse_step=None):
    """state: quantities by name, `theta` among them. step(state, g, t) gives them after step t = 0, 1, ... of as many rows as g has."""
    lines = []
    for sparse in (False, True):
        now = {"theta": theta0(), **{k: np.array(v, float) for k, v in state.items()}}
        for t in range(STEPS):
            g, rows = summed(t + 1, sparse)
            if not sparse or semantics != "lazy":
                after = step(dict(now), g, t)
                if semantics == "present":
                    kept = now["theta"].copy()
                    kept[rows] = after["theta"][rows]
                    after["theta"] = kept
                now = after
            elif sparse_step is not None:
                now = sparse_step(dict(now), g[rows], rows, t)
            else:
                part = step({k: v[rows] if v.ndim > 0 and len(v) == ROWS else v for k, v in now.items()}, g[rows], t)
                for k, v in part.items():
                    if np.ndim(v) > 0 and len(now[k]) == ROWS:
                        now[k] = now[k].copy()
                        now[k][rows] = v
                    else:
                        now[k] = v
            if t + 1 in RECORDED:
                lines += [write(f"{case}.{'sparse' if sparse else 'dense'}", t + 1, k, v) for k, v in now.items() if not k.startswith("_")]
    return lines


def write(case, step, quantity, values):
    return f"{case} {step} {quantity} " + " ".join(repr(float(v)) for v in np.ravel(values))


ZERO = np.zeros((ROWS, WIDTH))


def full(x):
    return np.full((ROWS, WIDTH), x)


def by_tensorflow():
    import tensorflow as tf

    raw, d = tf.raw_ops, np.float64

    def kernel(op, names, gradient="grad", **hyper):
        """A kernel on resource variables; names: those of its slots, by the quantities here. Numbers may be functions of t."""
        def step(state, g, t, rows=None):
            variables = {k: tf.Variable(v) for k, v in state.items()}
            more = {} if rows is None else {"indices": tf.constant(rows)}
            op(var=variables["theta"].handle, **{gradient: tf.constant(g)}, **{a: variables[k].handle for a, k in names.items()},
               **{k: v(t) if callable(v) else v for k, v in hyper.items()}, **more)
            return {k: v.numpy() for k, v in variables.items()}
        return step

    def both(case, dense, sparse, names, state, **hyper):
        by_rows = kernel(sparse, names, **{k: v for k, v in hyper.items() if k != "gradient"})
        return run(case, "lazy", state, kernel(dense, names, **hyper), lambda s, g, rows, t: by_rows(s, g, t, rows))

    lines = []
    lines += both("adadelta", raw.ResourceApplyAdadelta, raw.ResourceSparseApplyAdadelta, {"accum": "accum", "accum_update": "accum_update"},
                  {"accum": ZERO, "accum_update": ZERO}, lr=d(0.5), rho=d(0.75), epsilon=d(1e-3))
    lines += both("adagrad_da", raw.ResourceApplyAdagradDA, raw.ResourceSparseApplyAdagradDA,
                  {"gradient_accumulator": "gradient_accumulator", "gradient_squared_accumulator": "gradient_squared_accumulator"},
                  {"gradient_accumulator": ZERO, "gradient_squared_accumulator": full(0.25)}, lr=d(0.3), l1=d(0.0625), l2=d(0.125), global_step=lambda t: np.int64(t + 1))
    lines += both("proximal_gradient_descent", raw.ResourceApplyProximalGradientDescent, raw.ResourceSparseApplyProximalGradientDescent, {}, {},
                  gradient="delta", alpha=d(0.3), l1=d(0.125), l2=d(0.25))
    lines += both("proximal_adagrad", raw.ResourceApplyProximalAdagrad, raw.ResourceSparseApplyProximalAdagrad, {"accum": "accumulator"}, {"accumulator": full(0.25)}, lr=d(0.3),
                  l1=d(0.125), l2=d(0.25))
    frozen = {"lr": d(0.3), "update_slots": False}
    lines += both("reg_adagrad_frozen", raw.ResourceApplyAdagrad, raw.ResourceSparseApplyAdagrad, {"accum": "accumulator"}, {"accumulator": full(0.25)}, **frozen)
    ftrl = dict(lr=lambda t: d(0.3 / (1 + t)), l1=d(0.125), l2=d(0.5), l2_shrinkage=d(0.25))
    for case, power, more in (("ftrl_linear_by_rate", -0.5, {}), ("ftrl_linear_by_rate_power", -0.75, {})):
        lines += both(case, raw.ResourceApplyFtrlV2, raw.ResourceSparseApplyFtrlV2, {"accum": "accum", "linear": "linear"}, {"accum": full(0.25), "linear": ZERO},
                      lr_power=d(power), multiply_linear_by_lr=True, **ftrl)
    beta = dict(ftrl, l2=lambda t: d(0.5 + 0.75 / (2 * 0.3 / (1 + t))))   # as tf.compat.v1's FtrlOptimizer hands beta to the kernel
    lines += both("ftrl_beta", raw.ResourceApplyFtrlV2, raw.ResourceSparseApplyFtrlV2, {"accum": "accum", "linear": "linear"}, {"accum": full(0.25), "linear": ZERO}, lr_power=d(-0.5),
                  **beta)
    b1, b2 = 0.75, 0.875
    powers = dict(beta1_power=lambda t: d(b1**(t + 1)), beta1=d(b1), beta2=d(b2), epsilon=d(1e-3), lr=d(0.05))
    both_powers = dict(powers, beta2_power=lambda t: d(b2**(t + 1)))
    mv = {"m": "m", "v": "v"}
    lines += run("adamax", "lazy", {"m": ZERO, "v": ZERO}, kernel(raw.ResourceApplyAdaMax, mv, **powers))
    lines += run("nadam", "present", {"m": ZERO, "v": ZERO}, kernel(raw.ResourceApplyAdam, mv, use_nesterov=True, **both_powers))
    lines += run("adam_gs", "exact", {"m": ZERO, "v": ZERO}, kernel(raw.ResourceApplyAdam, mv, **both_powers))
    lines += run("amsgrad", "exact", {"m": ZERO, "v": ZERO, "vhat": ZERO}, kernel(raw.ResourceApplyAdamWithAmsgrad, {**mv, "vhat": "vhat"}, **both_powers))
    sign = dict(lr=d(0.05), beta=d(0.75), sign_decay=lambda t: d((10 - min(t, 10)) / 10))
    lines += run("add_sign", "present", {"m": ZERO}, kernel(raw.ResourceApplyAddSign, {"m": "m"}, alpha=d(1.5), **sign))
    lines += run("power_sign", "present", {"m": ZERO}, kernel(raw.ResourceApplyPowerSign, {"m": "m"}, logbase=d(np.log(2.5)), **sign))
    return lines


def by_formula():
    lines = []

    def momentum_w(s, g, t):
        theta = s["theta"] * (1 - 0.125)
        a = 0.75 * s["momentum"] + g
        return {"theta": theta - 0.1 * a, "momentum": a}
    lines += run("momentum_w", "lazy", {"momentum": ZERO}, momentum_w)

    def lars(nesterov):
        def step(s, g, t):
            w, n = np.linalg.norm(s["theta"]), np.linalg.norm(g)
            trust = 0.5 * w / (n + 0.125 * w + 1e-3) if w > 0 and n > 0 else 1
            d = 0.3 * trust * (g + 0.125 * s["theta"])
            a = 0.75 * s["momentum"] + d
            return {"theta": s["theta"] - ((d + 0.75 * a) if nesterov else a), "momentum": a}
        return step
    lines += run("lars", "lazy", {"momentum": ZERO}, lars(False))
    lines += run("lars_nesterov", "lazy", {"momentum": ZERO}, lars(True))

    def rowwise_rms_prop(s, g, t):
        rms = 0.75 * s["rms"] + 0.25 * np.mean(g**2, axis=1)
        return {"theta": s["theta"] - 0.05 * g / (np.sqrt(rms) + 1e-3)[:, None], "rms": rms}
    lines += run("rowwise_rms_prop", "lazy", {"rms": np.zeros(ROWS)}, rowwise_rms_prop)

    def partial_rowwise_adam(s, g, t):
        m, v = 0.75 * s["m"] + 0.25 * g, 0.875 * s["v"] + 0.125 * np.mean(g**2, axis=1)
        m_hat, v_hat = m / (1 - 0.75**(t + 1)), v / (1 - 0.875**(t + 1))
        return {"theta": s["theta"] - 0.05 * (m_hat / (np.sqrt(v_hat) + 1e-3)[:, None] + 0.125 * s["theta"]), "m": m, "v": v}
    lines += run("partial_rowwise_adam", "lazy", {"m": ZERO, "v": np.zeros(ROWS)}, partial_rowwise_adam)

    def group_adagrad(s, g, t):
        a = s["accumulator"] + np.mean(g**2, axis=1)
        e = (0.3 / (np.sqrt(a) + 1e-3))[:, None]
        w = s["theta"] - e * g
        norm = np.linalg.norm(w, axis=1, keepdims=True)
        return {"theta": w * np.maximum(0, 1 - e * 0.125 * np.sqrt(WIDTH) / norm) / (1 + e * 0.25), "accumulator": a}
    lines += run("group_adagrad", "lazy", {"accumulator": np.full(ROWS, 0.25)}, group_adagrad)

    def group_ftrl(s, g, t):
        n = s["accum"] + g**2
        z = s["linear"] + g - (np.sqrt(n) - np.sqrt(s["accum"])) / 0.3 * s["theta"]
        y = np.clip(z, -0.125, 0.125) - z
        norm = np.linalg.norm(y, axis=1, keepdims=True)
        share = np.where(norm > 0.25 * np.sqrt(WIDTH), 1 - 0.25 * np.sqrt(WIDTH) / np.where(norm > 0, norm, 1), 0)
        return {"theta": share * y / (np.sqrt(n) / 0.3 + 2 * 0.5), "accum": n, "linear": z}
    lines += run("group_ftrl", "lazy", {"accum": full(0.25), "linear": ZERO}, group_ftrl)
    return lines


def by_optax():
    import jax
    import jax.numpy as jnp
    import optax
    import optax.contrib

    jax.config.update("jax_enable_x64", True)

    def rule(case, made, quantities):
        lines = []
        for sparse in (False, True):
            theta = jnp.asarray(theta0())
            state = made.init(theta)
            for t in range(STEPS):
                change, state = made.update(jnp.asarray(summed(t + 1, sparse)[0]), state, theta)
                theta = optax.apply_updates(theta, change)
                if t + 1 in RECORDED:
                    for quantity, values in [("theta", theta), *quantities(state[0]).items()]:
                        lines.append(write(f"{case}.{'sparse' if sparse else 'dense'}", t + 1, quantity, values))
        return lines

    lines = []
    lines += rule("lion", optax.lion(0.05, b1=0.75, b2=0.875, weight_decay=0.125), lambda s: {"m": s.mu})
    lines += rule("adabelief", optax.adabelief(0.05, b1=0.75, b2=0.875, eps=1e-3, eps_root=1e-4), lambda s: {"m": s.mu, "v": s.nu})
    lines += rule("yogi", optax.yogi(0.05, b1=0.75, b2=0.875, eps=1e-2), lambda s: {"m": s.mu, "v": s.nu})
    lines += rule("novograd", optax.novograd(0.05, b1=0.75, b2=0.5, eps=1e-3, eps_root=0.0625, weight_decay=0.125), lambda s: {"m": s.mu, "v": s.nu})
    lines += rule("adan", optax.adan(0.05, b1=0.875, b2=0.75, b3=0.9375, eps=1e-3, eps_root=0.0625, weight_decay=0.125), lambda s: {"m": s.m, "v": s.v, "n": s.n, "gradient": s.g})
    lines += rule("ademamix", optax.contrib.ademamix(0.05, b1=0.75, b2=0.875, b3=0.9375, alpha=2.0, eps=1e-3, weight_decay=0.125), lambda s: {"m": s.m1, "v": s.nu, "l": s.m2})
    lines += rule("optimistic_gradient_descent", optax.optimistic_gradient_descent(0.3, alpha=0.75, beta=0.5), lambda s: {"gradient": s.previous_gradient})
    lines += rule("fromage", optax.fromage(0.05, min_norm=0.5), lambda s: {})
    # optax.adafactor, whose decay is a power in float32 and whose momentum is kept in float32, both in float64
    power = lambda step, exponent: 1.0 - jnp.asarray(step + 1, jnp.float64)**(-exponent)
    links = [optax.scale_by_factored_rms(decay_rate=0.5, decay_rate_fn=power), optax.clip_by_block_rms(0.5), optax.scale_by_learning_rate(0.05, flip_sign=False), optax.scale_by_param_block_rms()]
    lines += rule("unfactored_adafactor", optax.chain(*links, optax.add_decayed_weights(0.125), optax.scale(-1)), lambda s: {"v": s.v})
    lines += rule("averaged_steps", optax.chain(*links, optax.ema(0.75, debias=False), optax.scale(-1)), lambda s: {"v": s.v})

    # A sparse gradient: optax on the rows that occur, with all the columns.
    made = optax.chain(optax.scale_by_sm3(b1=0.75, eps=1e-3), optax.scale_by_learning_rate(0.3))
    for sparse in (False, True):
        theta, moment, row, column = theta0(), np.zeros((ROWS, WIDTH)), np.zeros(ROWS), np.zeros(WIDTH)
        for t in range(STEPS):
            g, at = summed(t + 1, sparse)
            at = at if sparse else np.arange(ROWS)
            state = made.init(jnp.asarray(theta[at]))
            state = (state[0]._replace(mu=[jnp.asarray(row[at]), jnp.asarray(column)], nu=jnp.asarray(moment[at])), *state[1:])
            change, state = made.update(jnp.asarray(g[at]), state)
            theta[at] += np.asarray(change)
            moment[at], row[at], column = np.asarray(state[0].nu), np.asarray(state[0].mu[0]), np.maximum(column, np.asarray(state[0].mu[1]))
            if t + 1 in RECORDED:
                for quantity, values in (("theta", theta), ("momentum", moment), ("row", row), ("column", column)):
                    lines.append(write(f"sm3.{'sparse' if sparse else 'dense'}", t + 1, quantity, values))
    return lines


def by_torch():
    import torch

    torch.set_default_dtype(torch.float64)
    import madgrad
    import pytorch_optimizer
    import torch_optimizer

    def rule(case, make, quantities, as_sparse=False):
        lines = []
        for sparse in (False, True):
            theta = torch.nn.Parameter(torch.tensor(theta0()))
            rule = make([theta])
            if hasattr(rule, "train"):
                rule.train()
            for t in range(STEPS):
                g, rows = summed(t + 1, sparse)
                theta.grad = torch.sparse_coo_tensor(torch.tensor(rows)[None], torch.tensor(g[rows]), (ROWS, WIDTH)) if sparse and as_sparse else torch.tensor(g)
                rule.step()
                if t + 1 in RECORDED:
                    state = rule.state[theta]
                    for quantity, values in [("theta", theta), *((k, state[v]) for k, v in quantities.items())]:
                        lines.append(write(f"{case}.{'sparse' if sparse else 'dense'}", t + 1, quantity, values.detach().numpy()))
                    if hasattr(rule, "eval") and case.startswith("schedule_free"):
                        rule.eval()
                        lines.append(write(f"{case}.{'sparse' if sparse else 'dense'}", t + 1, "average", theta.detach().numpy()))
                        rule.train()
        return lines

    o, adam = torch.optim, dict(lr=0.05, betas=(0.75, 0.875), eps=1e-3)
    mv = {"m": "exp_avg", "v": "exp_avg_sq"}
    lines = []
    lines += rule("pytorch_adam", lambda p: o.Adam(p, **adam), mv)
    lines += rule("pytorch_amsgrad", lambda p: o.Adam(p, amsgrad=True, **adam), {**mv, "vhat": "max_exp_avg_sq"})
    lines += rule("pytorch_adamw", lambda p: o.AdamW(p, weight_decay=0.125, **adam), mv)
    lines += rule("pytorch_nadam", lambda p: o.NAdam(p, momentum_decay=0.25, **adam), mv)
    lines += rule("pytorch_adamax", lambda p: o.Adamax(p, **adam), {"m": "exp_avg", "v": "exp_inf"})
    rms = dict(lr=0.05, alpha=0.75, eps=1e-3, momentum=0.5)
    lines += rule("pytorch_rms_prop", lambda p: o.RMSprop(p, **rms), {"rms": "square_avg", "momentum": "momentum_buffer"})
    lines += rule("pytorch_centered_rms_prop", lambda p: o.RMSprop(p, centered=True, **rms), {"rms": "square_avg", "mg": "grad_avg", "momentum": "momentum_buffer"})
    lines += rule("pytorch_adagrad", lambda p: o.Adagrad(p, lr=0.3, lr_decay=0.125, initial_accumulator_value=0.25, eps=1e-3), {"accumulator": "sum"}, as_sparse=True)
    lines += rule("radam", lambda p: o.RAdam(p, lr=0.05, betas=(0.75, 0.9375), eps=1e-3), mv)
    lines += rule("rprop", lambda p: o.Rprop(p, lr=0.05, etas=(0.25, 1.5), step_sizes=(1e-2, 0.25)), {"prev": "prev", "step_size": "step_size"})
    lines += rule("asgd", lambda p: o.ASGD(p, lr=0.3, lambd=0.125, alpha=0.5, t0=3), {"ax": "ax"})
    lines += rule("pytorch_momentum", lambda p: o.SGD(p, lr=0.1, momentum=0.75, dampening=0.25), {"momentum": "momentum_buffer"})
    lines += rule("madgrad", lambda p: madgrad.MADGRAD(p, lr=0.05, momentum=0.75, eps=1e-3), {"s": "s", "v": "grad_sum_sq", "start": "x0"})
    lines += rule("qhadam", lambda p: torch_optimizer.QHAdam(p, nus=(0.75, 0.5), **adam), mv)
    lines += rule("signum", lambda p: pytorch_optimizer.SignSGD(p, lr=0.05, momentum=0.75), {"m": "momentum_buffer"})
    lines += rule("schedule_free_sgd", lambda p: pytorch_optimizer.ScheduleFreeSGD(p, lr=0.3, momentum=0.75, weight_decay=0.125), {"z": "z"})
    lines += rule("schedule_free_adamw", lambda p: pytorch_optimizer.ScheduleFreeAdamW(p, lr=0.05, betas=(0.75, 0.875), eps=1e-3, weight_decay=0.125, weight_decouple=False),
                  {"z": "z", "v": "exp_avg_sq"})
    return lines


TOOLS = {"tensorflow": by_tensorflow, "optax": by_optax, "torch": by_torch, "formula": by_formula}

if __name__ == "__main__":
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.txt")
    lines = {}
    if os.path.exists(path):
        with open(path) as old:
            for line in old:
                tool, text = line.rstrip("\n").split(" ", 1)
                lines.setdefault(tool, []).append(text)
    for tool in sys.argv[1:] or TOOLS:
        try:
            lines[tool] = TOOLS[tool]()
        except ModuleNotFoundError as missing:
            print(f"{tool} stays as it is: {missing}")
    with open(path, "w") as out:
        for tool in TOOLS:
            for line in lines.get(tool, []):
                out.write(f"{tool} {line}\n")
