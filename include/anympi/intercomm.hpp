// Communicators of two groups of processes, and the ways to make them: from a local and a remote leader, by starting
// programs, through a port.
#ifndef ANYMPI_INTERCOMM_HPP
#define ANYMPI_INTERCOMM_HPP

#include "comm.hpp"
#include "room.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The `root` of collective operations of two groups: intercomm_root at the root, proc_null at the other processes of
/// its group.
inline constexpr int intercomm_root = MPI_ROOT;

/// Messages go to the other group. Collective operations exchange data between the groups.
class [[nodiscard]] InterComm : public Comm {
public:
    using Comm::Comm;

    static ANYMPI_CALLS result<InterComm> create(const Comm& local, Root local_leader, const Comm& peer,
                                                 Root remote_leader, Tag tag = {}) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(local.where(), MPI_Intercomm_create, local.handle(), local_leader.rank(), peer.handle(),
                    remote_leader.rank(), tag.number(), &made);
        return adopt_as<InterComm>(made);
    }
    [[nodiscard]] ANYMPI_CALLS certain_result<int> remote_size() const {
        const auto& known = where().facts()->remote_size;
        if (detail::is_too_late() || known.get() < 0) [[unlikely]] {
            int size = 0;
            ANYMPI_CALL(where(), MPI_Comm_remote_size, handle(), &size);
            known.set(size);
        }
        return known.get();
    }
    [[nodiscard]] ANYMPI_CALLS result<Group> remote_group() const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(where(), MPI_Comm_remote_group, handle(), &made);
        return Group(made, true);
    }
    /// Merges both groups. The group that passes `high` comes last.
    [[nodiscard]] ANYMPI_CALLS result<Comm> merge(bool high) const {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(where(), MPI_Intercomm_merge, handle(), high, &made);
        return adopt(made);
    }
    /// Ends the connection after all operations under way. If that fails, the communicator stays connected.
    ANYMPI_CALLS result<void> disconnect() && {
        if (is_null())
            ANYMPI_FAIL(detail::null_object(where()), "MPI_Comm_disconnect", where());
        ANYMPI_REQUIRE(where(), "MPI_Comm_disconnect", detail::check_time());
        MPI_Comm ended = handle();
        ANYMPI_REQUIRE(where(), "MPI_Comm_disconnect",
                       detail::free_with_companions<detail::CommKind>(
                           &ended, [](MPI_Comm* comm) { return MPI_Comm_disconnect(comm); }));
        static_cast<void>(release());
        return detail::done();
    }

    /// Starts processes of a program. They reach their parents by parent().
    static ANYMPI_CALLS result<InterComm> spawn(const Comm& comm, const std::string& program,
                                                const std::vector<std::string>& arguments, Count processes,
                                                const Info& info = {}, Root root = 0) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Comm_spawn, program.c_str(), words_of(arguments).data(),
                    static_cast<int>(processes.number()), info.handle(), root.rank(), comm.handle(), &made,
                    MPI_ERRCODES_IGNORE);
        return adopt_as<InterComm>(made);
    }
    /// One of several programs that are started together.
    struct Program {
        std::string file;
        std::vector<std::string> arguments;
        int count = 1;
        Info info{};
    };
    /// Starts several programs, whose processes form one group. Only the root's list is used.
    static ANYMPI_CALLS result<InterComm> spawn_multiple(const Comm& comm, std::span<const Program> programs,
                                                         Root root = 0) {
        const std::size_t many = programs.size();
        shared::Room<char*> files(many);
        shared::Room<shared::Room<char*>> words(many);
        shared::Room<char**> arguments(many);
        shared::Room<int> counts(many);
        shared::Room<MPI_Info> infos(many);
        for (std::size_t place = 0; place < many; ++place) {
            const Program& program = programs[place];
            files[place] = const_cast<char*>(program.file.c_str()); // MPI does not write to the text
            words[place] = words_of(program.arguments);
            arguments[place] = words[place].data();
            counts[place] = program.count;
            infos[place] = program.info.handle();
        }
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Comm_spawn_multiple, static_cast<int>(programs.size()), files.data(),
                    arguments.data(), counts.data(), infos.data(), root.rank(), comm.handle(), &made,
                    MPI_ERRCODES_IGNORE);
        return adopt_as<InterComm>(made);
    }
    /// Makes a communicator without a parent. Each group knows the rank of the other group's leader, and all use the
    /// same `tag`.
    static ANYMPI_CALLS result<InterComm> create_from_groups(const Group& local, int local_leader, const Group& remote,
                                                             int remote_leader, const std::string& tag,
                                                             const Info& info = {}) {
        MPI_Comm made = MPI_COMM_NULL;
        for (const Group* group : {&local, &remote})
            ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Intercomm_create_from_groups", group->check());
        ANYMPI_CALL(detail::Nowhere{}, MPI_Intercomm_create_from_groups, local.handle(), local_leader, remote.handle(),
                    remote_leader, tag.c_str(), info.handle(), MPI_ERRORS_RETURN, &made);
        return adopt_as<InterComm>(made);
    }
    /// Connects this process with the process at the other end of a connected socket. The communicator has one process
    /// in each group.
    static ANYMPI_CALLS result<InterComm> join(int socket) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Comm_join, socket, &made);
        return adopt_as<InterComm>(made);
    }
    /// Returns the processes that started this program, or nothing.
    static ANYMPI_CALLS result<std::optional<InterComm>> parent() {
        MPI_Comm found = MPI_COMM_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Comm_get_parent, &found);
        if (found == MPI_COMM_NULL)
            return std::optional<InterComm>();
        MPI_Comm_set_errhandler(found, MPI_ERRORS_RETURN);
        return std::optional<InterComm>(std::in_place, found, false);
    }

    /// Waits for a connection to a port of `root`. The other processes need not know its name.
    static ANYMPI_CALLS result<InterComm> accept(const Comm& comm, const std::string& port, const Info& info = {},
                                                 Root root = 0) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Comm_accept, port.c_str(), info.handle(), root.rank(), comm.handle(), &made);
        return adopt_as<InterComm>(made);
    }
    /// Connects to the port that `root` names.
    static ANYMPI_CALLS result<InterComm> connect(const Comm& comm, const std::string& port, const Info& info = {},
                                                  Root root = 0) {
        MPI_Comm made = MPI_COMM_NULL;
        ANYMPI_CALL(comm.where(), MPI_Comm_connect, port.c_str(), info.handle(), root.rank(), comm.handle(), &made);
        return adopt_as<InterComm>(made);
    }

private:
    /// Returns the arguments as MPI expects them: pointers, with a null pointer at the end.
    static shared::Room<char*> words_of(const std::vector<std::string>& arguments) {
        shared::Room<char*> words(arguments.size() + 1);
        for (std::size_t place = 0; place < arguments.size(); ++place)
            words[place] = const_cast<char*>(arguments[place].c_str()); // MPI does not write to the text
        return words;
    }
};

/// An open port, to which others can connect by name. The destructor closes the port.
class [[nodiscard]] Port {
public:
    static ANYMPI_CALLS result<Port> open(const Info& info = {}) {
        char name[MPI_MAX_PORT_NAME] = "";
        ANYMPI_CALL(detail::Nowhere{}, MPI_Open_port, info.handle(), name);
        return Port(name);
    }
    Port(Port&& other) noexcept : name_(std::exchange(other.name_, {})), service_(std::exchange(other.service_, {})) {}
    Port& operator=(Port&&) = delete;
    ~Port() {
        if (name_.empty() || detail::has_ended())
            return;
        if (!service_.empty())
            MPI_Unpublish_name(service_.c_str(), MPI_INFO_NULL, name_.c_str());
        MPI_Close_port(name_.c_str());
    }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    [[nodiscard]] ANYMPI_CALLS result<InterComm> accept(const Comm& comm, const Info& info = {}, Root root = 0) const {
        return InterComm::accept(comm, name_, info, root);
    }
    /// Publishes the port under the name of a service, for lookup().
    ANYMPI_CALLS result<void> publish(const std::string& service, const Info& info = {}) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Publish_name, service.c_str(), info.handle(), name_.c_str());
        service_ = service;
        return detail::done();
    }
    static ANYMPI_CALLS result<std::string> lookup(const std::string& service, const Info& info = {}) {
        char name[MPI_MAX_PORT_NAME] = "";
        ANYMPI_CALL(detail::Nowhere{}, MPI_Lookup_name, service.c_str(), info.handle(), name);
        return std::string(name);
    }

private:
    explicit Port(std::string name) : name_(std::move(name)) {}
    std::string name_, service_;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
