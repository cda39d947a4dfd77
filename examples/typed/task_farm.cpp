// One process hands out tasks. The other processes ask for more when they are done.
#include <anympi/anympi.hpp>
#include <cstdio>

namespace {

constexpr int tasks = 20, nothing_left = -1;
constexpr anympi::Tag answer_tag = anympi::tag(1), task_tag = anympi::tag(2);
struct Answer {
    int task;
    long result;
};
long work(int task) {
    return static_cast<long>(task) * task;
}

long hand_out(const anympi::Comm& world) {
    long sum = 0;
    int next = 0, busy = world.size() - 1;
    while (busy > 0) {
        Answer answer{};
        const auto status = world.recv(answer, anympi::any_source, answer_tag);
        sum += answer.result;
        const int task = next < tasks ? next++ : nothing_left;
        busy -= task == nothing_left;
        world.send(task, status.source(), task_tag);
    }
    while (next < tasks) // there are no other processes
        sum += work(next++);
    return sum;
}

void take_tasks(const anympi::Comm& world) {
    Answer answer{nothing_left, 0};
    for (;;) {
        world.send(answer, 0, answer_tag);
        const int task = world.recv<int>(0, task_tag);
        if (task == nothing_left)
            return;
        answer = {task, work(task)};
    }
}

} // namespace

int main() {
    const auto mpi = anympi::init();
    const auto world = mpi.world();
    if (world.rank() == 0)
        std::printf("task_farm: %s\n", hand_out(world) == 2470 ? "correct" : "wrong");
    else
        take_tasks(world);
}
