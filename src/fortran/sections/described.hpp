#pragma once

#include "fortran/core/rules.hpp"
#include "fortran/sections/pending.hpp"

#include <cstdlib>

namespace anympi::fortran {

/// When an operation is at its end, and a copy of a buffer can be copied back and freed.
enum class end {
    with_call,    ///< blocking
    with_request, ///< nonblocking, or persistent: each time that it was started
    unknown,      ///< some other call says so: no copies
};

/// One call with sections that are not contiguous among its buffers. Each buffer is given to a function of this class
/// together with what describes it, which is changed so that it fits the address that comes back. Then the function of
/// MPI is called, and `finish` is told what it returned. Buffers that are contiguous keep all that they have.
class described_call {
public:
    explicit described_call(end when) : when_(when) {}
    described_call(const described_call&) = delete;
    described_call& operator=(const described_call&) = delete;
    ~described_call();

    /// `count` elements.
    template <class Count>
    void* whole(const descriptor* buffer, use what, Count& count, datatype_handle& type) {
        return changed(&described_call::whole_of, buffer, what, count, type);
    }
    /// `count` elements that libraries cut into segments, in each process by the size of its own datatype: that must
    /// stay.
    template <class Count>
    void* segments(const descriptor* buffer, use what, Count&, datatype_handle& type) {
        return elements(buffer, what, type);
    }
    /// Blocks of `count` elements.
    template <class Count>
    void* blocks(const descriptor* buffer, use what, Count& count, datatype_handle& type) {
        return changed(&described_call::blocks_of, buffer, what, count, type);
    }
    /// Any numbers of elements at any places, which stay as they are.
    void* elements(const descriptor* buffer, use what, datatype_handle& type);
    /// Elements that an operation combines, which knows no datatype of ours.
    void* operands(const descriptor* buffer, use what, std::int64_t count, datatype_handle type);
    /// The first so many bytes.
    void* bytes(const descriptor* buffer, use what, std::int64_t size);
    /// All of it, however much the call needs.
    void* all(const descriptor* buffer, use what) { return bytes(buffer, what, section(*buffer).bytes()); }
    /// Memory that MPI keeps.
    void* memory(const descriptor* buffer);

    /// Elements for each of the peers, with a datatype of their own and displaced by bytes.
    template <class Count, class Displacement>
    void* each(const descriptor* buffer, use what, const Count*& counts, const Displacement*& displacements,
               const datatype_handle*& types, int peers);

    /// The class of an error that was found before MPI is called, or 0.
    int error() const { return error_; }

    /// Before MPI is called.
    void begin();
    int finish(int code);
    int finish(int code, const c_handle<object::request>* request, bool persistent);

private:
    using describing = void* (described_call::*)(const section&, use, std::int64_t, datatype_handle, typed&);

    template <class Count>
    void* changed(describing function, const descriptor* buffer, use what, Count& count, datatype_handle& type) {
        if (is_contiguous(*buffer))
            return buffer->address;
        typed result{count, type};
        void* const address = (this->*function)(section(*buffer), what, count, type, result);
        count = static_cast<Count>(result.count);
        type = result.type;
        return address;
    }
    void* whole_of(const section& where, use what, std::int64_t count, datatype_handle type, typed& result);
    void* blocks_of(const section& where, use what, std::int64_t count, datatype_handle type, typed& result);
    /// What a description came to: the address of the section, that of a copy, or an error.
    void* address_of(const section& where, use what, fit found, typed& result, const typed& before);
    void* copy_of(const section& where, use what);
    void free_after_call(datatype_handle type);
    /// Memory that lives as long as the operation.
    void* kept(std::size_t size);
    pending* record();

    end when_;
    int error_ = 0;
    pending* record_ = nullptr;
    static constexpr std::size_t few = 4;
    datatype_handle few_types_[few];
    datatype_handle* types_ = few_types_;
    std::size_t type_count_ = 0;
    std::size_t type_room_ = few;
};

template <class Count, class Displacement>
void* described_call::each(const descriptor* buffer, use what, const Count*& counts, const Displacement*& displacements,
                           const datatype_handle*& types, int peers) {
    if (is_contiguous(*buffer))
        return buffer->address;
    const section where(*buffer);
    const std::size_t size = rule::items(peers);
    auto* const new_counts = static_cast<Count*>(kept(size * sizeof(Count)));
    auto* const new_places = static_cast<Displacement*>(kept(size * sizeof(Displacement)));
    auto* const new_types = static_cast<datatype_handle*>(kept(size * sizeof(datatype_handle)));
    for (std::size_t i = 0; i < size && error_ == 0; ++i) {
        typed result{};
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
