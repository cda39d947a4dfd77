#pragma once

#include <pthread.h>

namespace anympi {

/// A lock for operations that create or free something. Calls that create nothing never take it, and it is never held
/// while user code runs.
struct lock {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};

class locked {
public:
    explicit locked(lock& of) : held(of) { pthread_mutex_lock(&held.mutex); }
    ~locked() { pthread_mutex_unlock(&held.mutex); }
    locked(const locked&) = delete;
    locked& operator=(const locked&) = delete;

private:
    lock& held;
};

} // namespace anympi
