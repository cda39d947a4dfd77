#ifndef ANYMPI_COMM_HPP
#define ANYMPI_COMM_HPP

#include <optional>
#include <string>

#include "attached_buffer.hpp"
#include "group.hpp"
#include "partitioned.hpp"
#include "request_set.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The kinds of processes that split_type groups together.
enum class SplitType : int {
    shared = MPI_COMM_TYPE_SHARED,
    hw_guided = MPI_COMM_TYPE_HW_GUIDED,
    hw_unguided = MPI_COMM_TYPE_HW_UNGUIDED,
    resource_guided = MPI_COMM_TYPE_RESOURCE_GUIDED,
};

class PendingComm;
struct TopologyInfo;
using CommBuffer = AttachedBuffer<detail::CommBuffered>;

/// A communicator. The destructor frees it, unless it is borrowed or predefined. Several threads may call its functions
/// at once if the granted ThreadLevel allows that.
class [[nodiscard]] Comm : public PartitionedMessages {
public:
    using PartitionedMessages::handle;
    using PartitionedMessages::PartitionedMessages;

    /// The color of processes that get no communicator from a split.
    static constexpr int undefined = MPI_UNDEFINED;

    /// Wraps a handle that other code owns. The error handler does not change.
    static Comm borrow(MPI_Comm handle) noexcept { return {handle, false}; }
    /// Takes over a handle. Its errors are returned from now on.
    static Comm adopt(MPI_Comm handle) noexcept {
        if (handle != MPI_COMM_NULL)
            MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
        return {handle, handle != MPI_COMM_NULL};
    }

    // The library is asked once for each of the next three: they never change.

    [[nodiscard]] ANYMPI_CALLS certain_result<int> rank() const {
        const auto& known = where().facts()->rank;
        if (detail::is_too_late() || known.get() < 0) [[unlikely]] {
            int rank = 0;
            ANYMPI_CALL(where(), MPI_Comm_rank, handle(), &rank);
            known.set(rank);
        }
        return known.get();
    }
    [[nodiscard]] ANYMPI_CALLS certain_result<int> size() const {
        const auto& known = where().facts()->size;
        if (detail::is_too_late() || known.get() < 0) [[unlikely]] {
            int size = 0;
            ANYMPI_CALL(where(), MPI_Comm_size, handle(), &size);
            known.set(size);
        }
        return known.get();
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> group() const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(where(), MPI_Comm_group, handle(), &made);
        return Group(made, true);
    }
    [[nodiscard]] ANYMPI_CALLS result<std::string> name() const {
        char text[MPI_MAX_OBJECT_NAME] = "";
        int length = 0;
        ANYMPI_CALL(where(), MPI_Comm_get_name, handle(), text, &length);
        return std::string(text, static_cast<std::size_t>(length));
    }
    ANYMPI_CALLS result<void> set_name(const std::string& name) {
        ANYMPI_CALL(where(), MPI_Comm_set_name, handle(), name.c_str());
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<Info> info() const {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(where(), MPI_Comm_get_info, handle(), &made);
        return Info(made, true);
    }
    ANYMPI_CALLS result<void> set_info(const Info& info) {
        ANYMPI_CALL(where(), MPI_Comm_set_info, handle(), info.handle());
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<Comparison> compare(const Comm& other) const {
        int outcome = MPI_UNEQUAL;
        ANYMPI_CALL(where(), MPI_Comm_compare, handle(), other.handle(), &outcome);
        return static_cast<Comparison>(outcome);
    }
    [[nodiscard]] ANYMPI_CALLS result<bool> is_inter() const {
        const auto& known = where().facts()->is_inter;
        if (detail::is_too_late() || known.get() < 0) [[unlikely]] {
            int flag = 0;
            ANYMPI_CALL(where(), MPI_Comm_test_inter, handle(), &flag);
            known.set(flag != 0);
        }
        return known.get() != 0;
    }

    // New communicators

    [[nodiscard]] ANYMPI_CALLS result<Comm> duplicate() const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(where(), MPI_Comm_dup, handle(), &made);
        return adopt(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Comm> duplicate(const Info& info) const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(where(), MPI_Comm_dup_with_info, handle(), info.handle(), &made);
        return adopt(made);
    }
    /// Does the same without waiting for the other processes. The completed request has the communicator.
    [[nodiscard]] ANYMPI_CALLS result<PendingComm> idup() const;
    [[nodiscard]] ANYMPI_CALLS result<PendingComm> idup(const Info& info) const;
    /// Makes a communicator for the processes of each color, ordered by key. Processes with the color `undefined` get
    /// none.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Comm>> split(int color, int key = 0) const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(where(), MPI_Comm_split, handle(), color, key, &made);
        return optional(made);
    }
    /// Makes a communicator for the processes that share something, usually memory.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Comm>> split_type(SplitType type, int key = 0,
                                                                      const Info& info = {}) const {
        MPI_Comm made = MPI_COMM_NULL;
        if (shared::is_stand_in(static_cast<int>(type)))
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "anympi: this mpi.h lacks the type of the split"}),
                        "MPI_Comm_split_type", where());
        ANYMPI_CALL(where(), MPI_Comm_split_type, handle(), static_cast<int>(type), key, info.handle(), &made);
        return optional(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Comm> split_shared() const {
        MPI_Comm made = MPI_COMM_NULL;
        int key = 0;
        ANYMPI_CALL(where(), MPI_Comm_rank, handle(), &key);
        ANYMPI_CALL(where(), MPI_Comm_split_type, handle(), MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &made);
        return adopt(made);
    }
    /// Called by all processes of this communicator. Processes outside the group get none.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Comm>> create(const Group& group) const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_REQUIRE(where(), "MPI_Comm_create", group.check());
        ANYMPI_CALL(where(), MPI_Comm_create, handle(), group.handle(), &made);
        return optional(made);
    }
    /// Called only by the processes of the group.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Comm>> create_group(const Group& group, Tag tag = {}) const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_REQUIRE(where(), "MPI_Comm_create_group", group.check());
        ANYMPI_CALL(where(), MPI_Comm_create_group, handle(), group.handle(), tag.number(), &made);
        return optional(made);
    }
    /// Makes a communicator without a parent. Called by the processes of the group, all with the same `tag`.
    static ANYMPI_CALLS result<Comm> create_from_group(const Group& group, const std::string& tag,
                                                       const Info& info = {}) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Comm_create_from_group", group.check());
        if (tag.find('\0') != std::string::npos)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "the tag contains a null character"}), "MPI_Comm_create_from_group",
                        detail::Nowhere{});
        ANYMPI_CALL(detail::Nowhere{}, MPI_Comm_create_from_group, group.handle(), tag.c_str(), info.handle(),
                    MPI_ERRORS_RETURN, &made);
        return adopt(made);
    }

    /// Reports which of its processes run where. Called by all processes (see report.hpp).
    [[nodiscard]] ANYMPI_CALLS result<TopologyInfo> topology_report() const;

    // Buffers

    /// Attaches memory for the buffered sends of this communicator. The returned object detaches it.
    [[nodiscard]] ANYMPI_CALLS result<CommBuffer> attach_buffer(std::vector<std::byte> memory) const {
        return CommBuffer::attach(handle(), std::move(memory));
    }
    [[nodiscard]] ANYMPI_CALLS result<CommBuffer> attach_buffer(std::size_t bytes) const {
        return CommBuffer::attach(handle(), std::vector<std::byte>(bytes));
    }
    [[nodiscard]] ANYMPI_CALLS result<CommBuffer> attach_buffer(AutomaticBuffer automatic) const {
        return CommBuffer::attach(handle(), automatic);
    }

    /// Ends the job.
    [[noreturn]] void abort(int code = 1) const {
        MPI_Abort(handle(), code);
        std::terminate();
    }

protected:
    /// For derived kinds of communicators.
    template <class Kind>
    static Kind adopt_as(MPI_Comm made) {
        Comm comm = adopt(made);
        return Kind(comm.release(), made != MPI_COMM_NULL);
    }
    template <class Kind>
    static std::optional<Kind> adopt_optional(MPI_Comm made) {
        return made == MPI_COMM_NULL ? std::optional<Kind>() : std::optional<Kind>(adopt_as<Kind>(made));
    }

private:
    static std::optional<Comm> optional(MPI_Comm made) { return adopt_optional<Comm>(made); }
};

/// A communicator that is being made. The destructor waits, since the other processes need this one, and frees the
/// communicator. If an exception destroys this object, the destructor neither waits nor frees.
class [[nodiscard]] PendingComm {
public:
    PendingComm(Request request, std::shared_ptr<MPI_Comm> made) noexcept
        : made_(std::move(made)), request_(std::move(request)) {}
    PendingComm(PendingComm&&) noexcept = default;
    PendingComm& operator=(PendingComm&&) = delete;
    ~PendingComm() {
        if (!made_)
            return;
        if (detail::has_ended())
            return;
        if (!request_.is_unwinding()) {
            request_ = Request();                   // waits for the request
            static_cast<void>(Comm::adopt(*made_)); // null if it was not made
        } else if (request_.leave() && *made_ != MPI_COMM_NULL) {
            detail::leave_open<detail::CommKind>(*made_);
        }
    }

    ANYMPI_CALLS result<Comm> wait() {
        if (!made_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, "the communicator has been returned already"}), "MPI_Wait",
                        detail::Nowhere{});
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Wait", request_.await(MPI_STATUS_IGNORE));
        return hand_out();
    }
    /// Returns the communicator if it is ready.
    ANYMPI_CALLS result<std::optional<Comm>> test() {
        if (!made_)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_REQUEST, "the communicator has been returned already"}), "MPI_Test",
                        detail::Nowhere{});
        int ready = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Test", request_.look(ready, MPI_STATUS_IGNORE));
        return ready ? std::optional<Comm>(hand_out()) : std::optional<Comm>();
    }
    /// Returns the status if the communicator is ready, without changing the request.
    [[nodiscard]] ANYMPI_CALLS result<std::optional<Status>> get_status() const { return request_.get_status(); }
    [[nodiscard]] bool is_completed() const noexcept { return request_.is_completed(); }
    [[nodiscard]] MPI_Request handle() const noexcept { return request_.handle(); }
    /// For functions that complete several requests at once.
    void complete(MPI_Request handle, const MPI_Status& status, int code) noexcept {
        request_.complete(handle, status, code);
    }
    void keep_going() noexcept {} // it is never cancelled

private:
    Comm hand_out() { return Comm::adopt(*std::exchange(made_, nullptr)); }
    std::shared_ptr<MPI_Comm> made_; // the library writes the handle there
    Request request_;
};

inline ANYMPI_CALLS result<PendingComm> Comm::idup() const {
    const std::shared_ptr<MPI_Comm> made(new MPI_Comm(MPI_COMM_NULL));
    MPI_Request request = MPI_REQUEST_NULL;
    ANYMPI_CALL(where(), MPI_Comm_idup, handle(), made.get(), &request);
    return PendingComm(Request({.handle = request, .keep = detail::lasting(made), .borrows = false, .origin = where()}),
                       made);
}
inline ANYMPI_CALLS result<PendingComm> Comm::idup(const Info& info) const {
    const std::shared_ptr<MPI_Comm> made(new MPI_Comm(MPI_COMM_NULL));
    MPI_Request request = MPI_REQUEST_NULL;
    ANYMPI_CALL(where(), MPI_Comm_idup_with_info, handle(), info.handle(), made.get(), &request);
    return PendingComm(Request({.handle = request, .keep = detail::lasting(made), .borrows = false, .origin = where()}),
                       made);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
