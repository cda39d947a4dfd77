#include "front/common/missing.hpp"

#include "bridge/missing_reports.hpp"
#include "convert/error_code.hpp"
#include "convert/running.hpp"
#include "front/common/app.hpp"
#include "front/common/directory.hpp"
#include "front/common/entry.hpp"
#include "runtime/message.hpp"

#include <cstdio>

namespace anympi {

namespace {

using error_handler = handle_of<app, object::errhandler>;

bool is_mpi_running() {
    return is_running(slot<int(int*)>(function::Initialized), slot<int(int*)>(function::Finalized));
}

// The functions that report an error for one class of objects.
struct error_functions {
    function get_handler;
    function call_handler;
};

error_functions functions_for(object of) {
    switch (of) {
    case object::win:
        return {function::Win_get_errhandler, function::Win_call_errhandler};
    case object::file:
        return {function::File_get_errhandler, function::File_call_errhandler};
    case object::session:
        return {function::Session_get_errhandler, function::Session_call_errhandler};
    default:
        return {function::Comm_get_errhandler, function::Comm_call_errhandler};
    }
}

int describe_missing(function f, char* text, int room) {
    const auto library = describe(bound_runtime().mpi);
    const int length =
        std::snprintf(text, static_cast<std::size_t>(room), "MPI_%s is not offered by %s", name_of(f), library.text);
    return length < room ? length : room - 1;
}

// Prints the name of the function if the error handler ends the job, because the message of the runtime cannot contain
// that name.
void explain_if_fatal(function f, function get_handler, word object_handle) {
    auto handler = static_cast<error_handler>(predefined_of_program<app>(standard::mpi_ERRHANDLER_NULL));
    if (slot<int(word, error_handler*)>(get_handler)(object_handle, &handler) != 0)
        return;
    if (handler == predefined_of_program<app>(standard::mpi_ERRORS_ARE_FATAL) ||
        handler == predefined_of_program<app>(standard::mpi_ERRORS_ABORT)) {
        char text[app::mpi_MAX_ERROR_STRING];
        describe_missing(f, text, sizeof text);
        runtime::say("%s", text);
    }
    slot<int(error_handler*)>(function::Errhandler_free)(&handler);
}

bool is_tool_function(function f) {
    return name_of(f)[0] == 'T' && name_of(f)[1] == '_';
}

} // namespace

const char* name_of(function f) {
    const char* name = function_names;
    for (int i = 0; i < static_cast<int>(f); ++i)
        while (*name++ != '\0')
            ;
    return name;
}

int report_missing(function f, object of, word object_handle) {
    const int code = app::codes_are_classes ? app::mpi_ERR_UNSUPPORTED_OPERATION : own_codes + static_cast<int>(f);
    if (is_tool_function(f) || !is_mpi_running())
        return code; // there is no error handler to call
    const error_functions report = functions_for(of);
    explain_if_fatal(f, report.get_handler, object_handle);
    slot<int(word, int)>(report.call_handler)(object_handle, code);
    return code;
}

void stop_missing(function f) {
    char text[app::mpi_MAX_ERROR_STRING];
    describe_missing(f, text, sizeof text);
    runtime::stop("%s", text);
}

void set_missing_reports() {
    missing = {.report = report_missing, .describe = describe_missing};
}

} // namespace anympi
