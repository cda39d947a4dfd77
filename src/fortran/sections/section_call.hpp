#pragma once

#include "fortran/core/rules.hpp"
#include "fortran/sections/deferred_work.hpp"

#include <cstdlib>

namespace anympi::fortran {

/// When an operation ends, so that the copy of a buffer can be copied back and freed.
enum class end {
    with_call,    // at the end of the call, which is blocking
    with_request, // when its request completes; for a persistent request, after each start
    unknown,      // in another call; copies are not possible
};

/// One call with a section that is not contiguous among its buffers. For each buffer the caller calls the pass_…
/// function for its role. That function returns the address for MPI, and changes the count and the datatype so that
/// they describe the section. For contiguous buffers they stay unchanged. Then the caller calls begin(), MPI, and
/// finish() with the result.
class section_call {
public:
    explicit section_call(end when) : when_(when) {}
    section_call(const section_call&) = delete;
    section_call& operator=(const section_call&) = delete;
    ~section_call();

    /// A buffer of `count` elements.
    template <class Count>
    void* pass_whole(const descriptor* buffer, use what, Count& count, datatype_handle& type) {
        return changed(&section_call::whole_of, buffer, what, count, type);
    }
    /// A buffer of `count` elements that libraries divide into segments. Each process computes the segments from the
    /// size of its own datatype, so the datatype must keep its size.
    template <class Count>
    void* pass_segments(const descriptor* buffer, use what, Count&, datatype_handle& type) {
        return pass_elements(buffer, what, type);
    }
    /// A buffer of blocks of `count` elements.
    template <class Count>
    void* pass_blocks(const descriptor* buffer, use what, Count& count, datatype_handle& type) {
        return changed(&section_call::blocks_of, buffer, what, count, type);
    }
    /// A buffer with any number of elements at any displacements, which stay unchanged.
    void* pass_elements(const descriptor* buffer, use what, datatype_handle& type);
    /// A buffer whose elements an MPI operation combines. The operation does not support anympi's datatypes.
    void* pass_operands(const descriptor* buffer, use what, std::int64_t count, datatype_handle type);
    /// A buffer whose first `size` bytes MPI uses.
    void* pass_bytes(const descriptor* buffer, use what, std::int64_t size);
    /// A buffer for a call that may use any part of it.
    void* pass_all(const descriptor* buffer, use what) { return pass_bytes(buffer, what, section(*buffer).bytes()); }
    /// Memory that MPI uses after the call. It must be contiguous.
    void* pass_memory(const descriptor* buffer);

    /// A buffer with elements for each peer, each with its own datatype and a displacement in bytes.
    template <class Count, class Displacement>
    void* pass_each(const descriptor* buffer, use what, const Count*& counts, const Displacement*& displacements,
                    const datatype_handle*& types, int peers);

    /// Returns the class of an error that was found before MPI was called, or 0.
    int error() const { return error_; }

    /// Copies the sections for which MPI gets a copy.
    void begin();
    /// Both functions return `code`, the result of MPI.
    int finish(int code);
    int finish(int code, const c_handle<object::request>* request, bool persistent);

private:
    using describing = void* (section_call::*)(const section&, use, std::int64_t, datatype_handle, description&);

    template <class Count>
    void* changed(describing function, const descriptor* buffer, use what, Count& count, datatype_handle& type) {
        if (is_contiguous(*buffer))
            return buffer->address;
        description result{count, type};
        void* const address = (this->*function)(section(*buffer), what, count, type, result);
        count = static_cast<Count>(result.count);
        type = result.type;
        return address;
    }
    void* whole_of(const section& where, use what, std::int64_t count, datatype_handle type, description& result);
    void* blocks_of(const section& where, use what, std::int64_t count, datatype_handle type, description& result);
    /// Returns the address of the section or of a copy. Sets error_ if both are impossible.
    void* address_of(const section& where, use what, fit found, description& result, const description& before);
    void* copy_of(const section& where, use what);
    void free_after_call(datatype_handle type);
    /// Allocates memory that is freed when the operation ends.
    void* allocate_for_operation(std::size_t size);
    deferred_work* record();

    end when_;
    int error_ = 0;
    deferred_work* record_ = nullptr;
    static constexpr std::size_t few = 4;
    datatype_handle few_types_[few];
    datatype_handle* types_ = few_types_;
    std::size_t type_count_ = 0;
    std::size_t type_room_ = few;
};

template <class Count, class Displacement>
void* section_call::pass_each(const descriptor* buffer, use what, const Count*& counts,
                              const Displacement*& displacements, const datatype_handle*& types, int peers) {
    if (is_contiguous(*buffer))
        return buffer->address;
    const section where(*buffer);
    const std::size_t size = rule::items(peers);
    auto* const new_counts = static_cast<Count*>(allocate_for_operation(size * sizeof(Count)));
    auto* const new_places = static_cast<Displacement*>(allocate_for_operation(size * sizeof(Displacement)));
    auto* const new_types = static_cast<datatype_handle*>(allocate_for_operation(size * sizeof(datatype_handle)));
    for (std::size_t i = 0; i < size && error_ == 0; ++i) {
        description result{};
        const fit found = describe(where, displacements[i], counts[i], types[i], result);
        if (found != fit::good)
            return address_of(where, what, found, result, result);
        if (result.made)
            free_after_call(result.type);
        new_counts[i] = static_cast<Count>(result.count);
        new_places[i] = 0;
        new_types[i] = result.type;
    }
    counts = new_counts;
    displacements = new_places;
    types = new_types;
    return where.address;
}

} // namespace anympi::fortran
