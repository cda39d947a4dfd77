// Completes several requests with one call: single requests, and ranges of requests.
//
//     wait_all(sending, receiving);
//     while (const auto one = wait_any(requests))     // a vector, an array, a span, or any other range of requests
//         use(one->index, one->status);
//
// Requests are numbered in the order of the arguments. Requests that are complete already are left out. Afterwards
// wait() of each completed request returns its result at once.
#ifndef ANYMPI_COMPLETION_HPP
#define ANYMPI_COMPLETION_HPP

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <tuple>

#include "request.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// A request of any kind: Request, OwningRequest, PersistentRequest, PendingComm …
template <class R>
concept AnyRequest = requires(std::remove_reference_t<R>& request, const MPI_Status& status) {
    request.wait();
    request.complete(request.handle(), status, MPI_SUCCESS);
};
/// A range of requests of one kind.
template <class Range>
concept RequestRange = std::ranges::forward_range<Range> && AnyRequest<std::ranges::range_reference_t<Range>>;
/// An argument of the functions that complete several requests.
template <class Part>
concept Requests = AnyRequest<Part> || RequestRange<Part>;

namespace detail {

/// Values that MPI sets, so they have no initial values. `fixed` is their number, if the compiler knows it. Otherwise
/// few values need no memory of the heap.
template <class T, std::size_t fixed>
class Unset {
public:
    explicit Unset(std::size_t) noexcept {}
    [[nodiscard]] static constexpr std::size_t size() noexcept { return fixed; }
    [[nodiscard]] T* data() noexcept { return values_; }
    [[nodiscard]] const T* data() const noexcept { return values_; }

private:
    T values_[std::max<std::size_t>(fixed, 1)];
};
template <class T>
class Unset<T, std::dynamic_extent> {
    static constexpr std::size_t few = 8;

public:
    explicit Unset(std::size_t size) : size_(size) {
        if (is_many()) [[unlikely]]
            many_ = new T[size];
    }
    Unset(const Unset& other) : Unset(other.size_) { std::copy_n(other.data(), size_, data()); }
    Unset(Unset&& other) noexcept { take(other); }
    Unset& operator=(Unset other) noexcept {
        free();
        take(other);
        return *this;
    }
    ANYMPI_INLINE ~Unset() { free(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] T* data() noexcept { return is_many() ? many_ : few_; }
    [[nodiscard]] const T* data() const noexcept { return is_many() ? many_ : few_; }

private:
    [[nodiscard]] ANYMPI_INLINE bool is_many() const noexcept { return size_ > few; }
    ANYMPI_INLINE void free() noexcept {
        if (is_many()) [[unlikely]]
            delete[] many_;
    }
    void take(Unset& other) noexcept {
        size_ = std::exchange(other.size_, 0);
        if (is_many())
            many_ = other.many_;
        else
            std::copy_n(other.few_, size_, few_);
    }

    std::size_t size_;
    union {
        T few_[few];
        T* many_;
    };
};

/// The parts of a list that follow from size() and operator[], which makes the elements.
template <class List, class Element>
class Listed {
public:
    class Iterator {
    public:
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        using reference = Element;
        using pointer = void;
        using iterator_category = std::input_iterator_tag;
        using iterator_concept = std::forward_iterator_tag;

        Iterator() = default;
        Iterator(const List& list, std::size_t place) noexcept : list_(&list), place_(place) {}
        Element operator*() const { return (*list_)[place_]; }
        Iterator& operator++() noexcept {
            ++place_;
            return *this;
        }
        Iterator operator++(int) noexcept { return {*list_, place_++}; }
        bool operator==(const Iterator& other) const noexcept { return place_ == other.place_; }

    private:
        const List* list_ = nullptr;
        std::size_t place_ = 0;
    };
    [[nodiscard]] Iterator begin() const noexcept { return {self(), 0}; }
    [[nodiscard]] Iterator end() const noexcept { return {self(), self().size()}; }
    [[nodiscard]] bool empty() const noexcept { return self().size() == 0; }
    operator std::vector<Element>() const { return {begin(), end()}; }

private:
    [[nodiscard]] const List& self() const noexcept { return static_cast<const List&>(*this); }
};

} // namespace detail

/// The statuses of requests that were completed together. `fixed` is their number, if the compiler knows it: then
/// `const auto [first, second] = wait_all(a, b)` gives their names.
template <std::size_t fixed = std::dynamic_extent>
class Statuses : public detail::Listed<Statuses<fixed>, Status> {
public:
    explicit Statuses(std::size_t size) : raw_(size) {}
    [[nodiscard]] std::size_t size() const noexcept { return raw_.size(); }
    Status operator[](std::size_t index) const noexcept { return detail::successful(raw_.data()[index]); }
    template <std::size_t index>
    [[nodiscard]] Status get() const noexcept {
        return (*this)[index];
    }
    [[nodiscard]] MPI_Status* raw() noexcept { return raw_.data(); }

private:
    detail::Unset<MPI_Status, fixed> raw_;
};

/// A request that is complete: its number among the requests, and its status.
struct Completed {
    std::size_t index;
    Status status;
};

/// The requests that were found complete by one call.
template <std::size_t fixed = std::dynamic_extent>
class Completions : public detail::Listed<Completions<fixed>, Completed> {
public:
    explicit Completions(std::size_t most) : indices_(most), statuses_(most) {}
    [[nodiscard]] std::size_t size() const noexcept {
        return count_ == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(count_);
    }
    Completed operator[](std::size_t number) const noexcept {
        return {index(number), detail::successful(statuses_.data()[number])};
    }
    [[nodiscard]] std::size_t index(std::size_t number) const noexcept {
        return static_cast<std::size_t>(indices_.data()[number]);
    }

    /// For functions that complete requests: where MPI stores the results.
    [[nodiscard]] int* count() noexcept { return &count_; }
    [[nodiscard]] int* indices() noexcept { return indices_.data(); }
    [[nodiscard]] MPI_Status* raw() noexcept { return statuses_.data(); }

private:
    int count_ = 0;
    detail::Unset<int, fixed> indices_;
    detail::Unset<MPI_Status, fixed> statuses_;
};

namespace detail {

/// The number of requests, if the compiler knows it.
template <class... Part>
inline constexpr std::size_t fixed_number = (std::ranges::range<Part> || ...) ? std::dynamic_extent : sizeof...(Part);

template <class Part>
std::size_t number_of(const Part& part) {
    if constexpr (std::ranges::range<Part>)
        return static_cast<std::size_t>(std::ranges::distance(part));
    else
        return 1;
}

/// The handles of the requests of a call, in an array for MPI.
template <std::size_t fixed>
class Handles : public Unset<MPI_Request, fixed> {
public:
    using Unset<MPI_Request, fixed>::Unset;
    [[nodiscard]] int count() const noexcept { return static_cast<int>(this->size()); }
    std::span<MPI_Request> all() noexcept { return {this->data(), this->size()}; }
};
template <class... Part>
using HandlesOf = Handles<fixed_number<std::remove_reference_t<Part>...>>;
template <class... Part>
using AllStatuses = Statuses<fixed_number<std::remove_reference_t<Part>...>>;
template <class... Part>
using SomeCompletions = Completions<fixed_number<std::remove_reference_t<Part>...>>;

// The next functions that are always inline pass on requests. Other functions get only arrays, see Request.

template <class Act, class Part>
ANYMPI_INLINE void visit(const Act& act, std::size_t& place, Part& part) {
    if constexpr (requires { part.each(act, place); })
        part.each(act, place);
    else if constexpr (std::ranges::range<Part>)
        for (auto&& request : part)
            act(request, place++);
    else
        act(part, place++);
}
/// Calls `act` with each request and its number.
template <class Act, class... Part>
ANYMPI_INLINE void each_request(const Act& act, Part&... parts) {
    [[maybe_unused]] std::size_t place = 0;
    (visit(act, place, parts), ...);
}
template <class... Part>
ANYMPI_INLINE void gather(MPI_Request* handles, Part&... parts) {
    each_request([&](auto& request, std::size_t place) ANYMPI_ALWAYS_INLINE { handles[place] = request.handle(); },
                 parts...);
}
template <class... Part>
ANYMPI_INLINE HandlesOf<Part...> handles_of(Part&... parts) {
    HandlesOf<Part...> handles((number_of(parts) + ... + std::size_t{0}));
    gather(handles.data(), parts...);
    return handles;
}

/// Returns true if the calls of some of these requests may be compared still.
template <class... Part>
ANYMPI_INLINE bool has_comparisons(Part&... parts) {
    if constexpr ((requires { parts.has_comparison(); } && ...))
        return (parts.has_comparison() || ...);
    else
        return shared::PendingComparisons::are_there();
}
/// Waits for the comparisons of these requests. Sets the results of the comparisons in the statuses, and the handles
/// of abandoned operations to null. Returns the first difference.
[[gnu::cold, gnu::noinline]] inline Fault settle_all(std::span<MPI_Request> handles, MPI_Status* statuses) {
    Fault first = MPI_SUCCESS;
    for (std::size_t place = 0; place < handles.size(); ++place) {
        const Fault fault = settle(handles[place]);
        statuses[place].MPI_ERROR = fault.code;
        if (fault)
            handles[place] = MPI_REQUEST_NULL;
        if (fault && !first)
            first = fault;
    }
    return first;
}
/// Hides operations whose calls are not compared yet from MPI: they count as incomplete. Returns true if there are
/// some.
[[gnu::cold, gnu::noinline]] inline bool hide_uncompared(std::span<MPI_Request> handles) {
    bool hides = false;
    for (MPI_Request& handle : handles)
        if (!is_compared(handle)) {
            handle = MPI_REQUEST_NULL;
            hides = true;
        }
    return hides;
}
/// Abandons the operations whose comparisons have found a difference.
template <class... Part>
ANYMPI_INLINE void abandon(const MPI_Status* results, Part&... parts) {
    each_request(
        [&](auto& request, std::size_t place) ANYMPI_ALWAYS_INLINE {
            if (results[place].MPI_ERROR != MPI_SUCCESS)
                request.complete(MPI_REQUEST_NULL, MPI_Status{}, results[place].MPI_ERROR);
        },
        parts...);
}
/// Compares before a call that does not wait: hides operations that are not compared yet, and abandons operations
/// whose calls differ.
template <std::size_t fixed, class... Part>
Fault compare_without_waiting(Handles<fixed>& handles, bool& hides, Part&... parts) {
    hides = false;
    if (!shared::PendingComparisons::are_there()) [[likely]]
        return MPI_SUCCESS;
    gather(handles.data(), parts...); // an earlier call may have hidden operations
    hides = hide_uncompared(handles.all());
    Unset<MPI_Status, fixed> results(handles.size());
    const Fault fault = settle_all(handles.all(), results.data());
    if (fault)
        abandon(results.data(), parts...);
    return fault;
}
/// Returns true if comparisons are pending. An operation whose call differs from the other processes' calls may never
/// complete, so MPI must not wait for it before it is compared.
template <class... Part>
bool looks_again(Part&... parts) {
    bool is_active = false;
    if (shared::PendingComparisons::are_there()) [[unlikely]]
        each_request([&](auto& request, std::size_t) { is_active = is_active || !request.is_completed(); }, parts...);
    return is_active;
}

// The next functions record the results of a call in the requests.

template <class... Part>
ANYMPI_INLINE void record_success(MPI_Request* handles, const MPI_Status* statuses, Part&... parts) {
    each_request([&](auto& request, std::size_t place)
                     ANYMPI_ALWAYS_INLINE { request.complete(handles[place], statuses[place], MPI_SUCCESS); },
                 parts...);
}
/// Used after an error too, since requests that are complete must not be waited for again. MPI sets the errors of the
/// statuses only if the call returns MPI_ERR_IN_STATUS. After any other failure, no operation is known to be complete.
template <class... Part>
ANYMPI_INLINE void record_failure(int code, MPI_Request* handles, const MPI_Status* statuses, Part&... parts) {
    const bool known = statuses && has_class(code, MPI_ERR_IN_STATUS);
    each_request(
        [&](auto& request, std::size_t place) ANYMPI_ALWAYS_INLINE {
            if (known)
                request.complete(handles[place], statuses[place], statuses[place].MPI_ERROR);
            else if (is_compared(request.handle())) // others were hidden
                request.complete(handles[place], MPI_Status{}, MPI_ERR_PENDING);
        },
        parts...);
}
template <class... Part>
void record_one(std::size_t wanted, MPI_Request handle, const MPI_Status& status, int code, Part&... parts) {
    std::size_t first = 0;
    const auto visit_part = [&](auto& part) {
        const std::size_t number = number_of(part), begin = std::exchange(first, first + number);
        if (wanted < begin || wanted >= first)
            return;
        if constexpr (std::ranges::range<decltype(part)>)
            (*std::ranges::next(std::ranges::begin(part), static_cast<std::ptrdiff_t>(wanted - begin)))
                .complete(handle, status, code);
        else
            part.complete(handle, status, code);
    };
    (visit_part(parts), ...);
}

// The next functions complete requests.

template <class Array, class... Part>
ANYMPI_CALLS ANYMPI_INLINE Fault wait_for_all(Array& handles, MPI_Status* statuses, Part&... parts) {
    if (is_too_late()) [[unlikely]]
        return too_late();
    if (has_comparisons(parts...)) [[unlikely]]
        if (const Fault fault = settle_all(handles.all(), statuses)) {
            abandon(statuses, parts...);
            return fault;
        }
    const int code = MPI_Waitall(handles.count(), handles.data(), statuses);
    if (code != MPI_SUCCESS) [[unlikely]]
        record_failure(code, handles.data(), statuses, parts...);
    else
        record_success(handles.data(), statuses, parts...);
    return code;
}
template <std::size_t fixed, class... Part>
ANYMPI_CALLS Fault test_for_all(Handles<fixed>& handles, int& complete, MPI_Status* statuses, Part&... parts) {
    if (is_too_late()) [[unlikely]]
        return too_late();
    bool hides = false;
    if (const Fault fault = compare_without_waiting(handles, hides, parts...); fault || hides)
        return fault;
    const int code = MPI_Testall(handles.count(), handles.data(), &complete, statuses);
    if (code != MPI_SUCCESS)
        record_failure(code, handles.data(), statuses, parts...);
    else if (complete)
        record_success(handles.data(), statuses, parts...);
    return code;
}
/// Completes at most one request by `call(count, handles, &index, &status)`.
template <class Call, std::size_t fixed, class... Part>
ANYMPI_CALLS Fault find_one(const Call& call, Handles<fixed>& handles, std::optional<Completed>& found,
                            Part&... parts) {
    if (is_too_late()) [[unlikely]]
        return too_late();
    bool hides = false;
    if (const Fault fault = compare_without_waiting(handles, hides, parts...))
        return fault;
    int index = MPI_UNDEFINED;
    MPI_Status status;
    const int code = call(handles.count(), handles.data(), &index, &status);
    if (index >= 0) { // otherwise MPI_UNDEFINED
        const auto place = static_cast<std::size_t>(index);
        record_one(place, handles.data()[place], status, code, parts...);
        found = Completed{place, successful(status)};
    } else if (code != MPI_SUCCESS) {
        record_failure(code, handles.data(), nullptr, parts...);
    }
    return code;
}
inline int test_one(int count, MPI_Request* handles, int* index, MPI_Status* status) {
    int complete = 0;
    return MPI_Testany(count, handles, index, &complete, status);
}
/// Completes requests by MPI_Waitsome or MPI_Testsome.
template <class Call, std::size_t fixed, class... Part>
ANYMPI_CALLS Fault find_some(const Call& call, Handles<fixed>& handles, Completions<fixed>& found, Part&... parts) {
    if (is_too_late()) [[unlikely]]
        return too_late();
    bool hides = false;
    if (const Fault fault = compare_without_waiting(handles, hides, parts...))
        return fault;
    const int code = call(handles.count(), handles.data(), found.count(), found.indices(), found.raw());
    if (code != MPI_SUCCESS && !has_class(code, MPI_ERR_IN_STATUS)) {
        record_failure(code, handles.data(), nullptr, parts...);
        return code;
    }
    for (std::size_t number = 0; number < found.size(); ++number) {
        const std::size_t place = found.index(number);
        const MPI_Status& status = found.raw()[number];
        record_one(place, handles.data()[place], status, code == MPI_SUCCESS ? code : status.MPI_ERROR, parts...);
    }
    return code;
}

/// The handles for a call that only asks about requests.
template <class... Part>
HandlesOf<const Part...> asked_handles_of(const Part&... parts) {
    auto handles = handles_of(parts...);
    if (shared::PendingComparisons::are_there()) [[unlikely]]
        hide_uncompared(handles.all());
    return handles;
}

template <class Part>
concept PersistentRange = std::ranges::forward_range<Part> &&
    std::derived_from<std::remove_reference_t<std::ranges::range_reference_t<Part>>, PersistentRequest>;

template <class T>
struct ValueIn {
    using type = T;
};
template <class T, class E>
struct ValueIn<Expected<T, E>> {
    using type = T;
};
/// The type that wait() of the requests of a range returns.
template <class Range>
using ValueOf = typename ValueIn<decltype(std::declval<std::ranges::range_reference_t<Range>>().wait())>::type;

} // namespace detail

// Each function takes requests of any kinds, and ranges of requests, in any order.

/// Waits for all requests, and returns their statuses.
template <Requests... Part>
ANYMPI_CALLS ANYMPI_INLINE result<detail::AllStatuses<Part...>> wait_all(Part&&... parts) {
    auto handles = detail::handles_of(parts...);
    detail::AllStatuses<Part...> statuses(handles.size());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", detail::wait_for_all(handles, statuses.raw(), parts...));
    return statuses;
}
/// Returns the statuses if all requests are complete. Otherwise no request changes.
template <Requests... Part>
[[nodiscard]] ANYMPI_CALLS inline result<std::optional<detail::AllStatuses<Part...>>> test_all(Part&&... parts) {
    auto handles = detail::handles_of(parts...);
    std::optional<detail::AllStatuses<Part...>> statuses(std::in_place, handles.size());
    int complete = 0;
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testall",
                   detail::test_for_all(handles, complete, statuses->raw(), parts...));
    if (!complete)
        statuses.reset();
    return statuses;
}
/// Waits for the first request to complete. Returns nothing if no request is active.
template <Requests... Part>
ANYMPI_CALLS inline result<std::optional<Completed>> wait_any(Part&&... parts) {
    auto handles = detail::handles_of(parts...);
    std::optional<Completed> found;
    detail::Fault fault = MPI_SUCCESS;
    while (!found && !fault && detail::looks_again(parts...))
        [[unlikely]] fault = detail::find_one(detail::test_one, handles, found, parts...);
    if (!found && !fault)
        fault = detail::find_one(MPI_Waitany, handles, found, parts...);
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitany", fault);
    return found;
}
/// Returns a request that is complete, if there is one.
template <Requests... Part>
[[nodiscard]] ANYMPI_CALLS inline result<std::optional<Completed>> test_any(Part&&... parts) {
    auto handles = detail::handles_of(parts...);
    std::optional<Completed> found;
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testany", detail::find_one(detail::test_one, handles, found, parts...));
    return found;
}
/// Waits until at least one request is complete. The result is empty if no request is active.
template <Requests... Part>
ANYMPI_CALLS inline result<detail::SomeCompletions<Part...>> wait_some(Part&&... parts) {
    auto handles = detail::handles_of(parts...);
    detail::SomeCompletions<Part...> found(handles.size());
    detail::Fault fault = MPI_SUCCESS;
    while (found.empty() && !fault && detail::looks_again(parts...))
        [[unlikely]] fault = detail::find_some(MPI_Testsome, handles, found, parts...);
    if (found.empty() && !fault)
        fault = detail::find_some(MPI_Waitsome, handles, found, parts...);
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitsome", fault);
    return found;
}
/// Returns the requests that are complete.
template <Requests... Part>
[[nodiscard]] ANYMPI_CALLS inline result<detail::SomeCompletions<Part...>> test_some(Part&&... parts) {
    auto handles = detail::handles_of(parts...);
    detail::SomeCompletions<Part...> found(handles.size());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testsome", detail::find_some(MPI_Testsome, handles, found, parts...));
    return found;
}

// The functions whose names begin with get_status change no request. If the mpi.h lacks a function of MPI 4.1, a loop
// replaces it.

/// Returns the statuses if all requests are complete.
template <class... Part>
[[nodiscard]] ANYMPI_CALLS inline result<std::optional<detail::AllStatuses<const Part...>>>
get_status_all(const Part&... parts) {
    auto handles = detail::handles_of(parts...);
    std::optional<detail::AllStatuses<const Part...>> statuses(std::in_place, handles.size());
    int complete = !shared::PendingComparisons::are_there() || !detail::hide_uncompared(handles.all());
    if constexpr (ANYMPI_HAS(MPI_Request_get_status_all)) {
        if (complete)
            ANYMPI_CALL(detail::Nowhere{}, MPI_Request_get_status_all, handles.count(), handles.data(), &complete,
                        statuses->raw());
    } else {
        for (std::size_t place = 0; place < handles.size() && complete; ++place)
            ANYMPI_CALL(detail::Nowhere{}, MPI_Request_get_status, handles.data()[place], &complete,
                        &statuses->raw()[place]);
    }
    if (!complete)
        statuses.reset();
    return statuses;
}
/// Returns the requests that are complete.
template <class... Part>
[[nodiscard]] ANYMPI_CALLS inline result<detail::SomeCompletions<const Part...>> get_status_some(const Part&... parts) {
    auto handles = detail::asked_handles_of(parts...);
    detail::SomeCompletions<const Part...> found(handles.size());
    if constexpr (ANYMPI_HAS(MPI_Request_get_status_some)) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Request_get_status_some, handles.count(), handles.data(), found.count(),
                    found.indices(), found.raw());
    } else {
        for (int place = 0; place < handles.count(); ++place) {
            int complete = 0, &count = *found.count();
            if (const MPI_Request handle = handles.all()[static_cast<std::size_t>(place)]; handle != MPI_REQUEST_NULL)
                ANYMPI_CALL(detail::Nowhere{}, MPI_Request_get_status, handle, &complete, &found.raw()[count]);
            if (complete)
                found.indices()[count++] = place;
        }
    }
    return found;
}
/// Returns a request that is complete, if there is one.
template <class... Part>
[[nodiscard]] ANYMPI_CALLS inline result<std::optional<Completed>> get_status_any(const Part&... parts) {
    auto handles = detail::asked_handles_of(parts...);
    int index = MPI_UNDEFINED, complete = 0;
    MPI_Status status;
    if constexpr (ANYMPI_HAS(MPI_Request_get_status_any)) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Request_get_status_any, handles.count(), handles.data(), &index, &complete,
                    &status);
    } else {
        for (int place = 0; place < handles.count() && !complete; ++place)
            if (const MPI_Request handle = handles.all()[static_cast<std::size_t>(place)]; handle != MPI_REQUEST_NULL) {
                ANYMPI_CALL(detail::Nowhere{}, MPI_Request_get_status, handle, &complete, &status);
                index = place;
            }
    }
    std::optional<Completed> found;
    if (complete && index >= 0)
        found = Completed{static_cast<std::size_t>(index), detail::successful(status)};
    return found;
}

/// Waits for all requests of a range, and returns what wait() of each returns, for example the values that they own.
template <RequestRange Range>
ANYMPI_CALLS inline auto wait_values(Range&& range) -> result<std::vector<detail::ValueOf<Range>>> {
    auto handles = detail::handles_of(range);
    detail::AllStatuses<Range> statuses(handles.size());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", detail::wait_for_all(handles, statuses.raw(), range));
    std::vector<detail::ValueOf<Range>> values;
    values.reserve(handles.size());
    if constexpr (std::same_as<detail::ValueOf<Range>, Status>) { // wait() of a completed request does not know it
        values.assign(statuses.begin(), statuses.end());
    } else {
        for (auto&& request : range) {
#ifdef ANYMPI_RESULTS
            auto value = request.wait();
            if (!value)
                return std::move(value.error());
            values.push_back(*std::move(value));
#else
            values.push_back(request.wait());
#endif
        }
    }
    return values;
}

/// Starts persistent requests of any kinds, and ranges of them.
template <class... Part>
requires((std::derived_from<std::remove_reference_t<Part>, PersistentRequest> || detail::PersistentRange<Part>)&&...)
    ANYMPI_CALLS inline result<void> start_all(Part&&... parts) {
    auto handles = detail::handles_of(parts...);
    detail::Fault fault = MPI_SUCCESS;
    detail::each_request(
        [&](const PersistentRequest& request, std::size_t) {
            if (!fault)
                fault = request.check_startable();
        },
        parts...);
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Startall", fault);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Startall, handles.count(), handles.data());
    detail::each_request([](PersistentRequest& request, std::size_t) { request.started(); }, parts...);
    return detail::done();
}

} // namespace ANYMPI_POLICY
} // namespace anympi

/// @cond Doxygen knows no std::tuple_size
template <std::size_t known>
requires(known != std::dynamic_extent) struct std::tuple_size<anympi::Statuses<known>>
    : std::integral_constant<std::size_t, known> {
};
template <std::size_t index, std::size_t known>
struct std::tuple_element<index, anympi::Statuses<known>> {
    using type = anympi::Status;
};
/// @endcond

#endif
