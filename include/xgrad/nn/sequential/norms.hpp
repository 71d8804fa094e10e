// SPDX-License-Identifier: MIT
// Further normalizations, noise and gates for nn::sequential.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/nn/gates.hpp>
#include <xgrad/nn/sequential.hpp>
#include <xgrad/ops/normalization/noise.hpp>

XGRAD_NAMESPACE_BEGIN
namespace nn::layer {
/// nn::rms_norm with Keras' epsilon.
template<affine Parts = affine::scale>
struct rms_norm {
    static constexpr auto name = fixed_string("rms_norm");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::rms_norm<Name, Parts>(x);
    }
};
/// nn::group_norm with Keras' epsilon.
template<std::int64_t Groups, affine Parts = affine::both>
struct group_norm {
    static constexpr auto name = fixed_string("group_norm");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::group_norm<Name, Groups, Parts>(x);
    }
};
/// nn::instance_norm.
template<affine Parts = affine::both>
struct instance_norm {
    static constexpr auto name = fixed_string("instance_norm");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::instance_norm<Name, Parts>(x);
    }
};
/// xgrad::gaussian_noise of the standard deviation Percent / 100.
template<int Percent>
struct gaussian_noise {
    static constexpr auto name = fixed_string("gaussian_noise");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::gaussian_noise<Name>(x, detail::hundredths<Percent>{});
    }
};
/// xgrad::gaussian_dropout of the rate Percent / 100.
template<int Percent>
struct gaussian_dropout {
    static constexpr auto name = fixed_string("gaussian_dropout");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::gaussian_dropout<Name>(x, detail::hundredths<Percent>{});
    }
};
/// xgrad::alpha_dropout of the rate Percent / 100.
template<int Percent>
struct alpha_dropout {
    static constexpr auto name = fixed_string("alpha_dropout");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::alpha_dropout<Name>(x, detail::hundredths<Percent>{});
    }
};
/// xgrad::spatial_dropout of the rate Percent / 100.
template<int Percent>
struct spatial_dropout {
    static constexpr auto name = fixed_string("spatial_dropout");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return xgrad::spatial_dropout<Name>(x, detail::hundredths<Percent>{});
    }
};
/// nn::prelu.
struct prelu {
    static constexpr auto name = fixed_string("prelu");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::prelu<Name>(x);
    }
};
/// nn::layer_scale.
struct layer_scale {
    static constexpr auto name = fixed_string("layer_scale");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::layer_scale<Name>(x);
    }
};
/// nn::highway.
template<class Activation = op::relu>
struct highway {
    static constexpr auto name = fixed_string("highway");
    template<fixed_string Name, class X>
    static constexpr auto make(X const& x) {
        return nn::highway<Name, Activation>(x);
    }
};

}   // namespace nn::layer
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
