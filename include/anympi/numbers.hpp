// Types for the numbers of a call, so that one number does not compile in place of another.
//
// A rank or a root is any int: send(data, 1). A second number has a name: send(data, 1, tag(7)), put(data, 1, at(3)).
// to(1), from(0) and root(0) are for programs that name all numbers. Files of all policies share these types.
#ifndef ANYMPI_NUMBERS_HPP
#define ANYMPI_NUMBERS_HPP

#include "requirements.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace anympi {

namespace shared {

template <class T>
inline constexpr bool never = false;

/// The types of named numbers in this file.
template <class T>
concept NamedNumber = requires {
    typename T::named_number;
};

} // namespace shared

// The compiler chooses these constructors for wrong arguments and prints their text. No program that compiles calls
// them.
#define ANYMPI_REFUSE_NUMBERS(Name, text)                                                                              \
    template <shared::NamedNumber Other>                                                                               \
    requires(!std::same_as<Other, Name>) Name(Other) {                                                                 \
        static_assert(shared::never<Other>, text);                                                                     \
    }
#define ANYMPI_REFUSE_BARE(Name, text)                                                                                 \
    ANYMPI_REFUSE_NUMBERS(Name, text)                                                                                  \
    template <std::integral Bare>                                                                                      \
    Name(Bare) {                                                                                                       \
        static_assert(shared::never<Bare>, text);                                                                      \
    }

/// The process to which a message goes. Any int converts to it.
class Destination {
public:
    using named_number = void;
    constexpr Destination(int rank) noexcept : rank_(rank) {}
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_NUMBERS(Destination, "anympi: the rank of the destination goes here, such as 1 or to(1)")
    /// @endcond
    [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
    friend bool operator==(Destination, Destination) = default;

private:
    int rank_;
};

/// The process from which a message comes. Any int converts to it.
class Source {
public:
    using named_number = void;
    constexpr Source(int rank) noexcept : rank_(rank) {}
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_NUMBERS(Source, "anympi: the rank of the source goes here, such as 0 or from(0)")
    /// @endcond
    [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
    friend bool operator==(Source, Source) = default;

private:
    int rank_;
};

/// The process whose memory is accessed. Any int converts to it; so do to(1) and from(1).
class Target {
public:
    using named_number = void;
    constexpr Target(int rank) noexcept : rank_(rank) {}
    constexpr Target(Destination destination) noexcept : rank_(destination.rank()) {}
    constexpr Target(Source source) noexcept : rank_(source.rank()) {}
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_NUMBERS(Target, "anympi: the rank of a process goes here, such as 1, to(1) or from(1)")
    /// @endcond
    [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
    friend bool operator==(Target, Target) = default;

private:
    int rank_;
};

/// The root of a collective operation. Any int converts to it.
class Root {
public:
    using named_number = void;
    constexpr Root(int rank) noexcept : rank_(rank) {}
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_NUMBERS(Root, "anympi: the rank of the root goes here, such as 0 or root(0)")
    /// @endcond
    [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
    friend bool operator==(Root, Root) = default;

private:
    int rank_;
};

/// The tag of a message, made by tag(7).
class Tag {
public:
    using named_number = void;
    constexpr Tag() noexcept = default; // 0
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_BARE(Tag, "anympi: a tag goes here, written as tag(7)")
    /// @endcond
    [[nodiscard]] constexpr int number() const noexcept { return number_; }
    friend bool operator==(Tag, Tag) = default;
    friend constexpr Tag tag(int number) noexcept;

private:
    struct Made {};
    constexpr Tag(Made, int number) noexcept : number_(number) {}
    int number_ = 0;
};

/// A number of elements or processes, made by count(100).
class Count {
public:
    using named_number = void;
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_BARE(Count, "anympi: a count goes here, written as count(100)")
    /// @endcond
    [[nodiscard]] constexpr std::size_t number() const noexcept { return number_; }
    friend bool operator==(Count, Count) = default;
    friend constexpr Count count(std::size_t number) noexcept;

private:
    struct Made {};
    constexpr Count(Made, std::size_t number) noexcept : number_(number) {}
    std::size_t number_;
};

/// The number of equal parts of a message, made by partitions(10).
class Partitions {
public:
    using named_number = void;
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_BARE(Partitions, "anympi: the number of parts goes here, written as partitions(10)")
    /// @endcond
    [[nodiscard]] constexpr int number() const noexcept { return number_; }
    friend bool operator==(Partitions, Partitions) = default;
    friend constexpr Partitions partitions(int number) noexcept;

private:
    struct Made {};
    constexpr Partitions(Made, int number) noexcept : number_(number) {}
    int number_;
};

/// A distance from the beginning: an element of a window, made by at(3), or steps in a grid, made by by(1).
class Displacement {
public:
    using named_number = void;
    /// @cond only for messages of the compiler
    ANYMPI_REFUSE_BARE(Displacement, "anympi: a displacement goes here, written as at(3), or as by(1) in a grid")
    /// @endcond
    [[nodiscard]] constexpr MPI_Aint number() const noexcept { return number_; }
    friend bool operator==(Displacement, Displacement) = default;
    friend constexpr Displacement at(MPI_Aint number) noexcept;
    friend constexpr Displacement by(int steps) noexcept;

private:
    struct Made {};
    constexpr Displacement(Made, MPI_Aint number) noexcept : number_(number) {}
    MPI_Aint number_;
};

#undef ANYMPI_REFUSE_BARE
#undef ANYMPI_REFUSE_NUMBERS

constexpr Destination to(Destination rank) noexcept {
    return rank;
}
constexpr Source from(Source rank) noexcept {
    return rank;
}
constexpr Root root(Root rank) noexcept {
    return rank;
}
constexpr Tag tag(int number) noexcept {
    return {Tag::Made{}, number};
}
constexpr Count count(std::size_t number) noexcept {
    return {Count::Made{}, number};
}
constexpr Partitions partitions(int number) noexcept {
    return {Partitions::Made{}, number};
}
constexpr Displacement at(MPI_Aint number) noexcept {
    return {Displacement::Made{}, number};
}
constexpr Displacement by(int steps) noexcept {
    return {Displacement::Made{}, steps};
}

/// The place where the part of each process begins. displacements(places) makes it, and Layout::at takes it.
template <class Places>
struct Displacements {
    const Places& places;
};
template <class Places>
constexpr Displacements<Places> displacements(const Places& places) noexcept {
    return {places};
}

inline constexpr Source any_source = MPI_ANY_SOURCE;
inline constexpr Tag any_tag = tag(MPI_ANY_TAG);
/// No process: a message to or from proc_null completes at once.
inline constexpr int proc_null = MPI_PROC_NULL;

} // namespace anympi

#endif
