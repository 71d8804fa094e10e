// SPDX-License-Identifier: MIT
// expect-error: xgrad::save\(owner, path, metadata, others\.\.\.\): one of the others is no vocabulary, growing table, batches or window of ggt
// A second owner for the same file.
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
    xg::save(owner, path, {}, all, owner);
#else
    xg::save(owner, path, {}, all);
#endif
}
