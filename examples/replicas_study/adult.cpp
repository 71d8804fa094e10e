// SPDX-License-Identifier: MIT
// Wide & deep on Adult as a task of the study. Rows of the wide weights and the embeddings are averaged over the workers that had them.
// Therefore several workers do not equal one worker with their whole batch.
#include <replicas_study/methods.hpp>

#include <adult/adult_data.hpp>
#include <support/metrics.hpp>
#include <wide_and_deep/initial_values.hpp>

namespace examples::study {
namespace {

using namespace wide_and_deep;

struct model {
    adult::table train_rows, test_rows;

    static auto trainer() { return make_trainer<xg::gating::graph>(); }
    template<class Train>
    static void initialize(Train& train, std::uint64_t seed) {
        fill_variables(train, seed);
    }
    std::size_t size() const { return train_rows.size(); }
    static adult::table batch(std::size_t n) {
        adult::table t;
        t.label.resize(n);
        t.wide.resize(n * adult::wide_columns);
        t.ids.resize(n * adult::categories);
        t.dense.resize(n * adult::numbers);
        return t;
    }
    void fill(adult::table& to, std::span<std::int64_t const> which) const {
        for (std::size_t i = 0; i < which.size(); ++i) {
            auto const row = static_cast<std::size_t>(which[i]);
            auto const copy = [&](auto const& from, auto& into, std::size_t n) {
                std::copy_n(from.data() + row * n, n, into.data() + i * n);
            };
            copy(train_rows.label, to.label, 1);
            copy(train_rows.wide, to.wide, adult::wide_columns);
            copy(train_rows.ids, to.ids, adult::categories);
            copy(train_rows.dense, to.dense, adult::numbers);
        }
    }
    template<class F>
    static auto call(adult::table const& r, F&& f) {
        return f(wide_ids = xg::array(r.wide.data(), r.size(), adult::wide_columns),
            ids = xg::array(r.ids.data(), r.size(), adult::categories), dense = xg::array(r.dense.data(), r.size(), adult::numbers),
            label = xg::array(r.label.data(), r.size()));
    }
    template<class Train>
    double quality(Train& train) const {
        xg::function predict{logits{}, train};
        adult::table const& t = test_rows;
        auto const z = predict(wide_ids = xg::array(t.wide.data(), t.size(), adult::wide_columns),
            ids = xg::array(t.ids.data(), t.size(), adult::categories), dense = xg::array(t.dense.data(), t.size(), adult::numbers));
        return evaluate_binary({z.data(), t.size()}, t.label).auc;
    }
};

}   // namespace

task make_adult(std::string const& folder) {
    auto m = std::make_shared<model>();
    adult::learned learned;
    m->train_rows = adult::read_training(folder + "/train.csv", learned);
    m->test_rows = adult::read_rows(folder + "/test.csv", learned, adult::unknown_category::error);
    task t = with_methods<model>(m, {.name = "Adult",
                                        .measure = "AUC",
                                        .batch = 40,
                                        .rows = m->size(),
                                        .epochs = 20,
                                        .local_epochs = 5,
                                        .wanted = 0.92,
                                        .quick_wanted = 0.9});
    t.local_methods["Hogwild"] = [m](setting const& s, timing const&) { return hogwild(*m, s); };
    return t;
}

}   // namespace examples::study
