// MPI_Pcontrol takes any number of arguments after the level, and does nothing without a tool.
// ranks: 1
#include "check.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    CASE("Pcontrol");
    CHECK_OK(MPI_Pcontrol(0));
    CHECK_OK(MPI_Pcontrol(1));
    CHECK_OK(MPI_Pcontrol(2, "text", 3.5, &argc));
    CHECK_OK(MPI_Pcontrol(-7, 1LL << 40, 2.5f, 1, 2, 3, 4, 5, 6, 7, 8, 9.0));
    CHECK_OK(PMPI_Pcontrol(1, argv));
    return check_end();
}
