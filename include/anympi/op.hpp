// Operations of reductions: MPI's own (op::sum and so on), function objects of the standard library, and any callable.
//
// A callable takes two elements and returns one, or it takes two spans of the same length (std::span<const T> in,
// std::span<T> inout). Operations count as commutative; noncommutative(f) marks one that is not. Elements of lower
// ranks are on the left.
#ifndef ANYMPI_OP_HPP
#define ANYMPI_OP_HPP

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "datatype.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace op {

// The operations are types, not values, so that the compiler knows which elements each operation accepts. The
// expression is used for numbers that have no predefined datatype.
#define ANYMPI_OP(name, HANDLE, does, ...)                                                                             \
    struct name##_type {                                                                                               \
        template <class T>                                                                                             \
        static constexpr bool takes = __VA_ARGS__;                                                                     \
        static MPI_Op handle() noexcept { return HANDLE; }                                                             \
        template <class T>                                                                                             \
        T operator()([[maybe_unused]] const T& a, [[maybe_unused]] const T& b) const {                                 \
            return static_cast<T>(does);                                                                               \
        }                                                                                                              \
    };                                                                                                                 \
    inline constexpr name##_type name;
ANYMPI_OP(sum, MPI_SUM, a + b, Number<T> || Complex<T> || Duration<T>)
ANYMPI_OP(prod, MPI_PROD, a* b, Number<T> || Complex<T>)
ANYMPI_OP(max, MPI_MAX, a < b ? b : a, Number<T> || Time<T>)
ANYMPI_OP(min, MPI_MIN, b < a ? b : a, Number<T> || Time<T>)
ANYMPI_OP(logical_and, MPI_LAND, a&& b, Logical<T>)
ANYMPI_OP(logical_or, MPI_LOR, a || b, Logical<T>)
ANYMPI_OP(logical_xor, MPI_LXOR, !a != !b, Logical<T>)
ANYMPI_OP(bit_and, MPI_BAND, a& b, Bitwise<T>)
ANYMPI_OP(bit_or, MPI_BOR, a | b, Bitwise<T>)
ANYMPI_OP(bit_xor, MPI_BXOR, a ^ b, Bitwise<T>)
ANYMPI_OP(max_loc, MPI_MAXLOC, a.value < b.value || (a.value == b.value && b.index < a.index) ? b : a, IndexedPair<T>)
ANYMPI_OP(min_loc, MPI_MINLOC, b.value < a.value || (a.value == b.value && b.index < a.index) ? b : a, IndexedPair<T>)
// These two are only for windows.
ANYMPI_OP(replace, MPI_REPLACE, a, Communicable<T>)
ANYMPI_OP(no_op, MPI_NO_OP, b, Communicable<T>)
#undef ANYMPI_OP

} // namespace op

namespace detail {

template <class F>
concept PredefinedOp = requires {
    { F::handle() } -> std::same_as<MPI_Op>;
    F::template takes<int>;
};

/// Maps a function object of the standard library to the operation of MPI.
template <class F>
struct Standard {
    using type = void;
};
#define ANYMPI_STANDARD(functor, name)                                                                                 \
    template <class T>                                                                                                 \
    struct Standard<functor<T>> {                                                                                      \
        using type = op::name##_type;                                                                                  \
    };
ANYMPI_STANDARD(std::plus, sum)
ANYMPI_STANDARD(std::multiplies, prod)
ANYMPI_STANDARD(std::logical_and, logical_and)
ANYMPI_STANDARD(std::logical_or, logical_or)
ANYMPI_STANDARD(std::bit_and, bit_and)
ANYMPI_STANDARD(std::bit_or, bit_or)
ANYMPI_STANDARD(std::bit_xor, bit_xor)
#undef ANYMPI_STANDARD

template <class F, class T>
constexpr bool has_standard() {
    if constexpr (std::is_void_v<typename Standard<F>::type>)
        return false;
    else
        return Standard<F>::type::template takes<T>;
}

template <class F, class T>
concept OnElements = std::is_invocable_r_v<T, const F&, const T&, const T&>;
template <class F, class T>
concept OnSpans = std::is_invocable_v<const F&, std::span<const T>, std::span<T>>;

} // namespace detail

template <class F>
struct NonCommutative {
    F function;
};
/// Marks a function that is not commutative: the order of the operands matters.
template <class F>
NonCommutative<F> noncommutative(F function) {
    return {std::move(function)};
}

template <class T>
class UserOp;

namespace detail {

template <class F>
struct Unwrapped {
    using type = std::decay_t<F>; // the address if F is a function
    static constexpr bool commutes = true;
    template <class G>
    static G&& get(G&& function) {
        return std::forward<G>(function);
    }
};
template <class F>
struct Unwrapped<NonCommutative<F>> {
    using type = F;
    static constexpr bool commutes = false;
    static const F& get(const NonCommutative<F>& wrapped) { return wrapped.function; }
    static F&& get(NonCommutative<F>&& wrapped) { return std::move(wrapped.function); }
};
template <class F>
using Function = typename Unwrapped<F>::type;

template <class F, class T>
concept Reducer = OnElements<F, T> || OnSpans<F, T>;
/// The function has no state that must be kept.
template <class F>
concept Stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class F, class T>
constexpr bool is_op() {
    if constexpr (PredefinedOp<F>)
        return F::template takes<T> && !std::is_same_v<F, op::replace_type> && !std::is_same_v<F, op::no_op_type>;
    else
        return std::is_same_v<F, UserOp<T>> || has_standard<F, T>() ||
               (Communicable<T> && Reducer<Function<F>, T> &&
                (Stateless<Function<F>> || std::copy_constructible<Function<F>>));
}

template <class T, class F>
void apply_to(const F& function, std::span<const T> left, std::span<T> right) {
    // Check in this order: a generic function that adds elements cannot even be asked whether it takes spans.
    if constexpr (OnElements<F, T>) {
        for (std::size_t place = 0; place < right.size(); ++place)
            right[place] = function(left[place], std::as_const(right[place]));
    } else {
        function(left, right);
    }
}

template <class T, class F>
void apply(const F& function, void* in, void* inout, MPI_Count count) noexcept {
    const std::span<const T> left(static_cast<const T*>(in), static_cast<std::size_t>(count));
    const std::span<T> right(static_cast<T*>(inout), static_cast<std::size_t>(count));
    call_back("an exception left the operation of a reduction", [&] { detail::apply_to(function, left, right); });
}

/// An operation, the datatype to use with it, and everything that must live while they are used.
struct BoundOp {
    MPI_Op op;
    MPI_Datatype datatype;
    Keep keep;
    [[nodiscard]] MPI_Datatype type() const noexcept { return datatype; }
};
/// The operation of MPI or of a function without state. It uses the datatype of T, and needs nothing that lives.
template <class T>
struct PlainOp {
    MPI_Op op;
    [[nodiscard]] MPI_Datatype type() const { return datatype<T>(); }
};

/// A function without state is called from a static function; one operation serves all uses.
template <class T, class F>
void stateless(void* in, void* inout, shared::OpCount* count, MPI_Datatype*) noexcept {
    detail::apply<T>(F{}, in, inout, *count);
}
template <class T, class F, bool Commutes>
inline CachedHandle<OpKind> cached_stateless_op;
template <class T, class F, bool Commutes>
MPI_Op make_stateless_op() {
    MPI_Op made = MPI_OP_NULL;
    MPI_Op_create_c(&stateless<T, F>, Commutes, &made);
    return made;
}

// Functions with state. The datatype of the call is the only handle that MPI passes to an operation. So each such
// operation has its own datatype, a duplicate, whose handle leads to the state. If the handle is unknown, since
// the library works with a duplicate, an attribute leads to the state, because duplicates copy attributes. The handle
// is tried first: with several threads, MPICH 3.4 stops if an operation asks for an attribute.

/// The key of the attribute that leads to the state.
inline CachedHandle<TypeKeyKind> cached_state_key;
inline int state_key() {
    return cached_state_key.get([] {
        int made = MPI_KEYVAL_INVALID;
        MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &made, nullptr);
        return made;
    });
}

/// Makes handles at first use: a state may live longer than MPI, and be used again in a later session.
template <class T>
struct OpState {
    virtual MPI_Op op() = 0;
    virtual MPI_Datatype type() = 0;
    virtual ~OpState() = default;
};

template <class T, class F>
struct FunctionState final : OpState<T> {
    FunctionState(F given, bool commutes) : function(std::move(given)), commutes(commutes) {
        const std::lock_guard lock(mutex);
        living().push_back(this);
        only.store(living().size() == 1 ? this : nullptr, std::memory_order_release);
    }
    FunctionState(const FunctionState&) = delete;
    FunctionState& operator=(const FunctionState&) = delete;
    ~FunctionState() override {
        cached_op.forget();
        cached_type.forget();
        const std::lock_guard lock(mutex);
        std::erase(living(), this);
        std::erase_if(by_type(), [&](const auto& entry) { return entry.second == this; });
        only.store(living().size() == 1 ? living().front() : nullptr, std::memory_order_release);
    }

    MPI_Op op() override {
        return cached_op.get([&] {
            MPI_Op made = MPI_OP_NULL;
            MPI_Op_create_c(&call, commutes, &made);
            return made;
        });
    }
    MPI_Datatype type() override {
        return cached_type.get([&] {
            MPI_Datatype made = MPI_DATATYPE_NULL;
            if (MPI_Type_dup(datatype<T>(), &made) == MPI_SUCCESS &&
                MPI_Type_set_attr(made, state_key(), this) != MPI_SUCCESS)
                MPI_Type_free(&made); // sets it to null
            if (made != MPI_DATATYPE_NULL) {
                const std::lock_guard lock(mutex);
                by_type()[made] = this;
            }
            return made;
        });
    }

    /// Calls the function with its state. If exactly one state of this function exists, it is the right one, since a
    /// state lives at least as long as every request that may need it.
    static void call(void* in, void* inout, shared::OpCount* count, MPI_Datatype* type) noexcept {
        const FunctionState* state = only.load(std::memory_order_acquire);
        if (!state)
            state = by_handle(*type);
        if (!state)
            state = by_attribute(*type);
        detail::apply<T>(state->function, in, inout, *count);
    }
    static const FunctionState* by_handle(MPI_Datatype type) noexcept {
        const std::lock_guard lock(mutex);
        const auto found = by_type().find(type);
        return found == by_type().end() ? nullptr : found->second;
    }
    static const FunctionState* by_attribute(MPI_Datatype type) noexcept {
        FunctionState* state = nullptr;
        int found = 0;
        if (MPI_Type_get_attr(type, state_key(), static_cast<void*>(&state), &found) == MPI_SUCCESS && found)
            return state;
        stop_job("the library called an operation with a datatype that was not given to it", "");
    }

    F function;
    bool commutes;
    CachedHandle<OpKind> cached_op;
    CachedHandle<TypeKind> cached_type;
    static inline std::mutex mutex;
    /// Never destroyed: a state may be a static object, and end after these variables.
    static std::vector<FunctionState*>& living() {
        static auto& all = *new std::vector<FunctionState*>;
        return all;
    }
    static std::map<MPI_Datatype, FunctionState*>& by_type() { // also contains datatypes of an MPI that has ended
        static auto& all = *new std::map<MPI_Datatype, FunctionState*>;
        return all;
    }
    static inline std::atomic<FunctionState*> only{nullptr};
};

} // namespace detail

/// A callable or operation that can reduce elements of T.
template <class F, class T>
concept ReductionOf = detail::is_op<std::remove_cvref_t<F>, T>();

/// An operation made from any callable, for repeated use. Requests keep what they need, so the UserOp may be destroyed
/// before they are complete.
template <class T>
class UserOp {
public:
    static_assert(Communicable<T>, "anympi: elements of this type cannot be communicated");

    template <class F>
    requires detail::Reducer<detail::Function<F>, T>
    static ANYMPI_CALLS result<UserOp> create(F function) {
        using Plain = detail::Function<F>;
        auto state = std::make_shared<detail::FunctionState<T, Plain>>(detail::Unwrapped<F>::get(std::move(function)),
                                                                       detail::Unwrapped<F>::commutes);
        if (state->op() == MPI_OP_NULL || state->type() == MPI_DATATYPE_NULL)
            ANYMPI_FAIL((detail::is_too_late()
                             ? detail::too_late()
                             : detail::Fault(MPI_ERR_OP, "the library could not create the operation")),
                        "MPI_Op_create", detail::Nowhere{});
        return UserOp(std::move(state));
    }
    [[nodiscard]] ANYMPI_CALLS bool is_commutative() const {
        int commutes = 0;
        if (const MPI_Op op = handle(); op != MPI_OP_NULL && !detail::is_too_late())
            MPI_Op_commutative(op, &commutes);
        return commutes != 0;
    }
    /// Return the handles for calls of MPI's C functions. They may only be used together and while this object lives.
    /// Null if the object was moved.
    [[nodiscard]] MPI_Op handle() const noexcept { return state_ ? state_->op() : MPI_OP_NULL; }
    [[nodiscard]] MPI_Datatype type() const noexcept { return state_ ? state_->type() : MPI_DATATYPE_NULL; }
    [[nodiscard]] detail::Keep keep() const noexcept { return state_; }

private:
    explicit UserOp(std::shared_ptr<detail::OpState<T>> state) : state_(std::move(state)) {}
    std::shared_ptr<detail::OpState<T>> state_;
};

namespace detail {

template <class T, class F, bool Commutes>
PlainOp<T> bind_stateless() {
    return {cached_stateless_op<T, F, Commutes>.get(&make_stateless_op<T, F, Commutes>)};
}
template <class T, class Op>
PlainOp<T> bind_predefined() {
    if constexpr (ExtendedNumber<T>)
        return bind_stateless<T, Op, true>();
    else
        return {Op::handle()};
}

/// Returns the handles for an operation on elements of T. The operation is null if it could not be made; the call then
/// reports an error.
template <class T, class F>
ANYMPI_CALLS auto bind(const F& function) {
    if constexpr (PredefinedOp<F>) {
        return bind_predefined<T, F>();
    } else if constexpr (std::is_same_v<F, UserOp<T>>) {
        return BoundOp{function.handle(), function.type(), function.keep()};
    } else if constexpr (has_standard<F, T>()) {
        return bind_predefined<T, typename Standard<F>::type>();
    } else if constexpr (Stateless<Function<F>>) {
        return bind_stateless<T, Function<F>, Unwrapped<F>::commutes>();
    } else {
        auto state =
            std::make_shared<FunctionState<T, Function<F>>>(Unwrapped<F>::get(function), Unwrapped<F>::commutes);
        return BoundOp{state->op(), state->type(), state};
    }
}

} // namespace detail

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
