// Two parts of one program, a library and its user. One part is compiled with NDEBUG, the other one without.
#ifndef PARTS_HPP
#define PARTS_HPP

#include <anympi/anympi.hpp>
#include <functional>
#include <string>

namespace parts {

/// Returns how often a part has checked whether MPI has ended.
using Looks = std::function<int()>;
#define PARTS_EXPORT __attribute__((visibility("default")))

/// Returns true if the library was compiled with checks.
PARTS_EXPORT bool library_checks();
/// Throws an anympi::Error.
PARTS_EXPORT void fail(const anympi::Comm& comm);
/// Returns the text of the error that `act` throws.
PARTS_EXPORT std::string text_of_error(const std::function<void()>& act);
PARTS_EXPORT anympi::Comm duplicate(const anympi::Comm& comm);
PARTS_EXPORT anympi::OwningRequest<std::vector<int>> receive(const anympi::Comm& comm, std::vector<int> room);
/// Makes calls of the library. Returns their mistakes.
PARTS_EXPORT std::string calls_of_library(const anympi::Comm& comm, const Looks& looks);

} // namespace parts

// Defined in each part separately, so that its calls belong to this part.
namespace {

/// Returns a text if a mistake was found: calls must check whether MPI has ended if, and only if, this part is compiled
/// with checks.
[[maybe_unused]] std::string calls_of_this_part(const anympi::Comm& comm, const parts::Looks& looks) {
    std::string wrong;
    const auto check = [&](const char* what, const auto& act) {
        const int before = looks();
        act();
        if ((looks() > before) != (ANYMPI_CHECKS != 0))
            wrong += std::string(ANYMPI_CHECKS ? "no look: " : "a look: ") + what + "; ";
    };
    const int me = comm.rank();
    int number = 0;
    check("rank", [&] { static_cast<void>(comm.rank()); });
    check("barrier", [&] { comm.barrier(); });
    check("allreduce", [&] { static_cast<void>(comm.allreduce(1, anympi::op::sum)); });
    check("gather", [&] { static_cast<void>(comm.gather(1, 0)); });
    check("isend", [&] {
        auto request = comm.isend(me, me);
        static_cast<void>(comm.recv(number, me));
        request.wait();
    });
    check("broadcast_object", [&] { static_cast<void>(comm.broadcast_object(std::string("text"), 0)); });
    auto request = comm.isend(me, me);
    check("recv", [&] { static_cast<void>(comm.recv<int>(me)); });
    check("wait", [&] { request.wait(); });
    return wrong;
}

} // namespace

#endif
