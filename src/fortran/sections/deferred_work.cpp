#include "fortran/sections/deferred_work.hpp"

#include "base/entry_table.hpp"
#include "base/lock.hpp"
#include "fortran/core/rules.hpp"

#include <cstdlib>
#include <cstring>

namespace anympi::fortran {

int deferred_count; // NOLINT: read without the lock, to know whether the table is empty

namespace {

lock table_lock;
entry_table<deferred_work> table;
unsigned long calls; // NOLINT

void remove(const deferred_work& work) {
    const locked hold(table_lock);
    if (table.take_out(work))
        __atomic_sub_fetch(&deferred_count, 1, __ATOMIC_RELAXED);
}

bool is_complete(int request) {
    int flag = 0;
    PMPI_Request_get_status(rule::handle<object::request>(request), &flag,
                            reinterpret_cast<c_status*>(app::mpi_STATUS_IGNORE));
    return flag != 0;
}

} // namespace

void deferred_work::begin() {
    for (int i = 0; i < copy_count; ++i) {
        const copy& c = copies()[i];
        c.where.read(c.now);
        if (c.what.writes)
            std::memcpy(c.before, c.now, static_cast<std::size_t>(c.where.bytes()));
    }
    active = true;
}

void deferred_work::end() {
    for (int i = 0; i < copy_count && active; ++i)
        if (copies()[i].what.writes)
            copies()[i].where.write(copies()[i].now, copies()[i].before);
    active = false;
}

void deferred_work::free() {
    for (int i = 0; i < copy_count; ++i)
        std::free(copies()[i].now);
    for (int i = 0; i < memory_count; ++i)
        std::free(memory[i]);
    std::free(this);
}

void add_deferred_work(deferred_work* work, int request) {
    const locked hold(table_lock);
    work->request = request;
    work->found_by = 0;
    table.add(work);
    __atomic_add_fetch(&deferred_count, 1, __ATOMIC_RELAXED);
}

template <request_call What>
void watched_requests<What>::find(long long count) {
    const locked hold(table_lock);
    ++calls;
    for (long long i = 0; i < count; ++i) {
        deferred_work* const p = table.find(deferred_work::key_of(requests_[i]));
        if (p == nullptr || p->found_by == calls) // a program may pass a request twice
            continue;
        p->found_by = calls;
        p->found_at = static_cast<int>(i);
        p->next_found = found_;
        found_ = p;
    }
    if constexpr (What == request_call::starts)
        for (deferred_work* p = found_; p != nullptr; p = p->next_found)
            p->begin();
}

template <request_call What>
void watched_requests<What>::settle() {
    for (deferred_work *p = found_, *next = nullptr; p != nullptr; p = next) {
        next = p->next_found;
        const bool gone = requests_[p->found_at] != p->request;
        if (What == request_call::starts || (!gone && !(p->active && is_complete(p->request))))
            continue;
        if constexpr (What != request_call::frees)
            p->end();
        if (!gone)
            continue;
        remove(*p);
        if (!p->active) // an operation that was freed while active still uses its memory
            p->free();
    }
}

template class watched_requests<request_call::completes>;
template class watched_requests<request_call::starts>;
template class watched_requests<request_call::frees>;

} // namespace anympi::fortran
