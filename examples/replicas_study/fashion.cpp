// SPDX-License-Identifier: MIT
// Fashion-MNIST as a task of the study.
#include <replicas_study/methods.hpp>

#include <fashion_mnist/network.hpp>

namespace examples::study {
namespace {

using namespace fashion;

template<bool Descent>
struct model {
    fashion_mnist data;

    struct rows {
        std::vector<float> images;
        std::vector<std::int32_t> labels;
    };
    static auto trainer() {
        if constexpr (Descent) return xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 0.1});
        else return xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 1e-3});
    }
    template<class Train>
    static void initialize(Train& train, std::uint64_t seed) {
        fashion::initialize(train, seed);
    }
    std::size_t size() const { return data.train.size(); }
    static rows batch(std::size_t n) { return {std::vector<float>(n * image_set::pixels), std::vector<std::int32_t>(n)}; }
    void fill(rows& to, std::span<std::int64_t const> which) const {
        for (std::size_t i = 0; i < which.size(); ++i) {
            auto const row = static_cast<std::size_t>(which[i]);
            std::copy_n(data.train.images.data() + row * image_set::pixels, image_set::pixels, to.images.data() + i * image_set::pixels);
            to.labels[i] = data.train.labels[row];
        }
    }
    template<class F>
    static auto call(rows const& r, F&& f) {
        return f(x = xg::array(r.images.data(), r.labels.size(), image_set::pixels), y = xg::array(r.labels.data(), r.labels.size()));
    }
    template<class Train>
    double quality(Train& train) const {
        xg::function predict{logits, train};
        return accuracy(predict, data.test);
    }
};

}   // namespace

task make_fashion() {
    auto const m = std::make_shared<model<false> const>(model<false>{read_fashion_mnist()});
    return with_methods(m, {.name = "Fashion-MNIST",
                               .measure = "accuracy",
                               .batch = 64,
                               .rows = m->size(),
                               .epochs = 10,
                               .local_epochs = 3,
                               .wanted = 0.87,
                               .quick_wanted = 0.8});
}
task make_fashion_descent() {
    auto const m = std::make_shared<model<true> const>(model<true>{read_fashion_mnist()});
    task t{
        .name = "Fashion-MNIST, gradient descent", .measure = "accuracy", .batch = 64, .rows = m->size(), .epochs = 1, .local_epochs = 1};
    add_local_methods(m, t);
    return t;
}

}   // namespace examples::study
