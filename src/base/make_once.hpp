#pragma once

#include <atomic>

namespace anympi {

/// Makes a handle when it is needed for the first time: `create` writes the handle and returns a code. Sets `handle` to
/// the one that all threads use. If two threads make one at the same time, that of the slower thread is not used.
template <class Handle, class Create>
int make_once(std::atomic<Handle>& made, Handle& handle, Create create) {
    handle = made.load();
    if (handle != 0)
        return 0;
    Handle fresh{};
    if (const int code = create(&fresh); code != 0)
        return code;
    if (made.compare_exchange_strong(handle, fresh)) // else `handle` is that of the faster thread
        handle = fresh;
    return 0;
}

} // namespace anympi
