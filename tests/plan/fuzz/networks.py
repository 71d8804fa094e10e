# SPDX-License-Identifier: MIT
"""Random networks as tests: layers, a loss and a rule, trained five steps. The numbers are PyTorch's, in double.

    python3 networks.py NUMBER... > networks_<name>_test.cpp
    python3 networks.py --choose COUNT NUMBER... [--with NUMBER...]   numbers of networks that have much that those of --with have not

Network k depends on its number alone; numbers begin at 4000000. PyTorch is needed. `search` runs others. With the variable
NETWORKS_SHOW=NUMBER the arrays of that network are printed instead.
"""
import os
import pathlib
import random
import re
import sys

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import layers
from layers import Unfit, Value

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
FIRST, STEPS = 4000000, 5
BATCHES = [3, 2, 4, 3, 2, 3]


def numbers(k, n):
    """Element i of fuzz::number(k, i)."""
    i = np.arange(1, n + 1, dtype=np.uint64)
    mask = 0xFFFFFFFF
    h = ((i * 2654435761) & mask) ^ ((((k + 1) * 40503) & mask) * 65537 & mask)
    h = ((h ^ (h >> np.uint64(15))) * 2246822519) & mask
    h = ((h ^ (h >> np.uint64(13))) * 3266489917) & mask
    h = h ^ (h >> np.uint64(16))
    return h.astype(np.float64) / 2147483648.0 - 1.0


def ids(k, n, limit):
    return ((numbers(k, n) + 1) / 2 * limit).astype(np.int64)


class Input:
    """What is given in each step. kind: reals, shares, signs, weights, integers, mask."""

    def __init__(self, name, k, kind, shape, least=0, limit=0):
        self.name, self.k, self.kind, self.shape, self.least, self.limit = name, k, kind, tuple(shape), least, limit

    def array(self, step, sizes, single):
        shape = [sizes.get(n, n) for n in self.shape]
        n, k = int(np.prod(shape)), 16 * step + self.k
        if self.kind == "integers":
            least, limit = self.least, sizes.get(self.limit, self.limit) + (self.least == 0 and self.limit_is_length) + (self.least == 1)
            return torch.tensor((ids(k, n, limit - least) + least).reshape(shape))
        x = numbers(k, n)
        if self.kind == "mask":
            i = np.arange(n)
            return torch.tensor(((x > 0) | (i // shape[1] % shape[1] == i % shape[1])).reshape(shape))
        x = {"reals": x, "shares": 0.5 + 0.5 * x, "signs": np.where(x < 0, -1.0, 1.0), "weights": np.maximum(x + 0.25, 0)}[self.kind]
        if single:
            x = x.astype(np.float32).astype(np.float64)
        return torch.tensor(x.reshape(shape))

    limit_is_length = False

    def declaration(self):
        t = {"integers": "std::int32_t", "mask": "bool"}.get(self.kind, "T")
        return f'constexpr auto {self.name} = xg::input<"{self.name}", {t}, {", ".join(map(str, self.shape))}>;'

    def given(self):
        extents = ", ".join({"b": "B", "t": "N"}.get(n, str(n)) for n in self.shape)
        if self.kind != "integers":
            return f"{self.name} = d.{self.kind}({self.k}, {extents})"
        limit = {"t": "static_cast<int>(N)"}.get(self.limit, str(self.limit))
        if self.limit_is_length:
            limit = limit + " + 1" if self.limit == "t" else str(self.limit + 1)
        return f"{self.name} = d.integers({self.k}, {self.least}, {limit}, {extents})"


class Lengths(Input):
    limit_is_length = True

    def array(self, step, sizes, single):
        n, limit = sizes["b"], sizes.get(self.limit, self.limit) + 1
        return torch.tensor(ids(16 * step + self.k, n, limit - self.least) + self.least)


# text of the losses, PyTorch's, labels, whether the last axis is summed
def log_poisson(x, z):
    return torch.exp(x) - z * x


F = torch.nn.functional
LOSSES = [
    ("xg::squared_error({y}, z)", lambda y, z: (y - z) ** 2, "reals"),
    ("xg::squared_error({y}, z)", lambda y, z: (y - z) ** 2, "reals"),
    ("xg::absolute_error({y}, z)", lambda y, z: (y - z).abs(), "reals"),
    ("xg::huber({y}, z)", lambda y, z: F.huber_loss(y, z, reduction="none"), "reals"),
    ("xg::huber({y}, z, 0.5_c)", lambda y, z: F.huber_loss(y, z, reduction="none", delta=0.5), "reals"),
    ("xg::log_cosh({y}, z)", lambda y, z: torch.log(torch.cosh(y - z)), "reals"),
    ("xg::quantile_loss({y}, z, 0.75_c)", lambda y, z: torch.where(z >= y, 0.75 * (z - y), -0.25 * (z - y)), "reals"),
    ("xg::sigmoid_cross_entropy({y}, z)", lambda y, z: F.binary_cross_entropy_with_logits(y, z, reduction="none"), "shares"),
    ("xg::weighted_cross_entropy_with_logits({y}, z, 2.5_c)",
     lambda y, z: F.binary_cross_entropy_with_logits(y, z, reduction="none", pos_weight=torch.tensor(2.5)), "shares"),
    ("xg::hinge({y}, z)", lambda y, z: torch.relu(1 - y * z), "signs"),
    ("xg::squared_hinge({y}, z)", lambda y, z: torch.relu(1 - y * z) ** 2, "signs"),
    ("xg::soft_margin({y}, z)", lambda y, z: F.soft_margin_loss(y, z, reduction="none"), "signs"),
    ("xg::log_poisson_loss({y}, z)", lambda y, z: F.poisson_nll_loss(y, z, reduction="none"), "shares"),
    ("xg::softmax_cross_entropy({y}, xg::softmax(z))", lambda y, z: -(torch.softmax(z, -1) * torch.log_softmax(y, -1)).sum(-1), "reals"),
    ("xg::kl_divergence_with_logits({y}, xg::softmax(z))",
     lambda y, z: (torch.softmax(z, -1) * (torch.log_softmax(z, -1) - torch.log_softmax(y, -1))).sum(-1), "reals"),
    ("xg::sparse_softmax_cross_entropy({y}, z)", lambda y, z: F.cross_entropy(torch.movedim(y, -1, 1), z, reduction="none"), "integers"),
    ("xg::sparse_softmax_cross_entropy({y}, z)", lambda y, z: F.cross_entropy(torch.movedim(y, -1, 1), z, reduction="none"), "integers"),
    ("xg::multilabel_soft_margin({y}, z)", lambda y, z: F.binary_cross_entropy_with_logits(y, z, reduction="none").mean(-1), "shares"),
]


class TensorFlowRule:
    """Rules whose form in TensorFlow PyTorch does not have."""

    def __init__(self, parameters, kind, rate, beta=0.9, epsilon=1e-3, momentum=0.0, weight_decay=0.0):
        self.p, self.kind, self.rate, self.beta, self.epsilon, self.momentum = list(parameters), kind, rate, beta, epsilon, momentum
        self.decay, self.t = weight_decay, 0
        self.slots = [[torch.zeros_like(p), torch.ones_like(p) if kind == "rms_prop" else torch.zeros_like(p)] for p in self.p]

    @torch.no_grad()
    def step(self):
        self.t += 1
        for p, s in zip(self.p, self.slots):
            g = p.grad
            if self.kind == "rms_prop":
                s[1] += (g * g - s[1]) * (1 - self.beta)
                s[0].mul_(self.momentum).add_(g * self.rate / torch.sqrt(s[1] + self.epsilon))
                p -= s[0]
                continue
            p -= p * self.decay
            s[0] += (g - s[0]) * (1 - self.beta)
            s[1] += (g * g - s[1]) * (1 - 0.99)
            p -= s[0] * self.rate * np.sqrt(1 - 0.99 ** self.t) / (1 - self.beta ** self.t) / (torch.sqrt(s[1]) + self.epsilon)


O = torch.optim
RULES = [   # text, PyTorch's, whether a sparse gradient counts as a dense one
    ("xg::gradient_descent{.learning_rate = 0.1}", lambda p: O.SGD(p, 0.1), True),
    ("xg::momentum{.learning_rate = 0.05, .momentum = 0.75}", lambda p: O.SGD(p, 0.05, 0.75), False),
    ("xg::momentum{.learning_rate = 0.05, .momentum = 0.75, .use_nesterov = true}", lambda p: O.SGD(p, 0.05, 0.75, nesterov=True), False),
    ("xg::pytorch_momentum{.learning_rate = 0.05, .momentum = 0.75, .dampening = 0.25}", lambda p: O.SGD(p, 0.05, 0.75, 0.25), True),
    ("xg::pytorch_adam{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3}", lambda p: O.Adam(p, 0.02, (0.9, 0.99), 1e-3), True),
    ("xg::pytorch_adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.1}",
     lambda p: O.AdamW(p, 0.02, (0.9, 0.99), 1e-3, 0.1), True),
    ("xg::pytorch_rms_prop{.learning_rate = 0.01, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-2}",
     lambda p: O.RMSprop(p, 0.01, 0.9, 1e-2, momentum=0.5), True),
    ("xg::adam{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3}", lambda p: TensorFlowRule(p, "adam", 0.02), True),
    ("xg::adamw{.learning_rate = 0.02, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.01}",
     lambda p: TensorFlowRule(p, "adam", 0.02, weight_decay=0.01), False),
    ("xg::rms_prop{.learning_rate = 0.02, .decay = 0.9, .momentum = 0.5, .epsilon = 1e-3}",
     lambda p: TensorFlowRule(p, "rms_prop", 0.02, momentum=0.5), False),
]


class Network:
    def __init__(self, number, attempt, most):
        self.most = most
        self.r = random.Random(f"network {number}.{attempt}")
        self.number = number
        self.type = "float" if self.r.random() < 0.12 else "double"
        self.inputs, self.values, self.nodes, self.variables, self.count = [], [], [], {}, 0
        self.build()

    def state(self):
        return list(self.inputs), list(self.values), list(self.nodes), dict(self.variables), self.count

    def layer(self):
        self.count += 1
        return f"l{self.count}"

    def variable(self, name, shape, fan=0, scale=0, offset=0.0, trainable=True):
        assert name not in self.variables
        self.variables[name] = (tuple(shape), round(scale or ((3 / fan) ** 0.5 if fan else 0.5), 3), offset, trainable)

    def given(self, name, kind, shape, **more):
        made = (Lengths if kind == "lengths" else Input)(name, len(self.inputs) + 1, "integers" if kind == "lengths" else kind, shape, **more)
        self.inputs.append(made)
        return made

    def lengths(self, x, least):
        return self.given(f"n{len(self.inputs)}", "lengths", ["b"], least=least, limit=x.shape[1])

    def mask(self, rows, columns):
        return self.given(f"m{len(self.inputs)}", "mask", [rows, columns])

    def put(self, text, operands, run, shape):
        v = Value(f"v{len(self.nodes) + 1}", shape)
        self.nodes.append((v.name, text, [o.name for o in operands], run))
        self.values.append(v)
        return v

    def attempt(self, f, *arguments):
        before = self.state()
        try:
            v = f(self, *arguments)
            n = int(np.prod([4 if isinstance(k, str) else k for k in v.shape[1:]]))
            layers.need(n <= 250 and v.channels <= 24)
            return v
        except Unfit:
            self.inputs, self.values, self.nodes, self.variables, self.count = before
            return None

    def build(self):
        r = self.r
        p = r.random()
        if p < 0.5:
            d = 3 if r.random() < 0.15 else 2
            x = self.given("x", "reals", ["b", *[r.randint(3, 7) if d == 2 else r.randint(2, 4) for _ in range(d)], r.randint(1, 4)])
        else:
            time = r.choice(["t", r.randint(3, 7)])
            if p < 0.85:
                x = self.given("x", "reals", ["b", time, r.randint(1, 5)])
            else:
                x = self.given("x", "integers", ["b", time], limit=r.randint(3, 9))
        v = Value("x", x.shape)
        if x.kind == "integers":
            v = self.attempt(layers.embedding, v, x.limit)
        else:
            self.values.append(v)
        wanted, tries = r.choice([2, 3, 3, 4, 4, 5, 6]), 0
        while len(self.nodes) < min(wanted, self.most) and tries < 60:
            tries += 1
            space = len(v.spatial)
            kinds = layers.OF_ALL if space == 0 else (layers.OF_SEQUENCES if space == 1 else layers.OF_IMAGES) * 2 + layers.OF_ALL
            f = r.choice(kinds)
            if f in (layers.conv, layers.depthwise, layers.pool) and space > 1 and "t" in v.spatial:
                continue
            v = self.attempt(f, v) or v
        if not any(t for _, _, _, t in self.variables.values()):
            v = layers.dense(self, v)
        self.output = v
        self.loss()
        self.text_of_rule, self.rule, _ = r.choice([u for u in RULES if u[2] or not any("embedding" in n[1] for n in self.nodes)])

    def loss(self):
        r, y = self.r, self.output
        text, self.of_loss, kind = r.choice([l for l in LOSSES if y.channels > 1 or "softmax" not in l[0] and "with_logits({y}, xg" not in l[0]])
        by_row = "softmax" in text or "multilabel" in text
        if kind == "integers":
            self.given("z", "integers", y.shape[:-1], limit=y.channels)
        else:
            self.given("z", kind, y.shape)
        shape = y.shape[:-1] if by_row else y.shape
        self.reduction = r.choice(["sum_by_nonzero_weights", "sum_by_nonzero_weights", "mean", "sum_over_batch_size", "sum"])
        self.weighted = r.random() < 0.5
        if self.weighted:
            self.given("q", "weights", [n if k == 0 or r.random() < 0.5 else 1 for k, n in enumerate(shape)])
        self.text_of_loss = f"xg::weighted_loss<xg::loss_reduction::{self.reduction}>({text.format(y=y.name)}{', q' if self.weighted else ''})"

    def reduced(self, losses, w):
        w = torch.ones_like(losses) if w is None else w.expand(losses.shape)
        total = torch.where(w != 0, losses * w, 0).sum()
        by = {"sum": 1.0, "mean": w.sum(), "sum_over_batch_size": float(losses.numel()), "sum_by_nonzero_weights": (w != 0).sum()}[self.reduction]
        return total / by if by != 0 else total * 0

    def sizes(self):
        times = [4, 5, 3, 6, 4, 5]
        return [{"b": b, "t": t} for b, t in zip(BATCHES, times)]

    def forward(self, step, parameters, training):
        sizes, single = self.sizes()[step], self.type == "float"
        e = {"training": training, "moved": {}, **parameters}
        known = {i.name: i.array(step, sizes, single) for i in self.inputs}
        for name, _, operands, run in self.nodes:
            known[name] = run(e, *[known[o] for o in operands])
            want = [sizes.get(n, n) for n in next(v.shape for v in self.values if v.name == name)]
            assert list(known[name].shape) == want, (name, known[name].shape, want)
        return e, known

    def start(self):
        r = {}
        for k, (name, (shape, scale, offset, trainable)) in enumerate(self.variables.items()):
            x = offset + scale * numbers(100 + k, int(np.prod(shape)))
            if self.type == "float":
                x = x.astype(np.float32).astype(np.float64)
            r[name] = torch.tensor(x.reshape(shape), requires_grad=trainable)
        return r

    def reference(self):
        p = self.start()
        trained = [v for v in p.values() if v.requires_grad]
        rule, losses = self.rule(trained), []
        for step in range(STEPS):
            for v in trained:
                v.grad = torch.zeros_like(v)
            e, known = self.forward(step, p, True)
            loss = self.reduced(self.of_loss(known[self.output.name], known["z"]), known.get("q"))
            loss.backward()
            losses.append(loss.item())
            rule.step()
            p.update({k: v.detach() for k, v in e["moved"].items()})
        _, known = self.forward(STEPS, p, False)
        return losses, known[self.output.name].detach().numpy().ravel(), {k: v.detach().numpy().ravel() for k, v in p.items()}


def sums(x):
    return [float(np.dot(x, numbers(1000 + j, len(x)))) for j in range(2)]


def number_list(x):
    return "{" + ", ".join(f"{v:.13g}" for v in x) + "}"


def make(number, most=99):
    """The network of that number; with its first layers alone if it would have more than `most`."""
    for attempt in range(60):
        n = Network(number, attempt, most)
        try:
            losses, output, after = n.reference()
        except RuntimeError as error:
            if "does not require grad" in str(error):
                continue
            raise
        everything = np.concatenate([losses, output, *after.values()])
        if np.all(np.isfinite(everything)) and np.max(np.abs(everything)) < 100 and len(set(losses)) > 1:
            n.results = losses, output, after
            return n
    raise RuntimeError(f"no network {number}")


def text_of(n):
    losses, output, after = n.results
    tolerance = "1e-8" if n.type == "double" else "2e-5"
    used = set(re.findall(r"\b[a-z]\d*\b", n.text_of_loss + " ".join(t for _, t, _, _ in n.nodes)))
    lines = [f"namespace n{n.number} {{", f"using T = {n.type};"]
    lines += [i.declaration() for i in n.inputs if i.name in used]
    lines += [f"constexpr auto {name} = {text};" for name, text, _, _ in n.nodes]
    lines += [f"constexpr auto loss = {n.text_of_loss};", "}", f'TEST_CASE("network {n.number}") {{', f"    using namespace n{n.number};"]
    updates = ", xg::nn::updates(loss)" if any("batch_norm" in t for _, t, _, _ in n.nodes) else ""
    size = "[[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t N"
    needed = set()   # for the prediction
    for name, text, operands, _ in reversed(n.nodes):
        if name == n.output.name or name in needed:
            needed |= set(operands)
    step = ", ".join(i.given() for i in n.inputs)
    call = ", ".join(i.given() for i in n.inputs if i.name in needed)
    lines.append(f"    networks::check<T>(xg::minimize(loss, {n.text_of_rule}{updates}),")
    lines.append(f"        [](auto& train) {{ return xg::function{{xg::eval({n.output.name}), train}}; }},")
    lines.append(f"        [](auto& f, auto& d, {size}) {{ return f({step}); }},")
    lines.append(f"        [](auto& f, auto& d, {size}) {{ return f({call}); }},")
    lines.append("        {" + ", ".join(f"{{{s['b']}, {s['t']}}}" for s in n.sizes()) + "},")
    lines.append(f"        {number_list(losses)}, {number_list(sums(output))},")
    rows = [f'{{"{name}", {100 + k}, {scale}, {offset}, {number_list(sums(after[name]))}}}'
            for k, (name, (_, scale, offset, _)) in enumerate(n.variables.items())]
    lines.append("        {" + ",\n            ".join(rows) + f"}}, {tolerance});")
    return "\n".join(lines + ["}", ""])


HEAD = """// SPDX-License-Identifier: MIT
// {said}
#include <support/networks.hpp>

{headers}

namespace {{
namespace xg = xgrad;
using namespace xg::literals;
using fuzz::b;
using fuzz::t;
}}

"""


HEADERS = {   # what a text needs
    "nn/dense": "nn::dense",
    "nn/batch_norm": "nn::batch_norm", "nn/convolution": r"nn::\w*conv", "nn/embedding": "nn::embedding", "nn/gates": "nn::(prelu|layer_scale|highway)",
    "nn/multi_head_attention": "nn::multi_head", "nn/norms": r"nn::(layer|group|instance|rms)_norm", "nn/recurrent": "nn::(rnn|lstm|gru)<",
    "nn/residual": "nn::residual", "nn/transformer": "nn::transformer", "ops/activations": "xg::(relu6|hard_|leaky|soft|elu|celu|selu|gelu|silu|mish|log_sig)",
    "ops/eval": "xg::eval", "ops/images/patches": "xg::extract_patches", "ops/images/resize": "xg::(resize|upsample)", "ops/index/bags": "xg::embedding_bag",
    "ops/losses/entropies": "xg::(weighted_cross|kl_)", "ops/losses/errors": "xg::(absolute_error|huber|log_cosh|quantile)",
    "ops/losses/likelihoods": "xg::log_poisson", "ops/losses/margins": "xg::(hinge|squared_hinge|soft_margin|multilabel)",
    "ops/losses/weighted_loss": "xg::weighted_loss", "ops/pooling/average_pool": "xg::((average|sum|lp|adaptive_average)_pool|global_)",
    "ops/pooling/max_pool": "xg::(max|min|adaptive_max)_pool", "ops/shapes/axes": "xg::flatten", "train/layer_updates": "nn::updates",
}


def source_of(networks, said):
    texts = "\n".join(map(text_of, networks))
    headers = "\n".join(f"#include <xgrad/{h}.hpp>" for h, what in HEADERS.items() if re.search(what, texts))
    return HEAD.format(said=said, headers=headers) + texts


def traits(n):
    texts = [t for _, t, _, _ in n.nodes] + [n.text_of_loss, n.text_of_rule]
    return set(re.findall(r"xg::(?:nn::)?\w+", " ".join(texts))) - {"xg::per_axis", "xg::window"}


def worth(trait):
    """Layers with variables count most, then what changes shapes."""
    if re.search(r"nn::(?!feedforward|\w+_options)", trait):
        return 4
    return 2 if re.search("pool|patches|bag$|flatten|resize|upsample", trait) else 0.4


def choose(count, numbers_of_all, before):
    """Small networks that have as many of the layers, losses and rules as possible."""
    left, chosen = {n.number: n for n in map(make, numbers_of_all)}, []
    seen = set().union(*[traits(make(k)) for k in before])
    while len(chosen) < count and left:
        best = max(left.values(), key=lambda n: sum(map(worth, traits(n) - seen)) / (2 + len(n.nodes) + len(n.variables) / 4))
        seen |= traits(best)
        chosen.append(best.number)
        del left[best.number]
    return sorted(chosen)


def show(number):
    n = make(number)
    losses, output, after = n.results
    print("losses", losses)
    for name, x in [("output", output), *after.items()]:
        print(name, x)


def main():
    if sys.argv[1] == "--choose":
        end = sys.argv.index("--with") if "--with" in sys.argv else len(sys.argv)
        print(*choose(int(sys.argv[2]), map(int, sys.argv[3:end]), map(int, sys.argv[end + 1:])))
        return
    if "NETWORKS_SHOW" in os.environ:
        show(int(os.environ["NETWORKS_SHOW"]))
        return
    sys.stdout.write(source_of([make(int(k)) for k in sys.argv[1:]], "Made by networks.py from the numbers of its cases."))


if __name__ == "__main__":
    main()
