// SPDX-License-Identifier: MIT
// The five products in a training step of an LSTM of 256 units, 32 time steps, batch 16. Each has 2^28 operations, as many as the first
// row, which keeps all operands in registers: the peak of the machine.
#include "frame.hpp"
#include "hand/data.hpp"
#include "hand/vec.hpp"

#include <xgrad/kernels/products/matmul.hpp>

#include <cstddef>
#include <cstdint>

namespace {
namespace kernels = xgrad::kernels;
constexpr std::int64_t units = 256, gates = 4 * units, batch = 16, turns = 32, rows = batch * turns;

/// Sixteen sums, so that no one waits for another.
float in_registers() {
    hand::vf sums[16]{};
    hand::vf const a = hand::set1<hand::vf>(0.5f), b = hand::set1<hand::vf>(0.25f);
    for (std::int64_t i = 0; i < (std::int64_t(1) << 27) / (16 * hand::wf); ++i) {
#pragma GCC unroll 16
        for (hand::vf& sum : sums) {
            sum = hand::fma(a, sum, b);
            asm("" : "+v"(sum));   // the compiler must not know the value
        }
    }
    hand::vf all{};
    for (hand::vf const& sum : sums) all += sum;
    return all[0];
}
/// [rows of a time step, K] times [K, N] or the transposed [N, K], in each time step.
template<bool Transposed, std::int64_t N, std::int64_t K>
void in_turns(float const* a, float const* b, float* c, float* scratch, bool keeps) {
    for (std::int64_t t = 0; t < turns; ++t) {
        auto const use = !keeps ? xgrad::panel_use::alone : t == 0 ? xgrad::panel_use::make : xgrad::panel_use::reuse;
        kernels::matmul<float, false, Transposed, kernels::detail::told_columns<float>(N), K>(
            a + t * batch * K, K, b, Transposed ? K : N, batch, N, K, kernels::store_epilogue<float>{c + t * batch * N, N}, scratch, use);
    }
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "products of recurrent time steps");
    hand::buffer<float> states(rows * units), slopes(rows * gates), matrix(units * gates), out(rows * gates);
    hand::buffer<float> scratch(static_cast<std::size_t>(kernels::kept_panels_scratch<float>(batch, gates, gates)));
    auto const row = [&](char const* name, auto const& call) {
        if (suite.wanted(name)) suite.alone(name, call);
    };
    row("multiply-adds in registers", [] { bench::keep(in_registers()); });
    row("inputs: 512 x 256 by 256 x 1024", [&] {
        kernels::matmul<float, false, false, kernels::detail::told_columns<float>(gates), units>(
            states + 0, units, matrix + 0, gates, rows, gates, units, kernels::store_epilogue<float>{out + 0, gates}, scratch + 0);
    });
    for (bool keeps : {false, true}) {
        row(keeps ? "32 times 16 x 256 by 256 x 1024, panels copied once" : "32 times 16 x 256 by 256 x 1024",
            [&] { in_turns<false, gates, units>(states + 0, matrix + 0, out + 0, scratch + 0, keeps); });
        row(keeps ? "32 times 16 x 1024 by 1024 x 256, transposed, panels copied once" : "32 times 16 x 1024 by 1024 x 256, transposed",
            [&] { in_turns<true, units, gates>(slopes + 0, matrix + 0, out + 0, scratch + 0, keeps); });
    }
    row("gradient of the matrix: 256 x 512, transposed, by 512 x 1024", [&] {
        kernels::matmul<float, true, false, kernels::detail::told_columns<float>(gates), -1,
            kernels::detail::told_rows(units, gates, true)>(
            states + 0, units, slopes + 0, gates, units, gates, rows, kernels::store_epilogue<float>{out + 0, gates}, scratch + 0);
    });
    return suite.finish();
}
