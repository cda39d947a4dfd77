// The tools interface: variables of the library, by name.
//
//     const anympi::Tools tools = anympi::Tools::begin();
//     const auto limit = tools.read_control<int>("MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE");
#ifndef ANYMPI_TOOLS_HPP
#define ANYMPI_TOOLS_HPP

#include <string>
#include <vector>

#include "environment.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The interface is there as long as this is, also before MPI begins and after it ends.
class [[nodiscard]] Tools {
public:
    static result<Tools> begin(ThreadLevel wanted = ThreadLevel::single) {
        int granted = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_init_thread", MPI_T_init_thread(static_cast<int>(wanted), &granted));
        return Tools();
    }
    Tools(Tools&& other) noexcept : here_(std::exchange(other.here_, false)) {}
    Tools& operator=(Tools&&) = delete;
    ~Tools() {
        if (here_)
            MPI_T_finalize();
    }

    [[nodiscard]] result<std::vector<std::string>> control_variables() const {
        int count = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_get_num", MPI_T_cvar_get_num(&count));
        std::vector<std::string> names;
        for (int number = 0; number < count; ++number)
            if (const std::string name = control(number).name; !name.empty())
                names.push_back(name);
        return names;
    }
    [[nodiscard]] result<std::vector<std::string>> performance_variables() const {
        int count = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_pvar_get_num", MPI_T_pvar_get_num(&count));
        std::vector<std::string> names;
        for (int number = 0; number < count; ++number)
            if (const std::string name = performance(number).name; !name.empty())
                names.push_back(name);
        return names;
    }

    /// The value of a control variable, as T: a number, or std::string.
    template <class T>
    requires std::is_arithmetic_v<T> || std::same_as<T, std::string>
    [[nodiscard]] result<T> read_control(const std::string& name) const {
        int number = 0, count = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_get_index", MPI_T_cvar_get_index(name.c_str(), &number));
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_handle_alloc",
                       MPI_T_cvar_handle_alloc(number, nullptr, &handle, &count));
        Room room(control(number).type, count);
        const int code = MPI_T_cvar_read(handle, room.data());
        MPI_T_cvar_handle_free(&handle);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_read", code);
        return room.as<T>();
    }
    /// The value of a performance variable that is bound to nothing, as T. It has been started, if it must be, for this
    /// reading only.
    template <class T>
    requires std::is_arithmetic_v<T>
    [[nodiscard]] result<T> read_performance(const std::string& name) const {
        const int number = performance_number(name);
        if (number < 0)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "there is no such performance variable"}), "MPI_T_pvar_get_index",
                        detail::Nowhere{});
        MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_pvar_session_create", MPI_T_pvar_session_create(&session));
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        int count = 0;
        const Variable variable = performance(number);
        int code = MPI_T_pvar_handle_alloc(session, number, nullptr, &handle, &count);
        Room room(variable.type, count);
        if (code == MPI_SUCCESS && !variable.continuous)
            code = MPI_T_pvar_start(session, handle);
        if (code == MPI_SUCCESS)
            code = MPI_T_pvar_read(session, handle, room.data());
        MPI_T_pvar_session_free(&session);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_pvar_read", code);
        return room.as<T>();
    }

private:
    Tools() = default;

    struct Variable {
        std::string name;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        bool continuous = false;
    };
    static Variable control(int number) {
        char name[512] = "";
        int length = sizeof name, verbosity = 0, bind = 0, scope = 0, no_text = 0;
        Variable found;
        if (MPI_T_cvar_get_info(number, name, &length, &verbosity, &found.type, nullptr, nullptr, &no_text, &bind,
                                &scope) == MPI_SUCCESS)
            found.name = name;
        return found;
    }
    static Variable performance(int number) {
        char name[512] = "";
        int length = sizeof name, verbosity = 0, variable_class = 0, bind = 0, readonly = 0, continuous = 0, atomic = 0,
            no_text = 0;
        Variable found;
        if (MPI_T_pvar_get_info(number, name, &length, &verbosity, &variable_class, &found.type, nullptr, nullptr,
                                &no_text, &bind, &readonly, &continuous, &atomic) == MPI_SUCCESS)
            found.name = name;
        found.continuous = continuous != 0;
        return found;
    }
    /// By name alone: MPI asks for the class too, which people do not know.
    static int performance_number(const std::string& name) {
        int count = 0;
        MPI_T_pvar_get_num(&count);
        for (int number = 0; number < count; ++number)
            if (performance(number).name == name)
                return number;
        return -1;
    }

    /// Memory for a value of a type that is known at run time.
    class Room {
    public:
        Room(MPI_Datatype type, int count)
            : type_(type), memory_(static_cast<std::size_t>(std::max(count, 1)) * 16 + 1) {}
        std::byte* data() { return memory_.data(); }
        template <class T>
        [[nodiscard]] T as() const {
            if constexpr (std::same_as<T, std::string>) {
                return reinterpret_cast<const char*>(memory_.data());
            } else {
                if (type_ == MPI_INT)
                    return static_cast<T>(first<int>());
                if (type_ == MPI_UNSIGNED)
                    return static_cast<T>(first<unsigned>());
                if (type_ == MPI_UNSIGNED_LONG)
                    return static_cast<T>(first<unsigned long>());
                if (type_ == MPI_UNSIGNED_LONG_LONG)
                    return static_cast<T>(first<unsigned long long>());
                if (type_ == MPI_COUNT)
                    return static_cast<T>(first<MPI_Count>());
                if (type_ == MPI_DOUBLE)
                    return static_cast<T>(first<double>());
                return static_cast<T>(first<char>());
            }
        }

    private:
        template <class T>
        [[nodiscard]] T first() const {
            T value{};
            std::copy_n(memory_.data(), sizeof value, reinterpret_cast<std::byte*>(&value));
            return value;
        }
        MPI_Datatype type_;
        std::vector<std::byte> memory_;
    };

    bool here_ = true;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
