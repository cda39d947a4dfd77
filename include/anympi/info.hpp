#ifndef ANYMPI_INFO_HPP
#define ANYMPI_INFO_HPP

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "owned.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Hints: keys with values. Info{} is a null info, Info::create() an empty one. Every function to which MPI passes an
/// info has a parameter for it.
class Info : public Owned<detail::InfoKind> {
public:
    using Owned::Owned;

    static ANYMPI_CALLS result<Info> create() {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_create, &made);
        return Info(made, true);
    }
    static ANYMPI_CALLS result<Info> of(std::initializer_list<std::pair<std::string, std::string>> entries) {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_create, &made);
        Info info(made, true);
        for (const auto& [key, value] : entries)
            ANYMPI_CALL(detail::Nowhere{}, MPI_Info_set, made, key.c_str(), value.c_str());
        return info;
    }
    /// Returns how the program was started.
    static ANYMPI_CALLS result<Info> environment() {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_create_env, 0, nullptr, &made);
        return Info(made, true);
    }
    ANYMPI_CALLS result<void> set(const std::string& key, const std::string& value) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_set, handle(), key.c_str(), value.c_str());
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<std::optional<std::string>> get(const std::string& key) const {
        int length = 0, found = 0;
        char nothing[1]; // the call asks for no text, but some libraries refuse a null pointer
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_get_string, handle(), key.c_str(), &length, nothing, &found);
        if (!found)
            return std::optional<std::string>();
        std::string value(static_cast<std::size_t>(length), '\0');
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_get_string, handle(), key.c_str(), &length, value.data(), &found);
        value.resize(value.empty() ? 0 : value.size() - 1); // the length included the final zero
        return std::optional<std::string>(std::move(value));
    }
    ANYMPI_CALLS result<void> erase(const std::string& key) {
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_delete, handle(), key.c_str());
        return detail::done();
    }
    [[nodiscard]] ANYMPI_CALLS result<std::vector<std::string>> keys() const {
        int count = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_get_nkeys, handle(), &count);
        std::vector<std::string> keys;
        for (int number = 0; number < count; ++number) {
            char key[MPI_MAX_INFO_KEY + 1] = "";
            ANYMPI_CALL(detail::Nowhere{}, MPI_Info_get_nthkey, handle(), number, key);
            keys.push_back(std::string(key));
        }
        return keys;
    }
    [[nodiscard]] ANYMPI_CALLS result<Info> duplicate() const {
        MPI_Info made = MPI_INFO_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Info_dup, handle(), &made);
        return Info(made, true);
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
