// Communicators of every kind: copies, parts, groups, neighbours; through their own class and through MPI::Comm.
// ranks: 2
#include "check.hpp"

#include <typeinfo>

static void copies() {
    MPI::Intracomm dup = world().Dup();
    CHECK(MPI::Comm::Compare(dup, MPI::COMM_WORLD) == MPI::CONGRUENT);
    CHECK(MPI::Comm::Compare(MPI::COMM_WORLD, MPI::COMM_WORLD) == MPI::IDENT);
    MPI::Comm& clone = opaque<MPI::Comm>(dup).Clone();
    CHECK(typeid(clone) == typeid(MPI::Intracomm) && dynamic_cast<MPI::Intracomm*>(&clone) != NULL);
    CHECK(dynamic_cast<MPI::Intercomm*>(&clone) == NULL);
    CHECK(clone.Get_size() == ranks && clone.Get_rank() == rank_here && !clone.Is_inter());
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    clone.Set_name("a clone");
    clone.Get_name(name, length);
    CHECK(std::strcmp(name, "a clone") == 0 && length == 7);
    CHECK(clone.Get_topology() == MPI::UNDEFINED);
    clone.Free();
    delete &clone;
    opaque(dup).Disconnect();
    CHECK(dup == MPI::COMM_NULL);
    void* value = NULL;
    CHECK(world().Get_attr(MPI::TAG_UB, &value) && *static_cast<int*>(value) >= 32767);
}

static void parts() {
    MPI::Intracomm half = world().Split(rank_here, 0);
    CHECK(half.Get_size() == 1 && half.Get_rank() == 0);
    half.Free();
    MPI::Intracomm reversed = world().Split(0, -rank_here);
    CHECK(reversed.Get_rank() == 1 - rank_here);
    reversed.Free();
    MPI::Intracomm none = world().Split(rank_here == 0 ? MPI::UNDEFINED : 0, 0);
    CHECK((none == MPI::COMM_NULL) == (rank_here == 0));

    MPI::Group all = world().Get_group();
    CHECK(opaque(all).Get_size() == 2 && opaque(all).Get_rank() == rank_here);
    const int first[1] = {0}, range[1][3] = {{0, 1, 1}};
    MPI::Group one = opaque(all).Incl(1, first), rest = opaque(all).Excl(1, first);
    CHECK(one.Get_size() == 1 && rest.Get_size() == 1);
    MPI::Group both = opaque(all).Range_incl(1, range), empty = opaque(all).Range_excl(1, range);
    CHECK(MPI::Group::Compare(both, all) == MPI::IDENT && empty.Get_size() == 0);
    CHECK(MPI::Group::Compare(MPI::Group::Union(one, rest), all) == MPI::IDENT);
    CHECK(MPI::Group::Intersect(one, rest).Get_size() == 0 && MPI::Group::Difference(all, one).Get_size() == 1);
    int translated[1] = {-1};
    MPI::Group::Translate_ranks(rest, 1, first, all, translated);
    CHECK(translated[0] == 1 && opaque(MPI::GROUP_EMPTY).Get_size() == 0);
    MPI::Intracomm made = world().Create(one);
    CHECK((made == MPI::COMM_NULL) == (rank_here == 1));
    opaque(all).Free();
    one.Free();
    CHECK(one == MPI::GROUP_NULL);
}

static void between() {
    MPI::Intracomm mine = world().Split(rank_here, 0);
    MPI::Intercomm inter = opaque(mine).Create_intercomm(0, MPI::COMM_WORLD, 1 - rank_here, 7);
    CHECK(opaque(inter).Is_inter() && opaque(inter).Get_remote_size() == 1 && inter.Get_size() == 1);
    MPI::Group remote = opaque(inter).Get_remote_group();
    CHECK(remote.Get_size() == 1 && remote.Get_rank() == MPI::UNDEFINED);
    int sent = rank_here, got = -1;
    inter.Sendrecv(&sent, 1, MPI::INT, 0, 1, &got, 1, MPI::INT, 0, 1);
    CHECK(got == 1 - rank_here);
    int value = rank_here == 0 ? 5 : 0;
    opaque<MPI::Comm>(inter).Bcast(&value, 1, MPI::INT, rank_here == 0 ? MPI::ROOT : 0);
    CHECK(value == 5);
    MPI::Datatype type[1] = {MPI::INT};
    int count[1] = {1}, place[1] = {0};
    got = -1;
    opaque<MPI::Comm>(inter).Alltoallw(&sent, count, place, type, &got, count, place, type);
    CHECK(got == 1 - rank_here);
    MPI::Comm& clone = opaque<MPI::Comm>(inter).Clone();
    CHECK(clone.Is_inter() && dynamic_cast<MPI::Intercomm*>(&clone) != NULL);
    clone.Free();
    delete &clone;
    MPI::Intercomm dup = inter.Dup(), split = opaque(inter).Split(0, 0);
    CHECK(dup.Is_inter() && split.Get_remote_size() == 1);
    MPI::Intracomm merged = opaque(inter).Merge(rank_here == 0);
    CHECK(merged.Get_size() == 2 && merged.Get_rank() == 1 - rank_here);
    MPI::Comm* all[] = {&dup, &split, &merged, &inter, &mine};
    for (int n = 0; n < 5; ++n)
        all[n]->Free();
    CHECK(MPI::Comm::Get_parent() == MPI::COMM_NULL);
}

static void grids() {
    int sizes[2] = {2, 1}, got[2] = {0, 0}, coordinates[2] = {-1, -1};
    bool periods[2] = {true, false}, got_periods[2] = {false, true};
    int dims[2] = {0, 0};
    MPI::Compute_dims(2, 2, dims);
    CHECK(dims[0] * dims[1] == 2);
    MPI::Cartcomm cart = world().Create_cart(2, sizes, periods, false);
    CHECK(opaque(cart).Get_dim() == 2 && opaque<MPI::Comm>(cart).Get_topology() == MPI::CART);
    opaque(cart).Get_topo(2, got, got_periods, coordinates);
    CHECK(got[0] == 2 && got[1] == 1 && got_periods[0] && !got_periods[1] && coordinates[0] == rank_here);
    CHECK(opaque(cart).Get_cart_rank(coordinates) == rank_here);
    opaque(cart).Get_coords(1, 2, coordinates);
    CHECK(coordinates[0] == 1 && coordinates[1] == 0);
    int from = -1, to = -1;
    opaque(cart).Shift(0, 1, from, to);
    CHECK(from == 1 - rank_here && to == 1 - rank_here);
    opaque(cart).Shift(1, 1, from, to);
    CHECK(from == MPI::PROC_NULL && to == MPI::PROC_NULL);
    CHECK(opaque(cart).Map(2, sizes, periods) != -7777);
    bool enough[10] = {true, false}; // MPICH's own header reads ten
    MPI::Cartcomm row = opaque(cart).Sub(enough);
    CHECK(row.Get_dim() == 1 && row.Get_size() == 2);
    MPI::Comm& clone = opaque<MPI::Comm>(cart).Clone();
    CHECK(dynamic_cast<MPI::Cartcomm*>(&clone) != NULL && clone.Get_topology() == MPI::CART);
    MPI::Cartcomm dup = cart.Dup();
    CHECK(dup.Get_dim() == 2);
    MPI::Comm* all[] = {&clone, &row, &dup, &cart};
    for (int n = 0; n < 4; ++n)
        all[n]->Free();
    delete &clone;
}

static void graphs() {
    int index[2] = {1, 2}, edges[2] = {1, 0}, nodes = 0, count = 0, got_index[2] = {0, 0}, got_edges[2] = {-1, -1};
    MPI::Graphcomm graph = world().Create_graph(2, index, edges, false);
    opaque(graph).Get_dims(&nodes, &count);
    CHECK(nodes == 2 && count == 2 && opaque<MPI::Comm>(graph).Get_topology() == MPI::GRAPH);
    opaque(graph).Get_topo(2, 2, got_index, got_edges);
    CHECK(got_index[1] == 2 && got_edges[0] == 1 && got_edges[1] == 0);
    CHECK(opaque(graph).Get_neighbors_count(rank_here) == 1);
    int neighbor = -1;
    opaque(graph).Get_neighbors(rank_here, 1, &neighbor);
    CHECK(neighbor == 1 - rank_here);
    CHECK(opaque(graph).Map(2, index, edges) != -7777);
    MPI::Comm& clone = opaque<MPI::Comm>(graph).Clone();
    CHECK(dynamic_cast<MPI::Graphcomm*>(&clone) != NULL && clone.Get_topology() == MPI::GRAPH);
    MPI::Graphcomm dup = graph.Dup();
    MPI::Comm* all[] = {&clone, &dup, &graph};
    for (int n = 0; n < 3; ++n)
        all[n]->Free();
    delete &clone;
}

int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    join();
    copies();
    parts();
    between();
    grids();
    graphs();
    return finish();
}
