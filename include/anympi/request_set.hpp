// Sets of requests, which complete together or one by one.
#ifndef ANYMPI_REQUEST_SET_HPP
#define ANYMPI_REQUEST_SET_HPP

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "request.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Several requests of one kind, completed together or one by one. A completed request leaves a hole, so that indices
/// do not change. See RequestSet and OwningRequestSet.
template <class R>
class [[nodiscard]] BasicRequestSet {
public:
    BasicRequestSet() = default;
    /// Adds a request and returns its index in the set.
    std::size_t add(R request) {
        requests_.push_back(std::move(request));
        return requests_.size() - 1;
    }
    [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
    [[nodiscard]] std::size_t active() const noexcept {
        std::size_t count = 0;
        for (const R& request : requests_)
            count += !request.is_completed();
        return count;
    }

    /// Waits for one request. Returns its status, or the value that it owns.
    ANYMPI_CALLS auto wait(std::size_t index) -> decltype(std::declval<R&>().wait()) {
        if (index >= size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "there is no such request in the set"}), "MPI_Wait",
                        detail::Nowhere{});
        return requests_[index].wait();
    }
    ANYMPI_CALLS result<std::vector<Status>> wait_all() {
        Handles handles(*this);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", detail::settle_all(handles.all_handles(), handles.statuses));
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitall", detail::complete_several(handles.statuses, [&] {
                           return MPI_Waitall(handles.count(), handles.data(), handles.statuses.data());
                       }));
        return handles.all();
    }
    ANYMPI_CALLS result<std::optional<std::vector<Status>>> test_all() {
        using Answer = std::optional<std::vector<Status>>;
        Handles handles(*this);
        int complete = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testall", handles.compare());
        if (handles.are_hidden()) [[unlikely]]
            return Answer();
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testall", detail::complete_several(handles.statuses, [&] {
                           return MPI_Testall(handles.count(), handles.data(), &complete, handles.statuses.data());
                       }));
        return complete ? Answer(handles.all()) : Answer();
    }

    struct Completed {
        std::size_t index;
        Status status;
    };
    /// Waits for the first request to complete. Returns nothing if no request is active.
    ANYMPI_CALLS result<std::optional<Completed>> wait_any() {
        std::optional<Completed> found;
        detail::Fault fault = MPI_SUCCESS;
        while (looks_again() && !found && !fault)
            [[unlikely]] fault = find_one(found, test_one);
        if (!found && !fault)
            fault = find_one(found, [](Handles& handles, int* index, MPI_Status* status) {
                return MPI_Waitany(handles.count(), handles.data(), index, status);
            });
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitany", fault);
        return found;
    }
    /// Returns a request that is complete, if there is one.
    ANYMPI_CALLS result<std::optional<Completed>> test_any() {
        std::optional<Completed> found;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testany", find_one(found, test_one));
        return found;
    }
    /// Waits until at least one request is complete. The result is empty if no request is active.
    ANYMPI_CALLS result<std::vector<Completed>> wait_some() {
        std::vector<Completed> found;
        detail::Fault fault = MPI_SUCCESS;
        while (looks_again() && found.empty() && !fault)
            [[unlikely]] fault = find_some(found, MPI_Testsome);
        if (found.empty() && !fault)
            fault = find_some(found, MPI_Waitsome);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Waitsome", fault);
        return found;
    }
    ANYMPI_CALLS result<std::vector<Completed>> test_some() {
        std::vector<Completed> found;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Testsome", find_some(found, MPI_Testsome));
        return found;
    }

private:
    class Handles;
    struct Some {
        explicit Some(std::size_t size) : indices(size), statuses(size) {}
        int count = 0;
        std::vector<int> indices;
        std::vector<MPI_Status> statuses;
    };
    /// Returns true if comparisons are pending. An operation whose call differs from the other processes' calls may
    /// never complete, so MPI must not wait for it before it is compared.
    [[nodiscard]] bool looks_again() const noexcept { return shared::PendingComparisons::are_there() && active() > 0; }
    static int test_one(Handles& handles, int* index, MPI_Status* status) {
        int complete = 0;
        return MPI_Testany(handles.count(), handles.data(), index, &complete, status);
    }
    template <class Complete>
    ANYMPI_CALLS detail::Fault find_one(std::optional<Completed>& found, const Complete& complete) {
        Handles handles(*this);
        int index = MPI_UNDEFINED;
        MPI_Status status;
        if (detail::is_too_late()) [[unlikely]]
            return detail::too_late();
        if (const detail::Fault fault = handles.compare())
            return fault;
        status.MPI_ERROR = complete(handles, &index, &status);
        found = handles.one(index, status);
        return status.MPI_ERROR;
    }
    template <class Function>
    ANYMPI_CALLS detail::Fault find_some(std::vector<Completed>& found, const Function& complete) {
        Handles handles(*this);
        Some some(size());
        if (const detail::Fault fault = handles.compare())
            return fault;
        const detail::Fault fault = detail::complete_several(some.statuses, [&] {
            return complete(handles.count(), handles.data(), &some.count, some.indices.data(), some.statuses.data());
        });
        found = handles.several(some); // also if some requests failed
        return fault;
    }
    /// The handles in an array, as MPI expects them. The destructor stores the handles back into the requests, also
    /// after an error.
    class Handles {
    public:
        explicit Handles(BasicRequestSet& set) : statuses(set.size()), set_(set) {
            handles_.reserve(set.size());
            for (const R& request : set.requests_)
                handles_.push_back(request.handle());
        }
        Handles(const Handles&) = delete;
        Handles& operator=(const Handles&) = delete;
        ~Handles() {
            for (const auto& [place, handle] : hidden_)
                handles_[place] = handle;
            for (std::size_t place = 0; place < handles_.size(); ++place)
                set_.requests_[place].complete(handles_[place], statuses[place]);
        }
        [[nodiscard]] int count() const { return static_cast<int>(handles_.size()); }
        MPI_Request* data() { return handles_.data(); }
        std::span<MPI_Request> all_handles() { return handles_; }

        /// Hides operations whose calls are not compared yet, and abandons one whose call differs.
        ANYMPI_CALLS detail::Fault compare() {
            if (!shared::PendingComparisons::are_there() || detail::is_too_late()) [[likely]]
                return MPI_SUCCESS;
            for (std::size_t place = 0; place < handles_.size(); ++place) {
                if (!detail::is_compared(handles_[place])) {
                    hidden_.emplace_back(place, std::exchange(handles_[place], MPI_REQUEST_NULL));
                } else if (const detail::Fault fault = detail::settle(handles_[place])) {
                    statuses[place].MPI_ERROR = fault.code;
                    return fault;
                }
            }
            return MPI_SUCCESS;
        }
        [[nodiscard]] bool are_hidden() const noexcept { return !hidden_.empty(); }

        [[nodiscard]] std::vector<Status> all() const { return {statuses.begin(), statuses.end()}; }
        std::optional<Completed> one(int index, const MPI_Status& status) {
            if (index < 0) // MPI_UNDEFINED
                return std::nullopt;
            const auto place = static_cast<std::size_t>(index);
            statuses[place] = status;
            return Completed{place, Status(status)};
        }
        std::vector<Completed> several(const Some& some) {
            std::vector<Completed> found;
            for (int place = 0; some.count != MPI_UNDEFINED && place < some.count; ++place) {
                const auto at = static_cast<std::size_t>(place);
                found.push_back(*one(some.indices[at], some.statuses[at]));
            }
            return found;
        }
        std::vector<MPI_Status> statuses;

    private:
        BasicRequestSet& set_;
        std::vector<MPI_Request> handles_;
        std::vector<std::pair<std::size_t, MPI_Request>> hidden_;
    };

    std::vector<R> requests_;
};
using RequestSet = BasicRequestSet<Request>;
/// A set of operations that own their memory. wait(index) returns the value of a request.
template <class Value>
using OwningRequestSet = BasicRequestSet<OwningRequest<Value>>;

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
