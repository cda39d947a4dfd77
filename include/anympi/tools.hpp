// The tools interface: variables and events of the library, by name.
//
//     const anympi::Tools tools = anympi::Tools::begin();
//     const auto limit = tools.read_control<int>("MPIR_CVAR_ALLREDUCE_SHORT_MSG_SIZE");
#ifndef ANYMPI_TOOLS_HPP
#define ANYMPI_TOOLS_HPP

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "environment.hpp"
#include "room.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

/// Calls `act` with a value of the C++ type of a datatype of the tools interface, if that type is a number.
template <class Act>
bool with_number(MPI_Datatype type, Act act) {
    const auto is_one = [&](MPI_Datatype candidate, auto value) {
        if (type != candidate)
            return false;
        act(value);
        return true;
    };
    return is_one(MPI_INT, int{}) || is_one(MPI_UNSIGNED, 0U) || is_one(MPI_UNSIGNED_LONG, 0UL) ||
           is_one(MPI_UNSIGNED_LONG_LONG, 0ULL) || is_one(MPI_COUNT, MPI_Count{}) || is_one(MPI_DOUBLE, double{}) ||
           is_one(MPI_INT32_T, std::int32_t{}) || is_one(MPI_INT64_T, std::int64_t{}) ||
           is_one(MPI_UINT32_T, std::uint32_t{}) || is_one(MPI_UINT64_T, std::uint64_t{});
}
/// Returns the size in bytes, or 0 if the datatype does not belong to the tools interface. MPI_Type_size cannot be
/// called before MPI begins.
inline std::size_t size_of_element(MPI_Datatype type) {
    std::size_t size = type == MPI_CHAR ? 1 : 0;
    with_number(type, [&](auto value) { size = sizeof value; });
    return size;
}

} // namespace detail

/// An event in the library. A listener must not keep it.
class Event {
public:
    /// Returns one of the values of the event. T must have the size of that element.
    template <class T>
    requires std::is_trivially_copyable_v<T> ANYMPI_CALLS result<T> read(int element)
    const {
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_event_read", check(element, sizeof(T)));
        T value{};
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_event_read", MPI_T_event_read(instance_, element, &value));
        return value;
    }
    /// Returns the time of the event, in ticks of its source.
    [[nodiscard]] ANYMPI_CALLS result<MPI_Count> timestamp() const {
        MPI_Count ticks = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_event_get_timestamp", MPI_T_event_get_timestamp(instance_, &ticks));
        return ticks;
    }

private:
    friend class EventWatch;
    Event(MPI_T_event_instance instance, const std::vector<std::size_t>& sizes) noexcept
        : instance_(instance), sizes_(sizes) {}
    [[nodiscard]] detail::Fault check(int element, std::size_t size) const {
        if (element < 0 || static_cast<std::size_t>(element) >= sizes_.size())
            return {MPI_ERR_ARG, "the event has no such element"};
        if (sizes_[static_cast<std::size_t>(element)] != size)
            return {MPI_ERR_TYPE, "the element and the variable for it differ in size"};
        return MPI_SUCCESS;
    }

    MPI_T_event_instance instance_;
    const std::vector<std::size_t>& sizes_; // sizes of the elements
};

/// Calls a function for events of one kind, for as long as this object lives.
class [[nodiscard]] EventWatch {
public:
    using Listener = std::function<void(const Event&)>;

    EventWatch(EventWatch&& other) noexcept
        : registration_(std::exchange(other.registration_, nullptr)), watched_(other.watched_) {}
    EventWatch& operator=(EventWatch&&) = delete;
    /// The function lives until the library reports that it no longer calls the function.
    ~EventWatch() {
        if (registration_)
            MPI_T_event_handle_free(registration_, watched_, &forget);
    }

private:
    friend class Tools;
    struct Watched {
        Listener listener;
        std::vector<std::size_t> sizes; // sizes of the elements
    };
    static ANYMPI_CALLS result<EventWatch> begin(int number, Watched watched, const Info& info) {
        MPI_T_event_registration made = nullptr;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_event_handle_alloc",
                       MPI_T_event_handle_alloc(number, nullptr, info.handle(), &made));
        EventWatch watch(made, new Watched(std::move(watched)));
        ANYMPI_REQUIRE(
            detail::Nowhere{}, "MPI_T_event_register_callback",
            MPI_T_event_register_callback(made, MPI_T_CB_REQUIRE_NONE, info.handle(), watch.watched_, &call));
        return watch;
    }
    EventWatch(MPI_T_event_registration registration, Watched* watched) noexcept
        : registration_(registration), watched_(watched) {}
    static void call(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
        const auto& watched = *static_cast<const Watched*>(data);
        detail::call_back("an exception left the listener of an event",
                          [&] { watched.listener(Event(instance, watched.sizes)); });
    }
    static void forget(MPI_T_event_registration, MPI_T_cb_safety, void* data) { delete static_cast<Watched*>(data); }

    MPI_T_event_registration registration_;
    Watched* watched_; // belongs to the registration
};

/// Opens the tools interface for as long as this object lives, also before MPI begins and after it ends.
class [[nodiscard]] Tools {
public:
    /// If MPI has begun, the interface gets at least MPI's level: a library may keep one level for both (Open MPI
    /// does), and a lower level would let MPI's threads run without locks.
    static ANYMPI_CALLS result<Tools> begin(ThreadLevel wanted = ThreadLevel::single) {
        int of_mpi = MPI_THREAD_SINGLE, granted = 0;
        if (is_initialized() && !is_finalized())
            ANYMPI_CALL(detail::Nowhere{}, MPI_Query_thread, &of_mpi);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_init_thread",
                       MPI_T_init_thread(std::max(static_cast<int>(wanted), of_mpi), &granted));
        return Tools();
    }
    Tools(Tools&& other) noexcept : here_(std::exchange(other.here_, false)) {}
    Tools& operator=(Tools&&) = delete;
    ~Tools() {
        if (here_)
            MPI_T_finalize();
    }

    [[nodiscard]] ANYMPI_CALLS result<std::vector<std::string>> control_variables() const {
        int count = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_get_num", MPI_T_cvar_get_num(&count));
        std::vector<std::string> names;
        for (int number = 0; number < count; ++number)
            if (const std::string name = control(number).name; !name.empty())
                names.push_back(name);
        return names;
    }
    [[nodiscard]] ANYMPI_CALLS result<std::vector<std::string>> performance_variables() const {
        int count = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_pvar_get_num", MPI_T_pvar_get_num(&count));
        std::vector<std::string> names;
        for (int number = 0; number < count; ++number)
            if (const std::string name = performance(number).name; !name.empty())
                names.push_back(name);
        return names;
    }

    /// Returns the value of a control variable as T: std::string for text, any number type for a number. If the
    /// variable has several numbers, returns the first.
    template <class T>
    requires std::is_arithmetic_v<T> || std::same_as<T, std::string>
    [[nodiscard]] ANYMPI_CALLS result<T> read_control(const std::string& name) const {
        Room room;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_read",
                       with_control(name, room, [&](MPI_T_cvar_handle handle) -> detail::Fault {
                           return room.is<T>() ? detail::Fault(MPI_T_cvar_read(handle, room.data())) : wrong_kind();
                       }));
        return room.as<T>();
    }
    /// Sets a control variable. The library does not allow this for many variables, and for some not after MPI has
    /// begun.
    template <class T>
    requires std::is_arithmetic_v<T> ANYMPI_CALLS result<void> write_control(const std::string& name, T value)
    const {
        Room room;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_write",
                       with_control(name, room, [&](MPI_T_cvar_handle handle) -> detail::Fault {
                           if (!room.is<T>())
                               return wrong_kind();
                           room.set(value);
                           return MPI_T_cvar_write(handle, room.data());
                       }));
        return detail::done();
    }
    ANYMPI_CALLS result<void> write_control(const std::string& name, const std::string& value) const {
        Room room;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_cvar_write",
                       with_control(name, room, [&](MPI_T_cvar_handle handle) -> detail::Fault {
                           if (!room.is<std::string>())
                               return wrong_kind();
                           return room.set(value) ? MPI_T_cvar_write(handle, room.data()) : MPI_T_ERR_INVALID;
                       }));
        return detail::done();
    }
    /// Returns the value of a performance variable that is not bound to an object, as T. A variable that must be
    /// started is started only for this call.
    template <class T>
    requires std::is_arithmetic_v<T>
    [[nodiscard]] ANYMPI_CALLS result<T> read_performance(const std::string& name) const {
        const int number = performance_number(name);
        if (number < 0)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "there is no such performance variable"}), "MPI_T_pvar_get_index",
                        detail::Nowhere{});
        MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_pvar_session_create", MPI_T_pvar_session_create(&session));
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        int count = 0;
        const Variable variable = performance(number);
        detail::Fault code = variable.is_bound ? bound() : detail::Fault(MPI_SUCCESS);
        if (!code)
            code = MPI_T_pvar_handle_alloc(session, number, nullptr, &handle, &count);
        Room room;
        room.prepare(variable.type, count);
        if (!code && !room.is<T>())
            code = wrong_kind();
        if (!code && !variable.continuous)
            code = MPI_T_pvar_start(session, handle);
        if (!code)
            code = MPI_T_pvar_read(session, handle, room.data());
        MPI_T_pvar_session_free(&session);
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_pvar_read", code);
        return room.as<T>();
    }

    /// Returns the names of the library's events, or an empty list.
    [[nodiscard]] ANYMPI_CALLS result<std::vector<std::string>> events() const {
        int count = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_event_get_num", MPI_T_event_get_num(&count));
        std::vector<std::string> names;
        for (int number = 0; number < count; ++number)
            if (const std::string name = event(number).name; !name.empty())
                names.push_back(name);
        return names;
    }
    /// Calls `listener(const Event&)` for each event of a kind, while the returned object lives. The library may call
    /// the listener at any time, so it must not call MPI.
    template <std::invocable<const Event&> F>
    [[nodiscard]] ANYMPI_CALLS result<EventWatch> on_event(const std::string& name, F listener,
                                                           const Info& info = {}) const {
        int number = 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_T_event_get_index", MPI_T_event_get_index(name.c_str(), &number));
        return EventWatch::begin(number, {std::move(listener), event(number).sizes}, info);
    }

private:
    Tools() = default;

    static detail::Fault wrong_kind() {
        return {MPI_ERR_TYPE, "the variable is a text, and a number was expected, or the other way round"};
    }
    static detail::Fault bound() { return {MPI_ERR_ARG, "the variable is bound to objects of MPI"}; }
    class Room;
    /// Finds a control variable, prepares `room` for its value, and calls `act` with its handle.
    template <class Act>
    static detail::Fault with_control(const std::string& name, Room& room, Act act) {
        int number = 0, count = 0;
        if (const int code = MPI_T_cvar_get_index(name.c_str(), &number); code != MPI_SUCCESS)
            return code;
        const Variable variable = control(number);
        if (variable.is_bound)
            return bound();
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        if (const int code = MPI_T_cvar_handle_alloc(number, nullptr, &handle, &count); code != MPI_SUCCESS)
            return code;
        room.prepare(variable.type, count);
        const detail::Fault outcome = act(handle);
        MPI_T_cvar_handle_free(&handle);
        return outcome;
    }

    /// Memory for a value of a type that is known at run time.
    class Room {
    public:
        void prepare(MPI_Datatype type, int count) {
            type_ = type;
            memory_.assign(static_cast<std::size_t>(std::max(count, 1)) * 16 + 1, std::byte{});
            length_ = static_cast<std::size_t>(std::max(count, 1));
        }
        std::byte* data() { return memory_.data(); }
        /// Returns true if T fits the kind of the variable, text or number.
        template <class T>
        [[nodiscard]] bool is() const {
            return std::same_as<T, std::string> ? type_ == MPI_CHAR : detail::with_number(type_, [](auto) {});
        }
        template <class T>
        [[nodiscard]] T as() const {
            if constexpr (std::same_as<T, std::string>) {
                return reinterpret_cast<const char*>(memory_.data());
            } else {
                T value{};
                detail::with_number(type_, [&](auto stored) {
                    std::copy_n(memory_.data(), sizeof stored, reinterpret_cast<std::byte*>(&stored));
                    value = static_cast<T>(stored);
                });
                return value;
            }
        }
        template <class T>
        void set(T value) {
            detail::with_number(type_, [&](auto stored) {
                stored = static_cast<decltype(stored)>(value);
                std::copy_n(reinterpret_cast<const std::byte*>(&stored), sizeof stored, memory_.data());
            });
        }
        /// Stores a text, with its final zero. Returns false if it does not fit.
        bool set(const std::string& value) {
            if (value.size() >= length_)
                return false;
            std::copy_n(reinterpret_cast<const std::byte*>(value.c_str()), value.size() + 1, memory_.data());
            return true;
        }

    private:
        MPI_Datatype type_ = MPI_DATATYPE_NULL;
        std::size_t length_ = 0;
        std::vector<std::byte> memory_;
    };

    struct Variable {
        std::string name;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        bool continuous = false;
        bool is_bound = false; // to an object of MPI
    };
    static Variable control(int number) {
        char name[512] = "";
        int length = sizeof name, verbosity = 0, bind = 0, scope = 0, no_text = 0;
        Variable found;
        if (MPI_T_cvar_get_info(number, name, &length, &verbosity, &found.type, nullptr, nullptr, &no_text, &bind,
                                &scope) == MPI_SUCCESS)
            found.name = name;
        found.is_bound = bind != MPI_T_BIND_NO_OBJECT;
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
        found.is_bound = bind != MPI_T_BIND_NO_OBJECT;
        return found;
    }
    struct EventKind {
        std::string name;
        std::vector<std::size_t> sizes; // sizes of its elements
    };
    /// Returns an empty description if the library does not describe the event.
    static EventKind event(int number) {
        char name[512] = "";
        int length = sizeof name, verbosity = 0, elements = 0, no_text = 0, bind = 0;
        MPI_T_enum values = MPI_T_ENUM_NULL;
        shared::Room<MPI_Datatype> types;
        shared::Room<MPI_Aint> places;
        const auto ask = [&] {
            return MPI_T_event_get_info(number, name, &length, &verbosity, types.data(), places.data(), &elements,
                                        &values, nullptr, nullptr, &no_text, &bind);
        };
        if (ask() != MPI_SUCCESS) // the first call returns the number of elements
            return {};
        types = shared::Room<MPI_Datatype>(static_cast<std::size_t>(elements));
        places = shared::Room<MPI_Aint>(types.size());
        length = sizeof name;
        if (ask() != MPI_SUCCESS) // the second call returns the elements
            return {};
        EventKind found{name, std::vector<std::size_t>(types.size())};
        for (std::size_t place = 0; place < types.size(); ++place)
            found.sizes[place] = detail::size_of_element(types[place]);
        return found;
    }
    /// Finds a variable by its name only. MPI also asks for the class, which people do not know.
    static int performance_number(const std::string& name) {
        int count = 0;
        MPI_T_pvar_get_num(&count);
        for (int number = 0; number < count; ++number)
            if (performance(number).name == name)
                return number;
        return -1;
    }

    bool here_ = true;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
