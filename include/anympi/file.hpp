// Files that several processes read and write together.
#ifndef ANYMPI_FILE_HPP
#define ANYMPI_FILE_HPP

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// How a file is opened, combined with |.
enum class FileMode : int {
    read = MPI_MODE_RDONLY,
    write = MPI_MODE_WRONLY,
    read_write = MPI_MODE_RDWR,
    create = MPI_MODE_CREATE,
    exclusive = MPI_MODE_EXCL,
    delete_on_close = MPI_MODE_DELETE_ON_CLOSE,
    unique_open = MPI_MODE_UNIQUE_OPEN,
    sequential = MPI_MODE_SEQUENTIAL,
    append = MPI_MODE_APPEND,
};
constexpr FileMode operator|(FileMode a, FileMode b) {
    return static_cast<FileMode>(static_cast<int>(a) | static_cast<int>(b));
}

enum class SeekFrom : int { begin = MPI_SEEK_SET, current = MPI_SEEK_CUR, end = MPI_SEEK_END };

/// Closed when it goes, by all processes together. Offsets are in elements of the view, bytes at first. Functions with
/// _all and _ordered are for all processes of the communicator.
class [[nodiscard]] File : public Owned<detail::FileKind> {
public:
    using Owned::Owned;

    static result<File> open(const Comm& comm, const std::string& name, FileMode mode, const Info& info = {}) {
        MPI_File made = MPI_FILE_NULL;
        ANYMPI_CALL(comm.handle(), MPI_File_open, comm.handle(), name.c_str(), static_cast<int>(mode), info.handle(),
                    &made);
        return File(made, true); // files return their errors unless told otherwise
    }
    static result<void> remove(const std::string& name, const Info& info = {}) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_delete, name.c_str(), info.handle());
        return detail::done();
    }

    [[nodiscard]] result<MPI_Offset> size() const {
        MPI_Offset bytes = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_get_size, handle(), &bytes);
        return bytes;
    }
    result<void> set_size(MPI_Offset bytes) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_set_size, handle(), bytes);
        return detail::done();
    }
    result<void> preallocate(MPI_Offset bytes) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_preallocate, handle(), bytes);
        return detail::done();
    }
    result<void> sync() const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_sync, handle());
        return detail::done();
    }
    result<void> set_atomicity(bool atomic) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_set_atomicity, handle(), atomic);
        return detail::done();
    }
    [[nodiscard]] result<bool> atomicity() const {
        int flag = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_get_atomicity, handle(), &flag);
        return flag != 0;
    }
    [[nodiscard]] result<Info> info() const {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_get_info, handle(), &made);
        return Info(made, true);
    }
    /// From `displacement` bytes on, elements of T; of these, those that `shape` has, if it is given.
    template <Communicable T>
    result<void> set_view(MPI_Offset displacement, const Info& info = {}) const {
        return set_view(displacement, datatype<T>(), datatype<T>(), info);
    }
    template <Communicable T>
    result<void> set_view(MPI_Offset displacement, const Datatype& shape, const Info& info = {}) const {
        return set_view(displacement, datatype<T>(), shape.handle(), info);
    }
    result<void> seek(MPI_Offset offset, SeekFrom from = SeekFrom::begin) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_seek, handle(), offset, static_cast<int>(from));
        return detail::done();
    }
    [[nodiscard]] result<MPI_Offset> position() const {
        MPI_Offset offset = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_get_position, handle(), &offset);
        return offset;
    }
    result<void> seek_shared(MPI_Offset offset, SeekFrom from = SeekFrom::begin) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_seek_shared, handle(), offset, static_cast<int>(from));
        return detail::done();
    }

    // At a place

    template <SendBuffer B>
    result<Status> write_at(MPI_Offset offset, const B& buffer) const {
        return write_with(MPI_File_write_at_c, "MPI_File_write_at", buffer, offset);
    }
    template <SendBuffer B>
    result<Status> write_at_all(MPI_Offset offset, const B& buffer) const {
        return write_with(MPI_File_write_at_all_c, "MPI_File_write_at_all", buffer, offset);
    }
    template <LastingReceiveBuffer B>
    result<Status> read_at(MPI_Offset offset, B&& buffer) const {
        return read_with(MPI_File_read_at_c, "MPI_File_read_at", buffer, offset);
    }
    template <LastingReceiveBuffer B>
    result<Status> read_at_all(MPI_Offset offset, B&& buffer) const {
        return read_with(MPI_File_read_at_all_c, "MPI_File_read_at_all", buffer, offset);
    }
    /// Immediate; they own what they are given as a temporary, and borrow everything else.
    template <SendBuffer B>
    auto iwrite_at(MPI_Offset offset, B&& buffer) const {
        return start_write(MPI_File_iwrite_at_c, "MPI_File_iwrite_at", std::forward<B>(buffer), offset);
    }
    template <SendBuffer B>
    auto iwrite_at_all(MPI_Offset offset, B&& buffer) const {
        return start_write(MPI_File_iwrite_at_all_c, "MPI_File_iwrite_at_all", std::forward<B>(buffer), offset);
    }
    template <ReceiveBuffer B>
    auto iread_at(MPI_Offset offset, B&& buffer) const {
        return start_read(MPI_File_iread_at_c, "MPI_File_iread_at", std::forward<B>(buffer), offset);
    }
    template <ReceiveBuffer B>
    auto iread_at_all(MPI_Offset offset, B&& buffer) const {
        return start_read(MPI_File_iread_at_all_c, "MPI_File_iread_at_all", std::forward<B>(buffer), offset);
    }

    // Where this process's pointer is

    template <SendBuffer B>
    result<Status> write(const B& buffer) const {
        return write_with(MPI_File_write_c, "MPI_File_write", buffer);
    }
    template <SendBuffer B>
    result<Status> write_all(const B& buffer) const {
        return write_with(MPI_File_write_all_c, "MPI_File_write_all", buffer);
    }
    template <LastingReceiveBuffer B>
    result<Status> read(B&& buffer) const {
        return read_with(MPI_File_read_c, "MPI_File_read", buffer);
    }
    template <LastingReceiveBuffer B>
    result<Status> read_all(B&& buffer) const {
        return read_with(MPI_File_read_all_c, "MPI_File_read_all", buffer);
    }
    template <SendBuffer B>
    auto iwrite(B&& buffer) const {
        return start_write(MPI_File_iwrite_c, "MPI_File_iwrite", std::forward<B>(buffer));
    }
    template <ReceiveBuffer B>
    auto iread(B&& buffer) const {
        return start_read(MPI_File_iread_c, "MPI_File_iread", std::forward<B>(buffer));
    }

    // Where the pointer is that all processes share

    template <SendBuffer B>
    result<Status> write_shared(const B& buffer) const {
        return write_with(MPI_File_write_shared_c, "MPI_File_write_shared", buffer);
    }
    template <SendBuffer B>
    result<Status> write_ordered(const B& buffer) const {
        return write_with(MPI_File_write_ordered_c, "MPI_File_write_ordered", buffer);
    }
    template <LastingReceiveBuffer B>
    result<Status> read_shared(B&& buffer) const {
        return read_with(MPI_File_read_shared_c, "MPI_File_read_shared", buffer);
    }
    template <LastingReceiveBuffer B>
    result<Status> read_ordered(B&& buffer) const {
        return read_with(MPI_File_read_ordered_c, "MPI_File_read_ordered", buffer);
    }

private:
    result<void> set_view(MPI_Offset displacement, MPI_Datatype element, MPI_Datatype shape, const Info& info) const {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_set_view, handle(), displacement, element, shape, "native",
                    info.handle());
        return detail::done();
    }
    template <class Function, class B, class... Place>
    result<Status> write_with(Function function, const char* name, const B& buffer, Place... place) const {
        const detail::ReadView view = detail::reading(buffer);
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, name,
                       function(handle(), place..., view.data, view.count, view.type, &status));
        return Status(status);
    }
    template <class Function, class B, class... Place>
    result<Status> read_with(Function function, const char* name, B& buffer, Place... place) const {
        const detail::WriteView view = detail::writing(buffer);
        MPI_Status status;
        ANYMPI_REQUIRE(detail::Nowhere{}, name,
                       function(handle(), place..., view.data, view.count, view.type, &status));
        return Status(status);
    }
    struct WriteShape {
        static constexpr bool must_last = false;
        template <class B, class Invoke>
        detail::Fault call(MPI_Comm, const B& buffer, detail::None&, Invoke invoke) const {
            const detail::ReadView view = detail::reading(buffer);
            return invoke(view.data, view.count, view.type);
        }
    };
    struct ReadShape {
        static constexpr bool must_last = false;
        template <class B, class Invoke>
        detail::Fault call(MPI_Comm, const detail::None&, B& buffer, Invoke invoke) const {
            const detail::WriteView view = detail::writing(buffer);
            return invoke(view.data, view.count, view.type);
        }
    };
    template <class Function, class B, class... Place>
    auto start_write(Function function, const char* name, B&& buffer, Place... place) const {
        const auto begin = [function, file = handle(), place...](MPI_Request* request, auto... arguments) {
            return function(file, place..., arguments..., request);
        };
        return detail::launch_with<detail::Immediate>(name, MPI_COMM_NULL, Direction::other, WriteShape{}, begin,
                                                      std::forward<B>(buffer), detail::None{});
    }
    template <class Function, class B, class... Place>
    auto start_read(Function function, const char* name, B&& buffer, Place... place) const {
        const auto begin = [function, file = handle(), place...](MPI_Request* request, auto... arguments) {
            return function(file, place..., arguments..., request);
        };
        return detail::launch_with<detail::Immediate>(name, MPI_COMM_NULL, Direction::other, ReadShape{}, begin,
                                                      detail::None{}, std::forward<B>(buffer));
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
