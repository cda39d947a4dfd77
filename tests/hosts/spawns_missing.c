// `spawns_missing NAME [FOLDER]`: asks MPI to start a program by a bare name, in the folders of the info key `path`.
// Prints "refused" if MPI returns an error; otherwise prints what became of the program, which is this program.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Comm other;
    MPI_Info where = MPI_INFO_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL && argc > 1) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        if (argc > 2) {
            MPI_Info_create(&where);
            MPI_Info_set(where, "path", argv[2]);
        }
        const int code =
            MPI_Comm_spawn(argv[1], MPI_ARGV_NULL, 1, where, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
        printf("%s\n", code == MPI_SUCCESS ? "started" : "refused");
        if (code != MPI_SUCCESS)
            other = MPI_COMM_NULL;
        if (argc > 2)
            MPI_Info_free(&where);
    }
    if (other != MPI_COMM_NULL)
        MPI_Comm_disconnect(&other);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
