// SPDX-License-Identifier: MIT
// Chooses among the variants of model.cpp. Compiled without any architecture flag, so it runs everywhere.
#include "model.hpp"

std::unique_ptr<model> make_model_plain();
std::unique_ptr<model> make_model_avx2();

std::unique_ptr<model> make_model() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return make_model_avx2();
#endif
    return make_model_plain();
}
