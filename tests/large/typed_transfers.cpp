// The same with the typed API: the containers have more elements than an int can count. ranks: 2
#include <anympi/anympi.hpp>
#include <cstdint>
#include <cstdio>

using anympi::tag;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t large = (std::size_t{1} << 31) + 4099;

std::uint8_t byte_at(std::size_t place, int rank) {
    return static_cast<std::uint8_t>(place % 251 + place / 65521 + 100 * static_cast<std::size_t>(rank));
}
Bytes filled(int rank) {
    Bytes bytes(large);
    for (std::size_t place = 0; place < large; ++place)
        bytes[place] = byte_at(place, rank);
    return bytes;
}
bool is_filled(const Bytes& bytes, int rank) {
    std::size_t place = 0;
    while (place < bytes.size() && bytes[place] == byte_at(place, rank))
        ++place;
    return place == large;
}

int failures = 0, checks = 0;
void check(bool good, const char* what) {
    ++checks;
    if (!good) {
        ++failures;
        std::printf("FAILED %s\n", what);
    }
}

} // namespace

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    const int rank = world.rank();
    if (rank == 0) {
        world.send(filled(0), 1, tag(1));
        auto sending = world.isend(filled(0), 1, tag(2));
        check(sending.wait().size() == large, "the buffer that was sent");
        check(is_filled(world.recv<Bytes>(1, tag(3)), 1), "a message of a size that follows");
    } else {
        Bytes room(large + 1);
        check(world.recv(room, 0, tag(1)).count<std::uint8_t>() == large, "the count of a message");
        room.resize(large);
        check(is_filled(room, 0), "a message");
        auto coming = world.irecv(std::move(room), 0, tag(2));
        Bytes got = coming.wait();
        check(is_filled(got, 0), "a message that is waited for");
        for (std::size_t place = 0; place < large; ++place)
            got[place] = byte_at(place, 1);
        world.send(got, 0, tag(3));
    }
    Bytes all = rank == 1 ? filled(1) : Bytes(large);
    world.broadcast(all, 1);
    check(is_filled(all, 1), "a broadcast");
    if (rank == 0)
        all = filled(0);
    world.allreduce(anympi::in_place, all, anympi::op::bit_xor);
    std::size_t place = 0;
    while (place < large && all[place] == (byte_at(place, 0) ^ byte_at(place, 1)))
        ++place;
    check(place == large, "a reduction");
    const int failed = world.allreduce(failures, anympi::op::max);
    if (rank == 0 && failed == 0)
        std::printf("ok %d checks\n", checks);
    return failed;
}
