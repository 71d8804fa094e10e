// SPDX-License-Identifier: MIT
// A file that appears whole or not at all: temporary file beside it, flush to disk, rename.
#pragma once

#include <xgrad/core/error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#if __has_include(<unistd.h>) && __has_include(<fcntl.h>)
#    include <fcntl.h>
#    include <unistd.h>
#    define XGRAD_HAS_FSYNC 1
#else
#    define XGRAD_HAS_FSYNC 0
#endif

XGRAD_NAMESPACE_BEGIN

/// Writes a file so that a reader, or a crash, meets either the old content or all of the new one. Until `commit` nothing of `path` is
/// touched; on any failure the temporary file is removed and io_error raised. A symbolic link at `path` is replaced, not followed.
class atomic_file {
public:
    explicit atomic_file(std::filesystem::path path) : target_(std::move(path)) {
        for (int attempt = 0; attempt < 100 && !file_; ++attempt) {
            temporary_ = target_;
            temporary_ += std::string(".tmp") + std::to_string(attempt);
            errno = 0;
            file_ = std::fopen(temporary_.string().c_str(), "wbx");   // x: never takes over another writer's temporary file
            if (!file_ && errno != EEXIST) break;
        }
        if (!file_) raise<io_error>(target_.string() + ": cannot create a temporary file beside it: " + std::strerror(errno));
    }
    atomic_file(atomic_file const&) = delete;
    atomic_file& operator=(atomic_file const&) = delete;
    ~atomic_file() { discard(); }

    void write(void const* data, std::size_t bytes) {
        if (bytes != 0 && std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot write");
    }

    /// Flushes the data to disk, puts the file in its place, and flushes the folder's entry.
    void commit() {
        if (std::fflush(file_) != 0) fail("cannot write");
#if XGRAD_HAS_FSYNC
        if (::fsync(::fileno(file_)) != 0) fail("cannot flush to disk");
#endif
        std::FILE* const file = file_;
        file_ = nullptr;
        if (std::fclose(file) != 0) fail("cannot close");
        std::error_code code;
        std::filesystem::rename(temporary_, target_, code);
        if (code) fail("cannot put the new file in place", code.message());
        temporary_.clear();
        flush_folder();
    }

private:
    [[noreturn]] void fail(char const* what) { fail(what, std::strerror(errno)); }
    [[noreturn]] void fail(char const* what, std::string const& why) {
        std::string const message = target_.string() + ": " + what + ": " + why + "; the file is as it was before";
        discard();   // here and not only in the destructor: without exceptions the destructor never runs
        raise<io_error>(message);
    }

    void discard() noexcept {
        if (file_) std::fclose(file_);
        file_ = nullptr;
        std::error_code ignored;
        if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
        temporary_.clear();
    }

    // The new file is complete and in place: a file system that cannot flush folders is no reason to report a failure.
    void flush_folder() const noexcept {
#if XGRAD_HAS_FSYNC
        std::filesystem::path const parent = target_.parent_path();
        int const folder = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY);
        if (folder < 0) return;
        ::fsync(folder);
        ::close(folder);
#endif
    }

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::FILE* file_ = nullptr;
};

XGRAD_NAMESPACE_END

#undef XGRAD_HAS_FSYNC
