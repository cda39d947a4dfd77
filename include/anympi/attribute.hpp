// Values of any type that travel with a communicator.
#ifndef ANYMPI_ATTRIBUTE_HPP
#define ANYMPI_ATTRIBUTE_HPP

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The key knows the type. A communicator owns the values that are set on it, and a duplicate gets copies.
template <class T>
requires std::copy_constructible<T>
class [[nodiscard]] AttributeKey {
public:
    static result<AttributeKey> create() {
        int made = MPI_KEYVAL_INVALID;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Comm_create_keyval, &copy, &erase_value, &made, nullptr);
        return AttributeKey(made);
    }
    AttributeKey(AttributeKey&& other) noexcept : key_(std::exchange(other.key_, MPI_KEYVAL_INVALID)) {}
    AttributeKey& operator=(AttributeKey&& other) noexcept {
        std::swap(key_, other.key_);
        return *this;
    }
    /// Values that are set stay where they are, until their communicators go.
    ~AttributeKey() {
        if (key_ != MPI_KEYVAL_INVALID && !is_finalized())
            MPI_Comm_free_keyval(&key_);
    }

    result<void> set(const Comm& comm, T value) const {
        auto stored = std::make_unique<T>(std::move(value));
        ANYMPI_CALL(comm.handle(), MPI_Comm_set_attr, comm.handle(), key_, stored.get());
        static_cast<void>(stored.release()); // the communicator's now
        return detail::done();
    }
    /// None if nothing was set. The pointer is good until it is set again, or erased.
    [[nodiscard]] result<T*> get(const Comm& comm) const {
        T* value = nullptr;
        int found = 0;
        ANYMPI_CALL(comm.handle(), MPI_Comm_get_attr, comm.handle(), key_, static_cast<void*>(&value), &found);
        return found ? value : nullptr;
    }
    result<void> erase(const Comm& comm) const {
        ANYMPI_CALL(comm.handle(), MPI_Comm_delete_attr, comm.handle(), key_);
        return detail::done();
    }

private:
    explicit AttributeKey(int key) noexcept : key_(key) {}

    static int copy(MPI_Comm, int, void*, void* from, void* to, int* flag) noexcept {
        *static_cast<T**>(to) = new T(*static_cast<const T*>(from));
        *flag = 1;
        return MPI_SUCCESS;
    }
    static int erase_value(MPI_Comm, int, void* value, void*) noexcept {
        delete static_cast<T*>(value);
        return MPI_SUCCESS;
    }

    int key_;
};

namespace detail {
inline result<std::optional<int>> predefined_attribute(const Comm& comm, int key) {
    int* value = nullptr;
    int found = 0;
    ANYMPI_CALL(comm.handle(), MPI_Comm_get_attr, comm.handle(), key, static_cast<void*>(&value), &found);
    return found && value ? std::optional<int>(*value) : std::optional<int>();
}
} // namespace detail

/// What MPI itself tells about a communicator.
inline result<std::optional<int>> tag_upper_bound(const Comm& comm) {
    return detail::predefined_attribute(comm, MPI_TAG_UB);
}
inline result<std::optional<int>> universe_size(const Comm& comm) {
    return detail::predefined_attribute(comm, MPI_UNIVERSE_SIZE);
}
inline result<std::optional<int>> application_number(const Comm& comm) {
    return detail::predefined_attribute(comm, MPI_APPNUM);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
