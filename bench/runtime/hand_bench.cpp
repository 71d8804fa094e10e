// SPDX-License-Identifier: MIT
// The hand-written yardsticks alone: what this machine can do.
#include "frame.hpp"
#include "hand/deep_tanh.hpp"
#include "hand/embedding_net.hpp"
#include "hand/functions.hpp"
#include "hand/mlp.hpp"
#include "hand/tanh_net.hpp"

#include <memory>

namespace {

template<class Rule>
void dense_rows(bench::suite& suite, std::string const& rule) {
    for (auto [count, text] : {std::pair<std::size_t, char const*>{1000, "1e3"}, {100000, "1e5"}, {10000000, "1e7"}}) {
        std::string const name = rule + ", " + text + " parameters";
        if (suite.wanted(name)) {
            hand::dense_update<Rule> u(count);
            suite.row(name, [&] { u.step(); });
        }
    }
}

template<class Rule>
void sparse_row(bench::suite& suite, std::string const& name) {
    if (suite.wanted(name)) {
        hand::row_update<Rule> u;
        int touched = 0, steps = 0;
        suite.row(name, [&] {
            touched += u.step();
            ++steps;
        });
        if (steps > 0) {
            std::printf("| - distinct rows a step: %d; ns per row: %.1f | | | | | | |\n", touched / steps,
                suite.results().back().hand.median() * 1e9 * steps / touched);
        }
    }
}

template<class Net, class Step>
void net_row(bench::suite& suite, std::string const& name, Step step) {
    if (suite.wanted(name)) {
        auto net = std::make_unique<Net>();
        int i = 0;
        suite.row(name, [&] { bench::keep(step(*net, i++)); });
    }
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "hand-written yardsticks");
    auto const inputs = [](auto& net, int i) { return net.step(net.inputs(i), net.targets(i)); };
    net_row<hand::mlp>(
        suite, "784-128-10 relu, cross entropy, Adam, batch 64", [](auto& net, int i) { return net.step(net.images(i), net.labels(i)); });
    net_row<hand::tanh_net<1>>(suite, "16-32-32-1 tanh, squared error, Adam, batch 1", inputs);
    net_row<hand::tanh_net<32>>(suite, "16-32-32-1 tanh, squared error, Adam, batch 32", inputs);
    net_row<hand::deep_tanh>(suite, "12 x 64 tanh, squared error, SGD, batch 32", inputs);
    net_row<hand::embedding_net>(
        suite, "8 tables x 1000 x 8, 100-50-1, Adagrad, batch 256", [](auto& net, int i) { return net.step(net.ids(i), net.labels(i)); });
    dense_rows<hand::adam>(suite, "Adam");
    dense_rows<hand::adagrad>(suite, "Adagrad");
    dense_rows<hand::ftrl>(suite, "Ftrl");
    sparse_row<hand::adagrad>(suite, "Adagrad, 8192 Zipf ids of 1M x 32");
    sparse_row<hand::adam>(suite, "lazy Adam, 8192 Zipf ids of 1M x 32");
    auto const value = [](auto& f, int) { return f.step(); };
    net_row<hand::log_sum_exp<>>(suite, "log-sum-exp of 10k, value and gradient", value);
    net_row<hand::linear_regression<>>(suite, "linear regression 1k x 100, value and gradient", value);
    net_row<hand::gaussian_mixture<>>(suite, "Gaussian mixture d 10 K 25 N 1000, value and gradient", value);
    net_row<hand::chain<>>(suite, "chain of 20 operations on 1k, value and gradient", value);
    return suite.finish();
}
