#pragma once

#include "convert/two_requests.hpp"

namespace anympi {

/// Two requests that are INTEGERs in the program. Rule has these members:
///     handle               the type of a request of the library
///     is_same              true if an INTEGER has the bits of a handle, so that the library gets the program's array
///     null()               the null request of the library
///     null_number          the null request of the program
///     are_usual(program)   if is_same: returns false if a request must be converted
///     read(program, two)   otherwise: converts both requests; returns false if a conversion needs a search
///     write(program, two)  writes two requests; at least one is not null
template <class Rule>
class two_integer_requests {
    using handle = typename Rule::handle;

public:
    [[gnu::always_inline]] bool read(const int* program) {
        if constexpr (Rule::is_same)
            return Rule::are_usual(program);
        else
            return Rule::read(program, copy);
    }
    [[gnu::always_inline]] handle* place(int* program) {
        if constexpr (Rule::is_same)
            return reinterpret_cast<handle*>(program);
        else
            return copy;
    }
    [[gnu::always_inline]] void finish(int* program) {
        if (are_both_null<handle>(place(program), Rule::null()))
            program[0] = program[1] = Rule::null_number;
        else
            Rule::write(program, place(program));
    }

private:
    handle copy[Rule::is_same ? 1 : 2];
};

} // namespace anympi
