// SPDX-License-Identifier: MIT
// A libFuzzer target: any bytes are a file of tensors that is refused with io_error, or one that is whole.
#include <xgrad/io/npz.hpp>
#include <xgrad/io/safetensors.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace xg = xgrad;

namespace {
void expect(bool held, char const* what) {
    if (held) return;
    std::fprintf(stderr, "xgrad: %s\n", what);
    std::abort();
}
// Every byte is there, and there are as many as shape and type say.
void look_at(xg::dtype type, std::vector<std::int64_t> const& shape, void const* data, std::size_t size) {
    std::uint64_t bytes = 0;
    expect(xg::detail::checked_bytes(shape.data(), shape.size(), xg::size_of(type), bytes), "a shape that nothing can have");
    expect(bytes == size * xg::size_of(type), "a tensor has not the size of its shape");
    auto const* const p = static_cast<unsigned char const*>(data);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < bytes; ++i) sum += p[i];
    expect(sum <= 255 * bytes, "a sum of bytes is too large");   // so that each is read
}
template<class F>
void read(F const& f) {
    try {
        f();
    } catch (xg::io_error const& e) { expect(e.what()[0] != '\0', "an error without a word"); }
}
}   // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static int const file = ::memfd_create("input", 0);
    static std::string const path = "/proc/self/fd/" + std::to_string(file);
    expect(::ftruncate(file, 0) == 0 && ::pwrite(file, data, size, 0) == static_cast<ssize_t>(size), "the input cannot be written");
    read([] {
        xg::safetensors_file const all(path);
        for (xg::stored_tensor const& t : all.tensors()) look_at(t.type, t.shape, t.data, t.size());
    });
    read([] {
        xg::npy_array const one = xg::read_npy(path);
        look_at(one.type(), one.shape(), one.data(), one.size());
    });
    read([] {
        xg::npz_file const all(path);
        for (xg::npz_entry const& e : all.arrays()) look_at(e.array.type(), e.array.shape(), e.array.data(), e.array.size());
    });
    return 0;
}
