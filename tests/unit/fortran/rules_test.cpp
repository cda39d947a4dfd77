#include "fortran/core/rules.hpp"
#include "fortran/core/waitall.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace anympi::fortran {

namespace {

// A library whose requests are pointers; it numbers them from 5000.
constexpr std::uintptr_t first_request = 0x7f0000001000;
int conversions;

std::string filled(const char* text, int length) {
    std::string variable(static_cast<std::size_t>(length), '?');
    rule::pad(variable.data(), length, text);
    return variable;
}

std::string in_c(rule::trimmed text) {
    rule::text_in copy(text);
    EXPECT_FALSE(copy.lacks_memory());
    copy.fill();
    return copy.place();
}

std::string text_of(const std::string& variable) {
    return in_c(rule::without_trailing_blanks(variable.data(), static_cast<int>(variable.size())));
}

std::string key_of(const std::string& variable) {
    return in_c(rule::without_blanks(variable.data(), static_cast<int>(variable.size())));
}

} // namespace

extern "C" {
c_handle<object::request> PMPI_Request_fromint(int number) {
    ++conversions;
    return first_request + static_cast<unsigned>(number - 5000);
}
int PMPI_Request_toint(c_handle<object::request> handle) {
    ++conversions;
    return static_cast<int>(handle - first_request) + 5000;
}
// The library's communicators are numbers.
c_handle<object::comm> PMPI_Comm_fromint(int number) {
    ++conversions;
    return static_cast<std::uint32_t>(number);
}
int PMPI_Comm_toint(c_handle<object::comm> handle) {
    ++conversions;
    return static_cast<int>(handle);
}
// The numbers of the library's groups are computed from their addresses.
c_handle<object::group> PMPI_Group_fromint(int number) {
    ++conversions;
    return windows_of<object::group>.address_of(number);
}
int PMPI_Group_toint(c_handle<object::group> handle) {
    ++conversions;
    return static_cast<int>(windows_of<object::group>.number_of(handle));
}
}

namespace {

class handles : public testing::Test {
protected:
    void SetUp() override {
        conversions = 0;
        rule::known_numbers = rule::predefined_numbers;
        rule::known_window<object::group> = rule::no_window;
        rule::known_window<object::request> = rule::no_window;
    }
};

TEST(text, fills_and_cuts) {
    EXPECT_EQ(filled("abc", 6), "abc   ");
    EXPECT_EQ(filled("abcdef", 3), "abc");
    EXPECT_EQ(filled("", 2), "  ");
    EXPECT_EQ(filled("abc", 0), "");
}

TEST(text, loses_trailing_blanks_only) {
    EXPECT_EQ(text_of("  a b  "), "  a b");
    EXPECT_EQ(text_of("   "), "");
    EXPECT_EQ(text_of(""), "");
    EXPECT_EQ(text_of(std::string(1000, 'x') + " "), std::string(1000, 'x'));
}

TEST(text, of_infos_loses_all_blanks_around_it) {
    EXPECT_EQ(key_of("  a b  "), "a b");
    EXPECT_EQ(key_of("   "), "");
}

TEST(text, stays_where_a_call_has_failed) {
    char variable[] = "old";
    rule::text_out<8> failed(variable, 3);
    std::strcpy(failed.place(), "new");
    failed.finish(1);
    EXPECT_STREQ(variable, "old");
    rule::text_out<8> done(variable, 3);
    std::strcpy(done.place(), "n");
    done.finish(0);
    EXPECT_STREQ(variable, "n  ");
}

TEST(logicals, are_told_by_the_lowest_bit) {
    EXPECT_EQ(rule::is_true(1), 1);
    EXPECT_EQ(rule::is_true(-1), 1);
    EXPECT_EQ(rule::is_true(0), 0);
    EXPECT_EQ(rule::is_true(2), 0);
}

TEST(logicals, are_written_as_the_compiler_has_them) {
    rule::logicals = {-1, 0};
    int flag = 7;
    rule::logical_out untouched(&flag);
    untouched.finish(1);
    EXPECT_EQ(flag, 7);
    rule::logical_out yes(&flag);
    *yes.place() = 5;
    yes.finish(0);
    EXPECT_EQ(flag, -1);
    int flags[3] = {7, 7, 7};
    rule::logicals_out some(flags, 3);
    ASSERT_FALSE(some.lacks_memory());
    some.fill();
    some.place()[0] = 1;
    some.place()[1] = 0;
    some.finish(0);
    EXPECT_EQ(flags[0], -1);
    EXPECT_EQ(flags[1], 0);
    EXPECT_EQ(flags[2], 7); // C has returned no value
    rule::logicals = {};
}

TEST(indices, are_counted_from_one) {
    int index = 0;
    rule::index_out one(&index);
    *one.place() = 0;
    one.finish(0);
    EXPECT_EQ(index, 1);
    rule::index_out none(&index);
    none.finish(0);
    EXPECT_EQ(index, app::mpi_UNDEFINED);
    int indices[3] = {-1, -1, -1};
    int count = 0;
    rule::indices_out some(indices, &count);
    some.place()[0] = 4;
    some.place()[1] = 0;
    count = 2;
    some.finish(0);
    EXPECT_EQ(indices[0], 5);
    EXPECT_EQ(indices[1], 1);
    EXPECT_EQ(indices[2], -1);
}

TEST_F(handles, that_are_predefined_are_their_numbers) {
    EXPECT_EQ(rule::handle<object::request>(standard::mpi_REQUEST_NULL), standard::mpi_REQUEST_NULL);
    EXPECT_EQ(rule::number<object::request>(standard::mpi_REQUEST_NULL), int{standard::mpi_REQUEST_NULL});
    EXPECT_EQ(conversions, 0);
}

TEST_F(handles, that_the_library_made_are_converted_by_it) {
    EXPECT_EQ(rule::handle<object::request>(5001), first_request + 1);
    EXPECT_EQ(rule::number<object::request>(first_request + 2), 5002);
    EXPECT_FALSE(rule::are_known<object::request>(rule::handle_number{5001}));
}

TEST_F(handles, are_known_once_a_library_has_shown_that_they_are_numbers) {
    constexpr rule::handle_number made = 0x84000007;
    EXPECT_FALSE((rule::are_known<object::comm, object::datatype>(made, rule::handle_number{1})));
    EXPECT_EQ(rule::handle<object::comm>(made), 0x84000007u);
    EXPECT_TRUE((rule::are_known<object::comm, object::datatype>(made, made)));
    EXPECT_FALSE(rule::are_known<object::file>(made)); // the library's files are pointers, even there
    EXPECT_EQ(rule::handle<object::comm>(made), 0x84000007u);
    EXPECT_EQ(rule::number<object::comm>(made), static_cast<int>(made));
    EXPECT_EQ(conversions, 1);
}

TEST_F(handles, are_known_by_address_once_a_library_has_shown_it) {
    const int number = rule::number<object::group>(first_request);
    EXPECT_EQ(conversions, 1);
    EXPECT_EQ(rule::handle<object::group>(number), first_request);
    EXPECT_EQ(rule::number<object::group>(first_request + 8), number + 1);
    EXPECT_EQ(conversions, 1);
    constexpr std::uintptr_t elsewhere = 0x550000001000;
    const int far = rule::number<object::group>(elsewhere);
    EXPECT_EQ(rule::handle<object::group>(far), elsewhere);
    EXPECT_EQ(rule::handle<object::group>(number), first_request);
    EXPECT_EQ(conversions, 3);
}

TEST_F(handles, are_known_by_address_from_a_number_that_c_was_given) {
    const auto number = static_cast<int>(windows_of<object::group>.number_of(first_request));
    EXPECT_EQ(rule::handle<object::group>(number), first_request);
    EXPECT_EQ(rule::handle<object::group>(number + 2), first_request + 16);
    EXPECT_EQ(rule::number<object::group>(first_request), number);
    EXPECT_EQ(conversions, 1);
}

TEST_F(handles, that_a_failed_call_did_not_write_stay) {
    int request = 17;
    rule::handle_out<object::request> out(&request);
    int* const program = &request;
    out.finish(program);
    EXPECT_EQ(request, 17);
    constexpr std::uint32_t lower_half = 7; // of a library with 32-bit handles
    std::memcpy(out.place(program), &lower_half, sizeof lower_half);
    out.finish(program);
    EXPECT_EQ(request, 17);
    EXPECT_EQ(conversions, 0);
    *out.place(program) = first_request + 3;
    out.finish(program);
    EXPECT_EQ(request, 5003);
}

TEST_F(handles, in_arrays_are_written_back) {
    for (const int count : {3, 200}) { // on the stack and on the heap
        std::vector<int> requests;
        for (int i = 0; i < count; ++i)
            requests.push_back(5000 + i);
        rule::handles_inout<object::request> all(requests.data(), count);
        ASSERT_FALSE(all.lacks_memory());
        all.fill(requests.data(), count);
        c_handle<object::request>* const in_c = all.place(requests.data());
        EXPECT_EQ(in_c[count - 1], first_request + static_cast<unsigned>(count - 1));
        in_c[1] = standard::mpi_REQUEST_NULL;
        all.finish(requests.data(), count);
        EXPECT_EQ(requests[0], 5000);
        EXPECT_EQ(requests[1], int{standard::mpi_REQUEST_NULL});
        EXPECT_EQ(requests[2], 5002);
    }
}

TEST_F(handles, of_two_requests_are_read_if_both_are_known) {
    entry::detail::two_requests two;
    int made[] = {5000, 5001};
    EXPECT_FALSE(two.read(made));
    int null[] = {standard::mpi_REQUEST_NULL, standard::mpi_REQUEST_NULL};
    ASSERT_TRUE(two.read(null));
    EXPECT_EQ(two.place(null)[0], standard::mpi_REQUEST_NULL);
    EXPECT_EQ(two.place(null)[1], standard::mpi_REQUEST_NULL);
    rule::known_numbers = rule::all_numbers;
    ASSERT_TRUE(two.read(made));
    EXPECT_EQ(two.place(made)[0], 5000u);
    EXPECT_EQ(two.place(made)[1], 5001u);
    EXPECT_EQ(conversions, 0);
}

TEST_F(handles, of_two_requests_are_read_if_both_are_of_the_known_window) {
    constexpr std::uintptr_t addresses[] = {first_request + 8, first_request + 24};
    int numbers[2];
    for (int i : {0, 1})
        numbers[i] = static_cast<int>(window::number_in(window::first, addresses[i]));
    rule::known_window<object::request>.learn(addresses[0], numbers[0]);
    entry::detail::two_requests two;
    ASSERT_TRUE(two.read(numbers));
    EXPECT_EQ(two.place(numbers)[0], addresses[0]);
    EXPECT_EQ(two.place(numbers)[1], addresses[1]);
    numbers[1] = 5001;
    EXPECT_FALSE(two.read(numbers));
}

TEST_F(handles, of_two_requests_are_written_back) {
    rule::known_numbers = rule::all_numbers;
    constexpr int null = standard::mpi_REQUEST_NULL;
    const int expected[][2] = {{null, null}, {null, 5001}, {5000, null}, {5002, 5003}};
    for (const auto& pair : expected) {
        int requests[] = {5000, 5001};
        entry::detail::two_requests two;
        ASSERT_TRUE(two.read(requests));
        two.place(requests)[0] = static_cast<unsigned>(pair[0]);
        two.place(requests)[1] = static_cast<unsigned>(pair[1]);
        two.finish(requests);
        EXPECT_EQ(requests[0], pair[0]);
        EXPECT_EQ(requests[1], pair[1]);
    }
}

TEST_F(handles, that_an_operation_reads_later_share_one_copy) {
    const int requests[] = {5000, 5001};
    const int others[] = {5001, 5000};
    rule::handles_until_completion<object::request> first(requests, 2);
    rule::handles_until_completion<object::request> second(requests, 2);
    rule::handles_until_completion<object::request> third(others, 2);
    EXPECT_EQ(first.place(), second.place());
    EXPECT_NE(first.place(), third.place());
    EXPECT_EQ(third.place()[0], first_request + 1);
}

TEST(sentinels, are_known_by_their_addresses) {
    int data = 0;
    EXPECT_EQ(rule::buffer(mpipriv1_), reinterpret_cast<void*>(app::mpi_BOTTOM));
    EXPECT_EQ(rule::buffer_in_place(mpipriv1_ + 1), reinterpret_cast<void*>(app::mpi_IN_PLACE));
    EXPECT_EQ(rule::buffer_in_place(mpipriv1_), reinterpret_cast<void*>(app::mpi_BOTTOM));
    EXPECT_EQ(rule::buffer_in_place(&data), &data);
    EXPECT_EQ(rule::status(reinterpret_cast<c_status*>(mpipriv1_ + 2)),
              reinterpret_cast<c_status*>(app::mpi_STATUS_IGNORE));
    EXPECT_EQ(rule::statuses(reinterpret_cast<c_status*>(mpipriv2_)),
              reinterpret_cast<c_status*>(app::mpi_STATUSES_IGNORE));
    EXPECT_EQ(rule::error_codes(mpipriv2_ + 8), reinterpret_cast<int*>(app::mpi_ERRCODES_IGNORE));
    EXPECT_EQ(rule::weights(mpifcmb5_), reinterpret_cast<int*>(app::mpi_UNWEIGHTED));
    EXPECT_EQ(rule::weights(mpifcmb9_), reinterpret_cast<int*>(app::mpi_WEIGHTS_EMPTY));
    EXPECT_EQ(rule::buffer_automatic(mpifcmba_), reinterpret_cast<void*>(app::mpi_BUFFER_AUTOMATIC));
}

} // namespace

} // namespace anympi::fortran
