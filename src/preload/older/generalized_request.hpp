#pragma once

#include <cstdlib>

// Generalized requests of programs whose statuses have another layout: the library calls the callbacks with its own
// layout.

namespace anympi::older {

template <class Older, class Newer, class Rules>
struct generalized_request {
    using older_query = int(void* state, Older* status);
    using newer_query = int(void* state, Newer* status);
    using release = int(void* state);
    using cancel = int(void* state, int is_complete);

    older_query* program_query;
    release* program_release;
    cancel* program_cancel;
    void* program_state;

    static int query(void* state, Newer* status) {
        const auto* const self = static_cast<generalized_request*>(state);
        Older program = Rules::to_older(*status);
        const int code = self->program_query(self->program_state, &program);
        *status = Rules::to_newer(program);
        return code;
    }
    static int free(void* state) {
        auto* const self = static_cast<generalized_request*>(state);
        const int code = self->program_release(self->program_state);
        std::free(self);
        return code;
    }
    static int cancel_it(void* state, int is_complete) {
        const auto* const self = static_cast<generalized_request*>(state);
        return self->program_cancel(self->program_state, is_complete);
    }

    template <class Request>
    using start_function = int(newer_query*, release*, cancel*, void*, Request*);

    template <class Request>
    static int start(start_function<Request>* next, older_query* query_of_program, release* release_of_program,
                     cancel* cancel_of_program, void* state, Request* request, int code_without_memory) {
        auto* const self = static_cast<generalized_request*>(std::malloc(sizeof(generalized_request)));
        if (self == nullptr)
            return code_without_memory;
        *self = {query_of_program, release_of_program, cancel_of_program, state};
        const int code = next(query, free, cancel_it, self, request);
        if (code != 0)
            std::free(self);
        return code;
    }
};

} // namespace anympi::older
