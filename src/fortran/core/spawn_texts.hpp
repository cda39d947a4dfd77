#pragma once

#include "fortran/core/rules.hpp"

#include <cstdlib>

// MPI_Comm_spawn and MPI_Comm_spawn_multiple. Their arrays have texts of equal length, padded with blanks.

namespace anympi::fortran::entry {

namespace detail {

/// A list of C strings that ends with a null pointer, made from texts that are `step` elements apart.
class text_list {
public:
    text_list() = default;
    ~text_list() { std::free(texts); }
    text_list(const text_list&) = delete;
    text_list& operator=(const text_list&) = delete;

    bool fill(const char* first, std::size_t count, int length, std::size_t step = 1) {
        const auto width = static_cast<std::size_t>(length > 0 ? length : 0);
        texts = static_cast<char**>(std::malloc((count + 1) * sizeof(char*) + count * (width + 1)));
        if (texts == nullptr)
            return false;
        char* next = reinterpret_cast<char*>(texts + count + 1);
        for (std::size_t i = 0; i < count; ++i, next += width + 1) {
            const rule::trimmed text = rule::without_trailing_blanks(first + i * step * width, length);
            std::memcpy(next, text.begin, text.size);
            next[text.size] = '\0';
            texts[i] = next;
        }
        texts[count] = nullptr;
        return true;
    }
    char** place() { return texts; }

private:
    char** texts = nullptr;
};

/// Counts the arguments of a command. A blank argument ends them.
inline std::size_t count_arguments(const char* first, int length, std::size_t step = 1) {
    const auto width = static_cast<std::size_t>(length > 0 ? length : 0);
    std::size_t count = 0;
    while (rule::without_trailing_blanks(first + count * step * width, length).size != 0)
        ++count;
    return count;
}

/// Returns true at the root. Only the root's texts are read, and other processes may pass invalid texts.
inline bool is_root(const int* comm, const int* root) {
    return rule::is_root(rule::handle<object::comm>(*comm), *root);
}

/// The argument vectors of several commands. They are an array with `commands` rows; element (i, j) is argument j of
/// command i.
class argument_vectors {
public:
    explicit argument_vectors(std::size_t commands)
        : commands(commands), lists(static_cast<text_list*>(std::calloc(commands + 1, sizeof(text_list)))),
          vectors(static_cast<char***>(std::calloc(commands + 1, sizeof(char**)))) {}
    ~argument_vectors() {
        for (std::size_t i = 0; lists != nullptr && i < commands; ++i)
            lists[i].~text_list();
        std::free(lists);
        std::free(vectors);
    }
    argument_vectors(const argument_vectors&) = delete;
    argument_vectors& operator=(const argument_vectors&) = delete;

    bool fill(const char* first, int length) {
        const auto width = static_cast<std::size_t>(length > 0 ? length : 0);
        bool has_memory = lists != nullptr && vectors != nullptr;
        for (std::size_t i = 0; has_memory && i < commands; ++i) {
            const char* const row = first + i * width;
            has_memory = lists[i].fill(row, count_arguments(row, length, commands), length, commands);
            vectors[i] = lists[i].place();
        }
        return has_memory;
    }
    char*** place() { return vectors; }

private:
    std::size_t commands;
    text_list* lists;
    char*** vectors;
};

} // namespace detail

template <class Calls>
inline void Comm_spawn(const char* command, const char* argv, const int* maxprocs, const int* info, const int* root,
                       const int* comm, int* intercomm, int* array_of_errcodes, int* ierror, int command_length,
                       int argv_length) {
    const bool root_here = detail::is_root(comm, root);
    rule::text_in command_c(rule::without_trailing_blanks(command, root_here ? command_length : 0));
    detail::text_list arguments;
    const bool has_arguments = root_here && !rule::sentinels::is_argv_null(argv);
    if (command_c.lacks_memory() ||
        (has_arguments && !arguments.fill(argv, detail::count_arguments(argv, argv_length), argv_length)))
        return rule::report(ierror, rule::raise_no_memory());
    command_c.fill();
    rule::handle_out<object::comm> intercomm_c(intercomm);
    const int code = Calls::Comm_spawn(command_c.place(), arguments.place(), *maxprocs,
                                       rule::handle<object::info>(*info), *root, rule::handle<object::comm>(*comm),
                                       intercomm_c.place(intercomm), rule::error_codes(array_of_errcodes));
    intercomm_c.finish(intercomm);
    rule::report(ierror, code);
}

template <class Calls>
inline void Comm_spawn_multiple(const int* count, const char* array_of_commands, const char* array_of_argv,
                                const int* array_of_maxprocs, const int* array_of_info, const int* root,
                                const int* comm, int* intercomm, int* array_of_errcodes, int* ierror,
                                int array_of_commands_length, int array_of_argv_length) {
    const std::size_t commands = detail::is_root(comm, root) ? rule::items(*count) : 0;
    const bool has_arguments = commands > 0 && !rule::sentinels::is_argvs_null(array_of_argv);
    detail::text_list names;
    detail::argument_vectors arguments(has_arguments ? commands : 0);
    rule::handles_in<object::info> infos(array_of_info, static_cast<long long>(commands));
    if (infos.lacks_memory() || !names.fill(array_of_commands, commands, array_of_commands_length) ||
        (has_arguments && !arguments.fill(array_of_argv, array_of_argv_length)))
        return rule::report(ierror, rule::raise_no_memory());
    infos.fill();
    rule::handle_out<object::comm> intercomm_c(intercomm);
    const int code = Calls::Comm_spawn_multiple(
        *count, names.place(), has_arguments ? arguments.place() : reinterpret_cast<char***>(app::mpi_ARGVS_NULL),
        array_of_maxprocs, infos.place(), *root, rule::handle<object::comm>(*comm), intercomm_c.place(intercomm),
        rule::error_codes(array_of_errcodes));
    intercomm_c.finish(intercomm);
    rule::report(ierror, code);
}

} // namespace anympi::fortran::entry
