// Messages and collective operations with objects that own memory. Part of Comm. See serialize.hpp.
#ifndef ANYMPI_OBJECTS_HPP
#define ANYMPI_OBJECTS_HPP

#include "refusals.hpp"
#include "serialize.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {
template <class T>
ANYMPI_CALLS result<T> object_from(std::span<const std::byte> bytes, shared::CommObject comm) {
    T object{};
    Reader reader(bytes);
    reader(object);
    if (!reader.complete())
        ANYMPI_FAIL((Fault{MPI_ERR_TRUNCATE, "the message is not an object of this type"}), "recv_object", comm);
    return object;
}
} // namespace detail

/// Sends objects that own memory as messages. Part of Comm.
class Objects : public Refusals {
public:
    using Refusals::Refusals;

    template <Serializable T>
    ANYMPI_CALLS result<void> send_object(const T& object, Destination destination, Tag tag = {}) const {
        Writer writer;
        writer(object);
        return send(std::move(writer).take(), destination, tag);
    }
    template <Serializable T>
    ANYMPI_CALLS result<T> recv_object(Source source = any_source, Tag tag = any_tag) const {
        return detail::then<T>(recv<std::vector<std::byte>>(source, tag), [&](const std::vector<std::byte>& bytes) {
            return detail::object_from<T>(bytes, where());
        });
    }
    /// @cond only for messages of the compiler
    template <class T>
    __attribute__((unavailable("anympi: the root is missing: pass its rank as the last number, such as 0 or "
                               "root(0)"))) detail::Refused
    broadcast_object(const T& object) const;
    /// @endcond
    /// Returns the object of `root` on every process.
    template <Serializable T>
    ANYMPI_CALLS result<T> broadcast_object(const T& object, Root root) const {
        std::vector<std::byte> bytes;
        if (is_null())
            ANYMPI_FAIL(detail::null_object(where()), "MPI_Bcast", where());
        ANYMPI_REQUIRE(where(), "MPI_Bcast", detail::check_time());
        ANYMPI_REQUIRE(where(), "MPI_Bcast",
                       detail::compare_steps(handle(), "broadcast_object", MPI_BYTE, root.rank()));
        detail::Company company;
        ANYMPI_REQUIRE(where(), "MPI_Bcast", detail::find_company(handle(), company, root.rank()));
        if (company.at_root) {
            Writer writer;
            writer(object);
            bytes = std::move(writer).take();
        }
        auto count = static_cast<MPI_Count>(bytes.size());
        ANYMPI_CALL(where(), MPI_Bcast_c, &count, 1, MPI_COUNT, root.rank(), handle());
        bytes.resize(static_cast<std::size_t>(count));
        ANYMPI_CALL(where(), MPI_Bcast_c, bytes.data(), count, MPI_BYTE, root.rank(), handle());
        return detail::object_from<T>(bytes, where());
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
