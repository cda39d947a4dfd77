#include "command/inspect/show_functions.hpp"

#include "command/cli/nearest.hpp"
#include "command/cli/output.hpp"
#include "command/cli/table.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/inspect/register.hpp"
#include "command/inspect/support.hpp"
#include "command/list/installed.hpp"
#include "runtime/identify/exact_version.hpp"
#include "runtime/message.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace anympi::command {
namespace {

struct machine_mpi {
    runtime::library library;
    function_directory functions;
};

std::vector<machine_mpi> find_mpis(abi of_program) {
    std::vector<machine_mpi> mpis;
    for (const runtime::library& library : find_libraries())
        mpis.push_back({library, function_directory(library, of_program)});
    return mpis;
}

// Returns MPI_Bsend for `Bsend` and `PMPI_Bsend`, and an empty text if there is no such function.
std::string full_name(const std::string& word) {
    const std::size_t prefix = word.starts_with("PMPI_") ? 5 : word.starts_with("MPI_") ? 4 : 0;
    const std::string name = "MPI_" + word.substr(prefix);
    const std::vector<std::string>& all = all_functions();
    return std::find(all.begin(), all.end(), name) != all.end() ? name : "";
}

// Returns the functions of anympi that are called before the library's function or replace it, the newest first.
std::vector<const override_entry*> layers_of(const function_answer& answer) {
    std::vector<const override_entry*> layers = answer.extensions;
    if (answer.built != nullptr)
        layers.push_back(answer.built);
    return layers;
}

bool is_library_behind(const function_answer& answer) {
    return !answer.is_missing && !answer.is_by_anympi_alone && answer.built == nullptr;
}

// Returns a word for the function that a call reaches first.
std::string word_for(const function_answer& answer) {
    if (answer.is_missing)
        return "missing";
    if (answer.is_by_anympi_alone)
        return "anympi";
    const std::vector<const override_entry*> layers = layers_of(answer);
    return layers.empty() ? "library" : answer.built != nullptr ? answer.built->reason : layers[0]->reason;
}

// --- for programs to read ---

// Returns the functions that a layer needs. For an extension and a bridge, `needs` of the answer has them already.
json describe_needs(const override_entry& layer) {
    const bool is_built = layer.reason == "absent" || layer.reason == "wrong";
    return is_built ? json(layer.needs) : json(nullptr);
}

json describe(const std::vector<const override_entry*>& layers) {
    json all = json::array();
    for (const override_entry* const layer : layers)
        all.push_back({{"reason", layer->reason},
                       {"by", layer->code},
                       {"file", layer->file},
                       {"number", layer->number == "-" ? json(nullptr) : json(std::stoi(layer->number))},
                       {"when", layer->when},
                       {"libraries", layer->libraries},
                       {"needs", describe_needs(*layer)},
                       {"sentence", layer->sentence}});
    return all;
}

json describe(const machine_mpi& mpi, const std::string& name) {
    const function_answer answer = mpi.functions.find(name);
    return {{"product", mpi.library.product},
            {"version", runtime::exact_version(mpi.library).text},
            {"path", mpi.library.path},
            {"answer", word_for(answer)},
            {"needs", answer.is_by_anympi_alone ? json(nullptr) : json(answer.needs)},
            {"library_function",
             is_library_behind(answer) ? json(answer.also.empty() ? answer.needs : answer.also) : json(nullptr)},
            {"layers", describe(layers_of(answer))},
            {"later", describe(answer.later)}};
}

// --- for people ---

void print_layer(const override_entry& layer, const std::string& when) {
    show_wrapped("    ", "      ", "{} ({}, {}{}): {}", layer.reason, layer.code, layer.file, when, layer.sentence);
}

void print_answer(const machine_mpi& mpi, const std::string& name) {
    const function_answer answer = mpi.functions.find(name);
    show_wrapped("  ", "    ", "{}, {}: {}", title_of(mpi.library), mpi.library.path,
                 painted(word_for(answer), answer.is_missing ? style::bad : style::good));
    for (const override_entry* const layer : layers_of(answer))
        print_layer(*layer, "");
    for (const override_entry* const layer : answer.later)
        print_layer(*layer, ", " + meaning_of_moment(layer->when));
    if (!answer.also.empty())
        show_wrapped("    ", "      ", "the library has it as {}", answer.also);
}

void print_table(const std::vector<machine_mpi>& mpis, const std::vector<std::string>& names) {
    std::vector<column> columns = {{"FUNCTION"}};
    for (const machine_mpi& mpi : mpis)
        columns.push_back({title_of(mpi.library), when_narrow::continued});
    table rows(columns);
    for (const std::string& name : names) {
        std::vector<cell> row = {{name}};
        for (const machine_mpi& mpi : mpis) {
            const std::string word = word_for(mpi.functions.find(name));
            row.push_back({word, word == "missing" ? style::bad : style::plain});
        }
        rows.add(row);
    }
    rows.print();
}

// Returns the functions that the words name. Reports each word that does not name a function.
std::vector<std::string> functions_meant(const std::vector<std::string>& words) {
    std::vector<std::string> names;
    for (const std::string& word : words) {
        const std::string name = full_name(word);
        if (!name.empty()) {
            names.push_back(name);
            continue;
        }
        const std::string meant = nearest(word, all_functions());
        runtime::say("MPI 5.0 has no function %s%s%s", word.c_str(), meant.empty() ? "" : "; did you mean ",
                     meant.c_str());
    }
    return names;
}

} // namespace

int show_functions(const std::vector<std::string>& words, abi of_program, bool as_json) {
    const std::vector<machine_mpi> mpis = find_mpis(of_program);
    const std::vector<std::string> names = words.empty() ? all_functions() : functions_meant(words);
    const int code = words.empty() || names.size() == words.size() ? 0 : 1;
    if (!as_json && words.empty()) {
        print_table(mpis, names);
        return code;
    }
    json document = {{"abi", name_of(of_program)}, {"functions", json::array()}};
    for (const std::string& name : names) {
        json answers = json::array();
        if (!as_json)
            show("{}\n", painted(name, style::heading));
        for (const machine_mpi& mpi : mpis) {
            if (as_json)
                answers.push_back(describe(mpi, name));
            else
                print_answer(mpi, name);
        }
        document["functions"].push_back({{"name", name}, {"machine", answers}});
    }
    if (as_json)
        print_json(document);
    return code;
}

} // namespace anympi::command
