#include "fortran/sections/section_call.hpp"

#include <cstring>
#include <new>

namespace anympi::fortran {

section_call::~section_call() {
    for (std::size_t i = 0; i < type_count_; ++i)
        PMPI_Type_free(&types_[i]);
    if (types_ != few_types_)
        std::free(types_);
    if (record_ != nullptr)
        record_->free();
}

void* section_call::whole_of(const section& where, use what, std::int64_t count, datatype_handle type,
                             description& result) {
    const description before = result;
    return address_of(where, what, describe(where, 0, count, type, result), result, before);
}

void* section_call::blocks_of(const section& where, use what, std::int64_t count, datatype_handle type,
                              description& result) {
    const description before = result;
    fit found = describe_elements(where, type, result);
    result.count = count;
    if (found == fit::copy)
        found = describe_blocks(where, count, type, result);
    return address_of(where, what, found, result, before);
}

void* section_call::pass_elements(const descriptor* buffer, use what, datatype_handle& type) {
    if (is_contiguous(*buffer))
        return buffer->address;
    const section where(*buffer);
    description result{0, type};
    const description before = result;
    void* const address = address_of(where, what, describe_elements(where, type, result), result, before);
    type = result.type;
    return address;
}

void* section_call::pass_operands(const descriptor* buffer, use what, std::int64_t count, datatype_handle type) {
    std::intptr_t lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    if (count <= 0 || is_contiguous(*buffer) || PMPI_Type_get_extent(type, &lower, &extent) != 0 ||
        PMPI_Type_get_true_extent(type, &true_lower, &true_extent) != 0)
        return buffer->address;
    return pass_bytes(buffer, what, (count - 1) * extent + true_lower + true_extent);
}

void* section_call::pass_bytes(const descriptor* buffer, use what, std::int64_t size) {
    if (is_contiguous(*buffer))
        return buffer->address;
    const section where(*buffer);
    if (size <= where.unit)
        return buffer->address;
    if (size <= where.bytes())
        return copy_of(where, what);
    error_ = app::mpi_ERR_COUNT;
    return nullptr;
}

void* section_call::pass_memory(const descriptor* buffer) {
    if (!is_contiguous(*buffer))
        error_ = app::mpi_ERR_BUFFER;
    return buffer->address;
}

void* section_call::address_of(const section& where, use what, fit found, description& result,
                               const description& before) {
    switch (found) {
    case fit::good:
        if (result.made)
            free_after_call(result.type);
        return where.address;
    case fit::copy:
        result = before;
        return copy_of(where, what);
    case fit::too_small:
        error_ = app::mpi_ERR_COUNT;
        break;
    case fit::failed: // MPI finds the same error again, and reports it
        break;
    }
    result = before;
    return where.address;
}

void* section_call::copy_of(const section& where, use what) {
    deferred_work* const operation = when_ != end::unknown ? record() : nullptr;
    if (operation == nullptr) {
        if (error_ == 0)
            error_ = app::mpi_ERR_TYPE;
        return nullptr;
    }
    const auto size = static_cast<std::size_t>(where.bytes());
    auto* const memory = static_cast<char*>(std::malloc(what.writes ? 2 * size : size));
    if (memory == nullptr) {
        error_ = app::mpi_ERR_NO_MEM;
        return nullptr;
    }
    new (&operation->copies()[operation->copy_count++]) deferred_work::copy{where, what, memory, memory + size};
    return memory;
}

void section_call::free_after_call(datatype_handle type) {
    if (type_count_ == type_room_) {
        auto* const more = static_cast<datatype_handle*>(std::malloc(2 * type_room_ * sizeof(datatype_handle)));
        if (more == nullptr) {
            error_ = app::mpi_ERR_NO_MEM;
            PMPI_Type_free(&type);
            return;
        }
        std::memcpy(more, types_, type_count_ * sizeof(datatype_handle));
        if (types_ != few_types_)
            std::free(types_);
        types_ = more;
        type_room_ *= 2;
    }
    types_[type_count_++] = type;
}

void* section_call::allocate_for_operation(std::size_t size) {
    deferred_work* const operation = record();
    void* const memory = operation != nullptr ? std::malloc(size + 1) : nullptr;
    if (memory == nullptr)
        error_ = app::mpi_ERR_NO_MEM;
    else
        operation->memory[operation->memory_count++] = memory;
    return memory;
}

deferred_work* section_call::record() {
    if (record_ == nullptr) {
        record_ = static_cast<deferred_work*>(std::malloc(sizeof(deferred_work)));
        if (record_ == nullptr)
            error_ = app::mpi_ERR_NO_MEM;
        else
            std::memset(static_cast<void*>(record_), 0, sizeof(deferred_work));
    }
    return record_;
}

void section_call::begin() {
    if (record_ != nullptr)
        record_->begin();
}

int section_call::finish(int code) {
    if (record_ != nullptr)
        record_->end();
    return code;
}

int section_call::finish(int code, const c_handle<object::request>* request, bool persistent) {
    if (record_ == nullptr || code != 0)
        return code;
    record_->active = !persistent;
    add_deferred_work(record_, rule::number<object::request>(*request));
    record_ = nullptr;
    return code;
}

} // namespace anympi::fortran
