// Values of any type that are attached to a communicator, a window or a datatype.
#ifndef ANYMPI_ATTRIBUTE_HPP
#define ANYMPI_ATTRIBUTE_HPP

#include "comm.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {
#define ANYMPI_ATTRIBUTES(Kind_, Prefix)                                                                               \
    struct Prefix##Attributes {                                                                                        \
        using Kind = Kind_;                                                                                            \
        using Handle = typename Kind::type;                                                                            \
        static constexpr const char* create_name = "MPI_" #Prefix "_create_keyval";                                    \
        static constexpr const char* set_name = "MPI_" #Prefix "_set_attr";                                            \
        static constexpr const char* get_name = "MPI_" #Prefix "_get_attr";                                            \
        static constexpr const char* erase_name = "MPI_" #Prefix "_delete_attr";                                       \
        static constexpr auto create = MPI_##Prefix##_create_keyval;                                                   \
        static constexpr auto free = MPI_##Prefix##_free_keyval;                                                       \
        static constexpr auto set = MPI_##Prefix##_set_attr;                                                           \
        static constexpr auto get = MPI_##Prefix##_get_attr;                                                           \
        static constexpr auto erase = MPI_##Prefix##_delete_attr;                                                      \
    };
ANYMPI_ATTRIBUTES(CommKind, Comm)
ANYMPI_ATTRIBUTES(WinKind, Win)
ANYMPI_ATTRIBUTES(TypeKind, Type)
#undef ANYMPI_ATTRIBUTES
} // namespace detail

/// A key of attributes; it knows the type of the values. An object owns the values that are set on it. A duplicate gets
/// copies; windows cannot be duplicated. The objects are communicators unless `Attributes` says otherwise: see
/// WindowKey and DatatypeKey.
template <class T, class Attributes = detail::CommAttributes>
requires std::copy_constructible<T>
class [[nodiscard]] AttributeKey {
public:
    using Object = Owned<typename Attributes::Kind>;

    static ANYMPI_CALLS result<AttributeKey> create() {
        int made = MPI_KEYVAL_INVALID;
        ANYMPI_REQUIRE(detail::Nowhere{}, Attributes::create_name,
                       checked([&] { return Attributes::create(&copy, &erase_value, &made, nullptr); }));
        return AttributeKey(made);
    }
    AttributeKey(AttributeKey&& other) noexcept : key_(std::exchange(other.key_, MPI_KEYVAL_INVALID)) {}
    AttributeKey& operator=(AttributeKey&& other) noexcept {
        std::swap(key_, other.key_);
        return *this;
    }
    /// Frees the key. The values stay until their objects are destroyed.
    ~AttributeKey() {
        if (key_ != MPI_KEYVAL_INVALID && !detail::has_ended())
            Attributes::free(&key_);
    }

    ANYMPI_CALLS result<void> set(const Object& object, T value) const {
        auto stored = std::make_unique<T>(std::move(value));
        ANYMPI_REQUIRE(object.where(), Attributes::set_name,
                       checked(object, [&](auto handle) { return Attributes::set(handle, key_, stored.get()); }));
        static_cast<void>(stored.release()); // the object owns it now
        return detail::done();
    }
    /// Returns the value, or nullptr if no value was set. The pointer is valid until the value is set again or erased.
    [[nodiscard]] ANYMPI_CALLS result<T*> get(const Object& object) const {
        T* value = nullptr;
        int found = 0;
        ANYMPI_REQUIRE(object.where(), Attributes::get_name, checked(object, [&](auto handle) {
                           return Attributes::get(handle, key_, static_cast<void*>(&value), &found);
                       }));
        return found ? value : nullptr;
    }
    ANYMPI_CALLS result<void> erase(const Object& object) const {
        ANYMPI_REQUIRE(object.where(), Attributes::erase_name,
                       checked(object, [&](auto handle) { return Attributes::erase(handle, key_); }));
        return detail::done();
    }

private:
    explicit AttributeKey(int key) noexcept : key_(key) {}

    template <class Call>
    static ANYMPI_CALLS detail::Fault checked(Call call) {
        return detail::is_too_late() ? detail::too_late() : detail::Fault(call());
    }
    template <class Call>
    static ANYMPI_CALLS detail::Fault checked(const Object& object, Call call) {
        if (object.is_null())
            return detail::null_object(object.where());
        return checked([&] { return call(object.handle()); });
    }

    static int copy(typename Attributes::Handle, int, void*, void* from, void* to, int* flag) noexcept {
        detail::call_back("an exception left the copy constructor of an attribute",
                          [&] { *static_cast<T**>(to) = new T(*static_cast<const T*>(from)); });
        *flag = 1;
        return MPI_SUCCESS;
    }
    static int erase_value(typename Attributes::Handle, int, void* value, void*) noexcept {
        delete static_cast<T*>(value);
        return MPI_SUCCESS;
    }

    int key_;
};
template <class T>
using WindowKey = AttributeKey<T, detail::WinAttributes>;
template <class T>
using DatatypeKey = AttributeKey<T, detail::TypeAttributes>;

namespace detail {
inline ANYMPI_CALLS result<std::optional<int>> predefined_attribute(const Comm& comm, int key) {
    int* value = nullptr;
    int found = 0;
    ANYMPI_CALL(comm.where(), MPI_Comm_get_attr, comm.handle(), key, static_cast<void*>(&value), &found);
    return found && value ? std::optional<int>(*value) : std::optional<int>();
}
} // namespace detail

/// Attributes that MPI itself sets on a communicator.
inline ANYMPI_CALLS result<std::optional<int>> tag_upper_bound(const Comm& comm) {
    return detail::predefined_attribute(comm, MPI_TAG_UB);
}
inline ANYMPI_CALLS result<std::optional<int>> universe_size(const Comm& comm) {
    return detail::predefined_attribute(comm, MPI_UNIVERSE_SIZE);
}
inline ANYMPI_CALLS result<std::optional<int>> application_number(const Comm& comm) {
    return detail::predefined_attribute(comm, MPI_APPNUM);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
