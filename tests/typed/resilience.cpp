// Fault tolerance without failures. tests/fronts/tools/typed_resilience.cpp has failures.
#include <anympi/resilience.hpp>

#include "expect_error.hpp"
#include "main.hpp"

TEST(Resilience, works_or_is_unsupported) {
    const auto world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int size = world.size();
    const anympi::Comm comm = world.duplicate();
    EXPECT_MPI_ERROR(anympi::agree(anympi::Comm(), 1), comm, "MPIX_Comm_agree");
    if (!anympi::has_fault_tolerance()) {
        EXPECT_MPI_ERROR(anympi::agree(comm, 1), unsupported_operation, "MPIX_Comm_agree");
        EXPECT_MPI_ERROR(anympi::shrink(comm), unsupported_operation, "MPIX_Comm_shrink");
        EXPECT_MPI_ERROR(anympi::revoke(comm), unsupported_operation, "MPIX_Comm_revoke");
        EXPECT_MPI_ERROR(anympi::is_revoked(comm), unsupported_operation, "MPIX_Comm_is_revoked");
        EXPECT_MPI_ERROR(anympi::failed_processes(comm), unsupported_operation, "MPIX_Comm_get_failed");
        EXPECT_MPI_ERROR(anympi::acknowledge_failures(comm), unsupported_operation, "MPIX_Comm_ack_failed");
        EXPECT_MPI_ERROR(anympi::acknowledge_failures(comm, 1), unsupported_operation, "MPIX_Comm_ack_failed");
    } else {
        const auto agreement = anympi::agree(comm, comm.rank() == 0 ? 6 : 3);
        EXPECT_EQ(agreement.flags, size == 1 ? 6 : 2);
        EXPECT_FALSE(agreement.has_unknown_failures);
        EXPECT_EQ(anympi::failed_processes(comm).size(), 0);
        EXPECT_EQ(anympi::acknowledge_failures(comm), 0);
        EXPECT_EQ(anympi::shrink(comm).size(), size);
        EXPECT_FALSE(anympi::is_revoked(comm));
        comm.barrier();
        anympi::revoke(comm);
        EXPECT_TRUE(anympi::is_revoked(comm));
        EXPECT_THROW(comm.barrier(), anympi::Error);
        EXPECT_EQ(anympi::shrink(comm).allreduce(1, anympi::op::sum), size);
    }
    try {
        world.send(1, size);
    } catch (const anympi::Error& error) { // an error of another kind
        EXPECT_FALSE(anympi::is_process_failure(error));
        EXPECT_FALSE(anympi::is_revocation(error));
    }
}
