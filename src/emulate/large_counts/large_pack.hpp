#pragma once

#include "base/lock.hpp"
#include "emulate/large_counts/pieces.hpp"

namespace anympi::emulate {

// Packing with large counts and positions. The runtime packs as many elements at once as an int can count bytes, each
// time at position 0 of the rest of the buffer. Packed data consists of the bytes of the elements without gaps (MPICH
// 3.4 and later; Open MPI 4.1 and 5.0 if all machines are of the same kind), so the result is the same as after a
// single call.

/// The sizes for packing or unpacking.
template <class Run>
struct packing {
    std::int64_t size;   // the size of an element in bytes
    std::int64_t extent; // the extent of an element in the program's memory
    std::int64_t step;   // number of elements that are packed at once; 0 if one element is already too large

    int look_at(std::int64_t count, word type, word comm) {
        bounds of_one{};
        if (count < 0)
            return raise<Run>(comm, Run::mpi_ERR_COUNT);
        if (is_library_null<Run, object::datatype>(type))
            return raise<Run>(comm, Run::mpi_ERR_TYPE);
        int code = library<Run>.Type_size_x(type, &size);
        if (code == 0)
            code = read_bounds<Run>(type, &of_one);
        extent = of_one.extent();
        step = size == 0 ? INT_MAX : static_cast<std::int64_t>(narrow_limit) / size;
        return code;
    }
};

/// Threads must not call MPI_Comm_split on the same communicator at the same time.
inline constinit lock split_guard;

/// A communicator for messages from this process to itself.
template <class Run>
class private_messages {
public:
    private_messages() = default;
    ~private_messages() {
        if (is_made)
            library<Run>.Comm_free(&comm);
    }
    private_messages(const private_messages&) = delete;
    private_messages& operator=(const private_messages&) = delete;

    /// Copies one element that is too large for the runtime's packing functions, by a message from the datatype to
    /// bytes, or from bytes to the datatype. MPI_PACKED matches every datatype.
    int copy(const void* from, word from_type, void* to, word to_type) {
        return with_handlers_last([=, this] {
            if (const int code = make_comm(); code != 0)
                return code;
            return library<Run>.Sendrecv(from, 1, from_type, 0, 0, to, 1, to_type, 0, 0, comm, ignored_status<Run>());
        });
    }

private:
    int make_comm() {
        if (is_made)
            return 0;
        const locked hold(split_guard);
        // MPI_Comm_split instead of MPI_Comm_dup, which copies attributes.
        const int code = library<Run>.Comm_split(predefined<Run>(standard::mpi_COMM_SELF), 0, 0, &comm);
        is_made = code == 0;
        return code;
    }

    handle_of<Run, object::comm> comm{};
    bool is_made = false;
};

template <class Run>
int make_bytes(std::int64_t count, type_of<Run>* made) {
    const int code = make_repeated<Run>(count, predefined<Run>(standard::mpi_PACKED), made);
    return code != 0 ? code : library<Run>.Type_commit(made);
}

/// Iterates over the elements in the program's memory and the bytes of the packed buffer. `move(memory, count, bytes,
/// bytes left, bytes used)` packs or unpacks some elements by the runtime's function. `copy(memory, bytes, datatype of
/// the bytes)` copies one element that is too large for that function.
template <class Run, class Memory, class Byte, class Move, class Copy>
int move_elements(Memory* memory, std::int64_t count, word type, Byte* packed, std::int64_t size,
                  std::int64_t* position, word comm, const Move& move, const Copy& copy) {
    packing<Run> of{};
    if (const int code = of.look_at(count, type, comm); code != 0)
        return code;
    if (position == nullptr || *position < 0 || *position > size)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    temporary_type<Run> bytes;
    if (of.step == 0)
        if (const int code = make_bytes<Run>(of.size, bytes.out()); code != 0)
            return code;
    for (std::int64_t done = 0; done < count;) {
        Memory* const here = memory + done * of.extent;
        const std::int64_t left = size - *position;
        int code = 0;
        int used = 0;
        if (of.step > 0) {
            const auto some = static_cast<int>(std::min(of.step, count - done));
            code = move(here, some, packed + *position, clamped(left), &used);
            *position += used;
            done += some;
        } else if (of.size <= left) {
            code = copy(here, packed + *position, word{bytes});
            *position += of.size;
            ++done;
        } else {
            code = raise<Run>(comm, Run::mpi_ERR_TRUNCATE);
        }
        if (code != 0)
            return code;
    }
    return 0;
}

template <class Run>
int Pack_c(const void* in, std::int64_t count, word type, void* out, std::int64_t size, std::int64_t* position,
           word comm) {
    const auto pack = [&](const char* from, int some, char* to, int left, int* used) {
        return library<Run>.Pack(from, some, type, to, left, used, comm);
    };
    private_messages<Run> self;
    const auto copy = [&](const char* from, char* to, word bytes) { return self.copy(from, type, to, bytes); };
    return move_elements<Run>(static_cast<const char*>(in), count, type, static_cast<char*>(out), size, position, comm,
                              pack, copy);
}

template <class Run>
int Unpack_c(const void* in, std::int64_t size, std::int64_t* position, void* out, std::int64_t count, word type,
             word comm) {
    const auto unpack = [&](char* to, int some, const char* from, int left, int* used) {
        return library<Run>.Unpack(from, left, used, to, some, type, comm);
    };
    private_messages<Run> self;
    const auto copy = [&](char* to, const char* from, word bytes) { return self.copy(from, bytes, to, type); };
    return move_elements<Run>(static_cast<char*>(out), count, type, static_cast<const char*>(in), size, position, comm,
                              unpack, copy);
}

template <class Run>
int Pack_size_c(std::int64_t count, word type, word comm, std::int64_t* size) {
    packing<Run> of{};
    if (const int code = of.look_at(count, type, comm); code != 0)
        return code;
    if (size == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    int of_some = 0;
    const bool is_small = count <= of.step;
    const int code = library<Run>.Pack_size(is_small ? static_cast<int>(count) : 1, type, comm, &of_some);
    *size = is_small ? of_some : count * of.size;
    return code;
}

// ---- external32: its small forms also have large sizes and positions ----

/// Calls `use` with the index of the first element and a number of elements, repeatedly, until all elements were used.
template <class Use>
int call_in_parts(std::int64_t count, const Use& use) {
    constexpr auto limit = static_cast<std::int64_t>(narrow_limit);
    std::int64_t done = 0;
    int code = 0;
    do {
        const std::int64_t some = std::min(limit, count - done);
        code = use(done, clamped(some));
        done += some;
    } while (code == 0 && done < count);
    return code;
}

template <class Run>
int Pack_external_c(const char* format, const void* in, std::int64_t count, word type, void* out, std::int64_t size,
                    std::int64_t* position) {
    bounds of_one{};
    if (const int code = read_bounds<Run>(type, &of_one); code != 0)
        return code;
    return call_in_parts(count, [&](std::int64_t done, int some) {
        const void* const here = static_cast<const char*>(in) + done * of_one.extent();
        return library<Run>.Pack_external(format, here, some, type, out, size, position);
    });
}

template <class Run>
int Unpack_external_c(const char* format, const void* in, std::int64_t size, std::int64_t* position, void* out,
                      std::int64_t count, word type) {
    bounds of_one{};
    if (const int code = read_bounds<Run>(type, &of_one); code != 0)
        return code;
    return call_in_parts(count, [&](std::int64_t done, int some) {
        void* const here = static_cast<char*>(out) + done * of_one.extent();
        return library<Run>.Unpack_external(format, in, size, position, here, some, type);
    });
}

template <class Run>
int Pack_external_size_c(const char* format, std::int64_t count, word type, std::int64_t* size) {
    if (size == nullptr)
        return raise<Run>(Run::mpi_ERR_ARG);
    *size = 0;
    return call_in_parts(count, [&](std::int64_t, int some) {
        std::intptr_t part = 0;
        const int code = library<Run>.Pack_external_size(format, some, type, &part);
        *size += part;
        return code;
    });
}

} // namespace anympi::emulate
