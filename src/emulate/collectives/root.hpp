#pragma once

#include "convert/peers.hpp"

namespace anympi::emulate {

/// The role of a process in a collective operation with a root.
struct root_role {
    block_counts blocks;
    int own_block = -1;       // index of the process's own block; -1 on an intercommunicator
    bool is_root = false;     // exchanges data with all processes
    bool has_root = false;    // exchanges data with the root
    bool is_onlooker = false; // belongs to the root's group of an intercommunicator, and exchanges nothing

    bool is_valid() const { return is_root || has_root || is_onlooker; }
};

/// Finds the role of this process for a root. The role is not valid if the root is wrong. Returns the runtime's error
/// code.
template <class Run>
int find_root_role(word comm, int root, root_role& role) {
    int is_inter = 0;
    int rank = -1;
    int code = count_peers<Run>(comm, role.blocks);
    if (code == 0)
        code = library<Run>.Comm_test_inter(comm, &is_inter);
    if (code == 0)
        code = library<Run>.Comm_rank(comm, &rank);
    if (code != 0)
        return code;
    role.own_block = is_inter != 0 ? -1 : rank;
    role.is_root = is_root<Run>(is_inter != 0, rank, root);
    role.has_root = root >= 0 && root < role.blocks.send;
    role.is_onlooker = is_inter != 0 && root == Run::mpi_PROC_NULL;
    return 0;
}

} // namespace anympi::emulate
