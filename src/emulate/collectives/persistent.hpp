#pragma once

#include "emulate/collectives/root.hpp"
#include "emulate/engine/handles_in_use.hpp"
#include "emulate/engine/private_comm.hpp"
#include "emulate/large_counts/narrow.hpp"

#include <cstring>
#include <tuple>
#include <utility>

namespace anympi::emulate {

/// Returns true if this root is valid for an operation on this communicator.
template <class Run>
bool is_valid_root(word comm, int root) {
    root_role role;
    return find_root_role<Run>(comm, root, role) == 0 && role.is_valid();
}

/// A persistent collective operation for runtimes that only have the nonblocking operation. It stores the arguments.
/// Each start calls the nonblocking function with them, on a private communicator, because processes may start several
/// operations in different orders. A wrong root is reported at once; other wrong arguments are reported at the first
/// start. Arrays are not copied, since MPI does not let the program change them before the request is freed. Arrays of
/// datatypes are copied, because MPI_Type_free changes their elements.
template <class... Arguments>
struct saved_call {
    /// Follows the data arguments; info and request follow it.
    static constexpr std::size_t comm_at = sizeof...(Arguments) - 3;

    /// Returns true if the root is valid, or if the operation has no root. The root is the argument before the
    /// communicator.
    template <class Run>
    static bool has_valid_root(const std::tuple<Arguments...>& arguments) {
        constexpr std::size_t root_at = comm_at != 0 ? comm_at - 1 : 0;
        const auto& root = std::get<root_at>(arguments);
        if constexpr (std::is_same_v<std::decay_t<decltype(root)>, int>)
            return is_valid_root<Run>(std::get<comm_at>(arguments), root);
        else
            return true;
    }

    template <class Run>
    struct call : compound<Run> {
        std::tuple<Arguments...> arguments; // arguments of the persistent function, with the private communicator
    };
    template <class Run>
    static std::tuple<Arguments...>& of(compound<Run>& operation) {
        return static_cast<call<Run>&>(operation).arguments;
    }

    /// Calls the nonblocking function with all arguments except the last two.
    template <class Run, auto Nonblocking>
    static int begin(compound<Run>& operation) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (library<Run>.*Nonblocking)(std::get<I>(of(operation))..., operation.children);
        }
        (std::make_index_sequence<comm_at + 1>{});
    }

    /// Calls `each` with each datatype and operation among the arguments.
    template <class Run, class Each>
    static void for_handles(compound<Run>& operation, Each each) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (for_handles_of<Run, I>(of(operation), each), ...);
        }
        (std::make_index_sequence<comm_at>{});
    }

    /// Copies the arrays of datatypes. Returns false if memory is exhausted.
    template <class Run>
    static bool copy_types(compound<Run>& operation) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (copy_types_at<Run, I>(operation) && ...);
        }
        (std::make_index_sequence<comm_at>{});
    }

    /// Adds a use of each datatype and operation. Returns false, without any use added, if memory is exhausted.
    template <class Run>
    static bool add_uses(compound<Run>& operation) {
        int counted = 0;
        bool has_memory = true;
        for_handles<Run>(operation, [&](word handle) {
            has_memory = has_memory && handles_in_use<Run>.add_use(handle);
            counted += has_memory ? 1 : 0;
        });
        if (!has_memory)
            for_handles<Run>(operation, [&](word handle) {
                if (counted-- > 0)
                    handles_in_use<Run>.end_use(handle);
            });
        return has_memory;
    }
    template <class Run>
    static void end_uses(compound<Run>& operation) {
        for_handles<Run>(operation, [](word handle) { handles_in_use<Run>.end_use(handle); });
    }

    template <class Run>
    static void end(compound<Run>& operation) {
        end_uses<Run>(operation);
        auto own_comm = static_cast<comm_of<Run>>(std::get<comm_at>(of(operation)));
        library<Run>.Comm_free(&own_comm);
    }

private:
    template <class Run, std::size_t I>
    static bool copy_types_at(compound<Run>& operation) {
        auto& argument = std::get<I>(of(operation));
        if constexpr (std::is_same_v<std::decay_t<decltype(argument)>, const type_of<Run>*>) {
            const auto size = static_cast<std::size_t>(types_in_array<Run, I>(of(operation))) * sizeof *argument;
            void* const copy = allocate_request_memory(size);
            if (copy == nullptr)
                return false;
            attach_memory<Run>(operation, copy);
            if (size != 0)
                std::memcpy(copy, argument, size);
            argument = static_cast<const type_of<Run>*>(copy);
        }
        return true;
    }

    template <class Run, std::size_t I, class Each>
    static void for_handles_of(const std::tuple<Arguments...>& arguments, Each each) {
        const auto& argument = std::get<I>(arguments);
        using kind = std::decay_t<decltype(argument)>;
        if constexpr (std::is_same_v<kind, word>) {
            each(argument);
        } else if constexpr (std::is_same_v<kind, const type_of<Run>*>) {
            for (int i = 0; i < types_in_array<Run, I>(arguments); ++i)
                each(argument[i]);
        }
    }

    /// Returns the length of an array of datatypes. There are two arrays, one for sending and one for receiving.
    /// Functions for neighbours are recognised by displacements of type MPI_Aint.
    template <class Run, std::size_t I>
    static int types_in_array(const std::tuple<Arguments...>& arguments) {
        constexpr bool is_for_neighbors = (std::is_same_v<Arguments, const std::intptr_t*> || ...);
        constexpr bool is_sent = I < comm_at / 2;
        const word comm = std::get<comm_at>(arguments);
        block_counts blocks;
        if (is_sent && is_in_place<Run>(std::get<0>(arguments)))
            return 0;
        if ((is_for_neighbors ? count_neighbors<Run>(comm, blocks) : count_peers<Run>(comm, blocks)) != 0)
            return 0;
        return is_sent ? blocks.send : blocks.receive;
    }
};

template <class Run, auto Nonblocking, class... Arguments>
int make_persistent(Arguments... arguments) {
    using saved = saved_call<Arguments...>;
    static constexpr typename compound<Run>::behaviour starts_anew = {saved::template begin<Run, Nonblocking>, nullptr,
                                                                      saved::template end<Run>};
    const auto given = std::tuple(arguments...);
    const word comm = std::get<saved::comm_at>(given);
    request_of<Run>* const request = std::get<sizeof...(Arguments) - 1>(given);
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    // Allocates all memory before it creates the private communicator, which is collective: the other processes would
    // not learn of a failure here.
    auto* const operation = make<Run, saved::template call>(1);
    if (operation == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    operation->arguments = given;
    if (!saved::template copy_types<Run>(*operation) || !saved::template add_uses<Run>(*operation)) {
        destroy<Run>(*operation);
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    }
    comm_of<Run> own_comm{};
    int code = make_private_comm<Run>(comm, &own_comm);
    if (code == 0 && !saved::template has_valid_root<Run>(given)) {
        library<Run>.Comm_free(&own_comm);
        code = raise<Run>(comm, Run::mpi_ERR_ROOT);
    }
    if (code != 0) {
        saved::template end_uses<Run>(*operation);
        destroy<Run>(*operation);
        return code;
    }
    std::get<saved::comm_at>(operation->arguments) = own_comm;
    operation->does = &starts_anew;
    operation->is_persistent = true;
    publish<Run>(operation, request);
    return 0;
}

} // namespace anympi::emulate
