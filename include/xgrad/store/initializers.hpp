// SPDX-License-Identifier: MIT
// Initial values of variables: the initializers of TensorFlow 1.x, each as a law for the elements of a variable of any
// shape.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/error.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/store/optimizer_state.hpp>

#include <cstdio>
#include <limits>

XGRAD_NAMESPACE_BEGIN

/// The divisor of `variance_scaling`: the inputs of a unit, its outputs, or the mean of both.
/// * Matrix [in, out]: its extents.
/// * More axes (convolutions): the last two extents, each times the product of the others.
/// * Vector: its length for both. Number: 1.
enum class fan : std::uint8_t { in, out, average };
/// The distribution of random initial values. A truncated normal value is drawn again if it is more than two standard
/// deviations off.
enum class distribution : std::uint8_t { uniform, normal, truncated_normal };

/// The common description of all initializers. The meaning of `width` depends on the kind:
/// * uniform distribution: half the range;
/// * normal distribution: the standard deviation;
/// * matrix: the gain;
/// * by_fan: the scale, which is divided by a fan.
struct initial_law {
    enum class form : std::uint8_t { constant, second_quarter, uniform, normal, truncated_normal, orthogonal, identity } kind;
    double centre, width;
    std::uint64_t seed;
    bool by_fan = false;
    fan of = fan::in;

    /// Whether the law is for matrices only. If it is used for all variables, vectors and numbers become zero: they are
    /// biases.
    constexpr bool of_matrices() const { return by_fan || kind == form::orthogonal || kind == form::identity; }
    constexpr bool random() const { return kind != form::constant && kind != form::second_quarter && kind != form::identity; }
    static constexpr initial_law drawn(distribution d, double centre, double width, std::uint64_t seed) {
        return {d == distribution::uniform  ? form::uniform
                : d == distribution::normal ? form::normal
                                            : form::truncated_normal,
            centre, width, seed};
    }
    static constexpr initial_law scaled(double scale, fan f, distribution d, std::uint64_t seed) {
        initial_law l = drawn(d, 0, scale, seed);
        l.by_fan = true;
        l.of = f;
        return l;
    }
};

/// All elements 0. The seed is for random operations.
struct zeros_initializer {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return {initial_law::form::constant, 0, 0, seed}; }
};
/// All elements 1.
struct ones_initializer {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return {initial_law::form::constant, 1, 0, seed}; }
};
/// All elements `value`.
struct constant_initializer {
    double value = 0;
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return {initial_law::form::constant, value, 0, seed}; }
};
/// Uniform in mean ± range.
struct random_uniform {
    std::uint64_t seed = 0;
    double range = 0.05;
    double mean = 0;
    constexpr initial_law law() const { return initial_law::drawn(distribution::uniform, mean, range, seed); }
};
/// Normal with this mean and standard deviation.
struct random_normal {
    std::uint64_t seed = 0;
    double stddev = 0.05;
    double mean = 0;
    constexpr initial_law law() const { return initial_law::drawn(distribution::normal, mean, stddev, seed); }
};
/// Normal, drawn again if more than two standard deviations off. The result has 0.8796 of the standard deviation.
struct truncated_normal {
    std::uint64_t seed = 0;
    double stddev = 0.05;
    double mean = 0;
    constexpr initial_law law() const { return initial_law::drawn(distribution::truncated_normal, mean, stddev, seed); }
};
/// Variance scale / fan, where `fan` is at least 1: uniform in ±√(3 scale / fan), or normal with standard deviation
/// √(scale / fan). The truncated normal distribution has this standard deviation after the cut.
/// Source: TensorFlow 1.15, `variance_scaling_initializer`.
struct variance_scaling {
    std::uint64_t seed = 0;
    double scale = 1;
    fan mode = fan::in;
    xgrad::distribution distribution = distribution::truncated_normal;
    constexpr initial_law law() const { return initial_law::scaled(scale, mode, distribution, seed); }
};
/// Uniform in ±√(6 / (fan in + fan out)) (Glorot, Bengio, "Understanding the difficulty of training deep feedforward
/// neural networks", 2010).
struct glorot_uniform {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return initial_law::scaled(1, fan::average, distribution::uniform, seed); }
};
/// Truncated normal of standard deviation √(2 / (fan in + fan out)).
struct glorot_normal {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return initial_law::scaled(1, fan::average, distribution::truncated_normal, seed); }
};
/// Uniform in ±√(6 / fan in), for layers of relu (He, Zhang, Ren, Sun, "Delving deep into rectifiers", 2015).
struct he_uniform {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return initial_law::scaled(2, fan::in, distribution::uniform, seed); }
};
/// Truncated normal of standard deviation √(2 / fan in).
struct he_normal {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return initial_law::scaled(2, fan::in, distribution::truncated_normal, seed); }
};
/// Uniform in ±√(3 / fan in) (LeCun, Bottou, Orr, Müller, "Efficient backprop", 1998).
struct lecun_uniform {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return initial_law::scaled(1, fan::in, distribution::uniform, seed); }
};
/// Truncated normal of standard deviation √(1 / fan in).
struct lecun_normal {
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return initial_law::scaled(1, fan::in, distribution::truncated_normal, seed); }
};
/// gain · Q of the QR decomposition of a normal matrix. R has a positive diagonal, so Q is uniform among orthogonal
/// matrices. It needs at least two axes; all axes but the last are combined into rows. The columns of [..., n] are
/// orthogonal, or the rows if there are more columns than rows. The cost is that of n² products of columns.
/// Source: TensorFlow 1.15, `orthogonal_initializer` (Saxe, McClelland, Ganguli, "Exact solutions to the nonlinear
/// dynamics of learning in deep linear neural networks", 2014).
struct orthogonal {
    std::uint64_t seed = 0;
    double gain = 1;
    constexpr initial_law law() const { return {initial_law::form::orthogonal, 0, gain, seed}; }
};
/// `gain` on the diagonal of a matrix, which may be non-square; 0 elsewhere.
struct identity_initializer {
    double gain = 1;
    std::uint64_t seed = 0;
    constexpr initial_law law() const { return {initial_law::form::identity, 0, gain, seed}; }
};

namespace detail {
/// Whether an initializer for all variables includes this one. State, counters and frozen weights are excluded.
inline bool is_initialized(stored_variable const& v) { return v.trainable && has_gradient(v.type); }
/// The law of a variable that begins alone.
inline initial_law start_of(stored_variable const& v) {
    using form = initial_law::form;
    return {v.starts == start_form::second_quarter ? form::second_quarter : form::constant, v.start, 0, 0};
}
/// The law for one variable, with its fan divided out. `named` means that the law was given for this variable, not for
/// all. Throws value_error, shape_error.
initial_law law_for(initial_law l, stored_variable const& v, bool named);
/// One element by a law of law_for that computes elements separately. It depends only on the law, the variable's name
/// and the element's number.
double initial_element(initial_law const& l, stored_variable const& v, std::int64_t i);
/// Sets all elements by a law of law_for.
void fill_initial(initial_law const& l, stored_variable const& v);

#if XGRAD_COMPILED != 1
struct initial_number {
    char text[32];
    explicit initial_number(double x) { std::snprintf(text, sizeof text, "%g", x); }
};
XGRAD_COLD XGRAD_HOST initial_law law_for(initial_law l, stored_variable const& v, bool named) {
    using form = initial_law::form;
    if (!named && l.of_matrices() && v.rank < 2) return {form::constant, 0, 0, l.seed};
    if (!(l.width >= 0) && l.random() && l.kind != form::orthogonal)
        raise_parts<value_error>({"xgrad: the initializer of the variable \"", v.name,
            "\": scale, range and standard deviation must not be negative, found ", initial_number(l.width).text});
    if (!(l.centre - l.centre == 0) || !(l.width <= std::numeric_limits<double>::max()))
        raise_parts<value_error>({"xgrad: the initializer of the variable \"", v.name, "\": its numbers must be finite, found ",
            initial_number(l.centre - l.centre == 0 ? l.width : l.centre).text});
    if (l.by_fan && l.width == 0)
        raise_parts<value_error>(
            {"xgrad: the initializer of the variable \"", v.name, "\": the scale of variance_scaling must be positive"});
    if (l.random() && !has_gradient(v.type))
        raise_parts<value_error>({"xgrad: the initializer of the variable \"", v.name, "\" is random, and the variable is not floating"});
    if (l.kind == form::constant && !has_gradient(v.type) && (l.centre != libm::floor(l.centre) || libm::abs(l.centre) > 0x1p31))
        raise_parts<value_error>({"xgrad: the initializer of the variable \"", v.name, "\" is not an integer, but the variable is"});
    if (l.kind == form::orthogonal && v.rank < 2)
        raise_parts<shape_error>(
            {"xgrad: the initializer orthogonal needs a variable of at least two axes, and \"", v.name, "\" has ", v.rank});
    if (l.kind == form::identity && v.rank != 2)
        raise_parts<shape_error>(
            {"xgrad: the initializer identity needs a matrix, and the variable \"", v.name, "\" has ", v.rank, " axes"});
    if (!l.by_fan) return l;
    double fan_in = 1, fan_out = 1;
    if (v.rank == 1) fan_in = fan_out = static_cast<double>(v.extents[0]);
    if (v.rank > 1) {
        double field = 1;
        for (int d = 0; d + 2 < v.rank; ++d) field *= static_cast<double>(v.extents[d]);
        fan_in = field * static_cast<double>(v.extents[v.rank - 2]);
        fan_out = field * static_cast<double>(v.extents[v.rank - 1]);
    }
    double const chosen = l.of == fan::in ? fan_in : l.of == fan::out ? fan_out : (fan_in + fan_out) / 2;
    double const units = chosen < 1 ? 1 : chosen, variance = l.width / units;
    constexpr double cut_off = 0.87962566103423978;   // standard deviation of the standard normal distribution between -2 and 2
    l.width = l.kind == form::uniform  ? libm::sqrt(3 * l.width / units)
              : l.kind == form::normal ? libm::sqrt(variance)
                                       : libm::sqrt(variance) / cut_off;
    l.by_fan = false;
    return l;
}
inline random_key key_of(initial_law const& l, stored_variable const& v) {
    random_key key;
    key.seed = l.seed;
    key.name_hash = v.hash;
    return key;
}
// Each attempt is a step of the random stream.
XGRAD_HOST double normal_element(initial_law const& l, stored_variable const& v, std::int64_t i) {
    philox_key const key = philox_key_of(key_of(l, v));
    for (std::uint64_t attempt = 0;; ++attempt) {
        double const z = standard_normal(philox(philox_counter_of(attempt, static_cast<std::uint64_t>(i)), key));
        if (l.kind != initial_law::form::truncated_normal || libm::abs(z) <= 2) return z;
    }
}
XGRAD_HOST double initial_element(initial_law const& l, stored_variable const& v, std::int64_t i) {
    using form = initial_law::form;
    switch (l.kind) {
    case form::uniform: return l.centre + (2.0 * uniform01(random_bits(key_of(l, v), static_cast<std::uint64_t>(i))) - 1.0) * l.width;
    case form::normal:
    case form::truncated_normal: return l.centre + l.width * normal_element(l, v, i);
    case form::identity: return i / v.extents[1] == i % v.extents[1] ? l.width : 0;
    case form::second_quarter: return 4 * i >= v.size && 4 * i < 2 * v.size ? l.centre : 0;
    case form::constant:
    case form::orthogonal: break;   // orthogonal: one element cannot be computed alone
    }
    return l.centre;
}
// Gram and Schmidt, with two passes per column, which is enough (Giraud, Langou, Rozložník 2005). The diagonal of R is
// a norm and so positive.
XGRAD_HOST void fill_orthogonal(initial_law const& l, stored_variable const& v) {
    std::int64_t const columns = v.extents[v.rank - 1], rows = columns == 0 ? 0 : v.size / columns;
    std::int64_t const count = rows < columns ? rows : columns, length = rows < columns ? columns : rows;
    aligned_buffer<double> q(static_cast<std::size_t>(count * length));   // vector by vector
    for (std::int64_t k = 0; k < count; ++k) {
        double* const x = q.data() + k * length;
        for (std::int64_t i = 0; i < length; ++i) x[i] = normal_element(l, v, i * count + k);
        for (int pass = 0; pass < 2; ++pass)
            for (std::int64_t j = 0; j < k; ++j) {
                double const* const y = q.data() + j * length;
                double dot = 0;
                for (std::int64_t i = 0; i < length; ++i) dot += x[i] * y[i];
                for (std::int64_t i = 0; i < length; ++i) x[i] -= dot * y[i];
            }
        double square = 0;
        for (std::int64_t i = 0; i < length; ++i) square += x[i] * x[i];
        double const norm = libm::sqrt(square);
        for (std::int64_t i = 0; i < length; ++i) x[i] /= norm;
    }
    stored_part const part = part_of(v);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            set_elements(part, r * columns + c, 1,
                l.width * (rows < columns ? q[static_cast<std::size_t>(r * length + c)] : q[static_cast<std::size_t>(c * length + r)]));
}
XGRAD_HOST void fill_initial(initial_law const& l, stored_variable const& v) {
    if (l.kind == initial_law::form::orthogonal) return fill_orthogonal(l, v);
    stored_part const part = part_of(v);
    if (l.kind == initial_law::form::constant) return set_elements(part, 0, v.size, l.centre);
    for (std::int64_t i = 0; i < v.size; ++i) set_elements(part, i, 1, initial_element(l, v, i));
}
#endif
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
