#include "fortran/sections/pending.hpp"

#include "base/entry_table.hpp"
#include "base/lock.hpp"
#include "fortran/core/rules.hpp"

#include <cstdlib>
#include <cstring>

namespace anympi::fortran {

int pending_count; // NOLINT: read without the lock, to know whether there is anything to look for

namespace {

lock table_lock;
entry_table<pending> table;
unsigned long calls; // NOLINT

void remove(const pending& operation) {
    const locked held(table_lock);
    if (table.take_out(operation))
        __atomic_sub_fetch(&pending_count, 1, __ATOMIC_RELAXED);
}

bool is_complete(int request) {
    int flag = 0;
    PMPI_Request_get_status(rule::handle<object::request>(request), &flag,
                            reinterpret_cast<c_status*>(app::mpi_STATUS_IGNORE));
    return flag != 0;
}

} // namespace

void pending::begin() {
    for (int i = 0; i < copy_count; ++i) {
        const copy& c = copies()[i];
        c.where.read(c.now);
        if (c.what.writes)
            std::memcpy(c.before, c.now, static_cast<std::size_t>(c.where.bytes()));
    }
    active = true;
}

void pending::end() {
    for (int i = 0; i < copy_count && active; ++i)
        if (copies()[i].what.writes)
            copies()[i].where.write(copies()[i].now, copies()[i].before);
    active = false;
}

void pending::free() {
    for (int i = 0; i < copy_count; ++i)
        std::free(copies()[i].now);
    for (int i = 0; i < kept_count; ++i)
        std::free(kept[i]);
    std::free(this);
}

void add_pending(pending* operation, int request) {
    const locked held(table_lock);
    operation->request = request;
    operation->found_by = 0;
    table.add(operation);
    __atomic_add_fetch(&pending_count, 1, __ATOMIC_RELAXED);
}

template <completion How>
void watched_requests<How>::find(long long count) {
    const locked held(table_lock);
    ++calls;
    for (long long i = 0; i < count; ++i) {
        pending* const p = table.find(pending::key_of(requests_[i]));
        if (p == nullptr || p->found_by == calls) // a program may give a request twice
            continue;
        p->found_by = calls;
        p->found_at = static_cast<int>(i);
        p->next_found = found_;
        found_ = p;
    }
    if constexpr (How == completion::starting)
        for (pending* p = found_; p != nullptr; p = p->next_found)
            p->begin();
}

template <completion How>
void watched_requests<How>::settle(int) {
    for (pending *p = found_, *next = nullptr; p != nullptr; p = next) {
        next = p->next_found;
        const bool gone = requests_[p->found_at] != p->request;
        if (How == completion::starting || (!gone && !(p->active && is_complete(p->request))))
            continue;
        if constexpr (How != completion::freeing)
            p->end();
        if (!gone)
            continue;
        remove(*p);
        if (!p->active) // the memory of an operation that was freed while it ran is still in use
            p->free();
    }
}

template class watched_requests<completion::any>;
template class watched_requests<completion::starting>;
template class watched_requests<completion::freeing>;

} // namespace anympi::fortran
