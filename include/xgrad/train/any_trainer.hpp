// SPDX-License-Identifier: MIT
// Trainers and functions whose types do not show the model. Inputs and variables are found by name at run time.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/exec/named_arrays.hpp>
#include <xgrad/train/minimize.hpp>

#include <memory>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// A result or a variable: the type of its elements, their address and its extents. It is valid as long as the view that it was
/// made from.
struct any_view {
    dtype type = dtype::literal;
    void* first = nullptr;
    std::vector<std::int64_t> shape;

    std::int64_t size() const {
        std::int64_t n = 1;
        for (std::int64_t const e : shape) n *= e;
        return n;
    }
    /// The elements in row-major order. Throws dtype_error if they have another type.
    template<class T>
    std::span<T> as() const {
        if (dtype_of<std::remove_const_t<T>> != type)
            raise_parts<dtype_error>({"xgrad: any_view::as: the elements are of type ", to_string(type), ", and are asked for as ",
                to_string(dtype_of<std::remove_const_t<T>>)});
        return {static_cast<T*>(first), static_cast<std::size_t>(size())};
    }
};

/// An input that any_trainer and any_function expect: its name, element type and rank.
struct any_input {
    std::string_view name;
    dtype type;
    int rank;
};

namespace detail {
template<class P>
std::vector<any_input> inputs_of() {
    std::vector<any_input> list;
    auto const& plan = P::runtime.view();
    for (int i = 0; i < plan.input_count; ++i)
        if (plan.inputs[i].values == nullptr &&
            plan.inputs[i].hash != info_of<std::remove_const_t<decltype(loss_scale)>>->attrs.name_hash)   // the trainer binds it itself
            list.push_back({plan.inputs[i].name, plan.inputs[i].type, plan.inputs[i].rank});
    return list;
}
struct given_law {
    initial_law how;
    initial_law law() const { return how; }
};
}   // namespace detail

/// Any trainer whose steps return one number, the loss:
///
///     xg::any_trainer train = xg::minimize(loss, xg::adam{});
///     double const loss = train({{"x", images}, {"y", labels}});
///     xg::save(train, "model.safetensors");
///
/// A step costs one virtual call and a comparison of names more than the trainer's step. save, restore and function take it as an
/// owner.
class any_trainer {
    struct base {
        virtual ~base() = default;
        virtual double step(named_arrays const& arrays) = 0;
        virtual void initialize(initial_law const& law) = 0;
        virtual void reserve(dim_size const* sizes, int count) = 0;
        virtual void check_finite(bool on) = 0;
        virtual variable_store& store() = 0;
        virtual std::int64_t global_step() const = 0;
        virtual std::vector<any_input> inputs() const = 0;
    };
    template<class P>
    struct holder final : base {
        trainer<P> train;
        explicit holder(trainer<P>&& t) : train(std::move(t)) {}
        double step(named_arrays const& arrays) override { return static_cast<double>(train(arrays)); }
        void initialize(initial_law const& law) override { train.initialize(detail::given_law{law}); }
        void reserve(dim_size const* sizes, int count) override { train.reserve_all(sizes, count); }
        void check_finite(bool on) override { train.check_finite(on); }
        variable_store& store() override { return train.store(); }
        std::int64_t global_step() const override { return train.global_step(); }
        std::vector<any_input> inputs() const override { return detail::inputs_of<P>(); }
    };
    std::unique_ptr<base> held_;
    base& held() const { return *detail::still_there(held_.get()); }

public:
    /// Takes ownership of the trainer.
    template<class P>
    any_trainer(trainer<P>&& train) {
        constexpr bool one_number = P::outputs::count == 1 && requires(trainer<P> t, named_arrays a) { static_cast<double>(t(a)); };
        static_assert(one_number,
            "xgrad::any_trainer: a step does not return one number; give a trainer that does, such as that of minimize(loss, rule)");
        if constexpr (one_number) held_ = std::make_unique<holder<P>>(std::move(train));
    }
    template<class T>   // for anything that is not a trainer, or is an lvalue
        requires(!std::is_same_v<std::remove_cvref_t<T>, any_trainer>)
    any_trainer(T&&) {
        static_assert(sizeof(T) == 0,
            "xgrad::any_trainer: the argument is not a trainer, or is not moved; write any_trainer train = minimize(loss, adam{}), "
            "std::move(train) if it has a name, or any_function for a function");
    }
    /// Runs one training step and returns the loss before it. Throws like a step of the trainer and like named_arrays.
    double operator()(named_arrays const& arrays) { return held().step(arrays); }
    /// Like trainer::initialize with one initializer.
    template<Initializer How>
    void initialize(How const& how) {
        held().initialize(how.law());
    }
    /// Allocates memory for steps with these sizes: `train.reserve({batch = 256})`.
    void reserve(std::initializer_list<dim_size> sizes) { held().reserve(sizes.begin(), static_cast<int>(sizes.size())); }
    /// Like trainer::check_finite.
    void check_finite(bool on = true) { held().check_finite(on); }
    variable_store& store() { return held().store(); }
    variable_store const& store() const { return held().store(); }
    std::int64_t global_step() const { return held().global_step(); }
    /// Name, element type and rank of each input.
    std::vector<any_input> inputs() const { return held().inputs(); }
    std::vector<std::string_view> variable_names() const {
        std::vector<std::string_view> names;
        for (stored_variable const& v : store().variables()) names.push_back(v.name);
        return names;
    }
    /// A view of a variable. Throws binding_error if no variable has this name.
    any_view value(std::string_view name) {
        stored_variable const* const v = store().find(hash_text(name));
        if (v == nullptr)
            raise_parts<binding_error>({"xgrad: any_trainer: there is no variable \"", name, "\"; it has ",
                detail::names_text(store().variables(), [](stored_variable const& each) { return each.name; })});
        return {v->type, v->data, {v->extents, v->extents + v->rank}};
    }
};

/// Any function of one output:
///
///     xg::any_function predict = xg::function{logits, train};
///     auto scores = predict({{"x", images}});
class any_function {
    struct base {
        virtual ~base() = default;
        virtual any_view call(named_arrays const& arrays) = 0;
        virtual std::vector<any_input> inputs() const = 0;
    };
    template<class Outputs, class P>
    struct holder final : base {
        function<Outputs, P> f;
        cpp_type_t<P::runtime.output_shapes[0].type> number{};   // a result of rank 0
        explicit holder(function<Outputs, P>&& g) : f(std::move(g)) {}
        any_view call(named_arrays const& arrays) override {
            auto const result = f(arrays);
            any_view view{P::runtime.output_shapes[0].type, nullptr, {}};
            if constexpr (P::runtime.output_shapes[0].rank == 0) {
                number = result;
                view.first = &number;
            } else {
                view.first = const_cast<void*>(static_cast<void const*>(result.data()));
                view.shape.assign(result.shape().begin(), result.shape().end());
            }
            return view;
        }
        std::vector<any_input> inputs() const override { return detail::inputs_of<P>(); }
    };
    std::unique_ptr<base> held_;
    base& held() const { return *detail::still_there(held_.get()); }

public:
    /// Takes ownership of the function.
    template<class Outputs, class P>
    any_function(function<Outputs, P>&& f) {
        constexpr bool one = P::outputs::count == 1;
        static_assert(one, "xgrad::any_function: the function has more than one output; make an any_function for each");
        if constexpr (one) held_ = std::make_unique<holder<Outputs, P>>(std::move(f));
    }
    /// Returns the result, which is valid until the next call. Throws like the function and like named_arrays.
    any_view operator()(named_arrays const& arrays) { return held().call(arrays); }
    std::vector<any_input> inputs() const { return held().inputs(); }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
