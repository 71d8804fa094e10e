// SPDX-License-Identifier: MIT
// AGN and its family over ranks: the bits of those in threads, for the same order of exchanges.
#include <replicas/local_ranks_bits.hpp>

#include <xgrad/replicas/local/agn.hpp>
#include <xgrad/replicas/local/elastic_average.hpp>
#include <xgrad/replicas/local/model_average.hpp>

#include <doctest/doctest.h>

using namespace test;

TEST_CASE("agn over ranks, in both forms, leaves the bits of threads; slots of workers go on from run to run") {
    for (auto form : {xg::agn_form::mean_gradient, xg::agn_form::mean_displacement})
        for (int ranks : {1, 3})
            same_bits(
                ranks, 8, true,
                [form](auto& train, int n, auto&&... over) {
                    return xg::agn(train, std::forward<decltype(over)>(over)..., {.workers = n, .period = 3, .form = form});
                },
                true);
}
TEST_CASE("elastic averages over ranks leave the bits of threads, together and one by one") {
    for (bool synchronous : {false, true})
        same_bits(
            3, 8, !synchronous,
            [synchronous](auto& train, int n, auto&&... over) {
                return xg::elastic_average(train, std::forward<decltype(over)>(over)...,
                    {.workers = n, .period = 3, .moving_rate = .3, .rho = 1.5, .synchronous = synchronous});
            },
            !synchronous);
}
TEST_CASE("a mean of models over ranks leaves the bits of threads") {
    for (int ranks : {1, 3})
        same_bits(ranks, 8, false, [](auto& train, int n, auto&&... over) {
            return xg::model_average(train, std::forward<decltype(over)>(over)..., {.workers = n, .interval_steps = 3});
        });
}
