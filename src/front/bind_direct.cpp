#include "front/bind_direct.hpp"

#include "bridge/start.hpp"
#include "bridge/status.hpp"
#include "bridges.hpp" // generated
#include "front/directory.hpp"
#include "front/find_functions.hpp"

namespace anympi {

namespace {

using direct = pair<standard, standard>;

/// What stands in for a function, whether the library has it or not.
struct substitute {
    function of;
    void* code;
};
const substitute substitutes[] = {
    // the checks of the launcher
    {function::Init, reinterpret_cast<void*>(bridge::Init<direct>)},
    {function::Init_thread, reinterpret_cast<void*>(bridge::Init_thread<direct>)},
    {function::Session_init, reinterpret_cast<void*>(bridge::Session_init<direct>)},
    // libraries take MPI_Count in the small form too; of an int only the lower half of the register is defined
    {function::Psend_init, reinterpret_cast<void*>(bridge::Psend_init<direct>)},
    {function::Precv_init, reinterpret_cast<void*>(bridge::Precv_init<direct>)},
    // the same eight integers in every form
    {function::Status_c2f, reinterpret_cast<void*>(bridge::Status_c2f<direct>)},
    {function::Status_f2c, reinterpret_cast<void*>(bridge::Status_f2c<direct>)},
    {function::Status_c2f08, reinterpret_cast<void*>(bridge::Status_c2f08<direct>)},
    {function::Status_f082c, reinterpret_cast<void*>(bridge::Status_f082c<direct>)},
    {function::Status_f2f08, reinterpret_cast<void*>(bridge::Status_f2f08<direct>)},
    {function::Status_f082f, reinterpret_cast<void*>(bridge::Status_f082f<direct>)},
};

/// What the library has under another name with the same arguments.
struct synonym {
    function of;
    function is;
};
constexpr synonym synonyms[] = {
    {function::Psend_init_c, function::Psend_init},
    {function::Precv_init_c, function::Precv_init},
    {function::Comm_c2f, function::Comm_toint},
    {function::Errhandler_c2f, function::Errhandler_toint},
    {function::File_c2f, function::File_toint},
    {function::Group_c2f, function::Group_toint},
    {function::Info_c2f, function::Info_toint},
    {function::Message_c2f, function::Message_toint},
    {function::Op_c2f, function::Op_toint},
    {function::Request_c2f, function::Request_toint},
    {function::Session_c2f, function::Session_toint},
    {function::Type_c2f, function::Type_toint},
    {function::Win_c2f, function::Win_toint},
    {function::Comm_f2c, function::Comm_fromint},
    {function::Errhandler_f2c, function::Errhandler_fromint},
    {function::File_f2c, function::File_fromint},
    {function::Group_f2c, function::Group_fromint},
    {function::Info_f2c, function::Info_fromint},
    {function::Message_f2c, function::Message_fromint},
    {function::Op_f2c, function::Op_fromint},
    {function::Request_f2c, function::Request_fromint},
    {function::Session_f2c, function::Session_fromint},
    {function::Type_f2c, function::Type_fromint},
    {function::Win_f2c, function::Win_fromint},
};

} // namespace

void bind_direct(const runtime::opened& from, void** targets) {
    void** const found = reinterpret_cast<void**>(&library<standard>);
    find_functions(from, found);
    for (int i = 0; i < function_count; ++i)
        targets[i] = found[i] != nullptr ? found[i] : missing_functions[i];
    for (const synonym& s : synonyms)
        if (found[static_cast<int>(s.is)] != nullptr)
            targets[static_cast<int>(s.of)] = found[static_cast<int>(s.is)];
    for (const substitute& s : substitutes)
        if (needed_functions[static_cast<int>(s.of)] < 0 || found[needed_functions[static_cast<int>(s.of)]] != nullptr)
            targets[static_cast<int>(s.of)] = s.code;
}

} // namespace anympi
