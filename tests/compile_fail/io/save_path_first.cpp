// SPDX-License-Identifier: MIT
// expect-error: xgrad::save\(owner, path\): the path is the first argument
// The path before the trainer.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;

int main() {
    xg::variables owner{w};
#ifdef XGRAD_EXPECT_ERROR
    xg::save("model.safetensors", owner);
#else
    xg::save(owner, "model.safetensors");
#endif
}
