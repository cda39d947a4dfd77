// Point to point, requests, statuses, and the collective functions.
// ranks: 2
#include "check.hpp"

#include <vector>

static int other() {
    return 1 - rank_here;
}

static void blocking() {
    int sent[2] = {10 + rank_here, 20 + rank_here}, got[2] = {0, 0};
    MPI::Status status;
    if (rank_here == 0) {
        world().Send(sent, 2, MPI::INT, 1, 1);
        world().Ssend(sent, 2, MPI::INT, 1, 2);
        world().Recv(got, 2, MPI::INT, MPI::ANY_SOURCE, MPI::ANY_TAG, status);
        CHECK(got[0] == 11 && status.Get_source() == 1 && status.Get_tag() == 3);
    } else {
        world().Probe(0, 1, status);
        CHECK(opaque(status).Get_count(MPI::INT) == 2 && opaque(status).Get_elements(opaque(MPI::INT)) == 2);
        world().Probe(0, 1);
        world().Recv(got, 2, MPI::INT, 0, 1, status);
        CHECK(got[0] == 10 && got[1] == 20 && status.Get_count(MPI::INT) == 2 && !opaque(status).Is_cancelled());
        world().Recv(got, 2, MPI::INT, 0, 2);
        world().Send(sent, 1, MPI::INT, 0, 3);
    }
    world().Sendrecv(sent, 2, MPI::INT, other(), 4, got, 2, MPI::INT, other(), 4, status);
    CHECK(got[1] == 20 + other() && status.Get_source() == other());
    world().Sendrecv(sent, 2, MPI::INT, other(), 4, got, 2, MPI::INT, other(), 4);
    world().Sendrecv_replace(sent, 2, MPI::INT, other(), 5, other(), 5, status);
    CHECK(sent[0] == 10 + other() && status.Get_tag() == 5);
    world().Sendrecv_replace(sent, 2, MPI::INT, other(), 5, other(), 5);
    CHECK(sent[0] == 10 + rank_here);
}

static void buffered() {
    std::vector<char> memory(10000 + MPI::BSEND_OVERHEAD);
    MPI::Attach_buffer(memory.data(), (int)memory.size());
    int value = rank_here, got = -1;
    world().Bsend(&value, 1, MPI::INT, other(), 6);
    MPI::Request request = world().Ibsend(&value, 1, MPI::INT, other(), 6);
    world().Recv(&got, 1, MPI::INT, other(), 6);
    world().Recv(&got, 1, MPI::INT, other(), 6);
    request.Wait();
    CHECK(got == other());
    void* detached = NULL;
    CHECK(MPI::Detach_buffer(detached) == (int)memory.size() && detached == memory.data());
}

static void requests() {
    int sent[4] = {1, 2, 3, 4}, got[4] = {0, 0, 0, 0};
    MPI::Request all[4];
    MPI::Status statuses[4];
    all[0] = world().Irecv(&got[0], 1, MPI::INT, other(), 10);
    all[1] = world().Irecv(&got[1], 1, MPI::INT, other(), 11);
    all[2] = world().Isend(&sent[0], 1, MPI::INT, other(), 10);
    all[3] = world().Issend(&sent[1], 1, MPI::INT, other(), 11);
    MPI::Request::Waitall(4, all, statuses);
    CHECK(got[0] == 1 && got[1] == 2 && statuses[1].Get_tag() == 11 && all[0] == MPI::REQUEST_NULL);

    all[0] = world().Irecv(&got[2], 1, MPI::INT, other(), 12);
    world().Barrier(); // a ready send needs its receive
    all[1] = world().Irsend(&sent[2], 1, MPI::INT, other(), 12);
    int index = MPI::Request::Waitany(2, all, statuses[0]);
    CHECK(index == 0 || index == 1);
    all[1 - index].Wait(statuses[1]);
    CHECK(got[2] == 3);

    all[0] = world().Irecv(&got[3], 1, MPI::INT, other(), 13);
    world().Barrier();
    world().Rsend(&sent[3], 1, MPI::INT, other(), 13);
    while (!opaque(all[0]).Get_status(statuses[0])) {
    }
    CHECK(opaque(all[0]).Get_status() && statuses[0].Get_source() == other());
    while (!opaque(all[0]).Test(statuses[0])) {
    }
    CHECK(got[3] == 4 && all[0] == MPI::REQUEST_NULL && opaque(all[0]).Test());

    all[0] = world().Irecv(&got[0], 1, MPI::INT, other(), 99); // never sent
    opaque(all[0]).Cancel();
    opaque(all[0]).Wait(statuses[0]);
    CHECK(statuses[0].Is_cancelled());
    CHECK(!world().Iprobe(other(), 98) && !world().Iprobe(other(), 98, statuses[0]));
}

static void persistent() {
    int sent[4] = {5, 6, 7, 8}, got[4] = {0, 0, 0, 0};
    MPI::Prequest all[2] = {world().Send_init(&sent[0], 1, MPI::INT, other(), 20),
                            world().Recv_init(&got[0], 1, MPI::INT, other(), 20)};
    for (int round = 0; round < 2; ++round) {
        opaque(all[0]).Start();
        opaque(all[1]).Start();
        all[0].Wait();
        all[1].Wait();
        CHECK(got[0] == 5);
    }
    MPI::Prequest::Startall(2, all);
    all[0].Wait();
    all[1].Wait();
    MPI::Prequest others[3] = {world().Ssend_init(sent, 1, MPI::INT, other(), 21),
                               world().Bsend_init(sent, 1, MPI::INT, other(), 21),
                               world().Rsend_init(sent, 1, MPI::INT, other(), 21)};
    for (int n = 0; n < 3; ++n)
        opaque(others[n]).Free();
    opaque(all[0]).Free();
    opaque(all[1]).Free();
    CHECK(all[0] == MPI::REQUEST_NULL && others[2] == MPI::REQUEST_NULL);
}

static void collective() {
    const MPI::Comm& comm = world();
    int value = rank_here == 0 ? 42 : 0;
    comm.Bcast(&value, 1, MPI::INT, 0);
    CHECK(value == 42);
    comm.Barrier();

    int mine = rank_here + 1, all[2] = {0, 0}, one = 0;
    comm.Gather(&mine, 1, MPI::INT, all, 1, MPI::INT, 0);
    CHECK(rank_here != 0 || (all[0] == 1 && all[1] == 2));
    comm.Scatter(all, 1, MPI::INT, &one, 1, MPI::INT, 0);
    CHECK(one == mine);
    int counts[2] = {1, 1}, places[2] = {1, 0};
    comm.Gatherv(&mine, 1, MPI::INT, all, counts, places, MPI::INT, 0);
    CHECK(rank_here != 0 || (all[0] == 2 && all[1] == 1));
    comm.Scatterv(all, counts, places, MPI::INT, &one, 1, MPI::INT, 0);
    CHECK(one == mine);
    comm.Allgather(&mine, 1, MPI::INT, all, 1, MPI::INT);
    CHECK(all[0] == 1 && all[1] == 2);
    comm.Allgatherv(&mine, 1, MPI::INT, all, counts, places, MPI::INT);
    CHECK(all[0] == 2 && all[1] == 1);

    int out[2] = {10 * mine, 10 * mine + 1}, in[2] = {0, 0}, in_order[2] = {0, 1}, in_bytes[2] = {0, 4};
    comm.Alltoall(out, 1, MPI::INT, in, 1, MPI::INT);
    CHECK(in[0] == 10 + rank_here && in[1] == 20 + rank_here);
    comm.Alltoallv(out, counts, in_order, MPI::INT, in, counts, in_order, MPI::INT);
    CHECK(in[0] == 10 + rank_here && in[1] == 20 + rank_here);
    MPI::Datatype types[2] = {MPI::INT, MPI::INT};
    in[0] = in[1] = 0;
    comm.Alltoallw(out, counts, in_bytes, types, in, counts, in_bytes, types);
    CHECK(in[0] == 10 + rank_here && in[1] == 20 + rank_here);
}

static void reductions() {
    const MPI::Intracomm& comm = world();
    int mine = rank_here + 1, sum = 0;
    comm.Reduce(&mine, &sum, 1, MPI::INT, opaque(MPI::SUM), 0);
    CHECK(rank_here != 0 || sum == 3);
    comm.Allreduce(&mine, &sum, 1, MPI::INT, MPI::PROD);
    CHECK(sum == 2);
    sum = mine;
    comm.Allreduce(MPI::IN_PLACE, &sum, 1, MPI::INT, MPI::MAX);
    CHECK(sum == 2);
    comm.Scan(&mine, &sum, 1, MPI::INT, MPI::SUM);
    CHECK(sum == (rank_here == 0 ? 1 : 3));
    comm.Exscan(&mine, &sum, 1, MPI::INT, MPI::SUM);
    CHECK(rank_here == 0 || sum == 1);
    int values[2] = {mine, 10 * mine}, counts[2] = {1, 1}, part = 0;
    comm.Reduce_scatter(values, &part, counts, MPI::INT, MPI::SUM);
    CHECK(part == (rank_here == 0 ? 3 : 30));
    struct {
        double value;
        int place;
    } pair = {rank_here == 1 ? 7.5 : 1.5, rank_here}, largest = {0, -1};
    comm.Allreduce(&pair, &largest, 1, MPI::DOUBLE_INT, MPI::MAXLOC);
    CHECK(largest.value == 7.5 && largest.place == 1);
    CHECK(opaque(MPI::SUM).Is_commutative());
    opaque(MPI::SUM).Reduce_local(&mine, &largest.place, 1, MPI::INT);
    CHECK(largest.place == 1 + mine);
    bool flag = rank_here == 1, any = false;
    comm.Allreduce(&flag, &any, 1, MPI::BOOL, MPI::LOR);
    CHECK(any);
}

int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    join();
    blocking();
    buffered();
    requests();
    persistent();
    collective();
    reductions();
    return finish();
}
