// SPDX-License-Identifier: MIT
// Zip archives whose members are stored without compression. Numbers in brackets are sections of PKWARE's APPNOTE.TXT 6.3.10.
//
//     member:     local header [4.3.7], name, sizes [4.5.3], bytes
//     …
//     directory:  for each member a central header [4.3.12], name, sizes and offset [4.5.3]
//     end:        zip64 end [4.3.14], its locator [4.3.15], end [4.3.16]
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/atomic_file.hpp>
#include <xgrad/io/file_reader.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct zip_member {
    std::string name;
    std::uint32_t sum = 0;   // CRC-32 of its bytes
    std::uint64_t size = 0;
    std::uint64_t offset = 0;   // of its local header
};

// A record to be written: a sequence of little-endian numbers.
struct zip_record {
    std::string bytes;

    template<class... U>
    zip_record& add(U... numbers) {
        (bytes.append(reinterpret_cast<char const*>(&numbers), sizeof numbers), ...);
        return *this;
    }
};
template<class U>
U number_at(std::string_view bytes, std::size_t at) {
    U n{};
    std::memcpy(&n, bytes.data() + at, sizeof n);
    return n;
}

using zip_u16 = std::uint16_t;
using zip_u32 = std::uint32_t;
using zip_u64 = std::uint64_t;
inline constexpr zip_u32 zip_local = 0x04034b50, zip_central = 0x02014b50, zip_end = 0x06054b50, zip64_end = 0x06064b50,
                         zip64_locator = 0x07064b50;
inline constexpr zip_u16 zip_elsewhere16 = 0xffff;   // the number is in a field of 64 bits instead
inline constexpr zip_u32 zip_elsewhere32 = 0xffffffff;
inline constexpr zip_u16 zip64_version = 45, zip_utf8 = 1 << 11, zip_stored = 0,
                         zip_1980 = 1 << 5 | 1;   // zip_1980: the first day of its calendar

/// Writes members in sequence. All sizes are fields of 64 bits. No time is stored, so equal members make equal files.
class zip_writer {
    atomic_file file_;
    std::vector<zip_member> members_;
    zip_u64 position_ = 0;

    void write(void const* data, std::uint64_t bytes) {
        file_.write(data, static_cast<std::size_t>(bytes));
        position_ += bytes;
    }
    void write(std::string const& bytes) { write(bytes.data(), bytes.size()); }

public:
    explicit zip_writer(std::string const& path) : file_(path) {}

    /// Begins a member. The caller then adds `m.size` bytes. `m.name` has at most 65535 bytes.
    void begin(zip_member m) {   // [4.3.7]
        m.offset = position_;
        write(zip_record()
                  .add(zip_local, zip64_version, zip_utf8, zip_stored, zip_u16{0}, zip_1980, m.sum, zip_elsewhere32, zip_elsewhere32,
                      static_cast<zip_u16>(m.name.size()), zip_u16{20})
                  .bytes +
              m.name);
        write(zip_record().add(zip_u16{1}, zip_u16{16}, m.size, m.size).bytes);   // [4.5.3]
        members_.push_back(std::move(m));
    }
    void add(void const* data, std::uint64_t bytes) { write(data, bytes); }
    void commit() {
        zip_u64 const directory = position_, count = members_.size();
        for (zip_member const& m : members_) {   // [4.3.12]
            write(zip_record()
                      .add(zip_central, zip64_version, zip64_version, zip_utf8, zip_stored, zip_u16{0}, zip_1980, m.sum, zip_elsewhere32,
                          zip_elsewhere32, static_cast<zip_u16>(m.name.size()), zip_u16{28}, zip_u16{0}, zip_u16{0}, zip_u16{0}, zip_u32{0},
                          zip_elsewhere32)
                      .bytes +
                  m.name);
            write(zip_record().add(zip_u16{1}, zip_u16{24}, m.size, m.size, m.offset).bytes);
        }
        zip_u64 const end = position_, bytes = end - directory;
        write(zip_record()   // [4.3.14], [4.3.15], [4.3.16]
                  .add(zip64_end, zip_u64{44}, zip64_version, zip64_version, zip_u32{0}, zip_u32{0}, count, count, bytes, directory)
                  .add(zip64_locator, zip_u32{0}, end, zip_u32{1})
                  .add(zip_end, zip_u16{0}, zip_u16{0}, zip_elsewhere16, zip_elsewhere16, zip_elsewhere32, zip_elsewhere32, zip_u16{0})
                  .bytes);
        file_.commit();
    }
};

/// Reads the directory of an archive and checks it before any member is read. Throws io_error if the archive is damaged, encrypted,
/// compressed or split into several files.
class zip_reader {
    file_reader file_;
    std::vector<zip_member> members_;

    [[noreturn]] void fail(std::string_view what) const { raise_parts<io_error>({file_.name(), ": ", what}); }
    std::string bytes_at(zip_u64 at, zip_u64 count) {
        if (at > file_.size() || count > file_.size() - at) fail("is truncated, or its directory is damaged");
        std::string bytes(static_cast<std::size_t>(count), '\0');
        file_.seek(at);
        file_.read(bytes.data(), bytes.size());
        return bytes;
    }
    // Replaces numbers of a central header that do not fit 32 bits. They are in a separate field, in the order of `numbers` [4.5.3].
    void widen(std::string_view extra, zip_u64* const (&numbers)[3]) const {
        while (extra.size() >= 4) {
            auto const id = number_at<zip_u16>(extra, 0), size = number_at<zip_u16>(extra, 2);
            extra.remove_prefix(4);
            if (size > extra.size()) break;
            if (id == 1) {
                std::size_t at = 0;
                for (zip_u64* n : numbers)
                    if (*n == zip_elsewhere32) {
                        if (at + 8 > size) fail("the directory is damaged");
                        *n = number_at<zip_u64>(extra, at);
                        at += 8;
                    }
                return;
            }
            extra.remove_prefix(size);
        }
        for (zip_u64* n : numbers)
            if (*n == zip_elsewhere32) fail("the directory is damaged");
    }
    // The begin of the directory, its bytes, and the number of members.
    struct directory {
        zip_u64 at, bytes, count;
    };
    directory find_directory() {
        constexpr std::size_t least = 22, most = least + 0xffff;   // a comment may follow the end record
        if (file_.size() < least) fail("is too short for a zip archive");
        zip_u64 const begin = file_.size() - std::min<zip_u64>(file_.size(), most);
        std::string const tail = bytes_at(begin, file_.size() - begin);
        std::size_t k = tail.size() - least;
        while (number_at<zip_u32>(tail, k) != zip_end || k + least + number_at<zip_u16>(tail, k + 20) != tail.size())
            if (k-- == 0) fail("is not a zip archive, or is truncated");
        if (number_at<zip_u32>(tail, k + 4) != 0) fail("is a part of an archive of several files");
        directory d{number_at<zip_u32>(tail, k + 16), number_at<zip_u32>(tail, k + 12), number_at<zip_u16>(tail, k + 10)};
        zip_u64 const end = begin + k;
        if (d.at != zip_elsewhere32 && d.bytes != zip_elsewhere32 && d.count != zip_elsewhere16) return d;
        if (end < 20) fail("the directory is damaged");
        std::string const locator = bytes_at(end - 20, 20);
        if (number_at<zip_u32>(locator, 0) != zip64_locator) return d;
        std::string const wide = bytes_at(number_at<zip_u64>(locator, 8), 56);
        if (number_at<zip_u32>(wide, 0) != zip64_end) fail("the directory is damaged");
        return {number_at<zip_u64>(wide, 48), number_at<zip_u64>(wide, 40), number_at<zip_u64>(wide, 32)};
    }

public:
    /// `path` must live as long as the reader.
    explicit zip_reader(std::string const& path) : file_(path) {
        directory const d = find_directory();
        std::string const all = bytes_at(d.at, d.bytes);
        std::string_view left = all;
        zip_u64 content = 0;
        for (zip_u64 k = 0; k < d.count; ++k) {
            if (left.size() < 46 || number_at<zip_u32>(left, 0) != zip_central) fail("the directory is damaged");
            std::size_t const name = number_at<zip_u16>(left, 28), extra = number_at<zip_u16>(left, 30),
                              comment = number_at<zip_u16>(left, 32);
            if (left.size() - 46 < name + extra + comment) fail("the directory is damaged");
            zip_u64 packed = number_at<zip_u32>(left, 20);
            zip_member m{std::string(left.substr(46, name)), number_at<zip_u32>(left, 16), number_at<zip_u32>(left, 24),
                number_at<zip_u32>(left, 42)};
            if (number_at<zip_u16>(left, 8) % 2 != 0) fail(message({"'", m.name, "' is encrypted"}));
            if (number_at<zip_u16>(left, 10) != zip_stored)
                fail(message({"'", m.name, "' is compressed, which xgrad does not read; numpy.savez writes archives without compression"}));
            widen(left.substr(46 + name, extra), {&m.size, &packed, &m.offset});
            // All members together cannot have more bytes than the file, even if a damaged directory names a member several times.
            if (packed != m.size || m.size > file_.size() || (content += m.size) > file_.size())
                fail(message({"'", m.name, "' has a damaged size"}));
            left.remove_prefix(46 + name + extra + comment);
            members_.push_back(std::move(m));
        }
        if (!left.empty()) fail("the directory is damaged");
    }

    std::vector<zip_member> const& members() const { return members_; }
    /// The file, positioned at the first byte of a member.
    file_reader& open(zip_member const& m) {
        std::string const head = bytes_at(m.offset, 30);
        zip_u64 const at = m.offset + 30 + number_at<zip_u16>(head, 26) + number_at<zip_u16>(head, 28);
        if (number_at<zip_u32>(head, 0) != zip_local || bytes_at(m.offset + 30, number_at<zip_u16>(head, 26)) != m.name ||
            at > file_.size() || m.size > file_.size() - at)
            fail(message({"'", m.name, "' is not where the directory says"}));
        file_.seek(at);
        return file_;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
