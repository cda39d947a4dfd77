// Functions with _c for an mpi.h that lacks them, and the arrays that they take. Included by older.hpp.
//
// A stand-in has the arguments of the function with _c and calls the function without. The parameters of that function
// tell which arguments become an int or an MPI_Aint. No number is cut: if one does not fit, nothing is called.
#ifndef ANYMPI_SMALL_COUNTS_HPP
#define ANYMPI_SMALL_COUNTS_HPP

#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace anympi::shared {

/// The type of the count that MPI passes to an operation.
using OpCount = int;

inline constexpr Code too_large{MPI_ERR_COUNT,
                                "a number is above 2147483647, and this mpi.h has no functions with large counts"};

/// The numbers of an array as int, as far as they fit.
struct SmallNumbers {
    SmallNumbers() = default;
    template <class T>
    explicit SmallNumbers(const std::vector<T>& numbers) {
        for (const T number : numbers) {
            fit = fit && std::in_range<int>(number);
            all.push_back(static_cast<int>(number));
        }
    }
    std::vector<int> all;
    bool fit = true;
};
/// An array as functions with _c take it, and the same as int. Requests need the arrays until the end, so the caller
/// keeps both.
template <class T>
struct Numbers {
    const T* large;
    const SmallNumbers* small;
    operator const T*() const noexcept { return large; }
};
template <class T>
Numbers<T> passed(const std::vector<T>& numbers, const SmallNumbers& small) noexcept {
    return {numbers.data(), &small};
}

/// An argument A for a parameter P.
template <class P, class A>
struct Argument {
    P value;
    Argument(const A& given, bool&) : value(given) {}
    P pass() { return value; }
    void done() {}
};
template <class P, class A>
requires std::integral<P> && std::integral<A> &&(!std::same_as<A, bool>)struct Argument<P, A> {
    P value;
    Argument(A given, bool& fits) : value(static_cast<P>(given)) { fits = fits && std::in_range<P>(given); }
    P pass() { return value; }
    void done() {}
};
template <class T>
struct Argument<const int*, Numbers<T>> {
    const int* value;
    Argument(const Numbers<T>& given, bool& fits) : value(given.small->all.data()) { fits = fits && given.small->fit; }
    const int* pass() { return value; }
    void done() {}
};
/// A number that the function returns, or reads and changes.
template <class P, class A>
requires std::integral<P> && std::integral<A> &&(!std::same_as<P, A>)&&(!std::is_const_v<P>)struct Argument<P*, A*> {
    A* place;
    P value{};
    Argument(A* given, bool& fits) : place(given) {
        if (place && std::in_range<P>(*place))
            value = static_cast<P>(*place);
        else
            fits = fits && !place;
    }
    P* pass() { return place ? &value : nullptr; }
    void done() {
        if (place)
            *place = static_cast<A>(value);
    }
};

template <class... P, class... A>
Code call_small(int (*function)(P...), A... arguments) {
    static_assert(sizeof...(P) == sizeof...(A), "anympi: a function without _c takes other arguments");
    bool fits = true;
    return [&](Argument<P, A>... all) -> Code {
        if (!fits)
            return too_large;
        const int code = function(all.pass()...);
        (all.done(), ...);
        return {code, nullptr};
    }(Argument<P, A>(arguments, fits)...);
}

} // namespace anympi::shared

namespace anympi {

// A function object in place of the function with _c.
#define ANYMPI_SMALL_AS(name, small)                                                                                   \
    namespace shared {                                                                                                 \
    struct Small_##name {                                                                                              \
        template <class... A>                                                                                          \
        Code operator()(A... arguments) const {                                                                        \
            return call_small(small, arguments...);                                                                    \
        }                                                                                                              \
    };                                                                                                                 \
    }                                                                                                                  \
    inline constexpr shared::Small_##name MPI_##name##_c{};
#define ANYMPI_SMALL(name) ANYMPI_SMALL_AS(name, MPI_##name)
// The same if the function without _c may be missing too. Then its stand-in is called.
#define ANYMPI_SMALL_OR_MISSING(name)                                                                                  \
    namespace shared {                                                                                                 \
    struct Small_##name {                                                                                              \
        template <class... A>                                                                                          \
        Code operator()(A... arguments) const {                                                                        \
            if constexpr (ANYMPI_HAS(MPI_##name))                                                                      \
                return call_small(anympi_probe::the_MPI_##name, arguments...);                                         \
            else                                                                                                       \
                return MPI_##name(arguments...);                                                                       \
        }                                                                                                              \
    };                                                                                                                 \
    }                                                                                                                  \
    inline constexpr shared::Small_##name MPI_##name##_c{};
#define ANYMPI_SMALL_FORMS(Name, name) ANYMPI_SMALL(Name) ANYMPI_SMALL(I##name) ANYMPI_SMALL_OR_MISSING(Name##_init)

#define ANYMPI_SMALL_MESSAGES(Name, name) ANYMPI_SMALL(Name) ANYMPI_SMALL(I##name) ANYMPI_SMALL(Name##_init)
ANYMPI_SMALL_MESSAGES(Send, send)
ANYMPI_SMALL_MESSAGES(Ssend, ssend)
ANYMPI_SMALL_MESSAGES(Bsend, bsend)
ANYMPI_SMALL_MESSAGES(Rsend, rsend)
ANYMPI_SMALL_MESSAGES(Recv, recv)
ANYMPI_SMALL(Mrecv)
ANYMPI_SMALL(Imrecv)
ANYMPI_SMALL(Sendrecv)
ANYMPI_SMALL(Sendrecv_replace)
ANYMPI_SMALL_OR_MISSING(Isendrecv)
ANYMPI_SMALL_OR_MISSING(Isendrecv_replace)
ANYMPI_SMALL(Get_count)
ANYMPI_SMALL(Buffer_attach)
ANYMPI_SMALL(Buffer_detach)

ANYMPI_SMALL_FORMS(Bcast, bcast)
ANYMPI_SMALL_FORMS(Reduce, reduce)
ANYMPI_SMALL_FORMS(Allreduce, allreduce)
ANYMPI_SMALL_FORMS(Scan, scan)
ANYMPI_SMALL_FORMS(Exscan, exscan)
ANYMPI_SMALL_FORMS(Reduce_scatter_block, reduce_scatter_block)
ANYMPI_SMALL_FORMS(Reduce_scatter, reduce_scatter)
ANYMPI_SMALL_FORMS(Gather, gather)
ANYMPI_SMALL_FORMS(Gatherv, gatherv)
ANYMPI_SMALL_FORMS(Scatter, scatter)
ANYMPI_SMALL_FORMS(Scatterv, scatterv)
ANYMPI_SMALL_FORMS(Allgather, allgather)
ANYMPI_SMALL_FORMS(Allgatherv, allgatherv)
ANYMPI_SMALL_FORMS(Alltoall, alltoall)
ANYMPI_SMALL_FORMS(Alltoallv, alltoallv)
ANYMPI_SMALL_FORMS(Alltoallw, alltoallw)
ANYMPI_SMALL_FORMS(Neighbor_allgather, neighbor_allgather)
ANYMPI_SMALL_FORMS(Neighbor_allgatherv, neighbor_allgatherv)
ANYMPI_SMALL_FORMS(Neighbor_alltoall, neighbor_alltoall)
ANYMPI_SMALL_FORMS(Neighbor_alltoallv, neighbor_alltoallv)
ANYMPI_SMALL_FORMS(Neighbor_alltoallw, neighbor_alltoallw)
ANYMPI_SMALL(Reduce_local)
ANYMPI_SMALL(Op_create)

ANYMPI_SMALL(Pack)
ANYMPI_SMALL(Pack_size)
ANYMPI_SMALL(Unpack)
ANYMPI_SMALL(Pack_external)
ANYMPI_SMALL(Pack_external_size)
ANYMPI_SMALL(Unpack_external)

ANYMPI_SMALL(Put)
ANYMPI_SMALL(Get)
ANYMPI_SMALL(Accumulate)
ANYMPI_SMALL(Get_accumulate)
ANYMPI_SMALL(Rput)
ANYMPI_SMALL(Rget)
ANYMPI_SMALL(Raccumulate)
ANYMPI_SMALL(Rget_accumulate)
ANYMPI_SMALL(Win_create)
ANYMPI_SMALL(Win_allocate)
ANYMPI_SMALL(Win_allocate_shared)
ANYMPI_SMALL(Win_shared_query)

#define ANYMPI_SMALL_TRANSFERS(how) ANYMPI_SMALL(File_read##how) ANYMPI_SMALL(File_write##how)
ANYMPI_SMALL(File_get_type_extent)
ANYMPI_SMALL_TRANSFERS()
ANYMPI_SMALL_TRANSFERS(_all)
ANYMPI_SMALL_TRANSFERS(_at)
ANYMPI_SMALL_TRANSFERS(_at_all)
ANYMPI_SMALL_TRANSFERS(_shared)
ANYMPI_SMALL_TRANSFERS(_ordered)
ANYMPI_SMALL_TRANSFERS(_all_begin)
ANYMPI_SMALL_TRANSFERS(_at_all_begin)
ANYMPI_SMALL_TRANSFERS(_ordered_begin)
#define ANYMPI_SMALL_ITRANSFERS(how) ANYMPI_SMALL(File_iread##how) ANYMPI_SMALL(File_iwrite##how)
ANYMPI_SMALL_ITRANSFERS()
ANYMPI_SMALL_ITRANSFERS(_all)
ANYMPI_SMALL_ITRANSFERS(_at)
ANYMPI_SMALL_ITRANSFERS(_at_all)
ANYMPI_SMALL_ITRANSFERS(_shared)

// These functions of MPI 3.0 count with MPI_Count.
ANYMPI_SMALL_AS(Type_size, MPI_Type_size_x)
ANYMPI_SMALL_AS(Type_get_extent, MPI_Type_get_extent_x)
ANYMPI_SMALL_AS(Type_get_true_extent, MPI_Type_get_true_extent_x)
ANYMPI_SMALL_AS(Get_elements, MPI_Get_elements_x)

// The headers call these only with numbers that do not fit into an int.
#define ANYMPI_TOO_LARGE(name)                                                                                         \
    inline shared::Code MPI_##name##_c(...) {                                                                          \
        return shared::too_large;                                                                                      \
    }
ANYMPI_TOO_LARGE(Type_contiguous)
ANYMPI_TOO_LARGE(Type_vector)
ANYMPI_TOO_LARGE(Type_create_hvector)
ANYMPI_TOO_LARGE(Type_indexed)
ANYMPI_TOO_LARGE(Type_create_subarray)
ANYMPI_TOO_LARGE(Type_create_struct)
ANYMPI_TOO_LARGE(Type_create_hindexed)
ANYMPI_TOO_LARGE(Type_create_indexed_block)
ANYMPI_TOO_LARGE(Type_create_hindexed_block)
ANYMPI_TOO_LARGE(Type_create_darray)

#undef ANYMPI_TOO_LARGE
#undef ANYMPI_SMALL_ITRANSFERS
#undef ANYMPI_SMALL_TRANSFERS
#undef ANYMPI_SMALL_MESSAGES
#undef ANYMPI_SMALL_FORMS
#undef ANYMPI_SMALL_OR_MISSING
#undef ANYMPI_SMALL
#undef ANYMPI_SMALL_AS

/// Small datatypes contain no large counts.
inline constexpr auto MPI_Type_get_envelope_c = [](MPI_Datatype type, MPI_Count* integers, MPI_Count* addresses,
                                                   MPI_Count* counts, MPI_Count* types, int* combiner) {
    int found[3] = {0, 0, 0};
    const int code = MPI_Type_get_envelope(type, &found[0], &found[1], &found[2], combiner);
    *integers = found[0];
    *addresses = found[1];
    *types = found[2];
    *counts = 0;
    return code;
};
inline constexpr auto MPI_Type_get_contents_c = [](MPI_Datatype type, MPI_Count integers, MPI_Count addresses,
                                                   MPI_Count, MPI_Count types, int* of_integers, MPI_Aint* of_addresses,
                                                   MPI_Count*, MPI_Datatype* of_types) {
    return MPI_Type_get_contents(type, static_cast<int>(integers), static_cast<int>(addresses), static_cast<int>(types),
                                 of_integers, of_addresses, of_types);
};

} // namespace anympi

#endif
