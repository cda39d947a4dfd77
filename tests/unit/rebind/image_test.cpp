#include "runtime/open/image.hpp"

#include "dummies.hpp"

#include <algorithm>
#include <string>

using namespace anympi::runtime;

namespace {

bool contains(const image_list& list, const std::string& file) {
    return std::any_of(list.objects().begin(), list.objects().end(),
                       [&](const image& object) { return std::string(object.file()).ends_with(file); });
}

TEST(image, finds_what_dlsym_finds) {
    for (const char* name : {"runtime_lazy", "runtime_old_hash", "runtime_versions", "runtime_bindings"}) {
        const loaded library(dummy(name));
        const image object(*library.map());
        for (const char* symbol : {"PMPI_Barrier", "MPI_Barrier", "MPI_Init", "MPI_DATA", "MPIX_Extension",
                                   "MPI_Chosen_at_load", "runtime_dlopen"}) {
            void* found = object.find(symbol_name(symbol));
            const bool is_elsewhere = found == nullptr && std::string(name) == "runtime_bindings";
            EXPECT_TRUE(is_elsewhere || found == library.symbol(symbol)) << name << " " << symbol;
        }
        EXPECT_EQ(object.find(symbol_name("MPI_Nothing")), nullptr);
        EXPECT_EQ(object.find(symbol_name("dlopen")), nullptr) << "only its own definitions";
    }
}

TEST(image, tells_what_it_defines) {
    const loaded library(dummy("runtime_lazy"));
    const image object(*library.map());
    const auto defines = [&](const std::string& name) {
        const auto all = object.definitions();
        return std::count_if(all.begin(), all.end(),
                             [&](const Elf64_Sym& symbol) { return object.name(symbol) == name; });
    };
    for (const char* name : {"PMPI_Barrier", "MPI_Init", "MPI_DATA", "runtime_dlopen", "vendor_data"})
        EXPECT_EQ(defines(name), 1) << name;
    EXPECT_EQ(defines("dlopen"), 0);
    const loaded old(dummy("runtime_old_hash"));
    EXPECT_TRUE(image(*old.map()).definitions().empty());
}

TEST(image, knows_its_name_and_needs) {
    const loaded library(dummy("runtime_bindings"));
    const image object(*library.map());
    EXPECT_STREQ(object.soname(), "runtime_bindings.so");
    EXPECT_TRUE(object.needs("runtime_core.so"));
    EXPECT_FALSE(object.needs("runtime_bindings.so"));
}

// On some systems the vdso is linked for an address of the kernel, and its dynamic section is not writable.
TEST(image, is_read_also_if_it_was_linked_for_an_address_of_the_kernel) {
    constexpr Elf64_Addr linked_for = 0xffffffffff700000;
    struct {
        const char strings[16] = "\0vdso\0function";
        Elf64_Sym symbols[2] = {};
        std::uint32_t hash[6] = {1, 2, 1, 0, 0, 0}; // one bucket with symbol 1
        Elf64_Dyn dynamic[5] = {};
    } vdso;
    const auto linked = [&](const void* part) {
        return linked_for + static_cast<Elf64_Addr>(static_cast<const char*>(part) - vdso.strings);
    };
    vdso.symbols[1].st_name = 6;
    vdso.symbols[1].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    vdso.symbols[1].st_shndx = 1;
    vdso.symbols[1].st_value = linked(vdso.hash);
    vdso.dynamic[0] = {DT_STRTAB, {linked(vdso.strings)}};
    vdso.dynamic[1] = {DT_SYMTAB, {linked(vdso.symbols)}};
    vdso.dynamic[2] = {DT_HASH, {linked(vdso.hash)}};
    vdso.dynamic[3] = {DT_SONAME, {1}};

    link_map object{};
    object.l_addr = reinterpret_cast<Elf64_Addr>(&vdso) - linked_for;
    object.l_ld = vdso.dynamic;
    const image part(object);
    EXPECT_STREQ(part.soname(), "vdso");
    EXPECT_EQ(part.find(symbol_name("function")), vdso.hash);
    EXPECT_EQ(part.find(symbol_name("other")), nullptr);
}

TEST(image_list, holds_an_object_and_all_that_it_needs) {
    const loaded unrelated(dummy("plugin_lazy"));
    const loaded library(dummy("runtime_bindings"));
    image_list list;
    ASSERT_TRUE(list.collect(library.map(), image_list::members::all));
    EXPECT_STREQ(list.objects().front().soname(), "runtime_bindings.so");
    EXPECT_TRUE(contains(list, "runtime_core.so"));
    EXPECT_TRUE(contains(list, "libc.so.6"));
    EXPECT_FALSE(contains(list, "plugin_lazy.so"));
    EXPECT_NE(list.find("MPI_Barrier"), nullptr);
    EXPECT_NE(list.find("PMPI_Barrier"), nullptr);
    EXPECT_EQ(list.find("MPI_Nothing"), nullptr);
    list.release();
}

TEST(image_list, can_leave_out_what_was_there_before) {
    const loaded helper(dummy("plugin_helper"));
    const loaded plugin(dummy("plugin_with_helper"));
    image_list list;
    ASSERT_TRUE(list.collect(plugin.map(), image_list::members::newer_than_root));
    EXPECT_EQ(list.objects().size(), 1);
    ASSERT_TRUE(list.collect(plugin.map(), image_list::members::all));
    EXPECT_TRUE(contains(list, "plugin_helper.so"));
    list.release();
}

} // namespace
