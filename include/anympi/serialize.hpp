// Objects that are not plain memory. A class lists its parts once, for both directions:
//
//     template <class Archive> void serialize(Archive& archive, Person& person) { archive(person.name, person.scores);
//     }
//
// Communicable types, std::string, std::vector, std::map, std::optional and pairs of such types need nothing. The
// serialize function of a class is used even if the class is communicable.
#ifndef ANYMPI_SERIALIZE_HPP
#define ANYMPI_SERIALIZE_HPP

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "buffer.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsMap : std::false_type {};
template <class K, class V>
struct IsMap<std::map<K, V>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};

/// The class lists its parts. Checked before Communicable, which some classes do not allow to be checked.
template <class T, class Archive>
concept SaysItsParts = requires(Archive& archive, T& value) {
    serialize(archive, value);
};

} // namespace detail

/// Turns objects into bytes.
class Writer {
public:
    static constexpr bool reads = false;
    template <class... T>
    void operator()(const T&... values) {
        (write(values), ...);
    }
    [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

private:
    template <class T>
    void write(const T& value) {
        if constexpr (std::same_as<T, std::string> || detail::IsVector<T>::value) {
            write(static_cast<std::uint64_t>(value.size()));
            for (const auto& element : value)
                write(element);
        } else if constexpr (detail::IsMap<T>::value) {
            write(static_cast<std::uint64_t>(value.size()));
            for (const auto& [key, mapped] : value)
                operator()(key, mapped);
        } else if constexpr (detail::IsOptional<T>::value) {
            write(static_cast<unsigned char>(value.has_value()));
            if (value)
                write(*value);
        } else if constexpr (detail::IsPair<T>::value) {
            operator()(value.first, value.second);
        } else if constexpr (detail::SaysItsParts<T, Writer>) {
            serialize(*this, const_cast<T&>(value)); // one function serves both directions; this direction only reads
        } else {
            const auto* memory = reinterpret_cast<const std::byte*>(&value);
            bytes_.insert(bytes_.end(), memory, memory + sizeof value);
        }
    }
    std::vector<std::byte> bytes_;
};

/// Turns bytes back into objects. If bytes are missing, the rest of the objects does not change, and complete() returns
/// false. The reader owns bytes that are a temporary or given with std::move. Other bytes must outlive the reader.
class Reader {
public:
    static constexpr bool reads = true;
    explicit Reader(detail::LastingBytes<std::byte> bytes) : bytes_(bytes.bytes), keep_(std::move(bytes.keep)) {}
    template <class... T>
    void operator()(T&... values) {
        (read(values), ...);
    }
    /// Returns true if no bytes were missing and no bytes are left.
    [[nodiscard]] bool complete() const noexcept { return enough_ && bytes_.empty(); }

private:
    template <class T>
    void read(T& value) {
        if constexpr (std::same_as<T, std::string> || detail::IsVector<T>::value) {
            // Limit the count by the remaining bytes, since invalid bytes may contain any number.
            const std::size_t count = size();
            value.clear();
            for (std::size_t number = 0; number < count && enough_; ++number)
                read_element(value);
        } else if constexpr (detail::IsMap<T>::value) {
            const std::size_t count = size();
            value.clear();
            for (std::size_t number = 0; number < count && enough_; ++number) {
                typename T::key_type key{};
                typename T::mapped_type mapped{};
                operator()(key, mapped);
                value.emplace(std::move(key), std::move(mapped));
            }
        } else if constexpr (detail::IsOptional<T>::value) {
            unsigned char there = 0; // not a bool, since a wrong byte is not a valid bool
            read(there);
            value.reset();
            if (there)
                read(value.emplace());
        } else if constexpr (detail::IsPair<T>::value) {
            operator()(value.first, value.second);
        } else if constexpr (detail::SaysItsParts<T, Reader>) {
            serialize(*this, value);
        } else {
            enough_ = enough_ && bytes_.size() >= sizeof value;
            if (!enough_)
                return;
            std::copy_n(bytes_.data(), sizeof value, reinterpret_cast<std::byte*>(&value));
            bytes_ = bytes_.subspan(sizeof value);
        }
    }
    template <class C>
    void read_element(C& container) {
        typename C::value_type element{};
        read(element);
        container.push_back(std::move(element));
    }
    std::size_t size() {
        std::uint64_t count = 0;
        read(count);
        return count;
    }
    std::span<const std::byte> bytes_;
    detail::Keep keep_;
    bool enough_ = true;
};

namespace detail {

template <class T>
constexpr bool serializable() {
    if constexpr (std::same_as<T, std::string>)
        return true;
    else if constexpr (IsVector<T>::value || IsOptional<T>::value)
        return serializable<typename T::value_type>();
    else if constexpr (IsMap<T>::value)
        return serializable<typename T::key_type>() && serializable<typename T::mapped_type>();
    else if constexpr (IsPair<T>::value)
        return serializable<typename T::first_type>() && serializable<typename T::second_type>();
    else if constexpr (SaysItsParts<T, Writer> && SaysItsParts<T, Reader>)
        return true;
    else
        return Communicable<T> && std::is_trivially_copyable_v<T>;
}

} // namespace detail

/// Types that Writer and Reader can turn into bytes and back.
template <class T>
concept Serializable = std::default_initializable<T> && detail::serializable<T>();

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
