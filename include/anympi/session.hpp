#ifndef ANYMPI_SESSION_HPP
#define ANYMPI_SESSION_HPP

#include "environment.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {
struct SessionKind : shared::kinds::Session {
    static constexpr const char* function = "MPI_Session_finalize";
    static int free(type* session) noexcept {
        return free_with_companions<kind>(session, [](type* freed) {
            shared::LeftOpen::free_all(); // they may have been made from it
            if (--shared::living_sessions == 0 && (!is_initialized() || is_finalized()))
                shared::drop_cached_handles(); // MPI ends with the last session
            const int code = MPI_Session_finalize(freed);
            if (code != MPI_SUCCESS)
                ++shared::living_sessions;
            return code;
        });
    }
    /// Returns true if MPI ends with this session.
    static bool is_last() { return shared::living_sessions == 1 && (!is_initialized() || is_finalized()); }
};
} // namespace detail

using SessionBuffer = AttachedBuffer<detail::SessionBuffered>;

/// MPI without MPI_COMM_WORLD: named sets of processes, groups made from them, communicators made from groups
/// (Comm::create_from_group). The destructor ends the session; communicators that were made from it must be freed
/// before. If an exception destroys the session and MPI would end with it, the job is stopped, see Environment.
class [[nodiscard]] Session : public Owned<detail::SessionKind> {
public:
    Session() noexcept = default;
    Session(MPI_Session handle, bool owned) noexcept : Owned(handle, owned) { shared::living_sessions += owns(); }
    /// Gives the handle to the caller, who ends the session before or after MPI_Finalize, but after all objects made
    /// from it.
    [[nodiscard]] MPI_Session release() noexcept {
        shared::living_sessions -= owns();
        return Owned::release();
    }

    static ANYMPI_CALLS result<Session> create(ThreadLevel wanted = ThreadLevel::single, const Info& hints = {}) {
        MPI_Info info = MPI_INFO_NULL;
        if (hints)
            ANYMPI_CALL(detail::Nowhere{}, MPI_Info_dup, hints.handle(), &info);
        else
            ANYMPI_CALL(detail::Nowhere{}, MPI_Info_create, &info);
        const Info all(info, true);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_set, info, "thread_level", name_of(wanted));
        MPI_Session made = MPI_SESSION_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Session_init, info, MPI_ERRORS_RETURN, &made);
        return Session(made, true);
    }
    /// Returns names such as mpi://WORLD and mpi://SELF.
    [[nodiscard]] ANYMPI_CALLS result<std::vector<std::string>> process_sets(const Info& hints = {}) const {
        int count = 0;
        ANYMPI_CALL(where(), MPI_Session_get_num_psets, handle(), hints.handle(), &count);
        std::vector<std::string> names;
        for (int number = 0; number < count; ++number) {
            char name[MPI_MAX_PSET_NAME_LEN] = "";
            int length = MPI_MAX_PSET_NAME_LEN;
            ANYMPI_CALL(where(), MPI_Session_get_nth_pset, handle(), hints.handle(), number, &length, name);
            names.emplace_back(name);
        }
        return names;
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> group(const std::string& process_set) const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(where(), MPI_Group_from_session_pset, handle(), process_set.c_str(), &made);
        return Group(made, true);
    }
    [[nodiscard]] ANYMPI_CALLS result<Info> process_set_info(const std::string& process_set) const {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(where(), MPI_Session_get_pset_info, handle(), process_set.c_str(), &made);
        return Info(made, true);
    }
    [[nodiscard]] ANYMPI_CALLS result<Info> info() const {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(where(), MPI_Session_get_info, handle(), &made);
        return Info(made, true);
    }

    /// Attaches memory for the buffered sends of its communicators that have no buffer of their own. The returned
    /// object detaches it.
    [[nodiscard]] ANYMPI_CALLS result<SessionBuffer> attach_buffer(std::vector<std::byte> memory) const {
        return SessionBuffer::attach(handle(), std::move(memory));
    }
    [[nodiscard]] ANYMPI_CALLS result<SessionBuffer> attach_buffer(std::size_t bytes) const {
        return SessionBuffer::attach(handle(), std::vector<std::byte>(bytes));
    }
    [[nodiscard]] ANYMPI_CALLS result<SessionBuffer> attach_buffer(AutomaticBuffer automatic) const {
        return SessionBuffer::attach(handle(), automatic);
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
