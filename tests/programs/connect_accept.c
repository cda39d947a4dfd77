// Two halves of the world connect as separate groups: by ports, published names, and a socket.
// ranks: 2 4
// seconds: 180
#include "check.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static MPI_Comm half; // the even ranks accept, the odd ones connect
static int accepts;

static void check_connection(MPI_Comm* other, int expected) {
    int flag = 0, count = -1, mine = 1 + accepts, sum = -1;
    CHECK_OK(MPI_Comm_test_inter(*other, &flag));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_Comm_remote_size(*other, &count));
    CHECK_INT(count, expected);
    CHECK_OK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, *other));
    CHECK_INT(sum, expected * (2 - accepts));
    CHECK_OK(MPI_Comm_disconnect(other));
    CHECK_SAME(*other, MPI_COMM_NULL);
}

// Returns true if a port can be opened: not over UCX in Debian's MPICH 4.0, nor over shared memory in Intel MPI. MPICH
// 4.3 gets a hint that there is room for its long name. Collective.
static int ports_offered(void) {
    static char port[MPI_MAX_PORT_NAME];
    int code = MPI_SUCCESS, offered = 1;
    CASE("Open_port");
    if (check_rank == 0) {
        memset(port, '?', sizeof port);
        code = MPI_Open_port(MPI_INFO_NULL, port);
        if (code != MPI_SUCCESS && check_lacks_dynamic_processes()) {
            char text[MPI_MAX_ERROR_STRING];
            int length = 0;
            CHECK_CLASS(code, MPI_ERR_OTHER, MPI_ERR_INTERN);
            CHECK_OK(MPI_Error_string(code, text, &length));
            CHECK(strstr(text, "no space") == NULL);
            check_skip("MPI_Open_port", "this MPI cannot open ports here");
            offered = 0;
        } else if (check_is_port_too_long(code)) {
            check_skip("MPI_Open_port", "the name is longer than MPI_MAX_PORT_NAME of this program");
            offered = 0;
        } else if (CHECK_OK(code)) {
            CHECK(memchr(port, '\0', sizeof port) != NULL && port[0] != '\0');
            CHECK_OK(MPI_Close_port(port));
        }
    }
    CHECK_OK(MPI_Bcast(&offered, 1, MPI_INT, 0, MPI_COMM_WORLD));
    return offered;
}

// Only the roots need the name of the port.
static void ports(void) {
    static char port[MPI_MAX_PORT_NAME];
    MPI_Comm other = MPI_COMM_NULL;
    CASE("connect and accept");
    if (check_rank == 0) {
        CHECK_OK(MPI_Open_port(MPI_INFO_NULL, port));
        CHECK_OK(MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 5, MPI_COMM_WORLD));
    } else if (check_rank == 1) {
        CHECK_OK(MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    if (accepts)
        CHECK_OK(MPI_Comm_accept(check_rank == 0 ? port : NULL, MPI_INFO_NULL, 0, half, &other));
    else
        CHECK_OK(MPI_Comm_connect(check_rank == 1 ? port : NULL, MPI_INFO_NULL, 0, half, &other));
    if (CHECK(other != MPI_COMM_NULL))
        check_connection(&other, check_ranks / 2);
    if (check_rank == 0)
        CHECK_OK(MPI_Close_port(port));
}

// The launcher provides the name service. Without one, both calls must report an error.
static void names(void) {
    static char port[MPI_MAX_PORT_NAME], found[MPI_MAX_PORT_NAME];
    const char* service = "anympi-test-service";
    int published = 0;
    CASE("published names");
    if (check_rank == 0) {
        CHECK_OK(MPI_Open_port(MPI_INFO_NULL, port));
        int code = MPI_Publish_name(service, MPI_INFO_NULL, port);
        published = code == MPI_SUCCESS;
        if (!published) {
            CHECK_CLASS(code, MPI_ERR_SERVICE, MPI_ERR_NAME, MPI_ERR_INTERN, MPI_ERR_OTHER);
            check_skip("MPI_Publish_name", "the launcher has no name service");
        }
    }
    CHECK_OK(MPI_Bcast(&published, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK_OK(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
    if (published && check_rank == 1) {
        memset(found, '?', sizeof found);
        CHECK_OK(MPI_Lookup_name(service, MPI_INFO_NULL, found));
        CHECK_STRING(found, port);
        CHECK_CLASS(MPI_Lookup_name("anympi-no-such-service", MPI_INFO_NULL, found), MPI_ERR_NAME, MPI_ERR_INTERN,
                    MPI_ERR_OTHER);
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (check_rank == 0) {
        if (published)
            CHECK_OK(MPI_Unpublish_name(service, MPI_INFO_NULL, port));
        CHECK_OK(MPI_Close_port(port));
    }
}

// Rank 0 listens at a free port of this machine, rank 1 connects: each gets one end.
static int connected_socket(void) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int end = socket(AF_INET, SOCK_STREAM, 0);
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (check_rank == 0) {
        int listening = end;
        CHECK_INT(bind(listening, (struct sockaddr*)&address, length), 0);
        CHECK_INT(listen(listening, 1), 0);
        CHECK_INT(getsockname(listening, (struct sockaddr*)&address, &length), 0);
        CHECK_OK(MPI_Send(&address, (int)sizeof address, MPI_BYTE, 1, 6, MPI_COMM_WORLD));
        end = accept(listening, NULL, NULL);
        close(listening);
    } else {
        CHECK_OK(MPI_Recv(&address, (int)sizeof address, MPI_BYTE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_INT(connect(end, (struct sockaddr*)&address, length), 0);
    }
    CHECK(end >= 0);
    return end;
}

static void join(void) {
    MPI_Comm other = MPI_COMM_NULL;
    CASE("Comm_join");
    if (check_rank > 1)
        return;
    int end = connected_socket();
    CHECK_OK(MPI_Comm_join(end, &other));
    if (CHECK(other != MPI_COMM_NULL))
        check_connection(&other, 1);
    close(end);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    accepts = check_rank % 2 == 0;
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, accepts, 0, &half));
    if (check_runtime_is("MPICH Version:\t3")) {
        check_skip("connect and accept", "MPICH 3.4 crashes natively");
    } else if (ports_offered()) {
        ports();
        names();
        join();
    }
    CHECK_OK(MPI_Comm_free(&half));
    return check_end();
}
