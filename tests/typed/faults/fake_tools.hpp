// A tools interface with events and performance variables, which no library of these tests has. The program's own
// functions come before the library's. They are defined before the headers of the API are read.
#ifndef FAKE_TOOLS_HPP
#define FAKE_TOOLS_HPP

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>

namespace fake_tools {

inline int level = -1;        // of the last initialisation of the tools interface
inline int sessions = 0;      // number of open sessions of performance variables
inline int registrations = 0; // number of existing registrations of events
inline bool is_started = false;

/// The only event type.
constexpr const char* event = "arrival";
constexpr std::array<MPI_Aint, 3> places{0, 8, 16};
inline struct Data {
    int number = 7;
    alignas(8) double size = 2.5;
    alignas(8) char mark = 'm';
} data;
inline MPI_T_event_cb_function* callback = nullptr;
inline void* callback_data = nullptr;
inline MPI_T_event_registration registration = nullptr;

/// Raises the event.
inline void happen() {
    callback(reinterpret_cast<MPI_T_event_instance>(&data), registration, MPI_T_CB_REQUIRE_NONE, callback_data);
}

struct Variable {
    const char* name;
    int bind, continuous;
};
constexpr std::array<Variable, 3> variables{
    {{"counter", MPI_T_BIND_NO_OBJECT, 0}, {"level", MPI_T_BIND_NO_OBJECT, 1}, {"of a window", MPI_T_BIND_MPI_WIN, 1}}};

inline void write(const char* text, char* into, int* length) {
    if (*length > 0)
        std::snprintf(into, static_cast<std::size_t>(*length), "%s", text);
    *length = static_cast<int>(std::strlen(text)) + 1;
}

} // namespace fake_tools

extern "C" {

int MPI_T_init_thread(int required, int* provided) {
    fake_tools::level = required;
    return PMPI_T_init_thread(required, provided);
}

int MPI_T_event_get_num(int* count) {
    *count = 1;
    return MPI_SUCCESS;
}
int MPI_T_event_get_index(const char* name, int* number) {
    *number = 0;
    return name == std::string(fake_tools::event) ? MPI_SUCCESS : MPI_T_ERR_INVALID_NAME;
}
int MPI_T_event_get_info(int number, char* name, int* length, int* verbosity, MPI_Datatype* types, MPI_Aint* places,
                         int* elements, MPI_T_enum* values, MPI_Info*, char*, int* text_length, int* bind) {
    if (number != 0)
        return MPI_T_ERR_INVALID_INDEX;
    fake_tools::write(fake_tools::event, name, length);
    const std::array own{MPI_INT, MPI_DOUBLE, MPI_CHAR};
    for (int place = 0; place < std::min(*elements, 3); ++place) {
        types[place] = own[static_cast<std::size_t>(place)];
        places[place] = fake_tools::places[static_cast<std::size_t>(place)];
    }
    *elements = 3;
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *values = MPI_T_ENUM_NULL;
    *text_length = 0;
    *bind = MPI_T_BIND_NO_OBJECT;
    return MPI_SUCCESS;
}
int MPI_T_event_handle_alloc(int, void*, MPI_Info, MPI_T_event_registration* made) {
    ++fake_tools::registrations;
    *made = fake_tools::registration = reinterpret_cast<MPI_T_event_registration>(&fake_tools::registrations);
    return MPI_SUCCESS;
}
int MPI_T_event_register_callback(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void* data,
                                  MPI_T_event_cb_function* callback) {
    fake_tools::callback_data = data;
    fake_tools::callback = callback;
    return MPI_SUCCESS;
}
int MPI_T_event_handle_free(MPI_T_event_registration registration, void* data, MPI_T_event_free_cb_function* freed) {
    --fake_tools::registrations;
    freed(registration, MPI_T_CB_REQUIRE_NONE, data);
    return MPI_SUCCESS;
}
int MPI_T_event_read(MPI_T_event_instance instance, int element, void* into) {
    constexpr std::array sizes{sizeof(int), sizeof(double), sizeof(char)};
    const auto place = static_cast<std::size_t>(element);
    std::memcpy(into, reinterpret_cast<const char*>(instance) + fake_tools::places[place], sizes[place]);
    return MPI_SUCCESS;
}
int MPI_T_event_get_timestamp(MPI_T_event_instance, MPI_Count* ticks) {
    *ticks = 1234;
    return MPI_SUCCESS;
}

int MPI_T_pvar_get_num(int* count) {
    *count = static_cast<int>(fake_tools::variables.size());
    return MPI_SUCCESS;
}
int MPI_T_pvar_get_info(int number, char* name, int* length, int* verbosity, int* variable_class, MPI_Datatype* type,
                        MPI_T_enum*, char*, int* text_length, int* bind, int* readonly, int* continuous, int* atomic) {
    const fake_tools::Variable& variable = fake_tools::variables[static_cast<std::size_t>(number)];
    fake_tools::write(variable.name, name, length);
    *verbosity = MPI_T_VERBOSITY_USER_BASIC;
    *variable_class = MPI_T_PVAR_CLASS_COUNTER;
    *type = MPI_UNSIGNED_LONG;
    *text_length = 0;
    *bind = variable.bind;
    *continuous = variable.continuous;
    *readonly = *atomic = 0;
    return MPI_SUCCESS;
}
int MPI_T_pvar_session_create(MPI_T_pvar_session* session) {
    ++fake_tools::sessions;
    *session = reinterpret_cast<MPI_T_pvar_session>(&fake_tools::sessions);
    return MPI_SUCCESS;
}
int MPI_T_pvar_session_free(MPI_T_pvar_session* session) {
    --fake_tools::sessions;
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}
int MPI_T_pvar_handle_alloc(MPI_T_pvar_session, int number, void*, MPI_T_pvar_handle* handle, int* count) {
    fake_tools::is_started = fake_tools::variables[static_cast<std::size_t>(number)].continuous != 0;
    *handle = reinterpret_cast<MPI_T_pvar_handle>(&fake_tools::is_started);
    *count = 1;
    return MPI_SUCCESS;
}
int MPI_T_pvar_start(MPI_T_pvar_session, MPI_T_pvar_handle) {
    if (fake_tools::is_started)
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    fake_tools::is_started = true;
    return MPI_SUCCESS;
}
int MPI_T_pvar_read(MPI_T_pvar_session, MPI_T_pvar_handle, void* into) {
    const unsigned long value = fake_tools::is_started ? 42 : 0;
    std::memcpy(into, &value, sizeof value);
    return MPI_SUCCESS;
}

} // extern "C"

#endif
