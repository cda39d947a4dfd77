#include <functional>
#include <memory>

#include "expect_error.hpp"

namespace {

namespace op = anympi::op;

struct Ops : testing::Test {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
};

// The affine map x -> a x + b; composition is associative, but not commutative.
struct Affine {
    long a, b;
    friend bool operator==(const Affine&, const Affine&) = default;
};
Affine after(const Affine& first, const Affine& second) {
    return {first.a * second.a, second.a * first.b + second.b};
}

int larger_of(int a, int b) noexcept {
    return a > b ? a : b;
}

} // namespace

// A program's own functions with names that the API also uses; argument-dependent lookup would find them.
namespace greedy {
struct Item {
    int value;
};
template <class... A>
void call(A&&...) {}
template <class B>
void reading(const B&) {}
template <class B>
void writing(B&) {}
template <class... A>
void apply_to(A&&...) {}
template <class... A>
void visit_members(A&&...) {}
} // namespace greedy

TEST_F(Ops, names_of_the_program) {
    const auto add = [](const greedy::Item& a, const greedy::Item& b) { return greedy::Item{a.value + b.value}; };
    const std::vector<greedy::Item> one{{1}};
    std::vector<greedy::Item> sums(1);
    world.allreduce(one, sums, add);
    EXPECT_EQ(sums[0].value, size);
    EXPECT_EQ(world.iallreduce(greedy::Item{1}, greedy::Item{}, add).wait().value, size);
}

TEST_F(Ops, generic_functions) {
    EXPECT_EQ(world.allreduce(1.5, [](auto a, auto b) { return a + b; }), 1.5 * size);
    const std::vector<int> mine{rank, -rank};
    std::vector<int> all(2);
    world.allreduce(mine, all, [](const auto& a, const auto& b) { return a < b ? b : a; });
    EXPECT_EQ(all, (std::vector<int>{size - 1, 0}));
    EXPECT_EQ(world.allreduce(1, [more = 2](auto a, auto b) { return a + b + more; }), 3 * size - 2);
}

TEST_F(Ops, predefined) {
    EXPECT_TRUE(op::logical_or(0, 2)); // they are also ordinary functions
    EXPECT_FALSE(op::logical_or(0, 0));
    EXPECT_FALSE(op::logical_xor(1, 2));
    EXPECT_TRUE(op::logical_xor(0, 2));
    EXPECT_FALSE(op::logical_and(0, 2));
    EXPECT_EQ(world.allreduce(2, op::prod), 1 << size);
    EXPECT_EQ(world.allreduce(rank == 0, op::logical_or), true);
    EXPECT_EQ(world.allreduce(rank == 0, op::logical_and), size == 1);
    EXPECT_EQ(world.allreduce(1 << rank, op::bit_or), (1 << size) - 1);
    EXPECT_EQ(world.allreduce(1 << rank, op::bit_xor), (1 << size) - 1);
    EXPECT_EQ(world.allreduce(true, op::logical_xor), size % 2 == 1);
    EXPECT_EQ(world.allreduce(std::byte{3}, op::bit_and), std::byte{3});
    EXPECT_EQ(world.allreduce(std::complex<double>(rank, 1), op::sum).imag(), size);
    EXPECT_EQ(world.allreduce(anympi::Indexed<double>{-1.0 * rank, rank}, op::max_loc).index, 0);
    EXPECT_EQ(world.allreduce(anympi::Indexed<int>{-rank, rank}, op::min_loc).index, size - 1);
    EXPECT_EQ(world.allreduce(rank + 1, std::plus<>()), size * (size + 1) / 2);
    EXPECT_EQ(world.allreduce(3, std::bit_and<int>()), 3);
}

TEST_F(Ops, stateless) {
    const auto larger = [](int a, int b) { return a > b ? a : b; };
    EXPECT_EQ(world.allreduce(rank, larger), size - 1);
    EXPECT_EQ(world.allreduce(Affine{2, 0}, after).a, 1L << size); // a function, not an object
    EXPECT_EQ(world.allreduce(rank, larger_of), size - 1);
    EXPECT_EQ(world.allreduce(rank, anympi::noncommutative(larger_of)), size - 1);
    const auto affine = anympi::noncommutative(after);
    const Affine mine{2, rank};
    Affine wanted{1, 0};
    for (int other = 0; other < size; ++other)
        wanted = after(wanted, {2, other});
    EXPECT_EQ(world.allreduce(mine, affine), wanted);
    // std::plus for a type of the test is a function like any other.
    const auto whole_spans = [](std::span<const Affine> in, std::span<Affine> inout) {
        for (std::size_t place = 0; place < in.size(); ++place)
            inout[place] = after(in[place], inout[place]);
    };
    EXPECT_EQ(world.allreduce(mine, anympi::noncommutative(whole_spans)), wanted);
    std::vector<int> in{4, 6}, inout{5, 5};
    anympi::reduce_local(in, inout, larger);
    EXPECT_EQ(inout, (std::vector<int>{5, 6}));
    EXPECT_MPI_ERROR(anympi::reduce_local(std::vector<int>(3), inout, larger), count, "MPI_Reduce_local");
}

TEST_F(Ops, with_state) {
    const std::string what = "a state that is not trivial";
    int calls = 0;
    const auto clamped = [&calls, what, most = 5](int a, int b) {
        ++calls;
        return std::min(a + b, most + static_cast<int>(what.size()) * 0);
    };
    EXPECT_EQ(world.allreduce(1, clamped), std::min(size, 5));
    // Operations of one type with different states, at the same time.
    const auto adding = [](int extra) { return [extra](int a, int b) { return a + b + extra; }; };
    std::vector<int> one(3, 1), first(3), second(3), third(3);
    auto c = world.allreduce_init(one, third, adding(1000)); // first: some mpi.h lack it, and the test stops here
    auto a = world.iallreduce(one, first, adding(0));
    auto b = world.iallreduce(one, second, adding(100)); // the callable was destroyed, but the request keeps a copy
    c.start();
    static_cast<void>(c.wait());
    anympi::wait_all(a, b);
    EXPECT_EQ(first[2], size);
    EXPECT_EQ(second[2], size + 100 * (size - 1));
    EXPECT_EQ(third[2], size + 1000 * (size - 1));
    c.start();
    static_cast<void>(c.wait());
    EXPECT_EQ(third[1], size + 1000 * (size - 1));
    EXPECT_EQ(world.scan(1, adding(10)), rank + 1 + 10 * rank);
    EXPECT_EQ(world.exscan(1, adding(10), 7), rank == 0 ? 7 : rank + 10 * (rank - 1));
    EXPECT_EQ(world.reduce(1, adding(10), 0), rank == 0 ? size + 10 * (size - 1) : 1);
    // A destroyed operation is followed by several others.
    auto d = world.allreduce_init(one, first, adding(2000));
    static_cast<void>(world.allreduce(1, adding(10)));
    d.start();
    static_cast<void>(d.wait());
    EXPECT_EQ(first[0], size + 2000 * (size - 1));
    std::vector<int> parts(static_cast<std::size_t>(size), 1), part(1);
    world.reduce_scatter_block(parts, part, adding(10));
    EXPECT_EQ(part[0], size + 10 * (size - 1));
}

TEST_F(Ops, user_op) {
    std::vector<anympi::UserOp<double>> many; // more than any fixed table could hold
    for (int number = 0; number < 200; ++number)
        many.push_back(anympi::UserOp<double>::create([number](double a, double b) { return a + b + number; }));
    EXPECT_TRUE(many[0].is_commutative());
    EXPECT_EQ(world.allreduce(1.0, many[150]), size + 150.0 * (size - 1));
    const std::function<double(double, double)> erased = [](double a, double b) { return a * b; };
    const auto product = anympi::UserOp<double>::create(anympi::noncommutative(erased));
    EXPECT_FALSE(product.is_commutative());
    EXPECT_EQ(world.allreduce(2.0, product), 1 << size);
    auto adding_one = [one = std::make_unique<double>(1)](double a, double b) { return a + b + *one; };
    const auto moved = anympi::UserOp<double>::create(std::move(adding_one));
    EXPECT_EQ(world.allreduce(1.0, moved), 2 * size - 1);
    anympi::Request pending;
    std::vector<double> in{1}, out(1);
    {
        const auto brief = anympi::UserOp<double>::create(
            [&many](double a, double b) { return a + b + static_cast<double>(many.size()); });
        pending = world.iallreduce(in, out, brief);
    }
    // A library may use a duplicate of the datatype. (MPICH 3.4 stops if an operation queries an attribute.)
    if (anympi::library_version().find("MPICH Version:\t3.") == std::string::npos) {
        MPI_Datatype copy = MPI_DATATYPE_NULL;
        ASSERT_EQ(MPI_Type_dup(many[3].type(), &copy), MPI_SUCCESS);
        double left = 1, right = 2;
        EXPECT_EQ(MPI_Reduce_local(&left, &right, 1, copy, many[3].handle()), MPI_SUCCESS);
        EXPECT_EQ(right, 1 + 2 + 3);
        MPI_Type_free(&copy);
    }
    many.clear();
    static_cast<void>(pending.wait());
    EXPECT_GE(out[0], size);
}

TEST_F(Ops, called_in_other_functions) {
    // A pending reduction may run inside any function of MPI.
    const auto adding = [](int extra) { return [extra](int a, int b) { return a + b + extra; }; };
    const std::vector<int> one(3, 1);
    std::vector<int> first(3), second(3);
    auto a = world.iallreduce(one, first, adding(1));
    auto b = world.iallreduce(one, second, adding(2));
    const auto group = world.group();
    EXPECT_EQ(world.create(group)->size(), size);
    world.barrier();
    anympi::wait_all(a, b);
    EXPECT_EQ(first[0], size + (size - 1));
    EXPECT_EQ(second[2], size + 2 * (size - 1));
}
