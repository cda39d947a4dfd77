// Packs values of different types into one message: in the library's own format for a communicator (Packer, Unpacker),
// or in a format that every library knows, for files and other programs (ExternalPacker, ExternalUnpacker).
#ifndef ANYMPI_PACK_HPP
#define ANYMPI_PACK_HPP

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

/// The library's own format, for messages on one communicator.
struct NativeFormat {
    using Byte = PackedByte;
    static constexpr const char *pack_name = "MPI_Pack", *unpack_name = "MPI_Unpack";
    MPI_Comm comm;
    int size(const ReadView& from, MPI_Count* bytes) const {
        return MPI_Pack_size_c(from.count, from.type, comm, bytes);
    }
    int pack(const ReadView& from, Byte* bytes, MPI_Count room, MPI_Count* position) const {
        return MPI_Pack_c(from.data, from.count, from.type, bytes, room, position, comm);
    }
    int unpack(const Byte* bytes, MPI_Count room, MPI_Count* position, const WriteView& into) const {
        return MPI_Unpack_c(bytes, room, position, into.data, into.count, into.type, comm);
    }
};
/// The format that every library knows.
struct External32 {
    using Byte = std::byte;
    static constexpr const char *pack_name = "MPI_Pack_external", *unpack_name = "MPI_Unpack_external";
    static constexpr const char* format = "external32";
    static int size(const ReadView& from, MPI_Count* bytes) {
        return MPI_Pack_external_size_c(format, from.count, from.type, bytes);
    }
    static int pack(const ReadView& from, Byte* bytes, MPI_Count room, MPI_Count* position) {
        return MPI_Pack_external_c(format, from.data, from.count, from.type, bytes, room, position);
    }
    static int unpack(const Byte* bytes, MPI_Count room, MPI_Count* position, const WriteView& into) {
        return MPI_Unpack_external_c(format, bytes, room, position, into.data, into.count, into.type);
    }
};

} // namespace detail

/// Packs objects that can be sent into one message. The bytes are a container like any other.
template <class Format>
class BasicPacker {
public:
    using Byte = typename Format::Byte;
    BasicPacker() requires std::is_empty_v<Format>
    = default;
    explicit BasicPacker(const Comm& comm) requires(!std::is_empty_v<Format>) : format_{comm.handle()} {}

    template <SendBuffer... B>
    ANYMPI_CALLS result<void> add(const B&... buffers) {
        detail::Fault fault = MPI_SUCCESS;
        static_cast<void>((!(fault = add_one(detail::reading(buffers))) && ...));
        ANYMPI_REQUIRE(detail::Nowhere{}, Format::pack_name, fault);
        return detail::done();
    }
    [[nodiscard]] const std::vector<Byte>& bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::vector<Byte> take() && { return std::move(bytes_); }

private:
    ANYMPI_CALLS detail::Fault add_one(const detail::ReadView& from) {
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        MPI_Count more = 0;
        if (const int code = format_.size(from, &more); code != MPI_SUCCESS)
            return code;
        auto position = static_cast<MPI_Count>(bytes_.size());
        bytes_.resize(bytes_.size() + static_cast<std::size_t>(more)); // an upper bound
        const int code = format_.pack(from, bytes_.data(), static_cast<MPI_Count>(bytes_.size()), &position);
        bytes_.resize(static_cast<std::size_t>(position));
        return code;
    }
    [[no_unique_address]] Format format_;
    std::vector<Byte> bytes_;
};

/// Unpacks such a message in the same order. The unpacker owns bytes that are a temporary or given with std::move.
/// Other bytes must outlive the unpacker.
template <class Format>
class BasicUnpacker {
public:
    using Byte = typename Format::Byte;
    explicit BasicUnpacker(detail::LastingBytes<Byte> bytes) requires std::is_empty_v<Format>
        : bytes_(bytes.bytes), keep_(std::move(bytes.keep)) {}
    BasicUnpacker(const Comm& comm, detail::LastingBytes<Byte> bytes) requires(!std::is_empty_v<Format>)
        : format_{comm.handle()}, bytes_(bytes.bytes), keep_(std::move(bytes.keep)) {}

    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<void> get(B&& buffer) {
        ANYMPI_REQUIRE(detail::Nowhere{}, Format::unpack_name, get_into(detail::writing(buffer)));
        return detail::done();
    }
    template <Communicable T>
    [[nodiscard]] ANYMPI_CALLS result<T> get() {
        T value{};
        ANYMPI_REQUIRE(detail::Nowhere{}, Format::unpack_name, get_into(detail::writing(value)));
        return value;
    }
    /// Returns how many bytes are left.
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - static_cast<std::size_t>(position_); }

private:
    ANYMPI_CALLS detail::Fault get_into(const detail::WriteView& into) {
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        // Check the size first, since libraries read past the end.
        MPI_Count each = 0;
        if (const int code = MPI_Type_size_c(into.type, &each); code != MPI_SUCCESS)
            return code;
        if (detail::product(each, into.count) > static_cast<MPI_Count>(left()))
            return {MPI_ERR_TRUNCATE, "not enough bytes are left"};
        return format_.unpack(bytes_.data(), static_cast<MPI_Count>(bytes_.size()), &position_, into);
    }
    [[no_unique_address]] Format format_;
    std::span<const Byte> bytes_;
    detail::Keep keep_;
    MPI_Count position_ = 0;
};

using Packer = BasicPacker<detail::NativeFormat>;
using Unpacker = BasicUnpacker<detail::NativeFormat>;
using ExternalPacker = BasicPacker<detail::External32>;
using ExternalUnpacker = BasicUnpacker<detail::External32>;

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
