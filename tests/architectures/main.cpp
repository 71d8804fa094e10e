// SPDX-License-Identifier: MIT
// Calls both architectures' code in one process.
#include <cmath>
#include <cstddef>
#include <cstdio>

extern "C" float sum_sse2(float const* data, std::size_t count);
extern "C" float sum_avx2(float const* data, std::size_t count);
extern "C" float train_sse2(float const* data, std::size_t count);
extern "C" float train_avx2(float const* data, std::size_t count);

int main() {
    float data[64];
    for (int i = 0; i < 64; ++i) data[i] = static_cast<float>(i) / 64.0f;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        std::puts("skipped: this processor has no AVX2");
        return 77;
    }
    bool const sums = sum_sse2(data, 64) == 31.5f && sum_avx2(data, 64) == 31.5f && sum_sse2(data, 1) == -1.0f && sum_avx2(data, 1) == -1.0f;
    float const a = train_sse2(data, 64), b = train_avx2(data, 64);
    bool const losses = a > 0.0f && std::fabs(a - b) < 1e-5f * a;
    std::printf("sums %s, losses %g and %g\n", sums ? "right" : "wrong", static_cast<double>(a), static_cast<double>(b));
    return sums && losses ? 0 : 1;
}
