#include "arch/stub_code.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace anympi::arch {
namespace {

static_assert(sizeof(void*) == 8);

stub_record records[stub_count];

// An argument or a result of any type that is passed in a register. Callbacks have at most five arguments. A stub
// always passes on five registers, and the converter ignores those that it does not need.
using argument = std::uintptr_t;

template <std::size_t Number>
argument call_converter(argument a, argument b, argument c, argument d, argument e) {
    using converter = argument(argument, argument, argument, argument, argument, void*);
    const stub_record& data = records[Number];
    return reinterpret_cast<converter*>(data.converter)(a, b, c, d, e, data.function);
}

using stub = argument(argument, argument, argument, argument, argument);

template <std::size_t... Number>
constexpr std::array<stub*, stub_count> all_stubs(std::index_sequence<Number...>) {
    return {call_converter<Number>...};
}
constinit const std::array<stub*, stub_count> stubs = all_stubs(std::make_index_sequence<stub_count>());

bool stubs_are_given_out = false;
bool message_is_printed = false;

void print_limit() {
    if (message_is_printed)
        return;
    message_is_printed = true;
    std::fprintf(
        stderr,
        "anympi: this program gives MPI more than %zu different functions for reductions and error handlers.\n"
        "anympi: This build (ANYMPI_ARCH=portable) cannot handle more. Let the program use one function for several\n"
        "anympi: operations or handlers, or build anympi for the processor of this machine.\n",
        stub_count);
}

} // namespace

stub_row add_stubs() {
    if (stubs_are_given_out) {
        print_limit();
        return {nullptr, 0};
    }
    stubs_are_given_out = true;
    return {records, stub_count};
}

void* stub_of(stub_record* data) {
    return reinterpret_cast<void*>(stubs[static_cast<std::size_t>(data - records)]);
}

} // namespace anympi::arch
