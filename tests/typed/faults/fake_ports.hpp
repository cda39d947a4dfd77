// Ports and a name server, which the library of these tests lacks. See fake_tools.hpp.
#ifndef FAKE_PORTS_HPP
#define FAKE_PORTS_HPP

#include <mpi.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>

namespace fake_ports {

inline std::set<std::string> open;
inline std::map<std::string, std::string> published; // ports by service

} // namespace fake_ports

extern "C" {

int MPI_Open_port(MPI_Info, char* name) {
    std::snprintf(name, MPI_MAX_PORT_NAME, "port %zu", fake_ports::open.size());
    fake_ports::open.insert(name);
    return MPI_SUCCESS;
}
int MPI_Close_port(const char* name) {
    return fake_ports::open.erase(name) ? MPI_SUCCESS : MPI_ERR_PORT;
}
int MPI_Publish_name(const char* service, MPI_Info, const char* port) {
    fake_ports::published[service] = port;
    return MPI_SUCCESS;
}
int MPI_Unpublish_name(const char* service, MPI_Info, const char*) {
    return fake_ports::published.erase(service) ? MPI_SUCCESS : MPI_ERR_SERVICE;
}
int MPI_Lookup_name(const char* service, MPI_Info, char* port) {
    if (!fake_ports::published.contains(service))
        return MPI_ERR_NAME;
    std::snprintf(port, MPI_MAX_PORT_NAME, "%s", fake_ports::published[service].c_str());
    return MPI_SUCCESS;
}

} // extern "C"

#endif
