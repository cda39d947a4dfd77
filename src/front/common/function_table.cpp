#include "front/common/function_table.hpp"

#include "abi/all.hpp"
#include "emulate/engine/emulation.hpp"
#include "emulate/engine/override.hpp"
#include "front/common/directory.hpp"
#include "front/common/entry.hpp"
#include "runtime/message.hpp"

#include <charconv>
#include <cstring>
#include <string_view>

namespace anympi {

namespace {

struct function_table {
    void* const* now = nullptr;
    void* const* own = nullptr;
    bool is_direct = false; // the library is called without bridges
};
function_table shown;

template <class Run>
function_table table_of() {
    return {reinterpret_cast<void* const*>(&library<Run>),
            reinterpret_cast<void* const*>(&emulate::own_functions<Run>)};
}

function_table table_of(abi of_library) {
    switch (of_library) {
    case abi::standard:
        return table_of<standard>();
    case abi::mpich:
        return table_of<mpich>();
    case abi::openmpi:
        return table_of<openmpi>();
    }
    return {};
}

// Describes one entry of the table in words.
class description {
public:
    explicit description(int of) : place(shown.now + of), code(*place) {
        if (shown.is_direct && is_bridged(of))
            add("bridged");
        for (int i = emulate::count_overrides(); i-- > 0;)
            add_override(emulate::override_at(i));
        add(describe_original(of));
    }

    const char* text() const { return text_; }
    bool is_plain() const { return std::strcmp(text_, " library") == 0; }

private:
    // Returns true if the slot leads neither to the library nor to the report that the function is missing. For a
    // library that is called without bridges.
    bool is_bridged(int of) const {
        const short needs = needed_functions[of];
        const void* const leads_to = slots[of];
        return leads_to != *place && leads_to != missing_functions[of] && (needs < 0 || leads_to != shown.now[needs]);
    }
    const char* describe_original(int of) const {
        if (code == nullptr || code == shown.own[of])
            return code == nullptr ? "missing" : "library";
        if (code != emulate::emulation_of(of))
            return "unknown";
        return shown.own[of] == nullptr ? "absent" : "wrong";
    }
    void add_override(const emulate::installed_override& made) {
        if (made.place != place || made.code != code)
            return;
        char number[12] = "";
        std::to_chars(number, number + sizeof number - 1, made.number);
        add(number);
        code = made.before;
    }
    void add(std::string_view word) {
        if (length + word.size() + 2 > sizeof text_)
            return;
        text_[length++] = ' ';
        std::memcpy(text_ + length, word.data(), word.size());
        length += word.size();
    }

    void* const* place;
    void* code;
    char text_[128] = "";
    std::size_t length = 0;
};

void show(const char* when) {
    const char* name = function_names;
    for (int i = 0; i < function_count; ++i) {
        if (const description here(i); !here.is_plain())
            runtime::say("function table %s: %s%s", when, name, here.text());
        name += std::strlen(name) + 1;
    }
    runtime::say("function table %s ends", when);
}

[[gnu::destructor]] void show_at_end() {
    if (shown.now != nullptr)
        show("at the end");
}

} // namespace

void show_function_table(abi of_library) {
    if (!runtime::is_on("ANYMPI_SHOW_FUNCTIONS"))
        return;
    shown = table_of(of_library);
    shown.is_direct = app::name == abi::standard && of_library == app::name;
    show("at binding");
}

} // namespace anympi
