#include "convert/used_codes.hpp"

#include "base/entry_table.hpp"
#include "base/lock.hpp"

#include <cstdlib>

namespace anympi {

constinit std::atomic<int> last_used_code{0};

namespace {

constinit lock code_guard;

// The codes that the program has added. MPI_LASTUSEDCODE is the largest one. A code that the program removes stays in
// the heap until it is the largest, so that each code is moved once and nothing is searched.
entry_table<used_code> used_codes;

// The same codes as a heap. Places count from 1. No code is larger than the code at half its place.
struct {
    used_code** items;
    std::size_t count;
    std::size_t room;
    std::size_t reserved; // places reserved for codes that may be added

    used_code*& at(std::size_t place) { return items[place - 1]; }

    // Reserves a place. Returns false if memory is exhausted.
    bool reserve() {
        if (count + reserved < room) {
            ++reserved;
            return true;
        }
        const std::size_t more = 2 * room + 16;
        void* const larger = std::realloc(items, more * sizeof(void*));
        if (larger == nullptr)
            return false;
        items = static_cast<used_code**>(larger);
        room = more;
        ++reserved;
        return true;
    }
    void add(used_code* one) {
        std::size_t place = ++count;
        for (; place > 1 && at(place / 2)->code < one->code; place /= 2)
            at(place) = at(place / 2);
        at(place) = one;
    }
    void remove_largest() {
        used_code* const moved = at(count--);
        std::size_t place = 1;
        for (std::size_t below = 2; below <= count; below = 2 * place) {
            if (below < count && at(below)->code < at(below + 1)->code)
                ++below;
            if (at(below)->code <= moved->code)
                break;
            at(place) = at(below);
            place = below;
        }
        if (count != 0)
            at(place) = moved;
    }
} largest{};

} // namespace

used_code_note::used_code_note() : made(static_cast<used_code*>(std::malloc(sizeof(used_code)))) {
    const locked hold(code_guard);
    if (made != nullptr && largest.reserve())
        return;
    std::free(made);
    made = nullptr;
}

used_code_note::~used_code_note() {
    if (made == nullptr)
        return;
    const locked hold(code_guard);
    --largest.reserved;
    std::free(made);
}

void used_code_note::keep(int code) {
    const locked hold(code_guard);
    used_code* one = used_codes.find(static_cast<word>(code));
    if (one == nullptr) {
        one = made;
        *one = {code, false, nullptr};
        used_codes.add(one);
        largest.add(one);
        --largest.reserved;
        made = nullptr;
    }
    one->is_used = true;
    last_used_code.store(largest.at(1)->code, std::memory_order_relaxed);
}

void forget_used_code(int code) {
    const locked hold(code_guard);
    if (used_code* const one = used_codes.find(static_cast<word>(code)))
        one->is_used = false;
    while (largest.count != 0 && !largest.at(1)->is_used) {
        used_code* const gone = largest.at(1);
        largest.remove_largest();
        used_codes.take_out(*gone);
        std::free(gone);
    }
    last_used_code.store(largest.count != 0 ? largest.at(1)->code : 0, std::memory_order_relaxed);
}

} // namespace anympi
