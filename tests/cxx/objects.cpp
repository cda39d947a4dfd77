// Datatypes, infos, statuses, and the functions without an object.
// ranks: 1
#include "check.hpp"

#include <string>

static const MPI::Datatype& integer() {
    return opaque(MPI::INT);
}

static MPI::Aint extent_of(const MPI::Datatype& type) {
    MPI::Aint lower_bound = -1, extent = -1;
    type.Get_extent(lower_bound, extent);
    return extent;
}

static void making_types() {
    const int lengths[2] = {1, 2}, places[2] = {0, 3};
    const MPI::Aint bytes[2] = {0, 12};
    MPI::Datatype made[] = {integer().Create_contiguous(3),
                            integer().Create_vector(2, 1, 2),
                            integer().Create_hvector(2, 1, 8),
                            integer().Create_indexed(2, lengths, places),
                            integer().Create_hindexed(2, lengths, bytes),
                            integer().Create_indexed_block(2, 1, places)};
    const int sizes[] = {12, 8, 8, 12, 12, 8}, extents[] = {12, 12, 12, 20, 20, 16};
    for (int n = 0; n < 6; ++n) {
        CHECK(opaque(made[n]).Get_size() == sizes[n]);
        CHECK(extent_of(opaque(made[n])) == extents[n]);
        opaque(made[n]).Commit();
        opaque(made[n]).Free();
        CHECK(made[n] == MPI::DATATYPE_NULL);
    }
    MPI::Datatype resized = integer().Create_resized(-4, 16);
    MPI::Aint lower_bound = 0, extent = 0;
    resized.Get_extent(lower_bound, extent);
    CHECK(lower_bound == -4 && extent == 16);
    opaque(resized).Get_true_extent(lower_bound, extent);
    CHECK(lower_bound == 0 && extent == 4);

    MPI::Datatype types[2] = {MPI::INT, MPI::DOUBLE};
    const MPI::Aint offsets[2] = {0, 8};
    MPI::Datatype structure = MPI::Datatype::Create_struct(2, lengths, offsets, types);
    CHECK(structure.Get_size() == 4 + 16);
    int integers = 0, addresses = 0, type_count = 0, combiner = 0;
    opaque(structure).Get_envelope(integers, addresses, type_count, combiner);
    CHECK(integers == 3 && addresses == 2 && type_count == 2 && combiner == MPI::COMBINER_STRUCT);
    int got_integers[3];
    MPI::Aint got_addresses[2];
    MPI::Datatype got_types[2];
    opaque(structure).Get_contents(3, 2, 2, got_integers, got_addresses, got_types);
    CHECK(got_integers[0] == 2 && got_integers[2] == 2 && got_addresses[1] == 8 && got_types[1] == MPI::DOUBLE);

    const int whole[2] = {4, 4}, part[2] = {2, 2}, start[2] = {1, 1};
    MPI::Datatype subarray = integer().Create_subarray(2, whole, part, start, MPI::ORDER_C);
    CHECK(subarray.Get_size() == 16 && extent_of(subarray) == 64);
    const int distributed[1] = {MPI::DISTRIBUTE_BLOCK}, defaults[1] = {MPI::DISTRIBUTE_DFLT_DARG}, processes[1] = {1};
    MPI::Datatype darray = integer().Create_darray(1, 0, 1, whole, distributed, defaults, processes, MPI::ORDER_C);
    CHECK(darray.Get_size() == 16);
    MPI::Datatype dup = opaque(subarray).Dup();
    CHECK(dup.Get_size() == 16 && dup != subarray);
    CHECK(MPI::Datatype::Match_size(MPI::TYPECLASS_REAL, 8).Get_size() == 8);

    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    opaque(dup).Set_name("copied");
    opaque(dup).Get_name(name, length);
    CHECK(std::string(name) == "copied" && length == 6);
    integer().Get_name(name, length);
    CHECK(std::string(name) == "MPI_INT");
    MPI::Datatype* all[] = {&resized, &structure, &subarray, &darray, &dup};
    for (int n = 0; n < 5; ++n)
        all[n]->Free();
}

static void packing() {
    int values[3] = {1, 2, 3}, back[3] = {0, 0, 0}, position = 0;
    char memory[100];
    CHECK(integer().Pack_size(3, MPI::COMM_WORLD) >= 12);
    integer().Pack(values, 3, memory, sizeof memory, position, MPI::COMM_WORLD);
    CHECK(position >= 12);
    const int packed = position;
    position = 0;
    integer().Unpack(memory, packed, back, 3, position, MPI::COMM_WORLD);
    CHECK(back[0] == 1 && back[2] == 3 && position == packed);

    MPI::Aint place = 0;
    CHECK(integer().Pack_external_size("external32", 3) == 12);
    integer().Pack_external("external32", values, 3, memory, sizeof memory, place);
    CHECK(place == 12 && memory[3] == 1); // big endian
    place = 0;
    back[2] = 0;
    integer().Unpack_external("external32", memory, 12, place, back, 3);
    CHECK(back[2] == 3 && place == 12);
}

static void infos() {
    MPI::Info made = MPI::Info::Create();
    opaque(made).Set("color", "blue");
    opaque(made).Set("size", "12");
    char value[20] = "", key[MPI_MAX_INFO_KEY] = "";
    CHECK(opaque(made).Get("color", sizeof value - 1, value) && std::string(value) == "blue");
    CHECK(!opaque(made).Get("weight", sizeof value - 1, value));
    int length = 0;
    CHECK(opaque(made).Get_valuelen("color", length) && length == 4);
    CHECK(opaque(made).Get_nkeys() == 2);
    opaque(made).Get_nthkey(0, key);
    CHECK(std::string(key) == "color" || std::string(key) == "size");
    MPI::Info copy = opaque(made).Dup();
    opaque(made).Delete("color");
    CHECK(made.Get_nkeys() == 1 && copy.Get_nkeys() == 2);
    opaque(made).Free();
    opaque(copy).Free();
    CHECK(MPI_Info(made) == MPI_INFO_NULL);
}

static void statuses() {
    MPI::Status status;
    opaque(status).Set_elements(MPI::INT, 5);
    opaque(status).Set_cancelled(true);
    status.Set_source(3);
    status.Set_tag(4);
    status.Set_error(MPI::ERR_TAG);
    CHECK(opaque(status).Get_elements(MPI::INT) == 5 && opaque(status).Get_count(MPI::INT) == 5);
    CHECK(opaque(status).Is_cancelled());
    CHECK(status.Get_source() == 3 && status.Get_tag() == 4 && status.Get_error() == MPI::ERR_TAG);
}

static void environment() {
    int version = 0, subversion = -1, length = 0;
    MPI::Get_version(version, subversion);
    CHECK(version >= 3 && subversion >= 0);
    char name[MPI_MAX_PROCESSOR_NAME] = "", text[MPI_MAX_ERROR_STRING] = "";
    MPI::Get_processor_name(name, length);
    CHECK(length > 0 && std::strlen(name) == (size_t)length);
    const double start = MPI::Wtime();
    CHECK(MPI::Wtick() > 0 && MPI::Wtime() >= start);
    CHECK(MPI::Is_initialized() && !MPI::Is_finalized() && MPI::Is_thread_main());
    CHECK(MPI::Query_thread() >= MPI::THREAD_SINGLE);
    void* memory = MPI::Alloc_mem(100, MPI::INFO_NULL);
    CHECK(memory != NULL);
    CHECK(MPI::Get_address(memory) == (MPI::Aint)memory);
    MPI::Free_mem(memory);
    const int error_class = MPI::Add_error_class(), code = MPI::Add_error_code(error_class);
    MPI::Add_error_string(code, "nothing works");
    MPI::Get_error_string(code, text, length);
    CHECK(std::string(text) == "nothing works" && MPI::Get_error_class(code) == error_class);
    CHECK(MPI::Get_error_class(MPI::ERR_RANK) == MPI::ERR_RANK);
    MPI::Pcontrol(1);
}

int main() {
    CHECK(!MPI::Is_initialized());
    CHECK(MPI::Init_thread(MPI::THREAD_FUNNELED) >= MPI::THREAD_SINGLE);
    join();
    making_types();
    packing();
    infos();
    statuses();
    environment();
    return finish();
}
