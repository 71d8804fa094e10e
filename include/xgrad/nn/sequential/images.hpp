// SPDX-License-Identifier: MIT
// Layers of images for nn::sequential: convolutions and pools.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/convolution.hpp>
#include <xgrad/nn/sequential.hpp>
#include <xgrad/ops/pooling/average_pool.hpp>
#include <xgrad/ops/pooling/max_pool.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn::layer {
/// nn::conv2d, followed by the operation Activation if one is given: `layer::conv2d<16, 3, same, op::relu>{}`.
template<std::int64_t Filters, per_axis Size, window How = window{}, class Activation = void, bool UseBias = true>
struct conv2d {
    static constexpr auto name = fixed_string("conv2d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::conv2d<Name, Filters, Size, How, UseBias>(x));
    }
};
/// The same for nn::conv1d.
template<std::int64_t Filters, per_axis Size, window How = window{}, class Activation = void, bool UseBias = true>
struct conv1d {
    static constexpr auto name = fixed_string("conv1d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::conv1d<Name, Filters, Size, How, UseBias>(x));
    }
};
/// The same for nn::conv3d.
template<std::int64_t Filters, per_axis Size, window How = window{}, class Activation = void, bool UseBias = true>
struct conv3d {
    static constexpr auto name = fixed_string("conv3d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::conv3d<Name, Filters, Size, How, UseBias>(x));
    }
};
/// The same for nn::depthwise_conv2d.
template<std::int64_t Multiplier, per_axis Size, window How = window{}, class Activation = void, bool UseBias = true>
struct depthwise_conv2d {
    static constexpr auto name = fixed_string("depthwise_conv2d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::depthwise_conv2d<Name, Multiplier, Size, How, UseBias>(x));
    }
};
/// The same for nn::depthwise_conv1d.
template<std::int64_t Multiplier, per_axis Size, window How = window{}, class Activation = void, bool UseBias = true>
struct depthwise_conv1d {
    static constexpr auto name = fixed_string("depthwise_conv1d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::depthwise_conv1d<Name, Multiplier, Size, How, UseBias>(x));
    }
};
/// The same for nn::separable_conv2d.
template<std::int64_t Filters, per_axis Size, window How = window{}, class Activation = void, std::int64_t Multiplier = 1,
    bool UseBias = true>
struct separable_conv2d {
    static constexpr auto name = fixed_string("separable_conv2d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::separable_conv2d<Name, Filters, Size, How, Multiplier, UseBias>(x));
    }
};
/// The same for nn::conv2d_transpose.
template<std::int64_t Filters, per_axis Size, window How = window{}, class Activation = void, per_axis OutputPadding = -1,
    bool UseBias = true>
struct conv2d_transpose {
    static constexpr auto name = fixed_string("conv2d_transpose");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::conv2d_transpose<Name, Filters, Size, How, OutputPadding, UseBias>(x));
    }
};
/// The same for nn::conv1d_transpose.
template<std::int64_t Filters, per_axis Size, window How = window{}, class Activation = void, per_axis OutputPadding = -1,
    bool UseBias = true>
struct conv1d_transpose {
    static constexpr auto name = fixed_string("conv1d_transpose");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::conv1d_transpose<Name, Filters, Size, How, OutputPadding, UseBias>(x));
    }
};
/// The same for nn::conv3d_transpose.
template<std::int64_t Filters, per_axis Size, window How = window{}, class Activation = void, per_axis OutputPadding = -1,
    bool UseBias = true>
struct conv3d_transpose {
    static constexpr auto name = fixed_string("conv3d_transpose");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return detail::activated<Activation>(nn::conv3d_transpose<Name, Filters, Size, How, OutputPadding, UseBias>(x));
    }
};
/// xgrad::max_pool2d.
template<per_axis Size, pool_window How = pool_window{}>
struct max_pool2d {
    static constexpr auto name = fixed_string("max_pool2d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::max_pool2d<Size, How>(x);
    }
};
/// xgrad::max_pool1d.
template<per_axis Size, pool_window How = pool_window{}>
struct max_pool1d {
    static constexpr auto name = fixed_string("max_pool1d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::max_pool1d<Size, How>(x);
    }
};
/// xgrad::max_pool3d.
template<per_axis Size, pool_window How = pool_window{}>
struct max_pool3d {
    static constexpr auto name = fixed_string("max_pool3d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::max_pool3d<Size, How>(x);
    }
};
/// xgrad::average_pool2d.
template<per_axis Size, pool_window How = pool_window{}>
struct average_pool2d {
    static constexpr auto name = fixed_string("average_pool2d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::average_pool2d<Size, How>(x);
    }
};
/// xgrad::average_pool1d.
template<per_axis Size, pool_window How = pool_window{}>
struct average_pool1d {
    static constexpr auto name = fixed_string("average_pool1d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::average_pool1d<Size, How>(x);
    }
};
/// xgrad::average_pool3d.
template<per_axis Size, pool_window How = pool_window{}>
struct average_pool3d {
    static constexpr auto name = fixed_string("average_pool3d");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::average_pool3d<Size, How>(x);
    }
};
/// xgrad::global_average_pool.
struct global_average_pool {
    static constexpr auto name = fixed_string("global_average_pool");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::global_average_pool(x);
    }
};
/// xgrad::global_max_pool.
struct global_max_pool {
    static constexpr auto name = fixed_string("global_max_pool");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::global_max_pool(x);
    }
};

}   // namespace nn::layer
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
