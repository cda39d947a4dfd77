// Files that several processes read and write together.
#ifndef ANYMPI_FILE_HPP
#define ANYMPI_FILE_HPP

#include "comm.hpp"
#include "type_description.hpp"

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

constexpr FileMode operator&(FileMode a, FileMode b) {
    return static_cast<FileMode>(static_cast<int>(a) & static_cast<int>(b));
}

enum class SeekFrom : int { begin = MPI_SEEK_SET, current = MPI_SEEK_CUR, end = MPI_SEEK_END };

/// A transfer of all processes in two steps. It ends in all processes with end() or with the destructor. Until then,
/// the file allows no other transfer of this kind, and the buffer belongs to the transfer. `Value` is the type of the
/// buffer that was given away, or None.
///
/// If an exception destroys the transfer, the transfer does not end: it keeps a buffer that was given away, and a
/// borrowed buffer ends the job.
template <class Pointer, class Value>
class [[nodiscard]] SplitTransfer {
public:
    using End = int (*)(MPI_File, Pointer, MPI_Status*);
    SplitTransfer(MPI_File file, End end, const char* name, Pointer data, std::unique_ptr<Value> value) noexcept
        : file_(file), end_(end), name_(name), data_(data), value_(std::move(value)) {}
    SplitTransfer(SplitTransfer&& other) noexcept
        : file_(std::exchange(other.file_, MPI_FILE_NULL)), end_(other.end_), name_(other.name_), data_(other.data_),
          value_(std::move(other.value_)), watch_(other.watch_) {}
    SplitTransfer& operator=(SplitTransfer&&) = delete;
    ~SplitTransfer() {
        if (file_ == MPI_FILE_NULL || detail::has_ended())
            return;
        if (watch_.is_unwinding())
            leave();
        else
            detail::report(end_(file_, data_, MPI_STATUS_IGNORE), name_, shared::FileObject(file_));
    }

    /// Ends the transfer and returns its size. If that fails, the transfer has ended too.
    ANYMPI_CALLS result<Status> end() && requires std::same_as<Value, detail::None> {
        MPI_Status status;
        const shared::FileObject file(file_);
        ANYMPI_REQUIRE(file, name_, finish(status));
        return Status(status);
    }
    /// Ends the transfer and returns the buffer. A container that was read into is cut to the size of the data.
    ANYMPI_CALLS result<Value> end() && requires(!std::same_as<Value, detail::None>) {
        MPI_Status status;
        const shared::FileObject file(file_);
        ANYMPI_REQUIRE(file, name_, finish(status));
        if constexpr (!std::is_const_v<std::remove_pointer_t<Pointer>>)
            detail::cut_to_fit(*value_, Status(status));
        return std::move(*value_);
    }

private:
    ANYMPI_CALLS detail::Fault finish(MPI_Status& status) {
        if (file_ == MPI_FILE_NULL)
            return {MPI_ERR_FILE, "the transfer has ended already"};
        if (const detail::Fault fault = detail::check_time())
            return fault;
        return end_(std::exchange(file_, MPI_FILE_NULL), data_, &status);
    }
    void leave() noexcept {
        if (!value_)
            detail::stop_leaving("a transfer of a file while MPI uses its buffer");
        shared::keep_for_ever(std::shared_ptr<Value>(std::move(value_)));
        detail::tell_left(shared::FileObject(file_), name_);
    }
    MPI_File file_;
    End end_;
    const char* name_;
    Pointer data_;
    std::unique_ptr<Value> value_;
    detail::ExceptionWatch watch_;
};

namespace detail {
template <bool Reads>
struct FileShape {
    static constexpr Direction direction = Reads ? Direction::receives_matched : Direction::other;
    template <class Invoke>
    Fault call(MPI_File, ReadView from, WriteView into, Invoke invoke) const {
        if constexpr (Reads)
            return invoke(into.data, into.count, into.type);
        else
            return invoke(from.data, from.count, from.type);
    }
};
} // namespace detail

/// A file. All processes close it together, by close() or by the destructor. A write error may appear only when the
/// file is closed: close() reports this error, but the destructor can only tell the listener (see on_error). Offsets
/// are in elements of the view, which are bytes at first. All processes of the communicator must call functions with
/// _all and _ordered.
class [[nodiscard]] File : public Owned<detail::FileKind> {
public:
    using Owned::Owned;

    static ANYMPI_CALLS result<File> open(const Comm& comm, const std::string& name, FileMode mode,
                                          const Info& info = {}) {
        MPI_File made = MPI_FILE_NULL;
        ANYMPI_CALL(comm.where(), MPI_File_open, comm.handle(), name.c_str(), static_cast<int>(mode), info.handle(),
                    &made);
        MPI_File_set_errhandler(made, MPI_ERRORS_RETURN);
        return File(made, true);
    }
    static ANYMPI_CALLS result<void> remove(const std::string& name, const Info& info = {}) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_File_delete, name.c_str(), info.handle());
        return detail::done();
    }

    /// Closes the file now. If that fails, the file stays open and can be closed again.
    ANYMPI_CALLS result<void> close() { return Owned::free(); }

    [[nodiscard]] ANYMPI_CALLS result<MPI_Offset> size() const {
        MPI_Offset bytes = 0;
        ANYMPI_CALL(where(), MPI_File_get_size, handle(), &bytes);
        return bytes;
    }
    ANYMPI_CALLS result<void> set_size(MPI_Offset bytes) const {
        ANYMPI_CALL(where(), MPI_File_set_size, handle(), bytes);
        return detail::done();
    }
    ANYMPI_CALLS result<void> preallocate(MPI_Offset bytes) const {
        ANYMPI_CALL(where(), MPI_File_preallocate, handle(), bytes);
        return detail::done();
    }
    ANYMPI_CALLS result<void> sync() const {
        ANYMPI_CALL(where(), MPI_File_sync, handle());
        return detail::done();
    }
    ANYMPI_CALLS result<void> set_atomicity(bool atomic) const {
        ANYMPI_CALL(where(), MPI_File_set_atomicity, handle(), atomic);
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<bool> atomicity() const {
        int flag = 0;
        ANYMPI_CALL(where(), MPI_File_get_atomicity, handle(), &flag);
        return flag != 0;
    }
    [[nodiscard]] ANYMPI_CALLS result<Info> info() const {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(where(), MPI_File_get_info, handle(), &made);
        return Info(made, true);
    }
    ANYMPI_CALLS result<void> set_info(const Info& info) const {
        ANYMPI_CALL(where(), MPI_File_set_info, handle(), info.handle());
        return detail::done();
    }
    /// Sets the view: elements of T that begin at byte `displacement`. If `shape` is given, the view has only the
    /// elements that are in `shape`.
    template <Communicable T>
    ANYMPI_CALLS result<void> set_view(MPI_Offset displacement, const Info& info = {}) const {
        return set_view(displacement, datatype<T>(), datatype<T>(), info);
    }
    template <Communicable T>
    ANYMPI_CALLS result<void> set_view(MPI_Offset displacement, const Datatype& shape, const Info& info = {}) const {
        return set_view(displacement, datatype<T>(), shape.handle(), info);
    }
    /// The view of a file. The datatypes are predefined, or copies of those that set_view() got.
    struct ViewOfFile {
        MPI_Offset displacement;
        Datatype element, shape;
        std::string representation;
    };
    [[nodiscard]] ANYMPI_CALLS result<ViewOfFile> view() const {
        MPI_Offset displacement = 0;
        MPI_Datatype element = MPI_DATATYPE_NULL, shape = MPI_DATATYPE_NULL;
        char representation[MPI_MAX_DATAREP_STRING + 1] = "";
        ANYMPI_CALL(where(), MPI_File_get_view, handle(), &displacement, &element, &shape, representation);
        return ViewOfFile{displacement, detail::from_query(element), detail::from_query(shape), representation};
    }
    /// Returns the mode with which the file was opened.
    [[nodiscard]] ANYMPI_CALLS result<FileMode> mode() const {
        int mode = 0;
        ANYMPI_CALL(where(), MPI_File_get_amode, handle(), &mode);
        return static_cast<FileMode>(mode);
    }
    /// Returns the processes that opened the file.
    [[nodiscard]] ANYMPI_CALLS result<Group> group() const {
        MPI_Group made = MPI_GROUP_NULL;
        ANYMPI_CALL(where(), MPI_File_get_group, handle(), &made);
        return Group(made, true);
    }
    /// Returns the byte of the file at which an offset of the view is.
    [[nodiscard]] ANYMPI_CALLS result<MPI_Offset> byte_offset(MPI_Offset offset) const {
        MPI_Offset byte = 0;
        ANYMPI_CALL(where(), MPI_File_get_byte_offset, handle(), offset, &byte);
        return byte;
    }
    /// Returns the bytes from one element to the next in the representation of the view.
    [[nodiscard]] ANYMPI_CALLS result<MPI_Count> extent_of(const Datatype& type) const {
        MPI_Count extent = 0;
        ANYMPI_CALL(where(), MPI_File_get_type_extent_c, handle(), type.handle(), &extent);
        return extent;
    }
    ANYMPI_CALLS result<void> seek(MPI_Offset offset, SeekFrom from = SeekFrom::begin) const {
        ANYMPI_CALL(where(), MPI_File_seek, handle(), offset, static_cast<int>(from));
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<MPI_Offset> position() const {
        MPI_Offset offset = 0;
        ANYMPI_CALL(where(), MPI_File_get_position, handle(), &offset);
        return offset;
    }
    [[nodiscard]] ANYMPI_CALLS result<MPI_Offset> position_shared() const {
        MPI_Offset offset = 0;
        ANYMPI_CALL(where(), MPI_File_get_position_shared, handle(), &offset);
        return offset;
    }
    ANYMPI_CALLS result<void> seek_shared(MPI_Offset offset, SeekFrom from = SeekFrom::begin) const {
        ANYMPI_CALL(where(), MPI_File_seek_shared, handle(), offset, static_cast<int>(from));
        return detail::done();
    }

    // At an offset

    template <SendBuffer B>
    ANYMPI_CALLS result<Status> write_at(MPI_Offset offset, const B& buffer) const {
        return transfer(MPI_File_write_at_c, "MPI_File_write_at", detail::reading(buffer), offset);
    }
    template <SendBuffer B>
    ANYMPI_CALLS result<Status> write_at_all(MPI_Offset offset, const B& buffer) const {
        return transfer(MPI_File_write_at_all_c, "MPI_File_write_at_all", detail::reading(buffer), offset);
    }
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> read_at(MPI_Offset offset, B&& buffer) const {
        return transfer(MPI_File_read_at_c, "MPI_File_read_at", detail::writing(buffer), offset);
    }
    /// Reads at most `most` elements, and returns those that the file has there: read_at<std::vector<int>>(0,
    /// count(9)). With `with_status` as the last argument, the status is returned too. Collective reads have no such
    /// form: at the end of the file, some libraries report the wanted size instead of the real one.
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS result<AndStatus<V>> read_at(MPI_Offset offset, Count most, WithStatus) const {
        return read_most<V>(most, [&](V& room) { return read_at(offset, room); });
    }
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS result<V> read_at(MPI_Offset offset, Count most) const {
        return detail::then<V>(read_at<V>(offset, most, with_status),
                               [](AndStatus<V> came) { return std::move(came.value); });
    }
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> read_at_all(MPI_Offset offset, B&& buffer) const {
        return transfer(MPI_File_read_at_all_c, "MPI_File_read_at_all", detail::writing(buffer), offset);
    }
    /// Immediate operations. They own arguments that are temporaries, and borrow all others.
    template <SendBuffer B>
    ANYMPI_CALLS auto iwrite_at(MPI_Offset offset, B&& buffer) const {
        return start<false>(MPI_File_iwrite_at_c, "MPI_File_iwrite_at", std::forward<B>(buffer), detail::None{},
                            offset);
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto iwrite_at_all(MPI_Offset offset, B&& buffer) const {
        return start<false>(MPI_File_iwrite_at_all_c, "MPI_File_iwrite_at_all", std::forward<B>(buffer), detail::None{},
                            offset);
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto iread_at(MPI_Offset offset, B&& buffer) const {
        return start<true>(MPI_File_iread_at_c, "MPI_File_iread_at", detail::None{}, std::forward<B>(buffer), offset);
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto iread_at_all(MPI_Offset offset, B&& buffer) const {
        return start<true>(MPI_File_iread_at_all_c, "MPI_File_iread_at_all", detail::None{}, std::forward<B>(buffer),
                           offset);
    }

    // At this process's pointer

    template <SendBuffer B>
    ANYMPI_CALLS result<Status> write(const B& buffer) const {
        return transfer(MPI_File_write_c, "MPI_File_write", detail::reading(buffer));
    }
    template <SendBuffer B>
    ANYMPI_CALLS result<Status> write_all(const B& buffer) const {
        return transfer(MPI_File_write_all_c, "MPI_File_write_all", detail::reading(buffer));
    }
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> read(B&& buffer) const {
        return transfer(MPI_File_read_c, "MPI_File_read", detail::writing(buffer));
    }
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS result<AndStatus<V>> read(Count most, WithStatus) const {
        return read_most<V>(most, [&](V& room) { return read(room); });
    }
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS result<V> read(Count most) const {
        return detail::then<V>(read<V>(most, with_status), [](AndStatus<V> came) { return std::move(came.value); });
    }
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> read_all(B&& buffer) const {
        return transfer(MPI_File_read_all_c, "MPI_File_read_all", detail::writing(buffer));
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto iwrite_all(B&& buffer) const {
        return start<false>(MPI_File_iwrite_all_c, "MPI_File_iwrite_all", std::forward<B>(buffer), detail::None{});
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto iread_all(B&& buffer) const {
        return start<true>(MPI_File_iread_all_c, "MPI_File_iread_all", detail::None{}, std::forward<B>(buffer));
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto iwrite(B&& buffer) const {
        return start<false>(MPI_File_iwrite_c, "MPI_File_iwrite", std::forward<B>(buffer), detail::None{});
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto iread(B&& buffer) const {
        return start<true>(MPI_File_iread_c, "MPI_File_iread", detail::None{}, std::forward<B>(buffer));
    }

    // At the pointer that all processes share

    template <SendBuffer B>
    ANYMPI_CALLS result<Status> write_shared(const B& buffer) const {
        return transfer(MPI_File_write_shared_c, "MPI_File_write_shared", detail::reading(buffer));
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto iwrite_shared(B&& buffer) const {
        return start<false>(MPI_File_iwrite_shared_c, "MPI_File_iwrite_shared", std::forward<B>(buffer),
                            detail::None{});
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto iread_shared(B&& buffer) const {
        return start<true>(MPI_File_iread_shared_c, "MPI_File_iread_shared", detail::None{}, std::forward<B>(buffer));
    }
    template <SendBuffer B>
    ANYMPI_CALLS result<Status> write_ordered(const B& buffer) const {
        return transfer(MPI_File_write_ordered_c, "MPI_File_write_ordered", detail::reading(buffer));
    }
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> read_shared(B&& buffer) const {
        return transfer(MPI_File_read_shared_c, "MPI_File_read_shared", detail::writing(buffer));
    }
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS result<AndStatus<V>> read_shared(Count most, WithStatus) const {
        return read_most<V>(most, [&](V& room) { return read_shared(room); });
    }
    template <detail::VectorOfCommunicable V>
    ANYMPI_CALLS result<V> read_shared(Count most) const {
        return detail::then<V>(read_shared<V>(most, with_status),
                               [](AndStatus<V> came) { return std::move(came.value); });
    }
    template <LastingReceiveBuffer B>
    ANYMPI_CALLS result<Status> read_ordered(B&& buffer) const {
        return transfer(MPI_File_read_ordered_c, "MPI_File_read_ordered", detail::writing(buffer));
    }

    // In two steps, called by all processes, which can work between the steps. The operations own arguments that are
    // temporaries, and borrow all others.

    template <SendBuffer B>
    ANYMPI_CALLS auto write_at_all_begin(MPI_Offset offset, B&& buffer) const {
        return split(MPI_File_write_at_all_begin_c, MPI_File_write_at_all_end, "MPI_File_write_at_all_begin",
                     "MPI_File_write_at_all_end", std::forward<B>(buffer), offset);
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto read_at_all_begin(MPI_Offset offset, B&& buffer) const {
        return split(MPI_File_read_at_all_begin_c, MPI_File_read_at_all_end, "MPI_File_read_at_all_begin",
                     "MPI_File_read_at_all_end", std::forward<B>(buffer), offset);
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto write_all_begin(B&& buffer) const {
        return split(MPI_File_write_all_begin_c, MPI_File_write_all_end, "MPI_File_write_all_begin",
                     "MPI_File_write_all_end", std::forward<B>(buffer));
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto read_all_begin(B&& buffer) const {
        return split(MPI_File_read_all_begin_c, MPI_File_read_all_end, "MPI_File_read_all_begin",
                     "MPI_File_read_all_end", std::forward<B>(buffer));
    }
    template <SendBuffer B>
    ANYMPI_CALLS auto write_ordered_begin(B&& buffer) const {
        return split(MPI_File_write_ordered_begin_c, MPI_File_write_ordered_end, "MPI_File_write_ordered_begin",
                     "MPI_File_write_ordered_end", std::forward<B>(buffer));
    }
    template <ReceiveBuffer B>
    ANYMPI_CALLS auto read_ordered_begin(B&& buffer) const {
        return split(MPI_File_read_ordered_begin_c, MPI_File_read_ordered_end, "MPI_File_read_ordered_begin",
                     "MPI_File_read_ordered_end", std::forward<B>(buffer));
    }

private:
    using Owned::free; // the name here is close()

    ANYMPI_CALLS result<void> set_view(MPI_Offset displacement, MPI_Datatype element, MPI_Datatype shape,
                                       const Info& info) const {
        ANYMPI_CALL(where(), MPI_File_set_view, handle(), displacement, element, shape, "native", info.handle());
        return detail::done();
    }
    template <class V, class Read>
    ANYMPI_CALLS static result<AndStatus<V>> read_most(Count most, const Read& read) {
        V room(most.number());
        return detail::then<AndStatus<V>>(read(room), [&](const Status& status) {
            detail::cut_to_fit(room, status);
            return AndStatus<V>{std::move(room), status};
        });
    }
    template <class Function, class View, class... Place>
    ANYMPI_CALLS result<Status> transfer(Function function, const char* name, const View& view, Place... place) const {
        ANYMPI_REQUIRE(where(), name, detail::check_usable(*this));
        MPI_Status status;
        ANYMPI_REQUIRE(where(), name, function(handle(), place..., view.data, view.count, view.type, &status));
        return Status(status);
    }
    template <bool Reads, class Function, class S, class R, class... Place>
    ANYMPI_CALLS auto start(Function function, const char* name, S&& send, R&& receive, Place... place) const {
        const auto begin = [function, file = handle(), place...](MPI_Request* request, auto... arguments) {
            return function(file, place..., arguments..., request);
        };
        return detail::launch<detail::Immediate>(name, where(), detail::FileShape<Reads>{}, begin,
                                                 std::forward<S>(send), std::forward<R>(receive));
    }
    template <class Begin, class Pointer, class B, class... Place>
    ANYMPI_CALLS auto split(Begin begin, int (*end)(MPI_File, Pointer, MPI_Status*), const char* begin_name,
                            const char* end_name, B&& buffer, Place... place) const {
        using Value = std::conditional_t<detail::given_away<B>, std::remove_cvref_t<B>, detail::None>;
        const auto run = [&]() -> result<SplitTransfer<Pointer, Value>> {
            ANYMPI_REQUIRE(where(), begin_name, detail::check_usable(*this));
            const auto go = [&](auto& kept, std::unique_ptr<Value> value) -> result<SplitTransfer<Pointer, Value>> {
                const auto view = view_for<Pointer>(kept);
                ANYMPI_REQUIRE(where(), begin_name, begin(handle(), place..., view.data, view.count, view.type));
                return SplitTransfer<Pointer, Value>(handle(), end, end_name, view.data, std::move(value));
            };
            if constexpr (detail::given_away<B>) {
                auto owned = std::make_unique<Value>(std::forward<B>(buffer));
                Value& kept = *owned;
                return go(kept, std::move(owned));
            } else {
                return go(buffer, nullptr);
            }
        };
        return run();
    }
    template <class Pointer, class B>
    static ANYMPI_CALLS auto view_for(B& buffer) {
        if constexpr (std::is_const_v<std::remove_pointer_t<Pointer>>)
            return detail::reading(buffer);
        else
            return detail::writing(buffer);
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
