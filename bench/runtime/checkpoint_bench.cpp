// SPDX-License-Identifier: MIT
// The cost of checksums when a checkpoint is restored: a file as it is saved, and the same without them. The system caches the file in
// memory.
#include "frame.hpp"

#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {
namespace xg = xgrad;
using namespace xgrad::literals;

constexpr auto w = xg::variable<"w", float, 2048, 2048>;
constexpr auto loss = xg::sum(xg::square(w - 1_c));

/// A copy whose metadata about checksums have other names, which no reader knows.
void copy_without_checksums(std::filesystem::path const& from, std::filesystem::path const& to) {
    std::ifstream in(from, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (std::string const key : {"xgrad.crc32.header", "xgrad.crc32.tensors"}) bytes[bytes.find(key)] = 'o';
    std::ofstream(to, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Checkpoints of 48 MB: a matrix and the slots of adam");
    auto const folder = std::filesystem::temp_directory_path() / ("xgrad_checkpoint_bench_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    auto const path = folder / "with.safetensors", plain = folder / "without.safetensors";
    auto train = xg::minimize(loss, xg::adam{});
    xg::save(train, path);
    copy_without_checksums(path, plain);
    suite.row("restore, checksums verified", [&] { xg::restore(train, path); });
    suite.row("restore, no checksums in the file", [&] { xg::restore(train, plain); });
    suite.row("save", [&] { xg::save(train, path); });
    std::filesystem::remove_all(folder);
    return suite.finish();
}
