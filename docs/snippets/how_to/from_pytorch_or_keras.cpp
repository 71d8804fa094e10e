// SPDX-License-Identifier: MIT
// The program of docs/how_to/from_pytorch_or_keras.md; export_from_pytorch.py has made net.safetensors and has printed these numbers.
// prints: -0[.]2870 0[.]6827
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::nn::dense<"out", 2>(xg::tanh(xg::nn::dense<"hidden", 8>(x)));

int main() {
    xg::variables weights{y};
    xg::restore(weights, "net.safetensors",
        xg::variables_as{
            {"hidden/w", xg::transposed("0.weight")},   // [8, 4] in PyTorch, [4, 8] here
            {"hidden/b", "0.bias"},
            {"out/w", xg::transposed("2.weight")},
            {"out/b", "2.bias"},
        });
    xg::function predict{y, weights};
    std::vector<float> const row{1, 2, 3, 4};
    auto const scores = predict(x = xg::array(row, 1, 4));
    std::printf("%.4f %.4f\n", scores[0], scores[1]);
}
