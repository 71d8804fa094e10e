// SPDX-License-Identifier: MIT
// The wide & deep model in xgrad: the only source of the demo that compiles expressions.
#include <wide_and_deep/model.hpp>

#include <wide_and_deep/initial_values.hpp>

#include <xgrad/inspect/summarize.hpp>
#include <xgrad/io/checkpoint.hpp>

#include <algorithm>
#include <utility>

namespace examples {

using namespace wide_and_deep;

struct wide_and_deep_model::implementation {
    decltype(make_trainer()) train = make_trainer();
    xg::function<logits> predict{logits{}, train};

    void initialize(std::uint64_t seed) {
        fill_variables(train, seed);
        train.reset_optimizer();
    }
};

wide_and_deep_model::wide_and_deep_model(std::uint64_t seed) : self_(std::make_unique<implementation>()) { initialize(seed); }
wide_and_deep_model::~wide_and_deep_model() = default;
wide_and_deep_model::wide_and_deep_model(wide_and_deep_model&&) noexcept = default;
wide_and_deep_model& wide_and_deep_model::operator=(wide_and_deep_model&&) noexcept = default;

void wide_and_deep_model::initialize(std::uint64_t seed) { self_->initialize(seed); }

float wide_and_deep_model::step(row_block const& r) {
    return self_->train(wide_ids = xg::array(r.wide, r.count, 17), ids = xg::array(r.ids, r.count, 8),
        dense = xg::array(r.dense, r.count, 5), label = xg::array(r.label, r.count));
}
void wide_and_deep_model::predict(row_block const& r, float* out) {
    auto const z = self_->predict(
        wide_ids = xg::array(r.wide, r.count, 17), ids = xg::array(r.ids, r.count, 8), dense = xg::array(r.dense, r.count, 5));
    std::copy(z.begin(), z.end(), out);
}

std::int64_t wide_and_deep_model::steps() const { return self_->train.global_step(); }
std::size_t wide_and_deep_model::nonzero_wide() const {
    auto const w = self_->train.value(wide_w);
    return static_cast<std::size_t>(std::count_if(w.begin(), w.end(), [](float x) { return x != 0; }));
}
std::string wide_and_deep_model::plan_summary() const { return xg::summarize(self_->train); }

void wide_and_deep_model::save(std::filesystem::path const& file, std::map<std::string, std::string> const& metadata) const {
    xg::save(self_->train, file, metadata);
}
std::map<std::string, std::string> wide_and_deep_model::load(std::filesystem::path const& file) { return xg::restore(self_->train, file); }

}   // namespace examples
