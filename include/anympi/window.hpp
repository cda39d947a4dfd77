// Windows: memory that other processes can access.
#ifndef ANYMPI_WINDOW_HPP
#define ANYMPI_WINDOW_HPP

#include "epoch.hpp"
#include "memory.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// How a window was made.
enum class WindowFlavor : int {
    create = MPI_WIN_FLAVOR_CREATE,
    allocate = MPI_WIN_FLAVOR_ALLOCATE,
    dynamic = MPI_WIN_FLAVOR_DYNAMIC,
    shared = MPI_WIN_FLAVOR_SHARED,
};

/// Tells if a process and the others access the same copy of the memory of a window.
enum class MemoryModel : int { separate = MPI_WIN_SEPARATE, unified = MPI_WIN_UNIFIED };

/// Memory that other processes can access. All processes of a communicator make and free it together.
template <Communicable T>
class [[nodiscard]] Window : public Owned<detail::WinKind> {
public:
    using Owned::Owned;
    Window(MPI_Win handle, std::span<T> local) noexcept : Owned(handle, true), local_(local) {
        MPI_Win_set_errhandler(handle, MPI_ERRORS_RETURN);
    }

    /// Makes a window over memory of the caller, which must outlive the window.
    static ANYMPI_CALLS result<Window> create(const Comm& comm, std::span<T> memory, const Info& info = {}) {
        MPI_Win made = MPI_WIN_NULL;
        ANYMPI_REQUIRE(comm.where(), "MPI_Win_create", check_size(memory.size()));
        ANYMPI_CALL(comm.where(), MPI_Win_create_c, memory.data(), bytes(memory.size()), MPI_Aint{sizeof(T)},
                    info.handle(), comm.handle(), &made);
        return Window(made, memory);
    }
    /// Makes a window over memory that MPI allocates and frees.
    static ANYMPI_CALLS result<Window> allocate(const Comm& comm, std::size_t count, const Info& info = {}) {
        MPI_Win made = MPI_WIN_NULL;
        T* memory = nullptr;
        ANYMPI_REQUIRE(comm.where(), "MPI_Win_allocate", check_size(count));
        ANYMPI_CALL(comm.where(), MPI_Win_allocate_c, bytes(count), MPI_Aint{sizeof(T)}, info.handle(), comm.handle(),
                    static_cast<void*>(&memory), &made);
        return Window(made, std::span(memory, count));
    }

    /// Returns this process's part. Empty if the window has been freed.
    [[nodiscard]] std::span<T> local() const noexcept { return is_null() ? std::span<T>() : local_; }

    // Epochs. The window must outlive them: epochs of a temporary window do not compile.

    [[nodiscard]] ANYMPI_CALLS result<LockGuard<T>> lock(LockType type, Target rank,
                                                         PscwAssert asserts = PscwAssert::none) const& {
        ANYMPI_CALL(where(), MPI_Win_lock, static_cast<int>(type), rank.rank(), static_cast<int>(asserts), handle());
        return LockGuard<T>(handle(), rank.rank());
    }
    [[nodiscard]] ANYMPI_CALLS result<LockAllGuard<T>> lock_all(PscwAssert asserts = PscwAssert::none) const& {
        ANYMPI_CALL(where(), MPI_Win_lock_all, static_cast<int>(asserts), handle());
        return LockAllGuard<T>(handle());
    }
    [[nodiscard]] ANYMPI_CALLS result<FenceEpoch<T>> fence(FenceAssert asserts = FenceAssert::no_precede) const& {
        ANYMPI_CALL(where(), MPI_Win_fence, static_cast<int>(asserts), handle());
        return FenceEpoch<T>(handle());
    }
    [[nodiscard]] ANYMPI_CALLS result<StartEpoch<T>> start(const Group& targets,
                                                           PscwAssert asserts = PscwAssert::none) const& {
        ANYMPI_REQUIRE(where(), "MPI_Win_start", targets.check());
        ANYMPI_CALL(where(), MPI_Win_start, targets.handle(), static_cast<int>(asserts), handle());
        return StartEpoch<T>(handle());
    }
    [[nodiscard]] ANYMPI_CALLS result<PostEpoch> post(const Group& origins,
                                                      PscwAssert asserts = PscwAssert::none) const& {
        ANYMPI_REQUIRE(where(), "MPI_Win_post", origins.check());
        ANYMPI_CALL(where(), MPI_Win_post, origins.handle(), static_cast<int>(asserts), handle());
        return PostEpoch(handle());
    }
    void lock(LockType, Target, PscwAssert = PscwAssert::none) const&& = delete;
    void lock_all(PscwAssert = PscwAssert::none) const&& = delete;
    void fence(FenceAssert = FenceAssert::no_precede) const&& = delete;
    void start(const Group&, PscwAssert = PscwAssert::none) const&& = delete;
    void post(const Group&, PscwAssert = PscwAssert::none) const&& = delete;

    /// Makes the accesses of this process to its own part visible to other processes, and theirs to this process,
    /// during an epoch of a lock. The epochs have the same function.
    ANYMPI_CALLS result<void> sync() const {
        ANYMPI_CALL(where(), MPI_Win_sync, handle());
        return detail::done();
    }
    /// Returns how the window was made.
    [[nodiscard]] ANYMPI_CALLS result<WindowFlavor> flavor() const {
        return detail::then<WindowFlavor>(attribute<int>(MPI_WIN_CREATE_FLAVOR),
                                          [](int flavor) { return static_cast<WindowFlavor>(flavor); });
    }
    /// Returns how accesses to the window's memory behave.
    [[nodiscard]] ANYMPI_CALLS result<MemoryModel> memory_model() const {
        return detail::then<MemoryModel>(attribute<int>(MPI_WIN_MODEL),
                                         [](int model) { return static_cast<MemoryModel>(model); });
    }
    /// Returns the bytes that a displacement of one stands for.
    [[nodiscard]] ANYMPI_CALLS result<int> displacement_unit() const { return attribute<int>(MPI_WIN_DISP_UNIT); }
    /// Returns the bytes of this process's part.
    [[nodiscard]] ANYMPI_CALLS result<MPI_Aint> size_bytes() const { return attribute<MPI_Aint>(MPI_WIN_SIZE); }

    [[nodiscard]] ANYMPI_CALLS result<Group> group() const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(where(), MPI_Win_get_group, handle(), &made);
        return Group(made, true);
    }
    ANYMPI_CALLS result<void> set_name(const std::string& name) {
        ANYMPI_CALL(where(), MPI_Win_set_name, handle(), name.c_str());
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<std::string> name() const {
        char text[MPI_MAX_OBJECT_NAME] = "";
        int length = 0;
        ANYMPI_CALL(where(), MPI_Win_get_name, handle(), text, &length);
        return std::string(text, static_cast<std::size_t>(length));
    }
    [[nodiscard]] ANYMPI_CALLS result<Info> info() const {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(where(), MPI_Win_get_info, handle(), &made);
        return Info(made, true);
    }
    ANYMPI_CALLS result<void> set_info(const Info& info) {
        ANYMPI_CALL(where(), MPI_Win_set_info, handle(), info.handle());
        return detail::done();
    }

protected:
    [[nodiscard]] static detail::Fault check_size(std::size_t count) {
        if (count > detail::most_elements<T>)
            return {MPI_ERR_SIZE, "no memory has that many bytes"};
        return MPI_SUCCESS;
    }
    static MPI_Aint bytes(std::size_t count) noexcept { return static_cast<MPI_Aint>(count * sizeof(T)); }

private:
    /// Returns an attribute that MPI has set.
    template <class Value>
    ANYMPI_CALLS result<Value> attribute(int key) const {
        Value* value = nullptr;
        int found = 0;
        ANYMPI_CALL(where(), MPI_Win_get_attr, handle(), key, static_cast<void*>(&value), &found);
        if (!found)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_KEYVAL, "the window has no such attribute"}), "MPI_Win_get_attr",
                        where());
        return *value;
    }
    std::span<T> local_;
};

/// Memory that processes of one machine share: every process can access the part of each process as a span.
template <Communicable T>
class [[nodiscard]] SharedWindow : public Window<T> {
public:
    using Window<T>::Window;
    using Window<T>::fence;

    /// All processes of the communicator must be able to share memory (Comm::split_shared).
    static ANYMPI_CALLS result<SharedWindow> allocate(const Comm& comm, std::size_t count, const Info& info = {}) {
        MPI_Win made = MPI_WIN_NULL;
        T* memory = nullptr;
        ANYMPI_REQUIRE(comm.where(), "MPI_Win_allocate_shared", Window<T>::check_size(count));
        ANYMPI_CALL(comm.where(), MPI_Win_allocate_shared_c, Window<T>::bytes(count), MPI_Aint{sizeof(T)},
                    info.handle(), comm.handle(), static_cast<void*>(&memory), &made);
        return SharedWindow(made, std::span(memory, count));
    }
    /// Returns the part of another process.
    [[nodiscard]] ANYMPI_CALLS result<std::span<T>> remote(Target rank) const {
        MPI_Aint size = 0, unit = 0;
        T* memory = nullptr;
        ANYMPI_CALL(this->where(), MPI_Win_shared_query_c, this->handle(), rank.rank(), &size, &unit,
                    static_cast<void*>(&memory));
        return std::span<T>(memory, static_cast<std::size_t>(size) / sizeof(T));
    }
    /// Orders the accesses of all processes: a fence of the window, then a barrier.
    ANYMPI_CALLS result<void> fence(const Comm& comm) const {
        ANYMPI_CALL(this->where(), MPI_Win_fence, 0, this->handle());
        ANYMPI_CALL(comm.where(), MPI_Barrier, comm.handle());
        return detail::done();
    }
};

/// A window to which memory can be attached and detached. Other processes address the memory by the result of
/// address().
template <Communicable T>
class [[nodiscard]] DynamicWindow : public Window<T> {
public:
    using Window<T>::Window;

    static ANYMPI_CALLS result<DynamicWindow> create(const Comm& comm, const Info& info = {}) {
        MPI_Win made = MPI_WIN_NULL;
        ANYMPI_CALL(comm.where(), MPI_Win_create_dynamic, info.handle(), comm.handle(), &made);
        return DynamicWindow(made, std::span<T>());
    }
    ANYMPI_CALLS result<void> attach(std::span<T> memory) const {
        ANYMPI_REQUIRE(this->where(), "MPI_Win_attach", Window<T>::check_size(memory.size()));
        ANYMPI_CALL(this->where(), MPI_Win_attach, this->handle(), memory.data(), Window<T>::bytes(memory.size()));
        return detail::done();
    }
    ANYMPI_CALLS result<void> detach(std::span<T> memory) const {
        ANYMPI_CALL(this->where(), MPI_Win_detach, this->handle(), memory.data());
        return detail::done();
    }
    /// Returns the address that is this many bytes after another one.
    [[nodiscard]] static MPI_Aint after(MPI_Aint address, MPI_Aint bytes) noexcept {
        return MPI_Aint_add(address, bytes);
    }
    /// Returns the bytes from one address to another.
    [[nodiscard]] static MPI_Aint distance(MPI_Aint from, MPI_Aint to) noexcept { return MPI_Aint_diff(to, from); }
    /// Returns the address to send to processes that will access the memory. Displacements are in bytes from it.
    static ANYMPI_CALLS result<MPI_Aint> address(const T& element) {
        MPI_Aint place = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Get_address, &element, &place);
        return place;
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
