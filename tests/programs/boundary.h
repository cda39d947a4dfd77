// Collective operations with many counts, among them counts around the limit of a front that was built with a small
// ANYMPI_NARROW_LIMIT (tests/programs/narrow.py), and datatypes with gaps and with changed bounds. As in collectives.h,
// the including program defines CALL and `blocking`, which determine how the operations are carried out.
#include "boundary_data.h"

enum { most_ranks = 4 };

/// The number of elements that rank `from` sends to rank `to`, if it differs between ranks, and their displacements: in
/// reverse order, with gaps.
static int length_of(int base, int from, int to) {
    return base + (from + 2 * to) % 3;
}
static int place_of(int base, int peer) {
    return (check_ranks - 1 - peer) * (base + 4);
}

// ---- one count
// -------------------------------------------------------------------------------------------------------

static void bcast(const layout* l, int n) {
    for (int root = 0; root < check_ranks; root++) {
        clear_all();
        put(&expected, l, 0, n, root, anyone);
        if (check_rank == root)
            result = expected;
        if (!CALL(Bcast, bcast, begin_of(&result), n, l->type, root, MPI_COMM_WORLD))
            return;
        CHECK_RESULT(result);
    }
}

/// Data without gaps at the sender arrives with gaps: the two sides have different counts.
static void gather_and_scatter(const layout* l, int n) {
    for (int root = 0; root < check_ranks; root++)
        for (int in_place = 0; in_place < 2; in_place++) {
            const int is_root = check_rank == root, ranks = check_ranks;
            const layout plain = {MPI_INT, 1, 1, {0}};
            clear_all();
            for (int e = 0; e < n * l->used; e++)
                given.data[margin + e] =
                    100000 * (check_rank + 1) + 1000 * (root + 1) + 10 * (e / l->used) + e % l->used;
            for (int from = 0; from < ranks && is_root; from++)
                put(&expected, l, from * n, n, from, root);
            if (is_root && in_place)
                put(&result, l, root * n, n, root, root);
            const int stays = is_root && in_place;
            if (!CALL(Gather, gather, stays ? MPI_IN_PLACE : begin_of(&given), stays ? -5 : n * l->used,
                      stays ? MPI_DATATYPE_NULL : plain.type, begin_of(&result), is_root ? n : 100000, l->type, root,
                      MPI_COMM_WORLD))
                return;
            CHECK_RESULT(result);

            clear_all();
            for (int to = 0; to < ranks && is_root; to++)
                put(&given, l, to * n, n, root, to);
            if (!stays)
                put(&expected, l, 0, n, root, check_rank);
            CHECK(CALL(Scatter, scatter, begin_of(&given), is_root ? n : 100000, l->type,
                       stays ? MPI_IN_PLACE : begin_of(&result), stays ? -5 : n, stays ? MPI_DATATYPE_NULL : l->type,
                       root, MPI_COMM_WORLD));
            CHECK_RESULT(result);
        }
}

static void allgather_and_alltoall(const layout* l, int n) {
    for (int in_place = 0; in_place < 2; in_place++) {
        clear_all();
        put(&given, l, 0, n, check_rank, anyone);
        for (int from = 0; from < check_ranks; from++)
            put(&expected, l, from * n, n, from, anyone);
        if (in_place)
            put(&result, l, check_rank * n, n, check_rank, anyone);
        if (!CALL(Allgather, allgather, in_place ? MPI_IN_PLACE : begin_of(&given), in_place ? -5 : n,
                  in_place ? MPI_DATATYPE_NULL : l->type, begin_of(&result), n, l->type, MPI_COMM_WORLD))
            return;
        CHECK_RESULT(result);

        clear_all();
        for (int peer = 0; peer < check_ranks; peer++) {
            put(in_place ? &result : &given, l, peer * n, n, check_rank, peer);
            put(&expected, l, peer * n, n, peer, check_rank);
        }
        CHECK(CALL(Alltoall, alltoall, in_place ? MPI_IN_PLACE : begin_of(&given), in_place ? -5 : n,
                   in_place ? MPI_DATATYPE_NULL : l->type, begin_of(&result), n, l->type, MPI_COMM_WORLD));
        CHECK_RESULT(result);
    }
}

// ---- arrays of counts
// ------------------------------------------------------------------------------------------------

typedef struct arrays {
    MPI_Count counts[most_ranks];
    MPI_Aint places[most_ranks], bytes[most_ranks];
    MPI_Datatype types[most_ranks];
} arrays;

static void describe(arrays* a, const layout* l, int n, int is_sent, int to_all) {
    for (int peer = 0; peer < check_ranks; peer++) {
        const int to = to_all ? 0 : is_sent ? peer : check_rank;
        a->counts[peer] = length_of(n, is_sent ? check_rank : peer, to);
        a->places[peer] = place_of(n, peer);
        a->bytes[peer] = a->places[peer] * l->extent * (MPI_Aint)sizeof(int);
        a->types[peer] = l->type;
    }
}

static void gatherv_and_scatterv(const layout* l, int n) {
    arrays a;
    for (int root = 0; root < check_ranks; root++)
        for (int in_place = 0; in_place < 2; in_place++) {
            const int is_root = check_rank == root, stays = is_root && in_place;
            clear_all();
            for (int from = 0; from < check_ranks; from++)
                a.counts[from] = length_of(n, from, root), a.places[from] = place_of(n, from);
            put(&given, l, 0, length_of(n, check_rank, root), check_rank, root);
            for (int from = 0; from < check_ranks && is_root; from++)
                put(&expected, l, place_of(n, from), length_of(n, from, root), from, root);
            if (stays)
                put(&result, l, place_of(n, root), length_of(n, root, root), root, root);
            if (!CALL(Gatherv, gatherv, stays ? MPI_IN_PLACE : begin_of(&given), length_of(n, check_rank, root),
                      l->type, begin_of(&result), is_root ? a.counts : NULL, is_root ? a.places : NULL, l->type, root,
                      MPI_COMM_WORLD))
                return;
            CHECK_RESULT(result);

            clear_all();
            for (int to = 0; to < check_ranks; to++)
                a.counts[to] = length_of(n, root, to), a.places[to] = place_of(n, to);
            for (int to = 0; to < check_ranks && is_root; to++)
                put(&given, l, place_of(n, to), length_of(n, root, to), root, to);
            if (!stays)
                put(&expected, l, 0, length_of(n, root, check_rank), root, check_rank);
            CHECK(CALL(Scatterv, scatterv, begin_of(&given), is_root ? a.counts : NULL, is_root ? a.places : NULL,
                       l->type, stays ? MPI_IN_PLACE : begin_of(&result), length_of(n, root, check_rank), l->type, root,
                       MPI_COMM_WORLD));
            CHECK_RESULT(result);
        }
}

static void allgatherv(const layout* l, int n) {
    arrays a;
    describe(&a, l, n, 0, 1);
    for (int in_place = 0; in_place < 2; in_place++) {
        clear_all();
        const int own = (int)a.counts[check_rank];
        put(&given, l, 0, own, check_rank, anyone);
        for (int from = 0; from < check_ranks; from++)
            put(&expected, l, place_of(n, from), (int)a.counts[from], from, anyone);
        if (in_place)
            put(&result, l, place_of(n, check_rank), own, check_rank, anyone);
        if (!CALL(Allgatherv, allgatherv, in_place ? MPI_IN_PLACE : begin_of(&given), in_place ? -5 : own,
                  in_place ? MPI_DATATYPE_NULL : l->type, begin_of(&result), a.counts, a.places, l->type,
                  MPI_COMM_WORLD))
            return;
        CHECK_RESULT(result);
    }
}

/// Few bytes, far apart: only here the total is below the limit while displacements are above it, and only on some
/// ranks.
static void allgatherv_of_bytes(void) {
    MPI_Count counts[most_ranks];
    MPI_Aint places[most_ranks];
    char bytes[128], expected_bytes[128];
    for (int far = 0; far < 2; far++)
        for (int in_place = 0; in_place < 2; in_place++) {
            memset(bytes, '.', sizeof bytes);
            memset(expected_bytes, '.', sizeof expected_bytes);
            for (int from = 0; from < check_ranks; from++) {
                counts[from] = from < 3;
                places[from] = from * (far && check_rank != 1 ? 30 : 1);
                if (counts[from])
                    expected_bytes[places[from]] = (char)('a' + from);
            }
            char mine = (char)('a' + check_rank);
            if (in_place && counts[check_rank])
                bytes[places[check_rank]] = mine;
            if (!CALL(Allgatherv, allgatherv, in_place ? MPI_IN_PLACE : &mine, counts[check_rank], MPI_CHAR, bytes,
                      counts, places, MPI_CHAR, MPI_COMM_WORLD))
                return;
            CHECK_BYTES(bytes, expected_bytes, sizeof bytes);
        }
}

static void put_blocks(buffer* b, const layout* l, int n, int are_sent) {
    for (int peer = 0; peer < check_ranks; peer++) {
        const int from = are_sent ? check_rank : peer, to = are_sent ? peer : check_rank;
        put(b, l, place_of(n, peer), length_of(n, from, to), from, to);
    }
}

static void alltoallv_and_w(const layout* l, int n) {
    arrays sent, received;
    describe(&sent, l, n, 1, 0);
    describe(&received, l, n, 0, 0);
    clear_all();
    put_blocks(&given, l, n, 1);
    put_blocks(&expected, l, n, 0);
    if (!CALL(Alltoallv, alltoallv, begin_of(&given), sent.counts, sent.places, l->type, begin_of(&result),
              received.counts, received.places, l->type, MPI_COMM_WORLD))
        return;
    CHECK_RESULT(result);
    clear(&result);
    CHECK(CALL(Alltoallw, alltoallw, begin_of(&given), sent.counts, sent.bytes, sent.types, begin_of(&result),
               received.counts, received.bytes, received.types, MPI_COMM_WORLD));
    CHECK_RESULT(result);

    // In place, both directions have one count. Some counts fit into an int and others do not.
    for (int w = 0; w < 2; w++) {
        clear_all();
        for (int peer = 0; peer < check_ranks; peer++) {
            received.counts[peer] = n + (peer + check_rank) % 2;
            put(&result, l, place_of(n, peer), (int)received.counts[peer], check_rank, peer);
            put(&expected, l, place_of(n, peer), (int)received.counts[peer], peer, check_rank);
        }
        if (w)
            CHECK(CALL(Alltoallw, alltoallw, MPI_IN_PLACE, NULL, NULL, NULL, begin_of(&result), received.counts,
                       received.bytes, received.types, MPI_COMM_WORLD));
        else
            CHECK(CALL(Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, begin_of(&result),
                       received.counts, received.places, l->type, MPI_COMM_WORLD));
        CHECK_RESULT(result);
    }
}

/// A ring: each rank receives from the left and sends to the right.
static void neighbors(MPI_Comm ring, const layout* l, int n) {
    const int left = (check_rank + check_ranks - 1) % check_ranks, right = (check_rank + 1) % check_ranks;
    const MPI_Count out = length_of(n, check_rank, 0), in = length_of(n, left, 0);
    const MPI_Aint from = 2, to = 5, from_bytes = 2 * l->extent * (MPI_Aint)sizeof(int),
                   to_bytes = 5 * l->extent * (MPI_Aint)sizeof(int);
    clear_all();
    put(&given, l, 0, n, check_rank, anyone);
    put(&expected, l, 0, n, left, anyone);
    if (!CALL(Neighbor_allgather, neighbor_allgather, begin_of(&given), n, l->type, begin_of(&result), n, l->type,
              ring))
        return;
    CHECK_RESULT(result);
    clear(&result);
    CHECK(
        CALL(Neighbor_alltoall, neighbor_alltoall, begin_of(&given), n, l->type, begin_of(&result), n, l->type, ring));
    CHECK_RESULT(result);
    clear_all();
    put(&given, l, 0, (int)out, check_rank, right);
    put(&expected, l, 5, (int)in, left, check_rank);
    CHECK(CALL(Neighbor_allgatherv, neighbor_allgatherv, begin_of(&given), out, l->type, begin_of(&result), &in, &to,
               l->type, ring));
    CHECK_RESULT(result);
    clear(&result);
    clear(&given);
    put(&given, l, 2, (int)out, check_rank, right);
    CHECK(CALL(Neighbor_alltoallv, neighbor_alltoallv, begin_of(&given), &out, &from, l->type, begin_of(&result), &in,
               &to, l->type, ring));
    CHECK_RESULT(result);
    clear(&result);
    CHECK(CALL(Neighbor_alltoallw, neighbor_alltoallw, begin_of(&given), &out, &from_bytes, &l->type, begin_of(&result),
               &in, &to_bytes, &l->type, ring));
    CHECK_RESULT(result);
}

// ---- reductions
// ------------------------------------------------------------------------------------------------------

/// Elements of layout 1 are maps x -> a x + b, whose composition is not commutative.
typedef struct map {
    int a, unused, b, also_unused;
} map;
static map after(map first, map second) {
    map both = {first.a * second.a % 1009, gap, (second.a * first.b + second.b) % 1009, gap};
    return both;
}
static MPI_Datatype seen_type;
static void compose(void* in, void* inout, int* length, MPI_Datatype* type) {
    seen_type = *type;
    for (int i = 0; i < *length; i++) {
        map* there = (map*)inout + i;
        const map both = after(((map*)in)[i], *there);
        there->a = both.a, there->b = both.b; // the operation must not write into gaps
    }
}
static map map_of(int rank, int element) {
    map made = {2 + rank + element % 5, gap, 3 * rank + element, gap};
    return made;
}
static int number_of(int rank, int element) {
    return 100 * (rank + 1) + element;
}

/// Computes the composition of the elements of all ranks from `first` to `end` - 1.
static void expect(int is_map, int begin, int n, int first, int end) {
    clear(&expected);
    for (int e = 0; e < n && first < end; e++) {
        map m = map_of(first, begin + e);
        int sum = number_of(first, begin + e);
        for (int rank = first + 1; rank < end; rank++) {
            m = after(m, map_of(rank, begin + e));
            sum += number_of(rank, begin + e);
        }
        if (is_map)
            ((map*)begin_of(&expected))[e] = m;
        else
            ((int*)begin_of(&expected))[e] = sum;
    }
}
static void contribute(buffer* b, int is_map, int n) {
    clear(b);
    for (int e = 0; e < n; e++)
        if (is_map)
            ((map*)begin_of(b))[e] = map_of(check_rank, e);
        else
            ((int*)begin_of(b))[e] = number_of(check_rank, e);
}
/// In place, the data beyond the result is undefined.
static void forget_behind(int is_map, int n, int in_place) {
    int* const behind = (int*)begin_of(&result) + n * (is_map ? 4 : 1);
    for (int* p = behind; p < result.data + room && in_place; p++)
        *p = gap;
}

/// Returns true if the library has the reductions.
static int reductions(int is_map, MPI_Op op, int n, int in_place) {
    const MPI_Datatype type = layouts[is_map].type;
    void *const out = in_place ? MPI_IN_PLACE : begin_of(&given), *const in = begin_of(&result);
    MPI_Count counts[most_ranks];
    MPI_Count before = 0, total = 0;
    const int ranks = check_ranks, all = n * ranks;
    for (int root = 0; root < ranks; root++) {
        const int is_root = check_rank == root;
        clear(&result);
        contribute(in_place && is_root ? &result : &given, is_map, n);
        expect(is_map, 0, n, 0, ranks);
        if (!CALL(Reduce, reduce, in_place && is_root ? MPI_IN_PLACE : begin_of(&given), in, n, type, op, root,
                  MPI_COMM_WORLD))
            return 0;
        if (is_root)
            CHECK_RESULT(result);
    }
    clear(&result);
    contribute(in_place ? &result : &given, is_map, n);
    CHECK(CALL(Allreduce, allreduce, out, in, n, type, op, MPI_COMM_WORLD));
    CHECK_RESULT(result);
    clear(&result);
    contribute(in_place ? &result : &given, is_map, n);
    expect(is_map, 0, n, 0, check_rank + 1);
    CHECK(CALL(Scan, scan, out, in, n, type, op, MPI_COMM_WORLD));
    CHECK_RESULT(result);
    clear(&result);
    contribute(in_place ? &result : &given, is_map, n);
    expect(is_map, 0, n, 0, check_rank);
    CHECK(CALL(Exscan, exscan, out, in, n, type, op, MPI_COMM_WORLD));
    if (check_rank > 0)
        CHECK_RESULT(result);
    // MPICH 3.4 to 5.0 allocate too little memory for elements with a gap at the end if the operation is not
    // commutative.
    if (is_map && !check_runtime_is("Open MPI"))
        return 1;
    clear(&result);
    contribute(in_place ? &result : &given, is_map, all);
    expect(is_map, check_rank * n, n, 0, ranks);
    CHECK(CALL(Reduce_scatter_block, reduce_scatter_block, out, in, n, type, op, MPI_COMM_WORLD));
    forget_behind(is_map, n, in_place);
    CHECK_RESULT(result);
    for (int rank = 0; rank < ranks; rank++) {
        counts[rank] = n + rank % 2;
        before += rank < check_rank ? counts[rank] : 0;
        total += counts[rank];
    }
    clear(&result);
    contribute(in_place ? &result : &given, is_map, (int)total);
    expect(is_map, (int)before, (int)counts[check_rank], 0, ranks);
    CHECK(CALL(Reduce_scatter, reduce_scatter, out, in, counts, type, op, MPI_COMM_WORLD));
    forget_behind(is_map, (int)counts[check_rank], in_place);
    CHECK_RESULT(result);
    return 1;
}

/// Two groups, of even and of odd ranks: each process gets its share of the other group's data. The total is the same
/// for both groups, the shares differ.
static void scattered_between(int n) {
    MPI_Comm half, between;
    MPI_Count counts[4], total = 12 * n, before = 0;
    int size = 0, rank = -1, others = 0, wrong = 0;
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, 0, &half));
    CHECK_OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - check_rank % 2, 3, &between));
    CHECK_OK(MPI_Comm_rank(half, &rank));
    CHECK_OK(MPI_Comm_size(half, &size));
    CHECK_OK(MPI_Comm_remote_size(between, &others));
    for (int i = 0; i < size; i++) {
        counts[i] = size == 1 ? total : i < size - 1 ? n : total - (size - 1) * n;
        before += i < rank ? counts[i] : 0;
    }
    int* const out = malloc((size_t)(total + 1) * sizeof *out);
    int* const in = malloc((size_t)(total + 1) * sizeof *in);
    for (int i = 0; i < total; i++) {
        out[i] = 1000 * check_rank + i;
        in[i] = -1;
    }
    if (CALL(Reduce_scatter, reduce_scatter, out, in, counts, MPI_INT, MPI_SUM, between)) {
        int sum = 0;
        for (int i = 0; i < others; i++)
            sum += 1000 * (2 * i + 1 - check_rank % 2);
        for (int i = 0; i < counts[rank]; i++)
            wrong += in[i] != sum + others * ((int)before + i);
        wrong += in[counts[rank]] != -1 && counts[rank] < total;
        CHECK_INT(wrong, 0);
    }
    free(out);
    free(in);
    CHECK_OK(MPI_Comm_free(&between));
    CHECK_OK(MPI_Comm_free(&half));
}

// ---- all of them
// -----------------------------------------------------------------------------------------------------

static void all_boundaries(void) {
    const int left = (check_rank + check_ranks - 1) % check_ranks, right = (check_rank + 1) % check_ranks;
    MPI_Comm ring;
    MPI_Op composition;
    make_layouts();
    CHECK_OK(MPI_Op_create(compose, 0, &composition));
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &ring));
    for (int i = 0; i < length_count; i++) {
        const int n = lengths[i];
        for (int k = 0; k < 3; k++) {
            const layout* const l = &layouts[k];
            CASE("bcast"), bcast(l, n);
            CASE("gather and scatter"), gather_and_scatter(l, n);
            CASE("allgather and alltoall"), allgather_and_alltoall(l, n);
            CASE("gatherv and scatterv"), gatherv_and_scatterv(l, n);
            CASE("allgatherv"), allgatherv(l, n);
            CASE("alltoallv and alltoallw"), alltoallv_and_w(l, n);
            CASE("neighbours"), neighbors(ring, l, n);
        }
        for (int in_place = 0; in_place < 2; in_place++) {
            CASE("reductions, predefined"), reductions(0, MPI_SUM, n, in_place);
            CASE("reductions, of the user");
            if (reductions(1, composition, n, in_place) && n > 0)
                CHECK_SAME(seen_type, layouts[1].type);
        }
    }
    CASE("allgatherv of bytes"), allgatherv_of_bytes();
    for (int n = 0; n < 4; n++)
        CASE("reduce_scatter between two groups"), scattered_between(n);
    CHECK_OK(MPI_Comm_free(&ring));
    CHECK_OK(MPI_Op_free(&composition));
    free_layouts();
}
