// SPDX-License-Identifier: MIT
// Arguments of a call for input names that are known only at run time:
// `train(xg::named_arrays{{"x", images}, {"y", labels}})`.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/exec/call.hpp>

#include <initializer_list>
#include <span>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {
/// The dtype for elements of type T. `long long` and similar types are the integers of their size.
template<class T>
constexpr dtype dtype_like() {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return std::is_signed_v<T> ? dtype::int64 : dtype::uint64;
    else if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? dtype::int32 : dtype::uint32;
    else {
        constexpr bool known = requires { dtype_traits<T>::value; };
        static_assert(known,
            "xgrad::named_array{name, array}: the array has an element type that no input has; convert it to float, double, bool, "
            "bfloat16, float16, or an integer such as std::uint8_t or std::int32_t");
        if constexpr (known) return dtype_of<T>;
        else return dtype::literal;
    }
}
}   // namespace detail

/// An array and the name of its input. The array is not copied.
struct named_array {
    std::string_view name;
    dtype type = dtype::literal;
    array_ref array{};

    named_array() = default;
    template<class A>
    named_array(std::string_view input, A const& a) : name(input) {
        if constexpr (detail::is_array_like<A>()) {
            type = detail::dtype_like<typename detail::element_of<A>::type>();
            array = detail::refer_to(a);
        }
    }
};

/// The arrays of a call.
/// * binding_error: a name is not an input, or is given twice.
/// * dtype_error: the elements have another type than the input.
/// * Shapes are checked by the call.
class named_arrays {
    std::span<named_array const> list_;

public:
    named_arrays(std::initializer_list<named_array> list) : list_(list.begin(), list.size()) {}
    explicit named_arrays(std::span<named_array const> list) : list_(list) {}

    void bind(runtime_plan const& plan, array_ref* refs, std::uint64_t* given) const {
        for (named_array const& a : list_) {
            int at = 0;
            while (at < plan.input_count && plan.inputs[at].name != a.name) ++at;
            if (at == plan.input_count)
                raise_parts<binding_error>({"xgrad: the expression has no input \"", a.name, "\"; it has ",
                    detail::names_text(std::span(plan.inputs, static_cast<std::size_t>(plan.input_count)),
                        [](auto const& i) { return i.values == nullptr ? i.name : std::string_view{}; })});
            if (given[at] != 0) raise_parts<binding_error>({"xgrad: the input \"", a.name, "\" is bound twice in this call"});
            if (a.type != plan.inputs[at].type)
                raise_parts<dtype_error>({"xgrad: the input \"", a.name, "\" has elements of type ", to_string(plan.inputs[at].type),
                    ", the array of type ", to_string(a.type)});
            refs[at] = a.array;
            given[at] = 1;
        }
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
