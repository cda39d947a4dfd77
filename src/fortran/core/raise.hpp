#pragma once

#include "fortran_calls.hpp" // generated

namespace anympi::fortran {

// These functions call the error handler of an object for an error that was found before MPI was called, as MPI itself
// would do it. They return the code.

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
