#pragma once

#include "convert/handle.hpp"
#include "convert/pair.hpp"

#include <charconv>
#include <cstring>

namespace anympi::bridge {

/// Returns how many characters the program has reserved for the name of a port, including the terminating zero. Since
/// MPICH 4.2 the info key port_name_size tells this. mpi4py sets the key, because port names of MPICH may be longer
/// than MPICH's own limit.
template <class P>
std::size_t room_for_port(word info) {
    using run = typename P::run;
    constexpr std::size_t promised = P::app::mpi_MAX_PORT_NAME;
    constexpr std::size_t longest = run::mpi_MAX_PORT_NAME;
    if constexpr (promised < longest) {
        char digits[16] = "";
        int is_given = 0;
        if (!is_library_null<run, object::info>(info))
            library<run>.Info_get(info, "port_name_size", static_cast<int>(sizeof digits) - 1, digits, &is_given);
        std::size_t room = 0;
        std::from_chars(digits, digits + std::strlen(digits), room);
        if (is_given != 0 && room > promised)
            return room < longest ? room : longest;
    }
    return promised;
}

} // namespace anympi::bridge
