// SPDX-License-Identifier: MIT
// What the study asks of a task and of a method. methods.hpp has a function for each method; a task is a model with its data.
#pragma once

#include <xgrad/replicas/local/delay_compensation.hpp>
#include <xgrad/replicas/sync/sync_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace examples::study {

/// One training run. In synchronous methods the gradients of an update have `batch` rows in all, so each worker computes
/// batch / (workers - backup) rows for a gradient. Where workers take local steps, each gradient has `batch` rows, and `updates` is the
/// number of all gradients.
struct setting {
    int workers = 1;
    int backup = 0;   // of the workers: an update needs this number of gradients less
    std::uint64_t seed = 1;
    std::size_t batch = 64;
    int updates = 0;
    std::chrono::microseconds sleep{0};   // of worker 0 in each step, in addition to its work
    int period = 1;                       // own steps of a worker between two exchanges, and what else the method has
    std::optional<std::int64_t> staleness{};
    std::optional<double> spring{};   // of elastic averaging
    xgrad::delay_compensation compensation{};
    double fraction = .01;   // of the elements of a gradient
};
struct outcome {
    double quality = 0;   // on the test rows
    xgrad::sync_report report{};
};

/// How long steps of workers take, in a simulation or because they sleep, in units of the mean step of a worker that is not slow.
struct timing {
    double slow = 1;      // steps of worker 0 take longer by this factor
    double spread = .1;   // of all: the part of a step that is exponentially distributed
    int every = 50;       // updates between two looks at the quality; 0: only one in the end
    double until = 2;     // the quality at which the run ends
};
/// The quality after this simulated time, or after this number of seconds.
struct point {
    double time;
    int updates;
    double quality;
};
struct curve {
    std::vector<point> points;
    xgrad::sync_report report{};
};

/// A model with its data, and the methods for it by name.
struct task {
    std::string name, measure;   // of the quality: more is better
    std::size_t batch = 0, rows = 0;
    int epochs = 0;            // of the recipe
    int local_epochs = 0;      // of methods with local steps
    double wanted = 0;         // the quality whose time is taken
    double quick_wanted = 0;   // the same in a short run
    std::map<std::string, std::function<outcome(setting const&)>> methods{};
    std::function<curve(setting const&, timing const&)> in_simulated_time{};   // synchronous
    std::function<curve(setting const&, timing const&, std::chrono::microseconds)> by_the_clock{};
    std::map<std::string, std::function<curve(setting const&, timing const&)>> local_methods{};
};
/// Wide & deep on Adult. Throws input_error where its files are missing or broken.
task make_adult(std::string const& folder);
/// 784-128-10 on Fashion-MNIST, likewise.
task make_fashion();
/// The same with plain gradient descent, for which a step is as long as its gradient.
task make_fashion_descent();

}   // namespace examples::study
