#pragma once

/// The data objects whose addresses are the handles of Open MPI's programs. An executable usually holds a copy of each
/// object that it uses (copy relocation). The loader makes every reference lead to that copy, including the front's
/// references, if the objects are neither hidden nor bound within the library.
#define OBJECT alignas(32) __attribute__((visibility("default")))

namespace anympi {

struct data_object {
    const char* name;
    void* address;
};
extern const data_object data_objects[];
extern const int data_object_count;

/// Returns the object of that name, or nullptr.
void* find_data_object(const char* name);

} // namespace anympi
