// Error handlers of MPI. The library calls the handler of an object for each error of a call on it, also for calls in
// C, which no listener hears.
//
//     const auto handler = anympi::CommErrorHandler::create([](const anympi::Error& error) { log(error.what()); });
//     handler.attach(comm);
//
// A function of this API that fails calls the handler, then the listener of on_error(), and then reports the error as
// usual. MPICH 4.3 and later tell the function nothing of an error whose handler returns: use on_error() there.
#ifndef ANYMPI_ERROR_HANDLER_HPP
#define ANYMPI_ERROR_HANDLER_HPP

#include "session.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {
#define ANYMPI_ERROR_HANDLERS(Name, Kind_)                                                                             \
    struct Name##Errors {                                                                                              \
        using Kind = Kind_;                                                                                            \
        static constexpr const char* create_name = "MPI_" #Name "_create_errhandler";                                  \
        static constexpr const char* set_name = "MPI_" #Name "_set_errhandler";                                        \
        static constexpr const char* get_name = "MPI_" #Name "_get_errhandler";                                        \
        static constexpr const char* call_name = "MPI_" #Name "_call_errhandler";                                      \
        static constexpr auto create = [](auto... all) { return MPI_##Name##_create_errhandler(all...); };             \
        static constexpr auto set = [](auto... all) { return MPI_##Name##_set_errhandler(all...); };                   \
        static constexpr auto get = [](auto... all) { return MPI_##Name##_get_errhandler(all...); };                   \
        static constexpr auto call = [](auto... all) { return MPI_##Name##_call_errhandler(all...); };                 \
    };
ANYMPI_ERROR_HANDLERS(Comm, CommKind)
ANYMPI_ERROR_HANDLERS(Win, WinKind)
ANYMPI_ERROR_HANDLERS(File, FileKind)
ANYMPI_ERROR_HANDLERS(Session, SessionKind)
#undef ANYMPI_ERROR_HANDLERS
} // namespace detail

/// A function without state that can be called with an error. MPI passes no state to an error handler; a listener may
/// have state.
template <class F>
concept StatelessErrorListener = ErrorListener<F> && std::is_empty_v<F> && std::default_initializable<F>;

/// An error handler for objects of one kind: see CommErrorHandler, WindowErrorHandler, FileErrorHandler and
/// SessionErrorHandler. An object keeps its handler, so this one may be destroyed before.
template <class Errors>
class [[nodiscard]] ErrorHandler : public Owned<detail::ErrhandlerKind> {
public:
    using Owned::Owned;
    using Object = Owned<typename Errors::Kind>;

    /// The error ends the job.
    static ErrorHandler errors_are_fatal() { return {MPI_ERRORS_ARE_FATAL, false}; }
    /// The error ends the processes of the object, if the library can do that.
    static ErrorHandler errors_abort() { return {MPI_ERRORS_ABORT, false}; }
    /// The call returns the error. Objects of this API have this handler.
    static ErrorHandler errors_return() { return {MPI_ERRORS_RETURN, false}; }

    /// Makes a handler from a function without state, such as a lambda that captures nothing. An exception that leaves
    /// the function ends the job.
    template <StatelessErrorListener F>
    static ANYMPI_CALLS result<ErrorHandler> create(F) {
        MPI_Errhandler made = MPI_ERRHANDLER_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, Errors::create_name, detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, Errors::create_name, Errors::create(&called<F>, &made));
        return ErrorHandler(made, true);
    }
    /// @cond only for messages of the compiler
    template <ErrorListener F>
    requires(!StatelessErrorListener<F>) static
        __attribute__((unavailable("anympi: MPI passes no state to an error handler, so the function can capture "
                                   "nothing: use on_error of the object"))) void create(F);
    /// @endcond
    /// Returns the handler of an object.
    static ANYMPI_CALLS result<ErrorHandler> of(const Object& object) {
        MPI_Errhandler found = MPI_ERRHANDLER_NULL;
        ANYMPI_REQUIRE(object.where(), Errors::get_name, detail::check_usable(object));
        ANYMPI_REQUIRE(object.where(), Errors::get_name, Errors::get(object.handle(), &found));
        const bool is_predefined =
            found == MPI_ERRORS_ARE_FATAL || found == MPI_ERRORS_ABORT || found == MPI_ERRORS_RETURN;
        return ErrorHandler(found, !is_predefined);
    }
    /// Makes this the handler of an object.
    ANYMPI_CALLS result<void> attach(const Object& object) const {
        ANYMPI_REQUIRE(object.where(), Errors::set_name, detail::check_usable(object));
        ANYMPI_REQUIRE(object.where(), Errors::set_name, Errors::set(object.handle(), handle()));
        return detail::done();
    }
    /// Calls the handler of an object, as MPI does for an error with this code.
    static ANYMPI_CALLS result<void> call(const Object& object, int code) {
        ANYMPI_REQUIRE(object.where(), Errors::call_name, detail::check_usable(object));
        ANYMPI_REQUIRE(object.where(), Errors::call_name, Errors::call(object.handle(), code));
        return detail::done();
    }
    static ANYMPI_CALLS result<void> call(const Object& object, ErrorClass error_class) {
        return call(object, static_cast<int>(error_class));
    }

private:
    template <class F>
    static void called(typename Errors::Kind::type*, int* code, ...) noexcept {
        detail::call_back("an exception left an error handler", [code] { F()(Error::from_code(*code)); });
    }
};
using CommErrorHandler = ErrorHandler<detail::CommErrors>;
using WindowErrorHandler = ErrorHandler<detail::WinErrors>;
using FileErrorHandler = ErrorHandler<detail::FileErrors>;
using SessionErrorHandler = ErrorHandler<detail::SessionErrors>;

// Errors of the program itself

/// Adds a class of errors. Codes of the class can be added to it.
inline ANYMPI_CALLS result<ErrorClass> add_error_class(const std::string& text) {
    int made = MPI_ERR_UNKNOWN;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Add_error_class, &made);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Add_error_string, made, text.c_str());
    return static_cast<ErrorClass>(made);
}
/// Adds a code to a class. Error::from_code makes errors of it.
inline ANYMPI_CALLS result<int> add_error_code(ErrorClass error_class, const std::string& text) {
    int made = MPI_ERR_UNKNOWN;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Add_error_code, static_cast<int>(error_class), &made);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Add_error_string, made, text.c_str());
    return made;
}
/// Removes what was added, with its text. The codes of a class must be removed before it.
inline ANYMPI_CALLS result<void> remove_error_class(ErrorClass error_class) {
    ANYMPI_CALL(detail::Nowhere{}, MPI_Remove_error_string, static_cast<int>(error_class));
    ANYMPI_CALL(detail::Nowhere{}, MPI_Remove_error_class, static_cast<int>(error_class));
    return detail::done();
}
inline ANYMPI_CALLS result<void> remove_error_code(int code) {
    ANYMPI_CALL(detail::Nowhere{}, MPI_Remove_error_string, code);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Remove_error_code, code);
    return detail::done();
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
