#include "command/list.hpp"

#include "command/files.hpp"
#include "command/installed.hpp"
#include "command/launchers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

namespace anympi::command {
namespace {

const char* name_of(abi interface) {
    switch (interface) {
    case abi::standard:
        return "standard";
    case abi::mpich:
        return "mpich";
    case abi::openmpi:
        return "openmpi";
    }
    return "";
}

bool has_draft_values(const runtime::library& mpi) {
    return mpi.interface == abi::standard && mpi.values != runtime::generation::final_values;
}

bool same_file(const runtime::library& left, const runtime::library& right) {
    return real_path(left.path) == real_path(right.path);
}

using json = nlohmann::ordered_json;

json describe_in_json(const runtime::library& mpi, bool is_chosen) {
    const std::string launcher = find_launcher(mpi).executable;
    return {{"product", mpi.product},
            {"version", mpi.version},
            {"abi", name_of(mpi.interface)},
            {"draft", has_draft_values(mpi)},
            {"name", runtime::name_of(mpi)},
            {"path", mpi.path},
            {"launcher", launcher.empty() ? json(nullptr) : json(launcher)},
            {"chosen", is_chosen}};
}

void print_json(const survey& machine) {
    json document = {{"libraries", json::array()}, {"reason", nullptr}};
    for (const runtime::library& mpi : machine.libraries)
        document["libraries"].push_back(describe_in_json(mpi, machine.chosen && same_file(mpi, machine.chosen->mpi)));
    if (machine.chosen)
        document["reason"] = machine.chosen->reason.text;
    // A path may hold bytes that are no UTF-8.
    fmt::print("{}\n", document.dump(2, ' ', false, json::error_handler_t::replace));
}

using row = std::array<std::string, 6>;

row describe_in_row(const runtime::library& mpi, bool is_chosen) {
    const std::string launcher = find_launcher(mpi).executable;
    return {is_chosen ? "*" : "",
            mpi.product,
            mpi.version[0] ? mpi.version : "?",
            std::string(name_of(mpi.interface)) + (has_draft_values(mpi) ? " (draft)" : ""),
            mpi.path,
            launcher.empty() ? "none found" : launcher};
}

void print_rows(const std::vector<row>& rows) {
    std::array<std::size_t, std::tuple_size_v<row>> widths = {};
    for (const row& cells : rows)
        for (std::size_t column = 0; column < cells.size(); column++)
            widths[column] = std::max(widths[column], cells[column].size());
    for (const row& cells : rows) {
        std::string line;
        for (std::size_t column = 0; column + 1 < cells.size(); column++)
            line += fmt::format("{:{}}  ", cells[column], widths[column]);
        fmt::print("{}{}\n", line, cells.back());
    }
}

void print_table(const survey& machine) {
    std::vector<row> rows = {{"", "MPI", "VERSION", "ABI", "LIBRARY", "LAUNCHER"}};
    for (const runtime::library& mpi : machine.libraries)
        rows.push_back(describe_in_row(mpi, machine.chosen && same_file(mpi, machine.chosen->mpi)));
    print_rows(rows);
    if (machine.chosen)
        fmt::print("\n* is what programs started here run on: {}.\n"
                   "Another one: `anympi run --mpi NAME|PREFIX|FILE …`, or ANYMPI_MPI in the environment.\n",
                   machine.chosen->reason.text);
}

} // namespace

int list(bool as_json) {
    const survey machine = look_around();
    if (as_json)
        print_json(machine);
    else if (!machine.libraries.empty())
        print_table(machine);
    return machine.chosen ? 0 : 1;
}

} // namespace anympi::command
