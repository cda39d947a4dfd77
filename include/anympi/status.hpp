#ifndef ANYMPI_STATUS_HPP
#define ANYMPI_STATUS_HPP

#include <optional>

#include "datatype.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The source, tag and size of a message.
class Status {
public:
    Status() noexcept : status_{} {}
    explicit Status(const MPI_Status& status) noexcept : status_(status) {}

    [[nodiscard]] int source() const noexcept { return status_.MPI_SOURCE; }
    [[nodiscard]] int tag() const noexcept { return status_.MPI_TAG; }
    [[nodiscard]] int error() const noexcept { return status_.MPI_ERROR; }
    [[nodiscard]] ANYMPI_CALLS bool cancelled() const {
        int flag = 0;
        if (!detail::is_too_late())
            MPI_Test_cancelled(&status_, &flag);
        return flag != 0;
    }
    /// Returns the number of whole elements of T that were received. Returns nothing if the size is not a whole number
    /// of elements, or if the library has ended.
    template <Communicable T>
    [[nodiscard]] ANYMPI_CALLS std::optional<std::size_t> count() const {
        if (detail::is_too_late())
            return std::nullopt;
        return count(datatype<T>());
    }
    [[nodiscard]] ANYMPI_CALLS std::optional<std::size_t> count(MPI_Datatype type) const {
        MPI_Count count = 0;
        if (detail::is_too_late() || MPI_Get_count_c(&status_, type, &count) != MPI_SUCCESS || count == MPI_UNDEFINED ||
            count < 0)
            return std::nullopt;
        return static_cast<std::size_t>(count);
    }
    /// Returns how many basic elements were received, such as the members of a struct. The last T may be incomplete.
    /// Returns nothing if the last basic element is incomplete, or if the library has ended.
    template <Communicable T>
    [[nodiscard]] ANYMPI_CALLS std::optional<std::size_t> elements() const {
        if (detail::is_too_late())
            return std::nullopt;
        return elements(datatype<T>());
    }
    [[nodiscard]] ANYMPI_CALLS std::optional<std::size_t> elements(MPI_Datatype type) const {
        MPI_Count count = 0;
        if (detail::is_too_late() || MPI_Get_elements_c(&status_, type, &count) != MPI_SUCCESS ||
            count == MPI_UNDEFINED || count < 0)
            return std::nullopt;
        return static_cast<std::size_t>(count);
    }
    [[nodiscard]] const MPI_Status& raw() const noexcept { return status_; }

private:
    MPI_Status status_;
};

/// A last argument that asks for the status too: auto [value, status] = world.recv<double>(any_source, any_tag,
/// with_status).
struct WithStatus {};
inline constexpr WithStatus with_status;
/// The received data, and the source, tag and size of the message.
template <class V>
struct AndStatus {
    V value;
    Status status;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
