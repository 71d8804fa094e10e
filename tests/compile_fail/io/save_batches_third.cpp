// SPDX-License-Identifier: MIT
// expect-error: xgrad::save\(owner, path, metadata, others\.\.\.\): the third argument is not a map of texts
// Batches in place of the metadata.
#include <xgrad/data/batches.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <string>
#include <vector>

namespace xg = xgrad;

constexpr auto w = xg::variable<"w", float, 4>;

void f(std::vector<float> const& rows) {
    xg::variables owner{w};
    xg::batches all{{.size = 2}, rows};
    std::string const path = "model.safetensors";
#ifdef XGRAD_EXPECT_ERROR
    xg::save(owner, path, all);
#else
    xg::save(owner, path, {}, all);
#endif
}
