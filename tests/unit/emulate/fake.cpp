#include "fake.hpp"

#include "convert/attribute.hpp"
#include "emulate/engine/emulation.hpp"
#include "emulate/engine/override.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace fake {

namespace {

using anympi::object;
using datatype_handle = anympi::handle_of<mpich, object::datatype>;

std::vector<void (*)()> resets;

template <auto Place>
void install(const char* name, decltype(function_of<Place>::usual) usual = nullptr) {
    using one = function_of<Place>;
    one::name = name;
    one::usual = usual;
    mpi.*Place = one::call;
    resets.push_back(one::reset);
}
#define INSTALL(Name, ...) install<&table::Name>(#Name __VA_OPT__(, ) __VA_ARGS__)

// ---- requests ----

std::map<handle, request> requests;
std::vector<handle> order;
handle next_request = 0x98000000 | 11 << 26;

int make_request(handle* out, bool is_persistent = false) {
    *out = add_request(is_persistent);
    return 0;
}

// The state of a request, as a completing function sees it.
enum class seen { inactive, pending, done };

seen look_at(handle which) {
    if (which == no_request)
        return seen::inactive;
    const request& found = request_of(which);
    if (!found.is_active)
        return seen::inactive;
    return found.is_done ? seen::done : seen::pending;
}

bool is_wanted(const status* where) {
    return where != nullptr && where != reinterpret_cast<const status*>(mpich::mpi_STATUS_IGNORE);
}

// Completes a request that is done, or inactive.
int finish(handle& which, status* where, bool with_error) {
    status result = anympi::empty_status(mpich{});
    int code = 0;
    if (look_at(which) == seen::done) {
        request& found = request_of(which);
        result = found.result;
        code = found.code;
        if (found.is_persistent) {
            found.is_active = found.is_done = false;
        } else {
            requests.erase(which);
            which = no_request;
        }
    }
    if (is_wanted(where)) {
        const int before = where->error;
        *where = result;
        where->error = with_error ? code : before;
    }
    return code;
}

int test(handle* which, int* flag, status* where) {
    *flag = look_at(*which) == seen::pending ? 0 : 1;
    return *flag != 0 ? finish(*which, where, false) : 0;
}

int wait(handle* which, status* where) {
    if (look_at(*which) != seen::pending)
        return finish(*which, where, false);
    ADD_FAILURE() << "MPI_Wait would wait forever";
    return a_code;
}

int finish_all(int count, handle* all, status* where) {
    int code = 0;
    for (int i = 0; i < count; ++i)
        if (finish(all[i], is_wanted(where) ? &where[i] : nullptr, true) != 0)
            code = mpich::mpi_ERR_IN_STATUS;
    return code;
}

int test_all(int count, handle* all, int* flag, status* where) {
    *flag = std::none_of(all, all + count, [](handle h) { return look_at(h) == seen::pending; }) ? 1 : 0;
    return *flag != 0 ? finish_all(count, all, where) : 0;
}

int wait_all(int count, handle* all, status* where) {
    EXPECT_TRUE(std::none_of(all, all + count, [](handle h) { return look_at(h) == seen::pending; }))
        << "MPI_Waitall would wait forever";
    return finish_all(count, all, where);
}

int test_any(int count, handle* all, int* index, int* flag, status* where) {
    *index = mpich::mpi_UNDEFINED;
    bool is_any_active = false;
    for (int i = 0; i < count; ++i) {
        is_any_active = is_any_active || look_at(all[i]) != seen::inactive;
        if (look_at(all[i]) != seen::done)
            continue;
        *index = i;
        *flag = 1;
        return finish(all[i], where, false);
    }
    *flag = is_any_active ? 0 : 1;
    handle none = no_request;
    return *flag != 0 ? finish(none, where, false) : 0;
}

int test_some(int count, handle* all, int* completed, int* indices, status* where) {
    int code = 0;
    bool is_any_active = false;
    *completed = 0;
    for (int i = 0; i < count; ++i) {
        is_any_active = is_any_active || look_at(all[i]) != seen::inactive;
        if (look_at(all[i]) != seen::done)
            continue;
        if (finish(all[i], is_wanted(where) ? &where[*completed] : nullptr, true) != 0)
            code = mpich::mpi_ERR_IN_STATUS;
        indices[(*completed)++] = i;
    }
    if (!is_any_active)
        *completed = mpich::mpi_UNDEFINED;
    return code;
}

int get_status(word which, int* flag, status* where) {
    const auto one = static_cast<handle>(which);
    *flag = look_at(one) == seen::pending ? 0 : 1;
    if (*flag != 0 && is_wanted(where)) {
        const int before = where->error;
        *where = look_at(one) == seen::done ? request_of(one).result : anympi::empty_status(mpich{});
        where->error = before;
    }
    return 0;
}

int start(handle* which) {
    request& found = request_of(*which);
    EXPECT_TRUE(found.is_persistent && !found.is_active);
    found.is_active = true;
    found.is_done = false;
    return 0;
}

int free_request(handle* which) {
    EXPECT_EQ(requests.erase(*which), 1u) << "a request that does not exist was freed";
    *which = no_request;
    return 0;
}

void install_requests() {
    INSTALL(Isend, [](const void*, int, word, int, int, word, handle* out) { return make_request(out); });
    INSTALL(Irecv, [](void*, int, word, int, int, word, handle* out) { return make_request(out); });
    INSTALL(Send_init, [](const void*, int, word, int, int, word, handle* out) { return make_request(out, true); });
    INSTALL(Recv_init, [](void*, int, word, int, int, word, handle* out) { return make_request(out, true); });
    INSTALL(Ibarrier, [](word, handle* out) { return make_request(out); });
    INSTALL(Ibcast, [](void*, int, word, int, word, handle* out) { return make_request(out); });
    INSTALL(Iallreduce, [](const void*, void*, int, word, word, word, handle* out) { return make_request(out); });
    INSTALL(Ireduce, [](const void*, void*, int, word, word, int, word, handle* out) { return make_request(out); });
    INSTALL(Ireduce_scatter,
            [](const void*, void*, const int*, word, word, word, handle* out) { return make_request(out); });
    INSTALL(Ialltoallw, [](const void*, const int*, const int*, const datatype_handle*, void*, const int*, const int*,
                           const datatype_handle*, word, handle* out) { return make_request(out); });
    INSTALL(Ineighbor_alltoallw,
            [](const void*, const int*, const std::intptr_t*, const datatype_handle*, void*, const int*,
               const std::intptr_t*, const datatype_handle*, word, handle* out) { return make_request(out); });
    INSTALL(Comm_idup, [](word comm, handle* made, handle* out) {
        *made = add_comm(comm_of(comm));
        return make_request(out);
    });
    INSTALL(Wait, wait);
    INSTALL(Waitall, wait_all);
    INSTALL(Waitany, [](int count, handle* all, int* index, status* where) {
        int flag = 0;
        const int code = test_any(count, all, index, &flag, where);
        EXPECT_NE(flag, 0) << "MPI_Waitany would wait forever";
        return code;
    });
    INSTALL(Waitsome, test_some);
    INSTALL(Test, test);
    INSTALL(Testall, test_all);
    INSTALL(Testany, test_any);
    INSTALL(Testsome, test_some);
    INSTALL(Request_get_status, get_status);
    INSTALL(Request_free, free_request);
    INSTALL(Cancel, [](handle* which) {
        request_of(*which).is_cancelled = true;
        return 0;
    });
    INSTALL(Start, start);
    INSTALL(Startall, [](int count, handle* all) {
        for (int i = 0; i < count; ++i)
            start(&all[i]);
        return 0;
    });
    INSTALL(Iprobe, [](int, int, word, int* flag, status*) { return *flag = 0; });
    INSTALL(Request_c2f, [](word which) { return static_cast<int>(which); });
    INSTALL(Request_f2c, [](int number) { return word{static_cast<handle>(number)}; });
}

// ---- datatypes ----

std::map<handle, datatype> datatypes;
std::map<handle, int> type_attributes_keyval;
std::map<std::pair<handle, int>, void*> type_attributes;
std::map<int, void*> delete_functions;
handle next_datatype = 0x8c001000;
int next_keyval = 100;
std::map<handle, int> ops;
handle next_op = 0x98000000;

void delete_type_attribute(handle of, int keyval, void* value) {
    using deleter = int(handle, int, void*, void*);
    reinterpret_cast<deleter*>(delete_functions[keyval])(of, keyval, value, nullptr);
}

int free_datatype(datatype_handle* which) {
    EXPECT_EQ(datatypes.erase(*which), 1u) << "a datatype that does not exist was freed";
    for (auto each = type_attributes.begin(); each != type_attributes.end();) {
        if (each->first.first != *which) {
            ++each;
            continue;
        }
        delete_type_attribute(*which, each->first.second, each->second);
        each = type_attributes.erase(each);
    }
    *which = mpich::mpi_DATATYPE_NULL;
    return 0;
}

// A datatype of `count` blocks of `length` elements, `stride` bytes apart.
datatype vector_of(std::int64_t count, std::int64_t length, std::int64_t stride, word of) {
    const datatype& one = datatype_of(of);
    if (count == 0 || length == 0)
        return {};
    const std::int64_t block = (length - 1) * (one.upper - one.lower);
    const std::int64_t last = (count - 1) * stride;
    return {count * length * one.size, one.lower + std::min<std::int64_t>(0, last) + std::min<std::int64_t>(0, block),
            one.upper + std::max<std::int64_t>(0, last) + std::max<std::int64_t>(0, block)};
}

datatype joined(int count, const int* lengths, const std::intptr_t* places, const datatype_handle* types) {
    datatype all;
    bool is_empty = true;
    for (int i = 0; i < count; ++i) {
        const datatype one = vector_of(1, lengths[i], 0, types[i]);
        if (lengths[i] == 0)
            continue;
        all.size += one.size;
        all.lower = is_empty ? one.lower + places[i] : std::min<std::int64_t>(all.lower, one.lower + places[i]);
        all.upper = is_empty ? one.upper + places[i] : std::max<std::int64_t>(all.upper, one.upper + places[i]);
        is_empty = false;
    }
    return all;
}

int refuse_negative(int count) {
    return count < 0 ? mpich::mpi_ERR_COUNT : 0;
}

int get_extent(word of, std::int64_t* lower, std::int64_t* extent) {
    *lower = datatype_of(of).lower;
    *extent = datatype_of(of).upper - datatype_of(of).lower;
    return 0;
}

int add_made(const datatype& made, datatype_handle* out) {
    *out = add_datatype(made);
    return 0;
}

void install_datatypes() {
    INSTALL(Type_size, [](word of, int* size) {
        const std::int64_t large = datatype_of(of).size;
        *size = large > INT32_MAX ? mpich::mpi_UNDEFINED : static_cast<int>(large);
        return 0;
    });
    INSTALL(Type_size_x, [](word of, std::int64_t* size) {
        *size = datatype_of(of).size;
        return 0;
    });
    INSTALL(Type_get_extent, get_extent);
    INSTALL(Type_get_extent_x, get_extent);
    INSTALL(Type_get_true_extent, get_extent);
    INSTALL(Type_get_true_extent_x, get_extent);
    INSTALL(Type_contiguous, [](int count, word of, datatype_handle* out) {
        const datatype& one = datatype_of(of);
        return count < 0 ? refuse_negative(count) : add_made(vector_of(count, 1, one.upper - one.lower, of), out);
    });
    INSTALL(Type_vector, [](int count, int length, int stride, word of, datatype_handle* out) {
        const datatype& one = datatype_of(of);
        return count < 0 ? refuse_negative(count)
                         : add_made(vector_of(count, length, stride * (one.upper - one.lower), of), out);
    });
    INSTALL(Type_create_hvector, [](int count, int length, std::intptr_t stride, word of, datatype_handle* out) {
        return count < 0 ? refuse_negative(count) : add_made(vector_of(count, length, stride, of), out);
    });
    INSTALL(Type_create_struct,
            [](int count, const int* lengths, const std::intptr_t* places, const datatype_handle* types,
               datatype_handle* out) { return add_made(joined(count, lengths, places, types), out); });
    INSTALL(Type_create_hindexed,
            [](int count, const int* lengths, const std::intptr_t* places, word of, datatype_handle* out) {
                const std::vector<datatype_handle> types(static_cast<std::size_t>(count), static_cast<handle>(of));
                return add_made(joined(count, lengths, places, types.data()), out);
            });
    INSTALL(Type_indexed, [](int count, const int* lengths, const int* places, word of, datatype_handle* out) {
        const std::int64_t extent = datatype_of(of).upper - datatype_of(of).lower;
        std::vector<std::intptr_t> bytes;
        for (int i = 0; i < count; ++i)
            bytes.push_back(places[i] * extent);
        const std::vector<datatype_handle> types(static_cast<std::size_t>(std::max(count, 0)), static_cast<handle>(of));
        return count < 0 ? refuse_negative(count) : add_made(joined(count, lengths, bytes.data(), types.data()), out);
    });
    INSTALL(Type_create_indexed_block, [](int count, int length, const int* places, word of, datatype_handle* out) {
        const std::int64_t extent = datatype_of(of).upper - datatype_of(of).lower;
        std::vector<std::intptr_t> bytes(places, places + count);
        for (std::intptr_t& each : bytes)
            each *= extent;
        const std::vector<int> lengths(static_cast<std::size_t>(count), length);
        const std::vector<datatype_handle> types(static_cast<std::size_t>(count), static_cast<handle>(of));
        return add_made(joined(count, lengths.data(), bytes.data(), types.data()), out);
    });
    INSTALL(Type_create_hindexed_block,
            [](int count, int length, const std::intptr_t* places, word of, datatype_handle* out) {
                const std::vector<int> lengths(static_cast<std::size_t>(count), length);
                const std::vector<datatype_handle> types(static_cast<std::size_t>(count), static_cast<handle>(of));
                return add_made(joined(count, lengths.data(), places, types.data()), out);
            });
    INSTALL(Type_create_subarray, [](int, const int*, const int*, const int*, int, word of, datatype_handle* out) {
        return add_made(datatype_of(of), out);
    });
    INSTALL(Type_create_darray, [](int, int, int, const int*, const int*, const int*, const int*, int, word of,
                                   datatype_handle* out) { return add_made(datatype_of(of), out); });
    INSTALL(Type_dup, [](word of, datatype_handle* out) { return add_made(datatype_of(of), out); });
    INSTALL(Type_create_resized, [](word of, std::intptr_t lower, std::intptr_t extent, datatype_handle* out) {
        return add_made({datatype_of(of).size, lower, lower + extent}, out);
    });
    INSTALL(Type_commit, [](datatype_handle* which) {
        datatypes.at(*which).is_committed = true;
        return 0;
    });
    INSTALL(Type_free, free_datatype);
    INSTALL(Type_set_name, [](word, const char*) { return 0; });
    INSTALL(Type_get_envelope, [](word of, int* integers, int* addresses, int* types, int* combiner) {
        *integers = *addresses = *types = 0;
        *combiner = datatypes.contains(static_cast<handle>(of)) ? mpich::mpi_COMBINER_DUP : mpich::mpi_COMBINER_NAMED;
        return 0;
    });
    INSTALL(Type_get_contents, [](word, int, int, int, int*, std::intptr_t*, datatype_handle*) { return 0; });
    INSTALL(Type_match_size, [](int, int, datatype_handle*) { return a_code; });
    INSTALL(Type_create_keyval, [](void*, void* deleter, int* keyval, void*) {
        *keyval = next_keyval++;
        delete_functions[*keyval] = deleter;
        return 0;
    });
    INSTALL(Type_set_attr, [](word of, int keyval, void* value) {
        const auto type = static_cast<handle>(of);
        if (void* const before = std::exchange(type_attributes[{type, keyval}], value); before != nullptr)
            delete_type_attribute(type, keyval, before);
        return 0;
    });
    INSTALL(Type_get_attr, [](word of, int keyval, void* value, int* is_there) {
        const auto found = type_attributes.find({static_cast<handle>(of), keyval});
        *is_there = found != type_attributes.end() ? 1 : 0;
        if (*is_there != 0)
            *static_cast<void**>(value) = found->second;
        return 0;
    });
    INSTALL(Op_create, [](void*, int, handle* out) {
        *out = add_op();
        return 0;
    });
    INSTALL(Op_free, [](handle* which) {
        EXPECT_EQ(ops.erase(*which), 1u) << "an operation that does not exist was freed";
        *which = mpich::mpi_OP_NULL;
        return 0;
    });
    INSTALL(Op_commutative, [](word, int* flag) {
        *flag = 1;
        return 0;
    });
    INSTALL(Reduce_local, [](const void*, void*, int, word, word) { return 0; });
}

// ---- messages ----

void install_messages() {
    INSTALL(Send, [](const void*, int, word, int, int, word) { return 0; });
    INSTALL(Recv, [](void*, int, word, int, int, word, status*) { return 0; });
    INSTALL(Bsend, [](const void*, int, word, int, int, word) { return 0; });
    INSTALL(Ibsend, [](const void*, int, word, int, int, word, handle* out) { return make_request(out); });
    INSTALL(Bsend_init, [](const void*, int, word, int, int, word, handle* out) { return make_request(out, true); });
    INSTALL(Buffer_attach, [](void*, int) { return 0; });
    INSTALL(Buffer_detach, [](void*, int*) { return 0; });
    INSTALL(Sendrecv, [](const void*, int, word, int, int, void*, int, word, int, int, word, status*) { return 0; });
    INSTALL(Bcast, [](void*, int, word, int, word) { return 0; });
    INSTALL(Reduce, [](const void*, void*, int, word, word, int, word) { return 0; });
    INSTALL(Allreduce, [](const void*, void*, int, word, word, word) { return 0; });
    INSTALL(Gather, [](const void*, int, word, void*, int, word, int, word) { return 0; });
    INSTALL(Reduce_scatter, [](const void*, void*, const int*, word, word, word) { return 0; });
    INSTALL(Alltoallw, [](const void*, const int*, const int*, const datatype_handle*, void*, const int*, const int*,
                          const datatype_handle*, word) { return 0; });
    INSTALL(Neighbor_alltoallw, [](const void*, const int*, const std::intptr_t*, const datatype_handle*, void*,
                                   const int*, const std::intptr_t*, const datatype_handle*, word) { return 0; });
    INSTALL(Allgather, [](const void*, int, word, void*, int, word, word) { return 0; });
    INSTALL(Allgatherv, [](const void*, int, word, void*, const int*, const int*, word, word) { return 0; });
    INSTALL(Iallgatherv, [](const void*, int, word, void*, const int*, const int*, word, word, handle* out) {
        return make_request(out);
    });
    INSTALL(Register_datarep, [](const char*, void*, void*, void*, void*) { return 0; });
    INSTALL(Pack, [](const void* from, int count, word type, void* to, int room, int* position, word) {
        const std::int64_t bytes = count * datatype_of(type).size;
        if (bytes > room - *position)
            return mpich::mpi_ERR_TRUNCATE;
        if (from != nullptr && to != nullptr)
            std::memcpy(static_cast<char*>(to) + *position, from, static_cast<std::size_t>(bytes));
        *position += static_cast<int>(bytes);
        return 0;
    });
    INSTALL(Unpack, [](const void*, int, int* position, void*, int count, word type, word) {
        *position += static_cast<int>(count * datatype_of(type).size);
        return 0;
    });
    INSTALL(Pack_size, [](int count, word type, word, int* size) {
        *size = static_cast<int>(count * datatype_of(type).size);
        return 0;
    });
    INSTALL(Pack_external,
            [](const char*, const void*, int count, word type, void*, std::intptr_t room, std::intptr_t* position) {
                const std::int64_t bytes = count * datatype_of(type).size;
                if (bytes > room - *position)
                    return mpich::mpi_ERR_TRUNCATE;
                *position += bytes;
                return 0;
            });
    INSTALL(Unpack_external,
            [](const char*, const void*, std::intptr_t, std::intptr_t* position, void*, int count, word type) {
                *position += count * datatype_of(type).size;
                return 0;
            });
    INSTALL(Pack_external_size, [](const char*, int count, word type, std::intptr_t* size) {
        *size = count * datatype_of(type).size;
        return 0;
    });
    INSTALL(Status_set_elements_x);
    INSTALL(File_get_type_extent);
    INSTALL(Win_allocate, [](std::intptr_t, int, word, word, void*, handle*) { return 0; });
    INSTALL(Win_allocate_shared, [](std::intptr_t, int, word, word, void*, handle*) { return 0; });
    INSTALL(Get_elements_x, [](const status* of, word, std::int64_t* count) {
        *count = of->count_low;
        return 0;
    });
    INSTALL(Win_create, [](void*, std::intptr_t, int, word, word, handle*) { return 0; });
    INSTALL(Win_get_attr, [](word, int, void*, int* is_there) { return *is_there = 0; });
    INSTALL(Win_get_group, [](word, handle* out) {
        *out = mpich::mpi_GROUP_EMPTY;
        return 0;
    });
    INSTALL(Win_shared_query, [](word, int, std::intptr_t*, int*, void*) { return 0; });
}

// ---- communicators, infos, errors, life ----

std::map<handle, communicator> comms;
std::map<std::pair<handle, int>, void*> comm_attributes;
handle next_comm = 0x84000010;
int largest_tag = 0x7fffffff;

int copy_comm(word from, handle* out) {
    *out = add_comm(comm_of(from));
    return 0;
}

int delete_comm_attribute(handle comm, int keyval) {
    const auto found = comm_attributes.find({comm, keyval});
    if (found == comm_attributes.end())
        return mpich::mpi_ERR_KEYVAL;
    void* const value = found->second;
    comm_attributes.erase(found);
    using deleter = int(handle, int, void*, void*);
    return reinterpret_cast<deleter*>(delete_functions[keyval])(comm, keyval, value, nullptr);
}

void delete_attributes_of(handle comm) {
    for (auto next = comm_attributes.lower_bound({comm, 0}); next != comm_attributes.end() && next->first.first == comm;
         next = comm_attributes.lower_bound({comm, 0}))
        delete_comm_attribute(comm, next->first.second);
}

int free_comm(handle* which) {
    delete_attributes_of(*which);
    EXPECT_EQ(comms.erase(*which), 1u) << "a communicator that does not exist was freed";
    *which = mpich::mpi_COMM_NULL;
    return 0;
}

int call_errhandler(word comm, int code) {
    errors.push_back({static_cast<handle>(comm), code});
    return 0;
}

void install_communicators() {
    INSTALL(Comm_rank, [](word of, int* rank) {
        *rank = comm_of(of).rank;
        return 0;
    });
    INSTALL(Comm_size, [](word of, int* size) {
        *size = comm_of(of).size;
        return 0;
    });
    INSTALL(Comm_remote_size, [](word of, int* size) {
        *size = comm_of(of).remote_size;
        return 0;
    });
    INSTALL(Comm_test_inter, [](word of, int* flag) {
        *flag = comm_of(of).is_inter ? 1 : 0;
        return 0;
    });
    INSTALL(Topo_test, [](word of, int* topology) {
        *topology = comm_of(of).topology;
        return 0;
    });
    INSTALL(Comm_group, [](word, handle* out) {
        *out = mpich::mpi_GROUP_EMPTY;
        return 0;
    });
    INSTALL(Group_free, [](handle*) { return 0; });
    INSTALL(Group_incl, [](word, int, const int*, handle* out) {
        *out = mpich::mpi_GROUP_EMPTY;
        return 0;
    });
    INSTALL(Group_rank, [](word, int* rank) {
        *rank = 1;
        return 0;
    });
    INSTALL(Group_translate_ranks, [](word, int, const int* ranks, word, int* found) {
        *found = *ranks;
        return 0;
    });
    INSTALL(Intercomm_create, [](word local, int, word, int, int, handle* out) { return copy_comm(local, out); });
    INSTALL(Comm_get_name, [](word, char* name, int* length) {
        std::strcpy(name, "a name");
        *length = 6;
        return 0;
    });
    INSTALL(Type_get_name, [](word, char*, int*) { return 0; });
    INSTALL(Win_get_name, [](word, char*, int*) { return 0; });
    INSTALL(Open_port, [](word, char*) { return 0; });
    INSTALL(Lookup_name);
    INSTALL(Comm_create_errhandler, [](void*, handle* out) {
        *out = 0x94000010;
        return 0;
    });
    INSTALL(Comm_create, [](word from, word, handle* out) { return copy_comm(from, out); });
    INSTALL(Comm_create_group, [](word from, word, int, handle* out) { return copy_comm(from, out); });
    INSTALL(Comm_split, [](word from, int, int, handle* out) { return copy_comm(from, out); });
    INSTALL(Comm_split_type, [](word from, int type, int, word, handle* out) {
        *out = mpich::mpi_COMM_NULL;
        return type == mpich::mpi_UNDEFINED ? 0 : copy_comm(from, out);
    });
    INSTALL(Comm_free, free_comm);
    INSTALL(Comm_set_info, [](word, word) { return 0; });
    INSTALL(Comm_get_errhandler, [](word, handle* out) {
        *out = mpich::mpi_ERRORS_RETURN;
        return 0;
    });
    INSTALL(Comm_set_errhandler, [](word, word) { return 0; });
    INSTALL(Win_create_errhandler, [](void*, handle* out) {
        *out = 0x94000011;
        return 0;
    });
    INSTALL(Win_set_errhandler, [](word, word) { return 0; });
    INSTALL(Win_get_errhandler, [](word, handle* out) {
        *out = mpich::mpi_ERRORS_RETURN;
        return 0;
    });
    INSTALL(Errhandler_free, [](handle*) { return 0; });
    INSTALL(Comm_call_errhandler, call_errhandler);
    INSTALL(Comm_create_keyval, [](void*, void* deleter, int* keyval, void*) {
        *keyval = next_keyval++;
        delete_functions[*keyval] = deleter;
        return 0;
    });
    INSTALL(Comm_set_attr, [](word of, int keyval, void* value) {
        comm_attributes[{static_cast<handle>(of), keyval}] = value;
        return 0;
    });
    INSTALL(Comm_get_attr, [](word of, int keyval, void* value, int* is_there) {
        *is_there = 1;
        if (keyval == mpich::mpi_TAG_UB) {
            *static_cast<int**>(value) = &largest_tag;
            return 0;
        }
        const auto found = comm_attributes.find({static_cast<handle>(of), keyval});
        *is_there = found != comm_attributes.end() ? 1 : 0;
        if (*is_there != 0)
            *static_cast<void**>(value) = found->second;
        return 0;
    });
    INSTALL(Comm_delete_attr,
            [](word of, int keyval) { return delete_comm_attribute(static_cast<handle>(of), keyval); });
    INSTALL(Comm_get_parent, [](handle* out) {
        *out = mpich::mpi_COMM_NULL;
        return 0;
    });
}

// Copies the numbers of a topology into the caller's array, which may be too short for all.
void give_numbers(std::initializer_list<int> numbers, int* out) {
    std::copy(numbers.begin(), numbers.end(), out);
}
void expect_numbers(std::initializer_list<int> numbers, const int* given) {
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), given)) << "a copy has another topology";
}

// One topology of each kind.
void install_topologies() {
    INSTALL(Cartdim_get, [](word, int* dimensions) {
        *dimensions = 2;
        return 0;
    });
    INSTALL(Cart_get, [](word, int, int* sizes, int* periods, int* place) {
        give_numbers({3, 2}, sizes);
        give_numbers({1, 0}, periods);
        give_numbers({2, 1}, place);
        return 0;
    });
    INSTALL(Cart_create, [](word from, int dimensions, const int* sizes, const int* periods, int reorder, handle* out) {
        EXPECT_TRUE(dimensions == 2 && reorder == 0);
        expect_numbers({3, 2}, sizes);
        expect_numbers({1, 0}, periods);
        return copy_comm(from, out);
    });
    INSTALL(Graphdims_get, [](word, int* nodes, int* edges) {
        *nodes = 3;
        *edges = 4;
        return 0;
    });
    INSTALL(Graph_get, [](word, int, int, int* ends, int* edges) {
        give_numbers({1, 3, 4}, ends);
        give_numbers({1, 0, 2, 1}, edges);
        return 0;
    });
    INSTALL(Graph_neighbors_count, [](word, int, int* count) {
        *count = graph_neighbors;
        return 0;
    });
    INSTALL(Graph_create, [](word from, int nodes, const int* ends, const int* edges, int reorder, handle* out) {
        EXPECT_TRUE(nodes == 3 && reorder == 0);
        expect_numbers({1, 3, 4}, ends);
        expect_numbers({1, 0, 2, 1}, edges);
        return copy_comm(from, out);
    });
    INSTALL(Dist_graph_neighbors_count, [](word, int* in, int* out, int* is_weighted) {
        *in = dist_graph_sources;
        *out = dist_graph_destinations;
        *is_weighted = 1;
        return 0;
    });
    INSTALL(Dist_graph_neighbors, [](word, int, int* from, int* from_weights, int, int* to, int* to_weights) {
        give_numbers({0, 3}, from);
        give_numbers({5, 6}, from_weights);
        give_numbers({1, 2, 3}, to);
        give_numbers({7, 8, 9}, to_weights);
        return 0;
    });
    INSTALL(Dist_graph_create_adjacent, [](word old, int in, const int* from, const int* from_weights, int out,
                                           const int* to, const int* to_weights, word, int reorder, handle* made) {
        EXPECT_TRUE(in == dist_graph_sources && out == dist_graph_destinations && reorder == 0);
        expect_numbers({0, 3}, from);
        expect_numbers({5, 6}, from_weights);
        expect_numbers({1, 2, 3}, to);
        expect_numbers({7, 8, 9}, to_weights);
        return copy_comm(old, made);
    });
}

std::map<handle, std::vector<std::pair<std::string, std::string>>> infos;
handle next_info = 0x9c000010;

const std::string* find_value(word info, const char* key) {
    for (const auto& [name, value] : infos[static_cast<handle>(info)])
        if (name == key)
            return &value;
    return nullptr;
}

void install_infos() {
    INSTALL(Info_create, [](handle* out) {
        *out = next_info++;
        infos[*out] = {};
        return 0;
    });
    INSTALL(Info_dup, [](word from, handle* out) {
        *out = next_info++;
        infos[*out] = infos[static_cast<handle>(from)];
        return 0;
    });
    INSTALL(Info_free, [](handle* which) {
        EXPECT_EQ(infos.erase(*which), 1u) << "an info that does not exist was freed";
        *which = mpich::mpi_INFO_NULL;
        return 0;
    });
    INSTALL(Info_set, [](word info, const char* key, const char* value) {
        infos[static_cast<handle>(info)].emplace_back(key, value);
        return 0;
    });
    INSTALL(Info_delete, [](word, const char*) { return 0; });
    INSTALL(Info_get, [](word info, const char* key, int most, char* value, int* is_there) {
        const std::string* const found = find_value(info, key);
        *is_there = found != nullptr ? 1 : 0;
        if (found != nullptr) {
            std::strncpy(value, found->c_str(), static_cast<std::size_t>(most));
            value[most] = '\0';
        }
        return 0;
    });
    INSTALL(Info_get_valuelen, [](word info, const char* key, int* length, int* is_there) {
        const std::string* const found = find_value(info, key);
        *is_there = found != nullptr ? 1 : 0;
        if (found != nullptr)
            *length = static_cast<int>(found->size());
        return 0;
    });
    INSTALL(Info_get_nkeys, [](word info, int* count) {
        *count = static_cast<int>(infos[static_cast<handle>(info)].size());
        return 0;
    });
    INSTALL(Info_get_nthkey, [](word info, int n, char* key) {
        std::strcpy(key, infos[static_cast<handle>(info)].at(static_cast<std::size_t>(n)).first.c_str());
        return 0;
    });
    INSTALL(Errhandler_c2f, [](word handler) { return static_cast<int>(handler); });
    INSTALL(Errhandler_f2c, [](int number) { return word{static_cast<handle>(number)}; });
    INSTALL(Info_c2f, [](word info) { return static_cast<int>(info); });
    INSTALL(Info_f2c, [](int number) { return word{static_cast<handle>(number)}; });
}

int next_code = 0;
bool is_begun = false;
bool is_ended = false;

int begin(int* level) {
    EXPECT_FALSE(is_begun) << "the library was started twice";
    is_begun = true;
    if (level != nullptr)
        *level = mpich::mpi_THREAD_MULTIPLE;
    return 0;
}

void install_life() {
    INSTALL(Init, [](int*, char***) { return begin(nullptr); });
    INSTALL(Init_thread, [](int*, char***, int, int* provided) { return begin(provided); });
    INSTALL(Initialized, [](int* flag) {
        *flag = is_begun ? 1 : 0;
        return 0;
    });
    INSTALL(Finalized, [](int* flag) {
        *flag = is_ended ? 1 : 0;
        return 0;
    });
    INSTALL(Finalize, [] {
        EXPECT_TRUE(is_begun && !is_ended) << "the library was ended at the wrong time";
        is_ended = true;
        return 0;
    });
    INSTALL(T_init_thread, [](int, int*) { return 0; });
    INSTALL(T_category_get_num, [](int* count) {
        *count = 2;
        return 0;
    });
    INSTALL(Query_thread, [](int* level) {
        *level = mpich::mpi_THREAD_MULTIPLE;
        return 0;
    });
    INSTALL(Is_thread_main, [](int* flag) { return *flag = 0; });
    INSTALL(Abort, [](word, int code) {
        _exit(code);
        return 0;
    });
    INSTALL(Get_version, [](int* version, int* subversion) {
        *version = 3;
        *subversion = 1;
        return 0;
    });
    INSTALL(Add_error_class, [](int* number) {
        *number = 1 << 30 | 100 | next_code++;
        return 0;
    });
    INSTALL(Add_error_code, [](int of_class, int* number) {
        *number = of_class | (++next_code << 8) | 1 << 30;
        return 0;
    });
    INSTALL(Add_error_string, [](int, const char*) { return 0; });
    INSTALL(Error_class, [](int code, int* found) {
        *found = mpich::class_of(code);
        return 0;
    });
    INSTALL(Error_string, [](int code, char* text, int* length) {
        if (code == mpich::mpi_ERR_LASTCODE) // Intel MPI 2018 crashes with this code
            calls.emplace_back("Error_string of MPI_ERR_LASTCODE");
        *length = std::snprintf(text, mpich::mpi_MAX_ERROR_STRING, "text of %d", code);
        return 0;
    });
}

} // namespace

int count_calls(const std::string& name) {
    return static_cast<int>(std::count(calls.begin(), calls.end(), name));
}

bool were_called(std::initializer_list<const char*> names) {
    auto from = calls.begin();
    for (const char* const name : names) {
        from = std::find(from, calls.end(), name);
        if (from == calls.end())
            return false;
        ++from;
    }
    return true;
}

handle add_request(bool is_persistent) {
    const handle made = next_request++;
    requests[made] = {.is_persistent = is_persistent, .is_active = !is_persistent};
    order.push_back(made);
    return made;
}

request& request_of(handle which) {
    const auto found = requests.find(which);
    if (found != requests.end())
        return found->second;
    ADD_FAILURE() << "request " << which << " does not exist";
    static request none;
    return none = {};
}

void complete(handle which, int code) {
    request& found = request_of(which);
    EXPECT_TRUE(found.is_active);
    found.is_done = true;
    found.code = code;
}

void complete_all() {
    for (auto& [which, one] : requests)
        one.is_done = one.is_active;
}

handle last_request() {
    return order.back();
}

int count_requests() {
    return static_cast<int>(requests.size());
}

const std::vector<handle>& made_requests() {
    return order;
}

handle add_datatype(const datatype& made) {
    datatypes[next_datatype] = made;
    datatypes[next_datatype].is_committed = false;
    return next_datatype++;
}

// The number of a predefined datatype contains its size.
const datatype& datatype_of(word which) {
    const auto number = static_cast<handle>(which);
    if (const auto found = datatypes.find(number); found != datatypes.end())
        return found->second;
    static datatype predefined;
    const bool is_pair = number >= mpich::mpi_FLOAT_INT && number < mpich::mpi_FLOAT_INT + 16;
    EXPECT_TRUE(is_pair || number >> 26 == mpich::mpi_INT >> 26) << "datatype " << number << " does not exist";
    const std::int64_t size = is_pair ? 8 : number >> 8 & 0xff;
    return predefined = {size, 0, size};
}

int count_datatypes() {
    return static_cast<int>(datatypes.size());
}

handle add_op() {
    ops[next_op] = 1;
    return next_op++;
}

int count_ops() {
    return static_cast<int>(ops.size());
}

handle add_comm(const communicator& made) {
    comms[next_comm] = made;
    return next_comm++;
}

communicator& comm_of(word which) {
    const auto found = comms.find(static_cast<handle>(which));
    if (found != comms.end())
        return found->second;
    ADD_FAILURE() << "communicator " << which << " does not exist";
    static communicator none;
    return none = {};
}

// Returns the number of communicators that are not predefined.
int count_comms() {
    return static_cast<int>(comms.size()) - 2;
}

void bind() {
    static bool is_bound = false;
    if (is_bound)
        return;
    is_bound = true;
    install_requests();
    install_datatypes();
    install_messages();
    install_communicators();
    install_topologies();
    install_infos();
    install_life();
    anympi::emulate::own_functions<mpich> = mpi;
    for (const auto& known : anympi::predefined_handles<mpich>)
        anympi::predefined_to_run<mpich>[known.id] = known.value;
    anympi::emulate::bind_emulations<mpich>(reinterpret_cast<void**>(&mpi), anympi::runtime::family::mpich);
    anympi::emulate::bind_missing_handles<mpich>();
    for (const word id : {anympi::standard::mpi_INTEGER16, anympi::standard::mpi_LOGICAL16})
        anympi::predefined_to_run<mpich>[id] = mpich::mpi_DATATYPE_NULL;
    anympi::emulate::install_overrides<mpich>(anympi::emulate::moment::standard_program);
}

void reset() {
    while (!comm_attributes.empty())
        delete_attributes_of(comm_attributes.begin()->first.first);
    for (void (*each)() : resets)
        each();
    calls.clear();
    errors.clear();
    requests.clear();
    order.clear();
    datatypes.clear();
    type_attributes.clear();
    ops.clear();
    comms = {{mpich::mpi_COMM_WORLD, {}}, {mpich::mpi_COMM_SELF, {.size = 1, .rank = 0}}};
    infos = {{mpich::mpi_INFO_ENV, {}}};
}

bool passes_alone(void (*scenario)()) {
    std::fflush(nullptr); // otherwise the child writes it as well
    const pid_t child = fork();
    if (child == 0) {
        scenario();
        std::fflush(nullptr);
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int result = 0;
    return waitpid(child, &result, 0) == child && WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

} // namespace fake
