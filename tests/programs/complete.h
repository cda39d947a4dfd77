// Completes a request in every way that MPI has. Each way must leave MPI_REQUEST_NULL, or the handle itself for a
// persistent request.
#include "check.h"

static int complete(MPI_Request* request) {
    static int way;
    int flag = 0, index = -1, outcount = -1, code = MPI_SUCCESS;
    switch (way++ % 8) {
    case 0:
        return CHECK_OK(MPI_Wait(request, MPI_STATUS_IGNORE));
    case 1:
        return CHECK_OK(MPI_Waitall(1, request, MPI_STATUSES_IGNORE));
    case 2:
        return CHECK_OK(MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE)) && CHECK_INT(index, 0);
    case 3:
        return CHECK_OK(MPI_Waitsome(1, request, &outcount, &index, MPI_STATUSES_IGNORE)) && CHECK_INT(outcount, 1) &&
               CHECK_INT(index, 0);
    case 4:
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Test(request, &flag, MPI_STATUS_IGNORE);
        return CHECK_OK(code);
    case 5:
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE);
        return CHECK_OK(code);
    case 6:
        while (!flag && code == MPI_SUCCESS)
            code = MPI_Testany(1, request, &index, &flag, MPI_STATUS_IGNORE);
        return CHECK_OK(code) && CHECK_INT(index, 0);
    default:
        outcount = 0;
        while (outcount == 0 && code == MPI_SUCCESS)
            code = MPI_Testsome(1, request, &outcount, &index, MPI_STATUSES_IGNORE);
        return CHECK_OK(code) && CHECK_INT(outcount, 1) && CHECK_INT(index, 0);
    }
}
