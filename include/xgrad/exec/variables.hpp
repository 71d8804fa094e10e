// SPDX-License-Identifier: MIT
// Owners of variables: creation from a program, initialisation, reading and writing by name.
#pragma once

#include <xgrad/core/array.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/exec/program.hpp>
#include <xgrad/exec/variable_store.hpp>

#include <array>
#include <cmath>

XGRAD_NAMESPACE_BEGIN

/// Uniform in ±sqrt(6 / (fan_in + fan_out)) for matrices (Glorot, Bengio 2010), 0 for vectors and numbers. Tensors of higher rank: the last two axes
/// are fan in and fan out, multiplied by the others.
struct glorot_uniform {
    std::uint64_t seed = 0;
    double limit(int rank, std::int64_t const* extents) const {
        if (rank < 2) return 0;
        double field = 1;
        for (int d = 0; d + 2 < rank; ++d) field *= static_cast<double>(extents[d]);
        return std::sqrt(6.0 / (field * static_cast<double>(extents[rank - 2] + extents[rank - 1])));
    }
};
/// Uniform in ±limit for every variable.
struct random_uniform {
    std::uint64_t seed = 0;
    double range = 0.05;
    double limit(int, std::int64_t const*) const { return range; }
};

/// Reading and writing the variables of a store; what trainers and xg::variables share.
class variable_owner {
protected:
    std::unique_ptr<variable_store> store_ = std::make_unique<variable_store>();

    template<class P>
    static stored_variable describe(int k) {
        leaf_info const& l = P::runtime.variables[k];
        stored_variable v{};
        v.name = l.name;
        v.hash = l.hash;
        v.type = l.type;
        v.rank = l.rank;
        v.size = 1;
        v.group = -1;
        for (int d = 0; d < l.rank; ++d) v.size *= v.extents[d] = P::runtime.polynomials[l.extents[d]].constant;
        return v;
    }
    template<class V>
    stored_variable const& of(V const&) const {
        std::int64_t extents[max_rank]{};
        for (int d = 0; d < V::rank; ++d) extents[d] = V::info.value.dims.extents[d].constant;
        return store_->at(V::info.attrs.name, V::info.value.type, V::rank, extents);
    }
    template<bool Constant, class V>
    auto view_of(V const& variable) const {
        static_assert(
            detail::is_variable<V>, "xgrad: value(v) takes a variable, not an expression of variables; for that make an xgrad::function");
        if constexpr (detail::is_variable<V>) {
            auto const& v = of(variable);
            std::array<std::int64_t, V::rank> shape{};
            for (int d = 0; d < V::rank; ++d) shape[static_cast<std::size_t>(d)] = v.extents[d];
            using element = std::conditional_t<Constant, typename V::element const, typename V::element>;
            return tensor_view<element, V::rank>(static_cast<element*>(v.data), shape);
        } else return tensor_view<float, 0>();
    }
    static void copy_into(stored_variable const& v, array_ref const& a) {
        bool same = a.rank == v.rank;
        for (int d = 0; same && d < v.rank; ++d) same = a.extents[d] == v.extents[d];
        if (!same) raise<shape_error>("xgrad: assign: the array has another shape than the variable \"" + std::string(v.name) + "\"");
        if (!a.contiguous)
            raise<binding_error>(
                "xgrad: assign: the array for \"" + std::string(v.name) + "\" lies with strides; copy it to a row-major container first");
        std::memmove(v.data, a.data, static_cast<std::size_t>(v.size) * size_of(v.type));
    }

    template<class Initializer>
    void fill(Initializer const& initializer) {
        store_->seed = initializer.seed;
        for (auto const& v : store_->variables()) {
            double const limit = initializer.limit(v.rank, v.extents);
            random_key key;
            key.seed = initializer.seed;
            key.name_hash = v.hash;
            for (std::int64_t i = 0; i < v.size; ++i) {
                double const x = limit == 0 ? 0 : (2.0 * uniform01(random_bits(key, static_cast<std::uint64_t>(i))) - 1.0) * limit;
                if (v.type == dtype::float32) static_cast<float*>(v.data)[i] = static_cast<float>(x);
                else if (v.type == dtype::float64) static_cast<double*>(v.data)[i] = x;
            }
        }
    }

public:
    variable_store& store() { return *store_; }
    variable_store const& store() const { return *store_; }

    /// Fills all trainable and other floating variables from an initialiser; random streams are keyed by its seed and the variable's name.
    /// Also sets the seed of dropout and other random operations.
    template<class Initializer>
    void initialize(Initializer const& initializer) {
        constexpr bool initializes = requires {
            initializer.seed;
            initializer.limit(0, nullptr);
        };
        static_assert(initializes, "xgrad: initialize(how): how must be an initializer such as xgrad::glorot_uniform{.seed = 1}");
        if constexpr (initializes) fill(initializer);
    }
    /// A view of one variable, for reading and writing, of a constant owner for reading: `train.value(w1)`. Throws binding_error where the owner has
    /// no variable of that name, shape_error where it has another shape or element type.
    template<Expr V>
    auto value(V const& variable) {
        return view_of<false>(variable);
    }
    template<Expr V>
    auto value(V const& variable) const {
        return view_of<true>(variable);
    }
    /// Copies an array into a variable: `train.assign(w1, weights)`. Throws shape_error or binding_error.
    template<Expr V, class Array>
    void assign(V const& variable, Array const& array) {
        static_assert(detail::is_variable<V>, "xgrad: assign(v, array): v must be a variable");
        if constexpr (detail::is_variable<V>) {
            constexpr bool same_type = std::is_same_v<typename detail::element_of<Array>::type, typename V::element>;
            static_assert(same_type, "xgrad: assign(v, array): the array must hold elements of the variable's type; convert it first, or "
                                     "xt::eval an xtensor expression");
            if constexpr (same_type) copy_into(of(variable), detail::refer_to(array));
        }
    }
};

/// The variables of expressions without a trainer: `xg::variables vars{logits}; vars.initialize(...); xg::function f{logits, vars};`
template<class... E>
class variables : public variable_owner {
public:
    explicit variables(E const&...) {
        using P = program<expression_list<E...>>;
        sequence<stored_variable> list;
        for (int k = 0; k < P::runtime.view().variable_count; ++k) list.push(describe<P>(k));
        store_->create(list);
    }
};
template<class... E>
variables(E const&...) -> variables<E...>;

XGRAD_NAMESPACE_END
