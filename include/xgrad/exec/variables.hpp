// SPDX-License-Identifier: MIT
// Owners of variables: creation from a program, initialisation, reading and writing by name.
#pragma once

#include <xgrad/core/array.hpp>
#include <xgrad/core/random.hpp>
#include <xgrad/compile/program.hpp>
#include <xgrad/meta/libm.hpp>
#include <xgrad/store/variable_store.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

/// Uniform in ±sqrt(6 / (fan_in + fan_out)) for matrices (Glorot, Bengio 2010), 0 for vectors and numbers. Tensors of higher rank: the last two axes
/// are fan in and fan out, multiplied by the others.
struct glorot_uniform {
    std::uint64_t seed = 0;
    double limit(int rank, std::int64_t const* extents) const {
        if (rank < 2) return 0;
        double field = 1;
        for (int d = 0; d + 2 < rank; ++d) field *= static_cast<double>(extents[d]);
        return libm::sqrt(6.0 / (field * static_cast<double>(extents[rank - 2] + extents[rank - 1])));
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
    shared_store store_;   // with the trainers that are made on it

    explicit variable_owner(variable_owner* shared = nullptr) : store_(shared != nullptr ? shared->store_ : shared_store()) {}
    variable_owner(variable_owner&&) = default;
    variable_owner& operator=(variable_owner&&) = default;
    ~variable_owner() = default;

    /// The variables of a plan, with these sizes of their named dimensions. Throws binding_error, value_error, shape_error.
    void make_variables(runtime_plan const& plan, dim_size const* sizes, int size_count);
    /// What the owner is given for the named dimensions of the variables of a plan. Throws binding_error, value_error.
    static sequence<bound_size> bind_sizes(runtime_plan const& plan, dim_size const* given, int count);
    static void check_size(std::string_view name, std::int64_t size);
    template<class V>
    stored_variable const& of(V const&) const {
        return find(V::info.attrs.name, V::info.value);
    }
    stored_variable const& find(std::string_view name, value_info const& declared) const;
    template<class T, int Rank>
    static tensor_view<T, Rank> view_of(stored_variable const& v) {
        std::array<std::int64_t, Rank> shape{};
        for (int d = 0; d < Rank; ++d) shape[static_cast<std::size_t>(d)] = v.extents[d];
        return tensor_view<T, Rank>(static_cast<T*>(v.data), shape);
    }
    template<bool Constant, class V>
    auto viewed() const {
        static_assert(
            detail::is_variable<V>, "xgrad: value(v) takes a variable, not an expression of variables; for that make an xgrad::function");
        if constexpr (detail::is_variable<V>) {
            using element = std::conditional_t<Constant, typename V::element const, typename V::element>;
            return view_of<element, V::rank>(find(V::info.attrs.name, V::info.value));
        } else return tensor_view<float, 0>();
    }
    /// Of the variable's element type, or of float where that has 16 bits.
    static void copy_into(stored_variable const& v, array_ref const& a, dtype type);

    static void fill(stored_variable const& v, std::uint64_t seed, double limit);
    static double initial(stored_variable const& v, std::uint64_t seed, double limit, std::int64_t i);
    template<class Initializer>
    void fill(Initializer const& initializer) {
        store_->seed = initializer.seed;
        for (auto const& v : store_->variables()) fill(v, initializer.seed, initializer.limit(v.rank, v.extents));
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
    auto value(V const&) {
        return viewed<false, V>();
    }
    template<Expr V>
    auto value(V const&) const {
        return viewed<true, V>();
    }
    /// Copies an array into a variable: `train.assign(w1, weights)`; floats are rounded into one of bfloat16 or float16. Throws shape_error or
    /// binding_error.
    template<Expr V, class Array>
    void assign(V const& variable, Array const& array) {
        static_assert(detail::is_variable<V>, "xgrad: assign(v, array): v must be a variable");
        if constexpr (detail::is_variable<V>) {
            constexpr bool array_like = detail::is_array_like<Array>();
            using given = typename detail::element_of<Array>::type;
            constexpr bool same_type =
                std::is_same_v<given, typename V::element> || (std::is_same_v<given, float> && detail::is_half_type<typename V::element>);
            static_assert(same_type || !array_like,
                "xgrad: assign(v, array): the array must hold elements of the variable's type, of bfloat16 and float16 also float; convert it first, "
                "or xt::eval an xtensor expression");
            if constexpr (same_type) copy_into(of(variable), detail::refer_to(array), dtype_of<given>);
        }
    }
    /// Larger sizes of named dimensions, between steps: `train.grow(features = 600, xg::random_uniform{.seed = 1})`. Elements keep their index and
    /// value, also in the slots of all trainers; new elements of variables come from the initializer (the same that a variable of this size would have
    /// been initialised with), those of slots are what the rule began with. Views of variables and slots become invalid; functions and trainers
    /// follow at their next call. What was reserved may be too little now. Throws shape_error where a variable would shrink, binding_error where no
    /// variable has the dimension, std::bad_alloc; then nothing has been changed.
    template<class... A>
        requires(sizeof...(A) > 0)
    void grow(A const&... arguments) {
        auto const last = std::tie(arguments...);
        auto const& initializer = std::get<sizeof...(A) - 1>(last);
        constexpr bool initializes = requires {
            initializer.seed;
            initializer.limit(0, nullptr);
        };
        static_assert(initializes, "xgrad: grow(features = 600, how): how must be an initializer of the new elements, such as "
                                   "xgrad::random_uniform{.seed = 1}");
        if constexpr (initializes) {
            sequence<bound_size> sizes(store_->sizes());
            auto const resize = [&](auto const& given) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(given)>, dim_size>) {
                    bound_size* at = sizes.begin();
                    while (at != sizes.end() && at->info->hash != given.hash) ++at;
                    if (at == sizes.end()) raise<binding_error>("xgrad: grow: no variable has one of these named dimensions");
                    check_size(at->info->name, given.size);
                    at->size = given.size;
                }
            };
            (resize(arguments), ...);
            store_->grow(sizes, [&](stored_variable const& v, std::int64_t i) {
                set_elements(part_of(v), i, 1, initial(v, initializer.seed, initializer.limit(v.rank, v.extents), i));
            });
        }
    }
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void variable_owner::make_variables(runtime_plan const& plan, dim_size const* sizes, int size_count) {
    sequence<stored_variable> list;
    for (int k = 0; k < plan.variable_count; ++k) {
        leaf_info const& l = plan.variables[k];
        stored_variable v{l.name, l.hash, l.type, l.rank, {}, 0, nullptr, {}};
        for (int d = 0; d < l.rank; ++d) v.shape[d] = plan.polynomials[l.extents[d]];
        list.push(v);
    }
    sequence<bound_size> bound = bind_sizes(plan, sizes, size_count);
    store_->create(list, bound);
}
XGRAD_COLD XGRAD_HOST sequence<bound_size> variable_owner::bind_sizes(runtime_plan const& plan, dim_size const* given, int count) {
    sequence<bound_size> sizes;
    for (variable_dim const& d : variable_dims_of(plan)) {
        dim_size const* at = given;
        while (at != given + count && at->hash != d.info->hash) ++at;
        if (at == given + count)
            raise_parts<binding_error>({"xgrad: the size of the dimension \"", d.info->name, "\" of the variable \"", d.variable->name,
                "\" is missing; write ", d.info->name, " = 300 where the owner is made"});
        check_size(d.info->name, at->size);
        sizes.push({d.info, at->size});
    }
    return sizes;
}
XGRAD_COLD XGRAD_HOST void variable_owner::check_size(std::string_view name, std::int64_t size) {
    if (size < 0) raise_parts<value_error>({"xgrad: the dimension \"", name, "\" cannot have ", size, " elements"});
}
XGRAD_HOST stored_variable const& variable_owner::find(std::string_view name, value_info const& declared) const {
    std::int64_t extents[max_rank]{};
    for (int d = 0; d < declared.dims.rank; ++d) extents[d] = extent_at(declared.dims.extents[d], store_->sizes(), -1);
    return store_->at(name, declared.type, declared.dims.rank, extents);
}
XGRAD_HOST void variable_owner::copy_into(stored_variable const& v, array_ref const& a, dtype type) {
    bool same = a.rank == v.rank;
    for (int d = 0; same && d < v.rank; ++d) same = a.extents[d] == v.extents[d];
    if (!same) raise_parts<shape_error>({"xgrad: assign: the array has another shape than the variable \"", v.name, "\""});
    if (!a.contiguous)
        raise_parts<binding_error>(
            {"xgrad: assign: the array for \"", v.name, "\" lies with strides; copy it to a row-major container first"});
    if (type == v.type) std::memmove(v.data, a.data, static_cast<std::size_t>(v.size) * size_of(v.type));
    else round_elements(part_of(v), static_cast<float const*>(a.data));
}
XGRAD_HOST void variable_owner::fill(stored_variable const& v, std::uint64_t seed, double limit) {
    stored_part const part = part_of(v);
    for (std::int64_t i = 0; i < v.size; ++i) set_elements(part, i, 1, initial(v, seed, limit, i));
}
XGRAD_HOST double variable_owner::initial(stored_variable const& v, std::uint64_t seed, double limit, std::int64_t i) {
    random_key key;
    key.seed = seed;
    key.name_hash = v.hash;
    return limit == 0 ? 0 : (2.0 * uniform01(random_bits(key, static_cast<std::uint64_t>(i))) - 1.0) * limit;
}
#endif

namespace detail {
// Arguments that are sizes of named dimensions, and the others.
template<class T>
inline constexpr bool is_size = std::is_same_v<T, dim_size>;
template<class... A>
sequence<dim_size> sizes_among(A const&... arguments) {
    sequence<dim_size> sizes;
    (
        [&] {
            if constexpr (is_size<A>) sizes.push(arguments);
        }(),
        ...);
    return sizes;
}
template<class... A>
constexpr auto expressions_of() {
    return []<class... E>(std::tuple<E...>*) {
        return expression_list<E...>{};
    }(static_cast<decltype(std::tuple_cat(std::declval<std::conditional_t<is_size<A>, std::tuple<>, std::tuple<A>>>()...))*>(nullptr));
}
template<class T>
inline constexpr bool is_owner = std::is_base_of_v<variable_owner, T>;
/// The owner among the arguments of a trainer, or null.
template<class... A>
variable_owner* owner_among(A&... arguments) {
    variable_owner* found = nullptr;
    (
        [&] {
            if constexpr (is_owner<A>) found = &arguments;
        }(),
        ...);
    return found;
}
/// Sizes are given to an owner of the variables of P.
template<class P, int Given>
constexpr bool sizes_fit() {
    static_assert(P::variable_dims == Given,
        "xgrad: an owner is made with the sizes of the named dimensions of its variables, one for each: minimize(loss, rule, features = 300) or "
        "variables{expression, features = 300}; other dimensions take theirs from the arrays of a call");
    return P::variable_dims == Given;
}
}

/// The variables of expressions without a trainer: `xg::variables vars{logits}; vars.initialize(...); xg::function f{logits, vars};`
/// Sizes of the named dimensions of variables stand behind the expressions: `xg::variables vars{logits, features = 300};`
template<class... A>
class variables : public variable_owner {
public:
    explicit variables(A const&... arguments) {
        constexpr bool known = ((Expr<A> || detail::is_size<A>)&&...);
        static_assert(known,
            "xgrad::variables{expressions..., sizes...}: something is neither an expression nor the size of a named dimension, features = 300; the outputs "
            "of a function are given one by one, variables{a, b}, a tuple of gradients is taken apart first, and a gradient that is none has no value");
        if constexpr (known) {
            using P = program<decltype(detail::expressions_of<A...>())>;
            if constexpr (detail::sizes_fit<P, (0 + ... + static_cast<int>(detail::is_size<A>))>()) {
                sequence<dim_size> const sizes = detail::sizes_among(arguments...);
                make_variables(P::runtime.view(), sizes.at, sizes.count);
            }
        }
    }
};
template<class... A>
variables(A const&...) -> variables<A...>;

XGRAD_NAMESPACE_END
