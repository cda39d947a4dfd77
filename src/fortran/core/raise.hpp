#pragma once

#include "fortran_calls.hpp" // generated

namespace anympi::fortran {

// An error that was found before MPI is called: the error handler of the object is told, as MPI would.

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
