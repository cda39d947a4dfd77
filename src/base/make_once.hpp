#pragma once

#include <atomic>

namespace anympi {

/// Creates a handle when it is needed for the first time. `create` writes the handle and returns an error code. Sets
/// `handle` to the handle that all threads use. Returns the error code of `create`, or 0. If two threads create one at
/// the same time, the handle of the slower thread is not used.
template <class Handle, class Create>
int make_once(std::atomic<Handle>& made, Handle& handle, Create create) {
    handle = made.load();
    if (handle != 0)
        return 0;
    Handle fresh{};
    if (const int code = create(&fresh); code != 0)
        return code;
    if (made.compare_exchange_strong(handle, fresh)) // otherwise `handle` now holds the faster thread's
        handle = fresh;
    return 0;
}

} // namespace anympi
