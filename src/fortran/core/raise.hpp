#pragma once

#include "fortran_calls.hpp" // generated

namespace anympi::fortran {

// Each function calls the error handler of an object, as MPI would, for an error that was found before the call of MPI.
// It returns the code.

inline int raise_comm(c_handle<object::comm> comm, int code) {
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

inline int raise_win(c_handle<object::win> win, int code) {
    PMPI_Win_call_errhandler(win, code);
    return code;
}

inline int raise_file(c_handle<object::file> file, int code) {
    PMPI_File_call_errhandler(file, code);
    return code;
}

inline int raise_session(c_handle<object::session> session, int code) {
    PMPI_Session_call_errhandler(session, code);
    return code;
}

} // namespace anympi::fortran
