// SPDX-License-Identifier: MIT
// What all methods share: the rows of a worker, and how long its steps take in a simulation. A model has
//     trainer()                  the trainer of minimize<gating::graph>
//     initialize(train, seed)    its initial values
//     size()                     how many rows there are to train with
//     batch(rows)                memory for rows; fill(batch, rows) copies them, call(batch, f) is f(x = ..., y = ...)
//     quality(train)             on the test rows
#pragma once

#include <replicas_study/study.hpp>

#include <xgrad/replicas/shard.hpp>

#include <cmath>
#include <random>
#include <span>
#include <stdexcept>

namespace examples::study {

namespace xg = xgrad;

/// The batches of one worker, epoch by epoch of its share. The last incomplete batch of an epoch is omitted.
/// With equal shares and batches, workers in step together have the same rows as one worker with their whole batch.
template<class Model>
class batches {
    Model const& model_;
    xg::shard_options at_;
    std::size_t rows_, next_ = 0, end_ = 0;
    std::vector<std::int64_t> share_;
    decltype(model_.batch(1)) memory_;

public:
    batches(Model const& model, setting const& s, int worker, int workers)
        : model_(model), at_{.worker = worker, .workers = workers, .seed = s.seed, .epoch = -1},
          rows_(s.batch / static_cast<std::size_t>(s.workers - s.backup)), memory_(model.batch(rows_)) {
        if (rows_ == 0 || s.batch % rows_ != 0)
            throw std::invalid_argument("the batch must be a multiple of the gradients that make an update");
    }
    auto& next() {
        if (next_ == end_) {
            ++at_.epoch;
            share_ = xg::shard(static_cast<std::int64_t>(model_.size()), at_);
            // equally many for all workers
            end_ = model_.size() / static_cast<std::size_t>(at_.workers) / rows_ * rows_;
            next_ = 0;
        }
        model_.fill(memory_, std::span<std::int64_t const>(share_).subspan(next_, rows_));
        next_ += rows_;
        return memory_;
    }
};

/// The times of steps, of whoever comes next: the same numbers wherever it runs.
class step_times {
    timing t_;
    std::mt19937_64 random_;

public:
    step_times(timing const& t, std::uint64_t seed) : t_(t), random_(seed) {}
    double operator()(int worker) {
        double const u = static_cast<double>(random_() >> 11) * 0x1p-53;
        return (worker == 0 ? t_.slow : 1) * (1 - t_.spread - t_.spread * std::log1p(-u));
    }
};

}   // namespace examples::study
