// Messages and collective operations with objects that own memory. Part of Comm. See serialize.hpp.
#ifndef ANYMPI_OBJECTS_HPP
#define ANYMPI_OBJECTS_HPP

#include "refusals.hpp"
#include "serialize.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

template <class T>
std::vector<std::byte> bytes_of(const T& object) {
    Writer writer;
    writer(object);
    return std::move(writer).take();
}
/// Writes objects one after the other, and adds the number of bytes of each to `counts`.
template <class T>
std::vector<std::byte> bytes_of_all(const std::vector<T>& objects, std::vector<std::size_t>& counts) {
    std::vector<std::byte> all;
    for (const T& object : objects) {
        const std::vector<std::byte> bytes = detail::bytes_of(object);
        detail::append(all, bytes.data(), bytes.size());
        counts.push_back(bytes.size());
    }
    return all;
}
template <class T>
Fault read_object(std::span<const std::byte> bytes, T& object) {
    Reader reader(bytes);
    reader(object);
    return reader.complete() ? Fault{MPI_SUCCESS}
                             : Fault{MPI_ERR_TRUNCATE, "the message is not an object of this type"};
}
template <class T, class Where>
ANYMPI_CALLS result<T> object_from(std::span<const std::byte> bytes, Where where) {
    T object{};
    ANYMPI_REQUIRE(where, "recv_object", detail::read_object(bytes, object));
    return object;
}
/// Returns the object of a message. No object comes from proc_null: the result is T{}.
template <class T, class Where>
ANYMPI_CALLS result<T> object_of_message(const AndStatus<std::vector<std::byte>>& came, Where where) {
    if (came.status.source() == proc_null)
        return T{};
    return detail::object_from<T>(came.value, where);
}
/// Returns the objects of all parts.
template <class T>
ANYMPI_CALLS result<std::vector<T>> objects_from(const AndLayout<std::vector<std::byte>>& came, const char* function,
                                                 shared::CommObject comm) {
    std::vector<T> objects;
    for (std::size_t part = 0; part < came.layout.parts(); ++part) {
        const auto bytes = std::span(came.value)
                               .subspan(static_cast<std::size_t>(came.layout.displacements()[part]),
                                        static_cast<std::size_t>(came.layout.counts()[part]));
        T object{};
        ANYMPI_REQUIRE(comm, function, detail::read_object(bytes, object));
        objects.push_back(std::move(object));
    }
    return objects;
}

} // namespace detail

/// A message that a matched probe has found can be received without waiting for it. (There is no irecv_object: its size
/// would be known only when it is waited for, and until then other receives could take its message.)
template <class T>
ANYMPI_CALLS result<T> Message::recv_object() && {
    static_assert(Serializable<T>, "anympi: this object cannot be made from bytes: give its class a function "
                                   "serialize(archive, object)");
    using Bytes = std::vector<std::byte>;
    return detail::then<T>(std::move(*this).recv_all<std::byte>(with_status), [](const AndStatus<Bytes>& came) {
        return detail::object_of_message<T>(came, detail::Nowhere{});
    });
}

/// Sends objects that own memory as messages. Part of Comm.
class Objects : public Refusals {
public:
    using Refusals::Refusals;

    template <Serializable T>
    ANYMPI_CALLS result<void> send_object(const T& object, Destination destination, Tag tag = {}) const {
        return send(detail::bytes_of(object), destination, tag);
    }
    /// The request owns the bytes of the object, so the object may change at once.
    template <Serializable T>
    ANYMPI_CALLS auto isend_object(const T& object, Destination destination, Tag tag = {}) const {
        return isend(detail::bytes_of(object), destination, tag);
    }
    /// From proc_null the result is T{}.
    template <Serializable T>
    ANYMPI_CALLS result<T> recv_object(Source source = any_source, Tag tag = any_tag) const {
        return detail::then<T>(recv_object<T>(source, tag, with_status),
                               [](AndStatus<T> came) { return std::move(came.value); });
    }
    /// Does the same, and also returns the status: auto [object, status] = recv_object<T>(source, with_status).
    template <Serializable T>
    ANYMPI_CALLS result<AndStatus<T>> recv_object(Source source, Tag tag, WithStatus) const {
        using Bytes = std::vector<std::byte>;
        return detail::then<AndStatus<T>>(
            recv<Bytes>(source, tag, with_status), [&](const AndStatus<Bytes>& came) -> result<AndStatus<T>> {
                return detail::then<AndStatus<T>>(detail::object_of_message<T>(came, where()), [&](T object) {
                    return AndStatus<T>{std::move(object), came.status};
                });
            });
    }
    template <Serializable T>
    ANYMPI_CALLS result<AndStatus<T>> recv_object(Source source, WithStatus) const {
        return recv_object<T>(source, any_tag, with_status);
    }
    template <Serializable T>
    ANYMPI_CALLS result<AndStatus<T>> recv_object(WithStatus) const {
        return recv_object<T>(any_source, any_tag, with_status);
    }
    /// @cond only for messages of the compiler
    template <class T>
    __attribute__((unavailable("anympi: the root is missing: pass its rank as the last number, such as 0 or "
                               "root(0)"))) detail::Refused
    broadcast_object(const T& object) const;
    template <class T>
    __attribute__((unavailable("anympi: the root is missing: pass its rank as the last number, such as 0 or "
                               "root(0)"))) detail::Refused
    gather_object(const T& object) const;
    template <class T>
    __attribute__((unavailable("anympi: the root is missing: pass its rank as the last number, such as 0 or "
                               "root(0)"))) detail::Refused
    scatter_object(const T& objects) const;
    /// @endcond
    /// Returns the object of `root` on every process. With two groups, the other processes of the root's group get T{}.
    template <Serializable T>
    ANYMPI_CALLS result<T> broadcast_object(const T& object, Root root) const {
        std::vector<std::byte> bytes;
        if (is_null())
            ANYMPI_FAIL(detail::null_object(where()), "MPI_Bcast", where());
        ANYMPI_REQUIRE(where(), "MPI_Bcast", detail::check_time());
        ANYMPI_REQUIRE(where(), "MPI_Bcast",
                       detail::compare_steps(handle(), "broadcast_object", MPI_BYTE, root.rank()));
        detail::Company company;
        ANYMPI_REQUIRE(where(), "MPI_Bcast", detail::find_company(where(), company, root.rank()));
        if (company.at_root)
            bytes = detail::bytes_of(object);
        auto count = static_cast<MPI_Count>(bytes.size());
        ANYMPI_CALL(where(), MPI_Bcast_c, &count, 1, MPI_COUNT, root.rank(), handle());
        bytes.resize(static_cast<std::size_t>(count));
        ANYMPI_CALL(where(), MPI_Bcast_c, bytes.data(), count, MPI_BYTE, root.rank(), handle());
        if (root.rank() == proc_null)
            return T{};
        return detail::object_from<T>(bytes, where());
    }
    /// Returns the object of every process, in the order of ranks.
    template <Serializable T>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<T>> allgather_object(const T& object) const {
        return objects_of<T>("allgather_object", allgatherv(detail::bytes_of(object), with_layout));
    }
    /// Returns the object of every process at `root`, and nothing at other processes.
    template <Serializable T>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<T>> gather_object(const T& object, Root root) const {
        return objects_of<T>("gather_object", gatherv(detail::bytes_of(object), root, with_layout));
    }
    /// Process i gets `objects[i]` of `root`. Only the root's objects are used. If they are not one for each process,
    /// every process gets the error. With two groups, the group of the root gets T{}.
    template <Serializable T>
    [[nodiscard]] ANYMPI_CALLS result<T> scatter_object(const std::vector<T>& objects, Root root) const {
        std::vector<std::size_t> counts;
        const std::vector<std::byte> all = detail::bytes_of_all(objects, counts);
        return detail::then<T>(scatterv(all, counts, root), [&](const std::vector<std::byte>& bytes) -> result<T> {
            if (root.rank() < 0) // intercomm_root or proc_null
                return T{};
            return detail::object_from<T>(bytes, where());
        });
    }
    /// Sends `objects[i]` to process i. Returns the object that each process has sent to this one.
    template <Serializable T>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<T>> alltoall_object(const std::vector<T>& objects) const {
        std::vector<std::size_t> counts;
        const std::vector<std::byte> all = detail::bytes_of_all(objects, counts);
        return objects_of<T>("alltoall_object", alltoallv(all, counts, with_layout));
    }

private:
    template <class T>
    ANYMPI_CALLS result<std::vector<T>> objects_of(const char* function,
                                                   result<AndLayout<std::vector<std::byte>>> came) const {
        return detail::then<std::vector<T>>(std::move(came), [&](const AndLayout<std::vector<std::byte>>& parts) {
            return detail::objects_from<T>(parts, function, where());
        });
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
