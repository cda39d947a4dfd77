#pragma once

/// The data objects whose addresses are handles of programs (Open MPI). A program that was linked in the usual way
/// holds a copy of each object it uses; the loader makes every reference lead there, also ours, if they are neither
/// hidden nor bound within the library.
#define OBJECT alignas(32) __attribute__((visibility("default")))

namespace anympi {

struct data_object {
    const char* name;
    void* address;
};
extern const data_object data_objects[];
extern const int data_object_count;

/// The object of that name, or nullptr.
void* find_data_object(const char* name);

} // namespace anympi
