// SPDX-License-Identifier: MIT
// The base class of everything that owns variables: initialization, growth, reading and writing by name.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/arrays/array.hpp>
#include <xgrad/compile/program.hpp>
#include <xgrad/exec/initial.hpp>
#include <xgrad/store/variable_store.hpp>

#include <array>

XGRAD_NAMESPACE_BEGIN

namespace detail {
[[noreturn]] XGRAD_COLD inline void raise_dimensions(std::string_view what, sequence<bound_size> const& there) {
    raise_parts<binding_error>({"xgrad: ", what, names_text(there, [](bound_size const& d) { return d.info->name; })});
}
/// The result of value(v) after it refused v. Indexing and reading it give no second error.
struct refused_view : tensor_view<float, 0> {
    template<class... I>
    float& operator()(I const&...) const {
        return *data();
    }
    template<class T>
    refused_view const& operator=(T const&) const {
        return *this;
    }
};
}   // namespace detail

/// Reads and writes the variables of a store. Base class of trainers and xg::variables.
class variable_owner {
protected:
    owned_store store_;   // shared with the trainers that are made on it

    explicit variable_owner(variable_owner* shared = nullptr) : store_(shared != nullptr ? owned_store(shared->store_) : owned_store()) {}
    variable_owner(variable_owner&&) = default;
    variable_owner& operator=(variable_owner&&) = default;
    ~variable_owner() = default;

    /// Makes the variables of a plan, with these sizes of their named dimensions. Throws binding_error, value_error,
    /// shape_error.
    void make_variables(runtime_plan const& plan, dim_size const* sizes, int size_count);
    /// The sizes of all named dimensions of the variables of a plan. Throws binding_error for a missing one,
    /// value_error for a negative one.
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
        static_assert(detail::is_variable<V> || detail::was_refused<V>,
            "xgrad: value(v): v is an expression, not a variable; for its value make an xgrad::function");
        if constexpr (detail::is_variable<V>) {
            using element = std::conditional_t<Constant, typename V::element const, typename V::element>;
            return view_of<element, V::rank>(find(V::info.attrs.name, V::info.value));
        } else return tensor_view<float, 0>();
    }
    /// `type` is the variable's element type, or float if that has 16 bits.
    static void copy_into(stored_variable const& v, array_ref const& a, dtype type);

    /// Throws shape_error or binding_error if the array does not fit.
    static void check_array(stored_variable const& v, array_ref const& a);
    /// Applies the laws of the named variables, then `others` to all others (null: none). Everything is checked first.
    void fill(initial_law const* others, sequence<detail::chosen_initial> const& named);
    /// The law by which a variable is initialized. Returns false if the variable is not filled by a law.
    static bool law_of(
        initial_law& law, initial_law const* others, sequence<detail::chosen_initial> const& named, stored_variable const& v);
    void grow_to(sequence<bound_size>& sizes, initial_law const& others, sequence<detail::chosen_initial> const& named);
    template<class How, class... V>
    void choose(sequence<detail::chosen_initial>& list, detail::initial_group<How, V...> const& group) const {
        auto const add = [&](stored_variable const& v) { list.push(detail::chosen_of(group.how, v)); };
        (add(find(V::info.attrs.name, V::info.value)), ...);
    }
    static void choose(sequence<detail::chosen_initial>&, detail::refused_initial) {}

public:
    variable_store& store() { return *store_; }
    variable_store const& store() const { return *store_; }

    /// Sets start values:
    ///
    ///     train.initialize(xg::glorot_uniform{.seed = 1}, xg::initial(xg::orthogonal{}, recurrent), xg::initial(array, table));
    ///
    /// * The first initializer is for all trainable floating variables that no `initial` names. Without it, only named
    ///   variables change.
    /// * Initializers for matrices (by fan, orthogonal, identity) set vectors and numbers, which are biases, to 0.
    /// * A non-trainable variable changes only if it is named.
    /// * Variables of layers that have a start value, such as gamma of nn::batch_norm, are set to it.
    /// * Random numbers depend only on the seed, the variable's name and the element.
    /// * A seed of 0 in an `initial` means the seed of the first initializer. Dropout and other random operations use
    ///   that seed too.
    ///
    /// Throws shape_error, value_error, binding_error. Nothing has changed then.
    template<class First, class... Rest>
    void initialize(First const& first, Rest const&... rest) {
        constexpr bool whole = Initializer<First>;
        constexpr bool known = (whole || detail::is_initial_group<First>)&&(detail::is_initial_group<Rest> && ...);
        static_assert(known,
            "xgrad: initialize(how, ...): how is not an initializer; write xgrad::glorot_uniform{.seed = 1}, then for single "
            "variables xgrad::initial(how, v...) or xgrad::initial(array, w)");
        if constexpr (known && detail::is_named_once<First, Rest...>()) {
            sequence<detail::chosen_initial> named;
            if constexpr (whole) {
                initial_law const law = first.law();
                (choose(named, rest), ...);
                fill(&law, named);
            } else {
                choose(named, first);
                (choose(named, rest), ...);
                fill(nullptr, named);
            }
        }
    }
    template<class R = void>
    void initialize() {
        static_assert(!std::is_void_v<R>, "xgrad: initialize() has no initializer; write initialize(xgrad::glorot_uniform{.seed = 1})");
    }
    template<class... A>
    void initialize(A const&...) const {
        static_assert(sizeof...(A) < 0,
            "xgrad: initialize, assign or grow is called on a constant owner, whose variables would change; remove const");
    }
    template<class... A>
    void assign(A const&... a) const {
        initialize(a...);
    }
    template<class... A>
    void grow(A const&... a) const {
        initialize(a...);
    }
    /// A view of one variable for reading and writing: `train.value(w1)`. If the owner is const, only for reading.
    /// Throws binding_error if the owner has no variable of that name, shape_error if its shape or element type
    /// differs.
    template<Expr V>
    auto value(V const&) {
        return viewed<false, V>();
    }
    template<Expr V>
    auto value(V const&) const {
        return viewed<true, V>();
    }
    template<class V>
        requires(!Expr<V>)
    auto value(V const&) const {
        static_assert(detail::never<V>,
            "xgrad: value(v): v is a name or another object, not a variable; write train.value(w), or with a name of the program "
            "train.value(xgrad::variable<\"w\", float, 4, 3>)");
        return detail::refused_view();
    }
    template<fixed_string Name>
    auto value() const {   // catches value<"w">()
        static_assert(detail::never<decltype(Name)>,
            "xgrad: value<name>(): a name does not say which shape a variable has; write train.value(w), or "
            "train.value(xgrad::variable<\"w\", float, 4, 3>)");
        return detail::refused_view();
    }
    template<Expr V>
    void assign(V const&, detail::in_braces) {
        static_assert(detail::never<V>,
            "xgrad: assign(v, array): numbers in braces have no element type and no shape; give a std::vector, or xgrad::array(pointer, rows, columns)");
    }
    template<class Array>
    void assign(detail::in_braces, Array const&) {
        static_assert(
            detail::never<Array>, "xgrad: assign(v, array): variables are in braces; assign one at a time: train.assign(w, array)");
    }
    template<class V, class Array>
        requires(!Expr<V>)
    void assign(V const&, Array const&) {
        static_assert(
            detail::never<V>, "xgrad: assign(v, array): the first argument is not a variable; write the variable first, then the array");
    }
    /// Copies an array into a variable: `train.assign(w1, weights)`. Floats are rounded for a bfloat16 or float16
    /// variable. Throws shape_error or binding_error.
    template<Expr V, class Array>
    void assign(V const& variable, Array const& array) {
        static_assert(detail::is_variable<V> || detail::was_refused<V>,
            "xgrad: assign(v, array): v is not a variable; give a variable, and bind arrays to inputs in a call");
        if constexpr (detail::is_variable<V>) {
            constexpr bool array_like = detail::is_array_like<Array>();
            using given = typename detail::element_of<Array>::type;
            constexpr bool same_type =
                std::is_same_v<given, typename V::element> || (std::is_same_v<given, float> && detail::is_half_type<typename V::element>);
            static_assert(same_type || !array_like,
                "xgrad: assign(v, array): the array has another element type than the variable; convert it first, or xt::eval an "
                "xtensor expression; bfloat16 and float16 also take float");
            if constexpr (same_type) {
                store_->expect_no_run("assign(v, array)", store_access::change);
                copy_into(of(variable), detail::refer_to(array), dtype_of<given>);
            }
        }
    }
    /// Sets larger sizes of named dimensions between steps:
    /// `train.grow(features = 600, xg::random_uniform{.seed = 1})`.
    /// * Elements keep their index and value, also in the slots of all trainers.
    /// * New elements of variables come from the initializers, as in `initialize`. They equal those of a variable that
    ///   was initialized with the new size. They are 0 if `initialize` would not change the variable.
    /// * New elements of slots get the start value of the rule.
    /// * Views of variables and slots become invalid. Functions and trainers adapt at their next call. Reserved memory
    ///   may be too small now.
    ///
    /// Throws shape_error if a variable would shrink, binding_error if no variable has the dimension, and
    /// std::bad_alloc. Nothing has changed then.
    template<class... A>
        requires(sizeof...(A) > 0)
    void grow(A const&... arguments) {
        constexpr bool single = (detail::gives_elements<A> && ...);
        static_assert(single,
            "xgrad: grow(features = 600, how): an array, or orthogonal, has no values for new elements only; write another "
            "initializer, and assign the variable after grow");
        constexpr int count = (static_cast<int>(Initializer<A>) + ...);
        constexpr bool initializes = count == 1 && ((Initializer<A> || detail::is_initial_group<A> || std::is_same_v<A, dim_size>)&&...);
        static_assert(initializes || !single,
            "xgrad: grow(features = 600, how): how is missing, or is not an initializer of the new elements; write "
            "xgrad::random_uniform{.seed = 1}");
        if constexpr (initializes && single && detail::is_named_once<A...>()) {
            sequence<bound_size> sizes(store_->sizes());
            sequence<detail::chosen_initial> named;
            initial_law others{};
            auto const take = [&]<class T>(T const& given) {
                if constexpr (std::is_same_v<T, dim_size>) {
                    bound_size* at = sizes.begin();
                    while (at != sizes.end() && at->info->hash != given.hash) ++at;
                    if (at == sizes.end())
                        detail::raise_dimensions("grow: no variable has one of these named dimensions; variables have ", sizes);
                    check_size(at->info->name, given.size);
                    at->size = given.size;
                } else if constexpr (Initializer<T>) others = given.law();
                else choose(named, given);
            };
            (take(arguments), ...);
            grow_to(sizes, others, named);
        }
    }
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void variable_owner::make_variables(runtime_plan const& plan, dim_size const* sizes, int size_count) {
    sequence<stored_variable> list;
    for (int k = 0; k < plan.variable_count; ++k) {
        leaf_info const& l = plan.variables[k];
        stored_variable v{l.name, l.hash, l.type, l.rank, {}, 0, nullptr, {}, l.trainable, l.starts, l.start};
        for (int d = 0; d < l.rank; ++d) v.shape[d] = plan.polynomials[l.extents[d]];
        list.push(v);
    }
    sequence<bound_size> bound = bind_sizes(plan, sizes, size_count);
    store_->create(list, bound);
    for (auto const& v : store_->variables())
        if (begins_alone(v)) detail::fill_initial(detail::start_of(v), v);
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
XGRAD_HOST void variable_owner::check_array(stored_variable const& v, array_ref const& a) {
    bool same = a.rank == v.rank;
    for (int d = 0; same && d < v.rank; ++d) same = a.extents[d] == v.extents[d];
    if (!same)
        raise_parts<shape_error>({"xgrad: assign: the array has another shape than the variable \"", v.name, "\": it has ",
            detail::shape_text(a.extents, static_cast<std::size_t>(a.rank < max_rank ? a.rank : max_rank)), ", the variable ",
            detail::shape_text(v.extents, static_cast<std::size_t>(v.rank)),
            a.rank == 1 && v.rank > 1 ? "; give its extents: xgrad::array(pointer, extents...)" : ""});
    if (!a.contiguous)
        raise_parts<binding_error>(
            {"xgrad: assign: the array for \"", v.name, "\" is not contiguous; copy it to a row-major container first"});
}
XGRAD_HOST void variable_owner::copy_into(stored_variable const& v, array_ref const& a, dtype type) {
    check_array(v, a);
    if (type == v.type) std::memmove(v.data, a.data, static_cast<std::size_t>(v.size) * size_of(v.type));
    else round_elements(part_of(v), static_cast<float const*>(a.data));
}
XGRAD_COLD XGRAD_HOST bool variable_owner::law_of(
    initial_law& law, initial_law const* others, sequence<detail::chosen_initial> const& named, stored_variable const& v) {
    for (detail::chosen_initial const& c : named)
        if (c.variable->hash == v.hash) {
            if (c.given) return false;   // an array is copied instead
            law = c.law;
            if (law.seed == 0 && others != nullptr) law.seed = others->seed;
            law = detail::law_for(law, v, true);
            return true;
        }
    if (others == nullptr || !detail::is_initialized(v)) return false;
    bool const turned = v.starts == start_form::orthogonal && others->by_fan;
    if (begins_alone(v)) law = detail::start_of(v);
    else law = detail::law_for(turned ? orthogonal{others->seed, v.start}.law() : *others, v, turned);
    return true;
}
XGRAD_COLD XGRAD_HOST void variable_owner::fill(initial_law const* others, sequence<detail::chosen_initial> const& named) {
    store_->expect_no_run("initialize(...)", store_access::change);
    initial_law law{};
    for (auto const& c : named)
        if (c.given) check_array(*c.variable, c.array);
    for (auto const& v : store_->variables()) law_of(law, others, named, v);   // throws before anything has changed
    for (auto const& v : store_->variables())
        if (law_of(law, others, named, v)) detail::fill_initial(law, v);
    for (auto const& c : named)
        if (c.given) copy_into(*c.variable, c.array, c.type);
    if (others != nullptr) store_->seed = others->seed;
}
XGRAD_COLD XGRAD_HOST void variable_owner::grow_to(
    sequence<bound_size>& sizes, initial_law const& others, sequence<detail::chosen_initial> const& named) {
    store_->expect_no_run("grow(...)", store_access::step);
    initial_law law{};
    std::uint64_t of = 0;
    bool any = false;
    store_->grow(sizes, [&](stored_variable const& v, std::int64_t i) {
        if (of != v.hash) {
            of = v.hash;
            any = law_of(law, &others, named, v);
            if (!any && begins_alone(v)) law = detail::start_of(v), any = true;
        }
        if (any) set_elements(part_of(v), i, 1, detail::initial_element(law, v, i));
    });
}
#endif

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
