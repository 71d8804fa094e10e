// SPDX-License-Identifier: MIT
// Convolutions of oneDNN on arrays [batch, height, width, channels], with the filter [height, width, in, out].
// oneDNN wants its own order of the filter: what it costs to bring the filter there and back is part of each call, as in training.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>

namespace hand {

struct convolution_shape {
    std::int64_t batch, height, width, in, out, size_h, size_w, stride, before_h, before_w, after_h, after_w, groups;
    std::int64_t places_h() const { return (height + before_h + after_h - size_h) / stride + 1; }
    std::int64_t places_w() const { return (width + before_w + after_w - size_w) / stride + 1; }
};

class onednn_convolution {
    using desc = dnnl::memory::desc;
    using tag = dnnl::memory::format_tag;
    static constexpr auto f32 = dnnl::memory::data_type::f32;
    static constexpr auto direct = dnnl::algorithm::convolution_direct;

    dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream_{engine_};
    dnnl::memory x_, y_, w_, g_, dx_, dw_;
    dnnl::convolution_forward::primitive_desc forward_desc_;
    dnnl::convolution_backward_data::primitive_desc back_desc_;
    dnnl::convolution_backward_weights::primitive_desc filter_desc_;
    dnnl::memory forward_w_, back_w_, filter_w_;
    dnnl::convolution_forward forward_;
    dnnl::convolution_backward_data back_;
    dnnl::convolution_backward_weights filter_;
    dnnl::reorder to_forward_, to_back_, from_filter_;

    static desc array_desc(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) { return {{n, c, h, w}, f32, tag::nhwc}; }
    static desc filter_desc(convolution_shape const& s, bool any) {
        if (s.groups == 1) return {{s.out, s.in, s.size_h, s.size_w}, f32, any ? tag::any : tag::hwio};
        return {{s.groups, s.out / s.groups, s.in / s.groups, s.size_h, s.size_w}, f32, any ? tag::any : tag::hwigo};
    }
    void make(convolution_shape const& s) {
        dnnl::memory::dims const strides{s.stride, s.stride}, before{s.before_h, s.before_w}, after{s.after_h, s.after_w};
        desc const x = x_.get_desc(), y = y_.get_desc(), w = filter_desc(s, true);
        auto const kind = dnnl::prop_kind::forward_training;
#if DNNL_VERSION_MAJOR >= 3
        forward_desc_ = {engine_, kind, direct, x, w, y, strides, before, after};
        back_desc_ = {engine_, direct, x, w, y, strides, before, after, forward_desc_};
        filter_desc_ = {engine_, direct, x, w, y, strides, before, after, forward_desc_};
#else
        forward_desc_ = {{kind, direct, x, w, y, strides, before, after}, engine_};
        back_desc_ = {{direct, x, w, y, strides, before, after}, engine_, forward_desc_};
        filter_desc_ = {{direct, x, w, y, strides, before, after}, engine_, forward_desc_};
#endif
    }

public:
    onednn_convolution(convolution_shape const& s, float* x, float* w, float* g, float* y, float* dx, float* dw)
        : x_(array_desc(s.batch, s.in, s.height, s.width), engine_, x),
          y_(array_desc(s.batch, s.out, s.places_h(), s.places_w()), engine_, y), w_(filter_desc(s, false), engine_, w),
          g_(y_.get_desc(), engine_, g), dx_(x_.get_desc(), engine_, dx), dw_(w_.get_desc(), engine_, dw) {
        make(s);
        forward_w_ = dnnl::memory(forward_desc_.weights_desc(), engine_);
        back_w_ = dnnl::memory(back_desc_.weights_desc(), engine_);
        filter_w_ = dnnl::memory(filter_desc_.diff_weights_desc(), engine_);
        forward_ = dnnl::convolution_forward(forward_desc_);
        back_ = dnnl::convolution_backward_data(back_desc_);
        filter_ = dnnl::convolution_backward_weights(filter_desc_);
        to_forward_ = dnnl::reorder(w_, forward_w_);
        to_back_ = dnnl::reorder(w_, back_w_);
        from_filter_ = dnnl::reorder(filter_w_, dw_);
    }
    void forward() {
        to_forward_.execute(stream_, w_, forward_w_);
        forward_.execute(stream_, {{DNNL_ARG_SRC, x_}, {DNNL_ARG_WEIGHTS, forward_w_}, {DNNL_ARG_DST, y_}});
        stream_.wait();
    }
    void input_gradient() {
        to_back_.execute(stream_, w_, back_w_);
        back_.execute(stream_, {{DNNL_ARG_DIFF_SRC, dx_}, {DNNL_ARG_WEIGHTS, back_w_}, {DNNL_ARG_DIFF_DST, g_}});
        stream_.wait();
    }
    void filter_gradient() {
        filter_.execute(stream_, {{DNNL_ARG_SRC, x_}, {DNNL_ARG_DIFF_WEIGHTS, filter_w_}, {DNNL_ARG_DIFF_DST, g_}});
        from_filter_.execute(stream_, filter_w_, dw_);
        stream_.wait();
    }
};

}   // namespace hand
