// SPDX-License-Identifier: MIT
// Calls both architectures' code in one process.
#include <cstddef>
#include <cstdio>

extern "C" float sum_sse2(float const* data, std::size_t count);
extern "C" float sum_avx2(float const* data, std::size_t count);

int main() {
    float data[64];
    for (int i = 0; i < 64; ++i) data[i] = static_cast<float>(i);
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        std::puts("skipped: this processor has no AVX2");
        return 77;
    }
    bool const right = sum_sse2(data, 64) == 2016.0f && sum_avx2(data, 64) == 2016.0f && sum_sse2(data, 1) == -1.0f && sum_avx2(data, 1) == -1.0f;
    std::puts(right ? "both units computed the right sums" : "wrong sums");
    return right ? 0 : 1;
}
