# SPDX-License-Identifier: MIT
"""Values and gradients of small cases of operations by TensorFlow, with the corners where libraries differ.

    python ops_trace.py > ops_trace.txt

Format of the text (one item a line, fields by blanks, `#` starts a comment line):
    case NAME                              begins a case; NAME is unique; `end` closes it
    attribute KEY VALUE                    a parameter of the operation (axis, bounds ...)
    input NAME DTYPE RANK EXTENTS : V...   row-major elements; DTYPE is float32, float64, int32 or bool; floats may be inf, -inf, nan
    output NAME DTYPE RANK EXTENTS : V...  the value of the operation
    upstream DTYPE RANK EXTENTS : V...     gradient that is fed into the (first) output; without this line it is all ones
    gradient INPUT DTYPE RANK EXTENTS : V...       gradient with respect to that input
    gradient INPUT none                            TensorFlow says: not connected
    slices INPUT N ROWS COLUMNS : I... : V...      an IndexedSlices gradient: N indices into a table of ROWS rows of COLUMNS,
                                                   then N * COLUMNS values
Every case occurs once in float32 and once in float64 (suffix .f64 of the name).
"""
import numpy as np

from recipe import number, session, tensorflow

tf = tensorflow()
INF, NAN = float("inf"), float("nan")
CASES = []


def case(name, inputs, function, attributes=(), upstream=None, outputs=("value",)):
    """inputs: (name, list) pairs; lists of floats become the dtype of the case, int lists int32, bool lists bool."""
    CASES.append((name, inputs, function, dict(attributes), upstream, outputs))


def text(array):
    a = np.asarray(array)
    shape = " ".join(map(str, (a.ndim, *a.shape)))
    one = number if a.dtype.kind == "f" else lambda v: str(int(v))
    return f"{a.dtype.name} {shape} : " + " ".join(one(v) for v in a.ravel())


def run(dtype, suffix):
    for name, inputs, function, attributes, upstream, outputs in CASES:
        tf.reset_default_graph()
        arrays = {}
        for key, value in inputs:
            a = np.array(value)
            arrays[key] = a.astype(dtype) if a.dtype.kind == "f" else a if a.dtype.kind == "b" else a.astype(np.int32)
        nodes = {k: tf.constant(a) for k, a in arrays.items()}
        values = function(**nodes)
        values = values if isinstance(values, tuple) else (values,)
        fed = [tf.constant(np.array(upstream, dtype))] if upstream is not None else None
        wrt = [k for k, a in arrays.items() if a.dtype.kind == "f"]
        gradients = tf.gradients(values[0], [nodes[k] for k in wrt], fed)
        with session(tf) as s:
            print(f"case {name}{suffix}")
            for key, value in attributes.items():
                print("attribute", key, value)
            for k, a in arrays.items():
                print("input", k, text(a))
            for k, v in zip(outputs, s.run(list(values))):
                print("output", k, text(v))
            if fed:
                print("upstream", text(np.array(upstream, dtype)))
            for k, g in zip(wrt, gradients):
                if g is None:
                    print("gradient", k, "none")
                elif isinstance(g, tf.IndexedSlices):
                    v, i = s.run([g.values, g.indices])
                    table = arrays[k].reshape(len(arrays[k]), -1)
                    print("slices", k, len(i.ravel()), *table.shape, ":", *map(int, i.ravel()), ":", *(number(e) for e in v.ravel()))
                else:
                    print("gradient", k, text(s.run(g)))
            print("end")


case("softmax_cross_entropy", [("logits", [[1.0, 2.0, 3.0, 0.5], [-1.0, 0.0, 1.0, 4.0]]), ("labels", [[0.0, 0.0, 1.0, 0.0], [0.1, 0.2, 0.3, 0.4]])],
     lambda logits, labels: tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits), upstream=[1.0, -2.0])
case("softmax_cross_entropy_labels_not_normalised", [("logits", [[1.0, 2.0, 3.0]]), ("labels", [[1.0, 1.0, 1.0]])],
     lambda logits, labels: tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits))
case("softmax_cross_entropy_large", [("logits", [[1000.0, 0.0, -1000.0], [-80.0, -90.0, -100.0]]), ("labels", [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])],
     lambda logits, labels: tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.stop_gradient(labels), logits=logits))
case("sparse_softmax_cross_entropy", [("logits", [[1.0, 2.0, 3.0, 0.5], [-1.0, 0.0, 1.0, 4.0], [5.0, 5.0, 5.0, 5.0]]), ("labels", [2, 0, 3])],
     lambda logits, labels: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits), upstream=[1.0, 0.5, -1.0])
case("sparse_softmax_cross_entropy_large", [("logits", [[1000.0, 0.0, -1000.0], [88.0, 89.0, 90.0]]), ("labels", [2, 0])],
     lambda logits, labels: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
case("sigmoid_cross_entropy", [("logits", [0.0, -0.0, 1.5, -1.5, 30.0, -30.0, 100.0, -100.0, 1000.0, -1000.0]),
                               ("labels", [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0])],
     lambda logits, labels: tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
case("weighted_cross_entropy", [("logits", [0.25, 1.5, -1.5, 30.0, -30.0]), ("labels", [1.0, 0.5, 1.0, 0.0, 1.0])],
     lambda logits, labels: tf.nn.weighted_cross_entropy_with_logits(labels=labels, logits=logits, pos_weight=3.0), [("pos_weight", 3.0)])
case("softmax", [("x", [[1.0, 2.0, 3.0], [1000.0, 1000.0, -1000.0]])], lambda x: tf.nn.softmax(x), upstream=[[1.0, 0.0, -1.0], [2.0, 1.0, 0.0]])
case("log_softmax", [("x", [[1.0, 2.0, 3.0], [1000.0, 1000.0, -1000.0]])], lambda x: tf.nn.log_softmax(x), upstream=[[1.0, 0.0, -1.0], [2.0, 1.0, 0.0]])
case("reduce_max_ties", [("x", [[1.0, 3.0, 3.0, 2.0], [5.0, 5.0, 5.0, 5.0], [-1.0, -2.0, -3.0, -1.0]])], lambda x: tf.reduce_max(x, axis=1), [("axis", 1)], [6.0, 4.0, 2.0])
case("reduce_max_all", [("x", [[2.0, 7.0], [7.0, 1.0]])], lambda x: tf.reduce_max(x))
case("reduce_min_ties", [("x", [[1.0, 3.0, 1.0, 2.0], [5.0, 5.0, 5.0, 5.0]])], lambda x: tf.reduce_min(x, axis=1), [("axis", 1)], [6.0, 4.0])
case("maximum_ties", [("a", [1.0, 2.0, 3.0, 0.0, -0.0]), ("b", [2.0, 2.0, 1.0, -0.0, 0.0])], lambda a, b: tf.maximum(a, b), upstream=[1.0, 2.0, 3.0, 4.0, 5.0])
case("minimum_ties", [("a", [1.0, 2.0, 3.0, 0.0, -0.0]), ("b", [2.0, 2.0, 1.0, -0.0, 0.0])], lambda a, b: tf.minimum(a, b), upstream=[1.0, 2.0, 3.0, 4.0, 5.0])
case("maximum_broadcast", [("a", [[1.0, 2.0], [3.0, 0.0]]), ("b", [2.0, 2.0])], lambda a, b: tf.maximum(a, b), upstream=[[1.0, 2.0], [3.0, 4.0]])
case("relu", [("x", [-1.0, -0.0, 0.0, 1e-30, 2.0, INF, -INF])], lambda x: tf.nn.relu(x), upstream=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
case("leaky_relu", [("x", [-1.0, -0.0, 0.0, 2.0])], lambda x: tf.nn.leaky_relu(x, 0.2), [("alpha", 0.2)])
case("elu", [("x", [-100.0, -1.0, -0.0, 0.0, 2.0])], lambda x: tf.nn.elu(x))
case("abs", [("x", [-2.0, -0.0, 0.0, 3.0])], lambda x: tf.abs(x))
case("logsumexp", [("x", [[1.0, 2.0, 3.0], [1000.0, 1000.0, -1000.0], [-1000.0, -1001.0, -1002.0]])], lambda x: tf.reduce_logsumexp(x, axis=1), [("axis", 1)], [1.0, 2.0, 3.0])
case("logsumexp_minus_inf", [("x", [[-INF, 0.0, 1.0], [-INF, -INF, 2.0]])], lambda x: tf.reduce_logsumexp(x, axis=1), [("axis", 1)])
case("logsumexp_all_minus_inf", [("x", [[-INF, -INF, -INF]])], lambda x: tf.reduce_logsumexp(x, axis=1), [("axis", 1)])
case("logsumexp_plus_inf", [("x", [[INF, 0.0, 1.0]])], lambda x: tf.reduce_logsumexp(x, axis=1), [("axis", 1)])
case("embedding_lookup_duplicates", [("table", [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]), ("ids", [3, 1, 3, 0, 3])],
     lambda table, ids: tf.nn.embedding_lookup(table, ids), upstream=[[1.0, 10.0], [2.0, 20.0], [3.0, 30.0], [4.0, 40.0], [5.0, 50.0]])
case("gather_rank2_ids", [("table", [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), ("ids", [[2, 0], [2, 2]])],
     lambda table, ids: tf.gather(table, ids), upstream=[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]])
case("gather_twice", [("table", [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), ("first", [2, 0]), ("second", [1, 2])],
     lambda table, first, second: tf.gather(table, first) * tf.gather(table, second), upstream=[[1.0, 1.0], [1.0, 1.0]])
case("clip_by_value", [("x", [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])], lambda x: tf.clip_by_value(x, -1.0, 1.0), [("low", -1.0), ("high", 1.0)])
case("clip_by_norm", [("x", [3.0, 4.0])], lambda x: tf.clip_by_norm(x, 1.0), [("norm", 1.0)], [1.0, -1.0])
case("select", [("condition", [True, False, True, False]), ("a", [1.0, 2.0, 3.0, INF]), ("b", [10.0, 20.0, NAN, 40.0])],
     lambda condition, a, b: tf.where(condition, a, b), upstream=[1.0, 2.0, 3.0, 4.0])
case("select_guarded_sqrt", [("x", [4.0, 0.0, -1.0])], lambda x: tf.where(x > 0, tf.sqrt(x), tf.zeros_like(x)))
case("tanh", [("x", [-INF, -100.0, -9.0, -1.0, -1e-4, -0.0, 0.0, 1e-4, 0.5, 1.0, 9.0, 100.0, INF])], lambda x: tf.tanh(x))
case("sigmoid", [("x", [-INF, -1000.0, -100.0, -20.0, -1.0, 0.0, 1.0, 20.0, 100.0, 1000.0, INF])], lambda x: tf.sigmoid(x))
case("softplus", [("x", [-INF, -1000.0, -100.0, -20.0, -10.0, -1.0, 0.0, 1.0, 10.0, 20.0, 100.0, 1000.0, INF])], lambda x: tf.nn.softplus(x))
case("exp", [("x", [-INF, -1000.0, -1.0, 0.0, 1.0, 1000.0, INF])], lambda x: tf.exp(x))
case("log", [("x", [0.0, 1e-30, 0.5, 1.0, 2.0, 1e30, INF])], lambda x: tf.log(x))
case("log1p", [("x", [-0.5, 0.0, 1e-10, 1.0, 1e10])], lambda x: tf.log1p(x))
case("expm1", [("x", [-100.0, -0.5, 0.0, 1e-10, 1.0])], lambda x: tf.expm1(x))
case("sqrt", [("x", [0.0, 0.25, 1.0, 4.0, INF])], lambda x: tf.sqrt(x))
case("square", [("x", [-2.0, 0.0, 3.0])], lambda x: tf.square(x), upstream=[1.0, 2.0, 3.0])
case("pow", [("x", [0.5, 1.0, 2.0, 0.0]), ("y", [2.0, 3.0, -1.0, 2.0])], lambda x, y: tf.pow(x, y), upstream=[1.0, 2.0, 3.0, 4.0])
case("divide_broadcast", [("a", [[1.0, 2.0], [3.0, 4.0]]), ("b", [2.0, 4.0])], lambda a, b: a / b, upstream=[[1.0, 2.0], [3.0, 4.0]])
case("squared_difference", [("a", [[1.0, 2.0], [3.0, 4.0]]), ("b", [[2.0], [4.0]])], lambda a, b: tf.squared_difference(a, b))
case("reduce_mean", [("x", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])], lambda x: tf.reduce_mean(x, axis=0), [("axis", 0)], [3.0, 2.0, 1.0])
case("reduce_prod_zero", [("x", [[2.0, 0.0, 3.0], [0.0, 0.0, 5.0], [1.0, 2.0, 3.0]])], lambda x: tf.reduce_prod(x, axis=1), [("axis", 1)])
case("matmul", [("a", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ("b", [[1.0, -1.0], [0.5, 2.0], [-2.0, 0.25]])], tf.matmul, upstream=[[1.0, 2.0], [3.0, 4.0]])
case("matmul_transposed", [("a", [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]), ("b", [[1.0, 0.5, -2.0], [-1.0, 2.0, 0.25]])],
     lambda a, b: tf.matmul(a, b, transpose_a=True, transpose_b=True), [("transpose_a", 1), ("transpose_b", 1)], [[1.0, 2.0], [3.0, 4.0]])
case("concat", [("a", [[1.0, 2.0], [3.0, 4.0]]), ("b", [[5.0], [6.0]])], lambda a, b: tf.concat([a, b], 1), [("axis", 1)], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
case("slice", [("x", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])], lambda x: x[:, 1:3], [("axis", 1), ("begin", 1), ("end", 3)], [[1.0, 2.0], [3.0, 4.0]])
case("stop_gradient", [("x", [1.0, 2.0]), ("y", [3.0, 4.0])], lambda x, y: tf.stop_gradient(x) * y)
case("unconnected", [("x", [1.0, 2.0]), ("y", [3.0, 4.0])], lambda x, y: x * 2.0)
case("log_softmax_large", [("x", [[10000.0, 10001.0, 9997.0], [-3e4, -3e4, -29990.0]])], lambda x: tf.nn.log_softmax(x), upstream=[[1.0, 0.5, -1.0], [2.0, 1.0, 0.0]])
case("log_softmax_minus_inf", [("x", [[1.0, -INF, 2.0], [-INF, -INF, 3.0]])], lambda x: tf.nn.log_softmax(x), upstream=[[1.0, 0.0, -1.0], [0.0, 0.0, 2.0]])
case("softmax_minus_inf", [("x", [[1.0, -INF, 2.0], [-INF, -INF, -INF], [INF, 1.0, 2.0]])], lambda x: tf.nn.softmax(x))
case("norm", [("x", [[3.0, -4.0, 12.0], [0.5, 0.0, 0.0]])], lambda x: tf.norm(x, axis=1), [("axis", 1)], [1.0, -2.0])
case("xlogy", [("x", [2.0, 0.5, 2.0, -1.0]), ("y", [3.0, 1.0, 0.0, 2.0])], lambda x, y: tf.math.xlogy(x, y), upstream=[1.0, 2.0, 3.0, 4.0])
case("xlogy_zero", [("x", [0.0, 0.0, 0.0]), ("y", [0.0, -1.0, INF])], lambda x, y: tf.math.xlogy(x, y))
case("xdivy", [("x", [2.0, 0.5, 2.0, -1.0]), ("y", [3.0, 1.0, -4.0, 2.0])], lambda x, y: tf.math.xdivy(x, y), upstream=[1.0, 2.0, 3.0, 4.0])
case("xdivy_zero", [("x", [0.0, 0.0, 0.0]), ("y", [0.0, -1.0, INF])], lambda x, y: tf.math.xdivy(x, y))
case("multiply_no_nan", [("x", [1.5, 2.0, -3.0]), ("y", [0.0, 4.0, 0.0])], lambda x, y: tf.math.multiply_no_nan(x, y), upstream=[1.0, 2.0, 3.0])
case("multiply_no_nan_infinite", [("x", [INF, NAN, -INF, INF]), ("y", [0.0, 0.0, 0.0, 2.0])], lambda x, y: tf.math.multiply_no_nan(x, y))
case("divide_no_nan", [("x", [1.5, 2.0, 0.0]), ("y", [0.0, 4.0, 0.0])], lambda x, y: tf.math.divide_no_nan(x, y), upstream=[1.0, 2.0, 3.0])
case("pow_corners", [("x", [0.0, 0.0, -2.0, 2.0, 0.0]), ("y", [1.0, 2.0, 2.0, 0.0, 0.5])], lambda x, y: tf.pow(x, y))
case("embedding_bag_mean", [("table", [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]), ("ids", [[0, 1], [3, 3]])],
     lambda table, ids: tf.reduce_mean(tf.gather(table, ids), axis=1), upstream=[[1.0, 2.0], [3.0, 4.0]])

if __name__ == "__main__":
    print("# SPDX-License-Identifier: MIT")
    print(f"# Made by ops_trace.py, TensorFlow {tf.__version__}. One item a line:")
    for line in __doc__.split("Format of the text")[1].splitlines()[1:-1]:
        print("#" + line.rstrip()[3:])
    run(np.float32, "")
    run(np.float64, ".f64")
