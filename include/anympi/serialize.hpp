// Objects that are not plain memory. A class lists its parts once, for both directions:
//
//     template <class Archive> void serialize(Archive& archive, Person& person) { archive(person.name, person.scores);
//     }
//
// These need nothing: communicable types that can be copied as bytes, strings, and containers, tuples, arrays,
// optionals, variants and unique pointers of objects. The serialize function of a class has priority over all other
// rules.
#ifndef ANYMPI_SERIALIZE_HPP
#define ANYMPI_SERIALIZE_HPP

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "buffer.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

class Writer;
class Reader;

namespace detail {

/// How an object becomes bytes.
enum class Form {
    none,
    own,       // its class has a function serialize
    truth,     // one byte, 0 or 1: other bytes are not a bool
    plain,     // its memory
    nothing,   // a class without data takes no bytes
    tuple,     // the elements in their order
    array,     // the elements in their order
    block,     // the number of elements, then their memory
    container, // the number of elements, then each of them
    optional,  // one byte, 0 or 1, then the object if there is one
    pointer,   // as optional
    variant,   // the number of the alternative, then the object
};
template <class T>
constexpr Form form_of();

template <class T>
inline constexpr bool is_serializable = form_of<T>() != Form::none;
/// True if the reader can make the object before it reads it.
template <class T>
inline constexpr bool is_serializable_inside = std::default_initializable<T>&& is_serializable<T>;

/// The class lists its parts. Checked before Communicable, which some classes do not allow to be checked.
template <class T, class Archive>
concept SaysItsParts = requires(Archive& archive, T& value) {
    serialize(archive, value);
};

template <class T>
concept Optional = requires(T& value) {
    value.has_value();
    value.reset();
    value.emplace();
    *value;
};

template <class T>
struct PointedTo {};
template <class T>
struct PointedTo<std::unique_ptr<T>> {
    using type = T;
    /// Only the static type is known.
    static constexpr bool is_exact = !std::is_array_v<T> && (!std::is_polymorphic_v<T> || std::is_final_v<T>);
};

/// True for std::variant and similar classes. Their alternatives are the arguments of the template.
template <class T>
struct Alternatives : std::false_type {};
template <template <class...> class V, class... T>
requires requires(V<T...>& value) {
    value.valueless_by_exception();
    value.index();
}
struct Alternatives<V<T...>> : std::bool_constant<(is_serializable_inside<T> && ...)> {
    static constexpr std::size_t count = sizeof...(T);
};

/// The type of an element while it is read: the key of a map is not const yet.
template <class T>
struct WhileRead {
    using type = T;
};
template <class K, class V>
struct WhileRead<std::pair<const K, V>> {
    using type = std::pair<K, V>;
};
template <class C>
using ElementWhileRead = typename WhileRead<typename C::value_type>::type;

/// Containers that own their elements and can take any number of them.
template <class C>
concept Container = requires(C& all, ElementWhileRead<C> element) {
    all.clear();
    all.size();
    all.insert(all.end(), std::move(element));
};

template <class T>
struct IsSerializableTuple : std::false_type {};
template <class... T>
struct IsSerializableTuple<std::tuple<T...>> : std::bool_constant<(is_serializable<T> && ...)> {};
template <class A, class B>
struct IsSerializableTuple<std::pair<A, B>> : IsSerializableTuple<std::tuple<A, B>> {};

/// Adds a copy of memory to bytes.
inline void append(std::vector<std::byte>& bytes, const void* memory, std::size_t size) {
    if (size == 0)
        return;
    const std::size_t before = bytes.size();
    bytes.resize(before + size);
    std::memcpy(bytes.data() + before, memory, size);
}

constexpr Form only_if(bool possible, Form form) {
    return possible ? form : Form::none;
}

template <class C>
constexpr Form form_of_container() {
    using Element = ElementWhileRead<C>;
    if constexpr (form_of<Element>() == Form::plain && requires(C & all) { std::data(all), all.resize(1); })
        return Form::block;
    else
        return only_if(is_serializable_inside<Element>, Form::container);
}

template <class T>
constexpr Form form_of() {
    if constexpr (std::is_const_v<T> || std::is_reference_v<T>)
        return Form::none;
    else if constexpr (SaysItsParts<T, Writer> && SaysItsParts<T, Reader>)
        return Form::own;
    else if constexpr (std::is_same_v<T, bool>)
        return Form::truth;
    else if constexpr (Communicable<T> && (std::is_trivially_copyable_v<T> || aggregate::is_represented<T>))
        return Form::plain;
    else if constexpr (std::is_empty_v<T> && std::is_trivially_copyable_v<T>)
        return Form::nothing;
    else if constexpr (IsTuple<T>::value)
        return only_if(IsSerializableTuple<T>::value, Form::tuple);
    else if constexpr (std::is_bounded_array_v<T> || IsStdArray<T>::value)
        return only_if(is_serializable<std::remove_reference_t<decltype(std::declval<T&>()[0])>>, Form::array);
    else if constexpr (Container<T>)
        return detail::form_of_container<T>();
    else if constexpr (Alternatives<T>::value)
        return Form::variant;
    else if constexpr (Optional<T>)
        return only_if(is_serializable_inside<typename T::value_type>, Form::optional);
    else if constexpr (requires { typename PointedTo<T>::type; })
        return only_if(PointedTo<T>::is_exact && is_serializable_inside<typename PointedTo<T>::type>, Form::pointer);
    else
        return Form::none;
}

#define ANYMPI_REQUIRE_SERIALIZABLE(T)                                                                                 \
    static_assert(detail::is_serializable<T>, "anympi: a part of this object cannot be turned into bytes: "            \
                                              "give its class a function serialize(archive, object)")

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
        using detail::Form;
        constexpr Form form = detail::form_of<T>();
        ANYMPI_REQUIRE_SERIALIZABLE(T);
        if constexpr (form == Form::own) {
            serialize(*this, const_cast<T&>(value)); // one function serves both directions; this direction only reads
        } else if constexpr (form == Form::truth) {
            write(static_cast<unsigned char>(value));
        } else if constexpr (form == Form::plain) {
            add(std::addressof(value), sizeof value);
        } else if constexpr (form == Form::tuple) {
            std::apply(*this, value);
        } else if constexpr (form == Form::array) {
            for (const auto& element : value)
                write(element);
        } else if constexpr (form == Form::block) {
            write(static_cast<std::uint64_t>(value.size()));
            add(std::data(value), value.size() * sizeof(typename T::value_type));
        } else if constexpr (form == Form::container) {
            write(static_cast<std::uint64_t>(value.size()));
            for (const typename T::value_type& element : value)
                write_element(element);
        } else if constexpr (form == Form::variant) {
            write(static_cast<std::uint64_t>(value.index()));
            if (!value.valueless_by_exception())
                visit([this](const auto& alternative) { this->write(alternative); }, value);
        } else if constexpr (form == Form::optional || form == Form::pointer) {
            write(static_cast<bool>(value));
            if (value)
                write(*value);
        }
    }
    /// Writes at least one byte, so that the reader can tell impossible numbers of elements.
    template <class T>
    void write_element(const T& element) {
        const std::size_t before = bytes_.size();
        if constexpr (detail::IsTuple<T>::value) // also the entry of a map, whose key is const
            std::apply(*this, element);
        else
            write(element);
        if (bytes_.size() == before)
            bytes_.resize(before + 1);
    }
    void add(const void* memory, std::size_t size) { detail::append(bytes_, memory, size); }
    std::vector<std::byte> bytes_;
};

/// Turns bytes back into objects. If bytes are missing or invalid, the rest of the objects does not change, and
/// complete() returns false. The reader owns bytes that are a temporary or given with std::move. Other bytes must
/// outlive the reader.
class Reader {
public:
    static constexpr bool reads = true;
    /// Objects inside of objects, such as the nodes of a list: with more levels than this, invalid bytes could exhaust
    /// the stack.
    static constexpr std::size_t most_levels = 1000;

    explicit Reader(detail::LastingBytes<std::byte> bytes) : bytes_(bytes.bytes), keep_(std::move(bytes.keep)) {}
    template <class... T>
    void operator()(T&... values) {
        (read(values), ...);
    }
    /// Returns true if no bytes were missing or invalid, and no bytes are left.
    [[nodiscard]] bool complete() const noexcept { return valid_ && bytes_.empty(); }

private:
    template <class T>
    void read(T& value) {
        using detail::Form;
        constexpr Form form = detail::form_of<T>();
        ANYMPI_REQUIRE_SERIALIZABLE(T);
        valid_ = valid_ && levels_ < most_levels;
        if (!valid_)
            return;
        ++levels_;
        if constexpr (form == Form::own)
            serialize(*this, value);
        else if constexpr (form == Form::truth)
            read_truth(value);
        else if constexpr (form == Form::plain)
            take(std::addressof(value), sizeof value);
        else if constexpr (form == Form::tuple)
            std::apply(*this, value);
        else if constexpr (form == Form::array)
            for (auto& element : value)
                read(element);
        else if constexpr (form == Form::block)
            read_block(value);
        else if constexpr (form == Form::container)
            read_elements(value);
        else if constexpr (form == Form::variant)
            read_variant(value, std::make_index_sequence<detail::Alternatives<T>::count>());
        else if constexpr (form == Form::optional)
            read_optional(
                value, [&]() -> auto& { return value.emplace(); });
        else if constexpr (form == Form::pointer)
            read_optional(
                value, [&]() -> auto& {
                    value = std::make_unique<typename T::element_type>();
                    return *value;
                });
        --levels_;
    }
    void read_truth(bool& value) {
        unsigned char there = 0;
        read(there);
        valid_ = valid_ && there <= 1;
        if (valid_)
            value = there == 1;
    }
    template <class C>
    void read_block(C& container) {
        constexpr std::size_t size_of_one = sizeof(typename C::value_type);
        const std::size_t count = read_count(size_of_one);
        if (!valid_)
            return;
        container.resize(count);
        take(std::data(container), count * size_of_one);
    }
    template <class C>
    void read_elements(C& container) {
        const std::size_t count = read_count(1);
        if (!valid_)
            return;
        container.clear();
        for (std::size_t number = 0; number < count && valid_; ++number) {
            const std::size_t before = bytes_.size();
            detail::ElementWhileRead<C> element{};
            read(element);
            if (bytes_.size() == before) { // the writer's byte for an element without data
                unsigned char unused = 0;
                read(unused);
            }
            if (valid_)
                container.insert(container.end(), std::move(element));
        }
    }
    template <class T, class Emplace>
    void read_optional(T& value, Emplace emplace) {
        bool there = false;
        read(there);
        if (!valid_)
            return;
        value.reset();
        if (there)
            read(emplace());
    }
    template <class T, std::size_t... Number>
    void read_variant(T& value, std::index_sequence<Number...>) {
        std::uint64_t chosen = 0;
        read(chosen);
        valid_ = valid_ && chosen < sizeof...(Number);
        if (valid_)
            ((chosen == Number ? read(value.template emplace<Number>()) : void()), ...);
    }
    /// Returns the number of elements. More than the remaining bytes can hold are invalid.
    std::size_t read_count(std::size_t least_size) {
        std::uint64_t count = 0;
        read(count);
        valid_ = valid_ && count <= bytes_.size() / least_size;
        return count;
    }
    void take(void* memory, std::size_t size) {
        valid_ = valid_ && bytes_.size() >= size;
        if (!valid_ || size == 0)
            return;
        std::memcpy(memory, bytes_.data(), size);
        bytes_ = {bytes_.data() + size, bytes_.size() - size};
    }
    std::span<const std::byte> bytes_;
    detail::Keep keep_;
    std::size_t levels_ = 0;
    bool valid_ = true;
};
#undef ANYMPI_REQUIRE_SERIALIZABLE

/// Types that Writer and Reader can turn into bytes and back.
template <class T>
concept Serializable = detail::is_serializable_inside<T>;

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
