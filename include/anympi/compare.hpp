// Collective calls are compared across processes at the assertion level `communication`.
//
// Before a process calls a collective function, it tells every other process which function it calls, and the number
// and types of the elements that it sends there. Each process then compares the function, the root and the operation,
// and for each pair of processes the sent data with the expected data. If something differs, the error says which
// processes called which function, and no process calls the function of MPI, which could wait forever or move wrong
// data. A process that finds a mistake by itself tells the others in the same way.
//
// An immediate call must not wait for the other processes: its comparison is complete before its request is.
//
// For two groups, and between neighbors, only the names of the functions are compared.
#ifndef ANYMPI_COMPARE_HPP
#define ANYMPI_COMPARE_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "room.hpp"
#include "unwinding.hpp"

#pragma GCC visibility push(default)
namespace anympi::shared {

/// A hash of the basic types of some data in order (a polynomial), and the number of elements.
struct Signature {
    std::uint64_t hash = 0, power = 1, length = 0;
    bool is_packed = false; // MPI_PACKED matches any types

    friend Signature operator+(const Signature& a, const Signature& b) noexcept {
        return {a.hash * b.power + b.hash, a.power * b.power, a.length + b.length, a.is_packed || b.is_packed};
    }
    [[nodiscard]] bool matches(const Signature& other) const noexcept {
        return is_packed || other.is_packed || (hash == other.hash && length == other.length);
    }
};
inline Signature repeated(Signature one, std::uint64_t times) noexcept {
    Signature all;
    for (; times > 0; times /= 2) {
        if (times % 2 == 1)
            all = all + one;
        one = one + one;
    }
    return all;
}

/// Some data: its signature for the comparison, and a text for people.
struct Described {
    Signature signature;
    std::string text = "nothing";
};
inline Described times(MPI_Count count, const Described& one) {
    if (count <= 0 || one.signature.length == 0)
        return {};
    return {repeated(one.signature, static_cast<std::uint64_t>(count)),
            count == 1 ? one.text : std::to_string(count) + " " + one.text};
}

/// Describes a basic type by its name. Handles of the same type may differ between processes.
inline Described basic_type(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    MPI_Type_get_name(type, name, &length);
    constexpr std::uint64_t base = 0x9e3779b97f4a7c15; // any odd number whose powers are different
    std::uint64_t hash = 1;
    for (const char* letter = name; *letter; ++letter)
        hash = (hash ^ static_cast<unsigned char>(*letter)) * 0xff51afd7ed558ccd;
    return {{hash, base, 1, type == MPI_PACKED}, name};
}
inline MPI_Count size_of_type(MPI_Datatype type) {
    MPI_Count bytes = 0;
    MPI_Type_size_c(type, &bytes);
    return bytes;
}
/// Describes the basic datatypes inside a datatype. Gaps are left out, since processes may have different ones.
inline Described describe_type(MPI_Datatype type) {
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    int combiner = MPI_COMBINER_NAMED;
    if (MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner) != MPI_SUCCESS || types == 0)
        return basic_type(type);
    Room<int> of_integers(static_cast<std::size_t>(integers) + 1);
    Room<MPI_Aint> of_addresses(static_cast<std::size_t>(addresses) + 1);
    Room<MPI_Count> of_counts(static_cast<std::size_t>(counts) + 1);
    Room<MPI_Datatype> inner(static_cast<std::size_t>(types));
    if (MPI_Type_get_contents_c(type, integers, addresses, counts, types, of_integers.data(), of_addresses.data(),
                                of_counts.data(), inner.data()) != MPI_SUCCESS)
        return basic_type(type);
    Described whole;
    std::string text;
    for (std::size_t place = 0; place < inner.size(); ++place) {
        const Described part = describe_type(inner[place]);
        // The number of elements of a single inner type follows from the sizes, for every constructor.
        MPI_Count often = 1;
        if (combiner == MPI_COMBINER_STRUCT)
            often = integers > 0 ? of_integers[place + 1] : of_counts[place + 1];
        else if (inner.size() == 1)
            often = size_of_type(type) / std::max<MPI_Count>(size_of_type(inner[place]), 1);
        const Described parts = times(often, part);
        whole.signature = whole.signature + parts.signature;
        text += (place > 0 ? ", " : "") + parts.text;
        if (MPI_Type_get_envelope_c(inner[place], &integers, &addresses, &counts, &types, &combiner) == MPI_SUCCESS &&
            types > 0)
            MPI_Type_free(&inner[place]);
    }
    whole.text = inner.size() == 1 ? text : "{" + text + "}";
    return whole;
}
inline Described describe(MPI_Count count, MPI_Datatype type) {
    return count > 0 ? times(count, describe_type(type)) : Described();
}

/// The message by which a process tells another process about its call.
struct Told {
    char function[48];
    std::int32_t root;
    std::uint64_t op;
    Signature whole, sent;
    std::int32_t refusal; // the error that this process found by itself
    char op_text[24], whole_text[88], sent_text[88], refusal_text[120];
};

template <std::size_t Size>
void put_text(char (&room)[Size], std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), Size - 1);
    text.copy(room, length);
    room[length] = 0;
}

/// A collective call of this process.
struct Call {
    static constexpr int no_root = -100;
    explicit Call(MPI_Comm on, std::string_view function) : comm(on) {
        put_text(told.function, function);
        told.root = no_root;
        int inter = 0;
        code = MPI_Comm_rank(comm, &rank);
        if (code == MPI_SUCCESS)
            code = MPI_Comm_test_inter(comm, &inter);
        if (code == MPI_SUCCESS)
            code = inter ? MPI_Comm_remote_size(comm, &peers) : MPI_Comm_size(comm, &peers);
        is_inter = inter != 0;
        is_simple = !inter && function.find("eighbor") == std::string_view::npos;
        is_scatter = function.starts_with("MPI_Scatter") || function.starts_with("MPI_Iscatter");
    }

    /// Each overload reads the arguments of MPI functions with one list of parameters.
    void takes() {}
    void takes(const void*, MPI_Count count, MPI_Datatype type, int root) {
        same_everywhere(describe(count, type));
        told.root = root;
    }
    void takes(const void*, const void*, MPI_Count count, MPI_Datatype type, MPI_Op op) {
        same_everywhere(describe(count, type));
        combines(op);
    }
    void takes(const void*, const void*, MPI_Count count, MPI_Datatype type, MPI_Op op, int root) {
        same_everywhere(describe(count, type));
        combines(op);
        told.root = root;
    }
    void takes(const void*, const void*, const MPI_Count* counts, MPI_Datatype type, MPI_Op op) {
        // The counts are hashed too, since the sizes of the blocks matter and not only their sum.
        Described all;
        const Described one = describe_type(type);
        std::string text = "blocks of";
        for (int part = 0; part < peers; ++part) {
            const Described block = times(counts[part], one);
            all.signature = all.signature + block.signature;
            all.signature.hash = all.signature.hash * 31 + static_cast<std::uint64_t>(counts[part]);
            text += (part > 0 ? ", " : " ") + block.text;
        }
        all.text = text;
        same_everywhere(all);
        combines(op);
    }
    void takes(const void* from, MPI_Count sent, MPI_Datatype of, const void*, MPI_Count received, MPI_Datatype as) {
        const Described into = describe(received, as);
        const Described out = from == MPI_IN_PLACE ? into : describe(sent, of);
        nothing_to_all();
        for (std::size_t peer = 0; peer < sends.size(); ++peer) {
            sends[peer] = out;
            receives[peer] = into;
        }
    }
    void takes(const void* from, MPI_Count sent, MPI_Datatype of, const void* into, MPI_Count received, MPI_Datatype as,
               int root) {
        told.root = root;
        const bool at_root = rank == root;
        nothing_to_all();
        if (!is_scatter && from != MPI_IN_PLACE && is_rank(root))
            sends[at(root)] = describe(sent, of);
        if (is_scatter && into != MPI_IN_PLACE && is_rank(root))
            receives[at(root)] = describe(received, as);
        for (int peer = 0; peer < peers && at_root; ++peer) {
            if (!is_scatter && !(peer == rank && from == MPI_IN_PLACE))
                receives[at(peer)] = describe(received, as);
            if (is_scatter && !(peer == rank && into == MPI_IN_PLACE))
                sends[at(peer)] = describe(sent, of);
        }
    }
    void takes(const void* from, MPI_Count sent, MPI_Datatype of, const void*, const MPI_Count* received,
               const MPI_Aint*, MPI_Datatype as) {
        const Described one = describe_type(as);
        const Described out = from == MPI_IN_PLACE ? times(received[rank], one) : describe(sent, of);
        nothing_to_all();
        for (std::size_t peer = 0; peer < sends.size(); ++peer) {
            sends[peer] = out;
            receives[peer] = times(received[peer], one);
        }
    }
    void takes(const void* from, MPI_Count sent, MPI_Datatype of, const void*, const MPI_Count* received,
               const MPI_Aint*, MPI_Datatype as, int root) {
        told.root = root;
        nothing_to_all();
        if (from != MPI_IN_PLACE && is_rank(root))
            sends[at(root)] = describe(sent, of);
        for (int peer = 0; peer < peers && rank == root; ++peer)
            if (!(peer == rank && from == MPI_IN_PLACE))
                receives[at(peer)] = describe(received[peer], as);
    }
    void takes(const void*, const MPI_Count* sent, const MPI_Aint*, MPI_Datatype of, const void* into,
               MPI_Count received, MPI_Datatype as, int root) {
        told.root = root;
        nothing_to_all();
        if (into != MPI_IN_PLACE && is_rank(root))
            receives[at(root)] = describe(received, as);
        for (int peer = 0; peer < peers && rank == root; ++peer)
            if (!(peer == rank && into == MPI_IN_PLACE))
                sends[at(peer)] = describe(sent[peer], of);
    }
    void takes(const void* from, const MPI_Count* sent, const MPI_Aint*, MPI_Datatype of, const void*,
               const MPI_Count* received, const MPI_Aint*, MPI_Datatype as) {
        const bool in_place = from == MPI_IN_PLACE;
        nothing_to_all();
        for (std::size_t peer = 0; peer < sends.size(); ++peer) {
            receives[peer] = describe(received[peer], as);
            sends[peer] = in_place ? receives[peer] : describe(sent[peer], of);
        }
    }
    void takes(const void*, const MPI_Count* sent, const MPI_Aint*, const MPI_Datatype* of, const void*,
               const MPI_Count* received, const MPI_Aint*, const MPI_Datatype* as) {
        nothing_to_all();
        for (std::size_t peer = 0; peer < sends.size(); ++peer) {
            sends[peer] = describe(sent[peer], of[peer]);
            receives[peer] = describe(received[peer], as[peer]);
        }
    }
    /// For operations that exchange sizes themselves and then send elements of this type.
    void takes_any(MPI_Datatype type, int root) {
        same_everywhere(describe(1, type));
        told.root = root;
    }
    void refuses(int code, std::string_view text) {
        told.refusal = code;
        put_text(told.refusal_text, text);
    }

    /// Returns one message for each other process.
    [[nodiscard]] Room<Told> to_tell() const {
        Room<Told> all(static_cast<std::size_t>(peers));
        for (Told& one : all)
            one = told;
        for (std::size_t peer = 0; is_simple && peer < sends.size(); ++peer) {
            all[peer].sent = sends[peer].signature;
            put_text(all[peer].sent_text, sends[peer].text);
        }
        return all;
    }

    [[nodiscard]] const Told& own() const noexcept { return told; }

    MPI_Comm comm;
    int code = MPI_SUCCESS; // of the calls that ask for facts about the communicator
    int rank = 0, peers = 0;
    bool is_inter = false;   // two groups; each is told what the other one calls
    bool is_simple = true;   // one group in which every process communicates with every other
    bool is_scatter = false; // the root sends
    Room<Described> receives;

private:
    [[nodiscard]] bool is_rank(int number) const noexcept { return number >= 0 && number < peers; }
    static std::size_t at(int peer) noexcept { return static_cast<std::size_t>(peer); }
    void nothing_to_all() {
        sends = Room<Described>(at(peers));
        receives = Room<Described>(at(peers));
    }
    void same_everywhere(const Described& what) {
        told.whole = what.signature;
        put_text(told.whole_text, what.text);
    }
    void combines(MPI_Op op) {
        struct Known {
            MPI_Op op;
            const char* name;
        };
        static const Known known[] = {{MPI_SUM, "MPI_SUM"},   {MPI_PROD, "MPI_PROD"},     {MPI_MAX, "MPI_MAX"},
                                      {MPI_MIN, "MPI_MIN"},   {MPI_LAND, "MPI_LAND"},     {MPI_LOR, "MPI_LOR"},
                                      {MPI_LXOR, "MPI_LXOR"}, {MPI_BAND, "MPI_BAND"},     {MPI_BOR, "MPI_BOR"},
                                      {MPI_BXOR, "MPI_BXOR"}, {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"}};
        // All other operations count as equal. Handles of one operation differ between processes.
        told.op = std::size(known) + 1;
        put_text(told.op_text, "a custom operation");
        for (std::size_t place = 0; place < std::size(known); ++place)
            if (known[place].op == op) {
                told.op = place + 1;
                put_text(told.op_text, known[place].name);
            }
    }

    Told told{};
    Room<Described> sends;
};

/// Describes the call of a process for an error message.
inline std::string text_of(const Told& told) {
    std::string text = told.function;
    if (*told.whole_text)
        text += std::string(" of ") + told.whole_text;
    if (*told.op_text)
        text += std::string(", ") + told.op_text;
    if (told.root != Call::no_root)
        text += ", root " + std::to_string(told.root);
    return text;
}
/// Ranks in ascending order: "process 1", "processes 0, 2 to 7".
inline std::string text_of_ranks(const std::vector<std::size_t>& ranks) {
    std::string text = ranks.size() == 1 ? "process " : "processes ";
    for (std::size_t place = 0; place < ranks.size(); ++place) {
        const std::size_t first = place;
        while (place + 1 < ranks.size() && ranks[place + 1] == ranks[place] + 1)
            ++place;
        text += (first > 0 ? ", " : "") + std::to_string(ranks[first]);
        if (place > first)
            text += (place > first + 1 ? " to " : ", ") + std::to_string(ranks[place]);
    }
    return text;
}
/// Lists which processes called what. Processes with the same call are listed together.
inline std::string text_of(const Room<Told>& all) {
    constexpr std::size_t most_calls = 4;
    Room<bool> is_listed(all.size());
    std::string whole;
    std::size_t calls = 0;
    for (std::size_t first = 0; first < all.size(); ++first) {
        if (is_listed[first])
            continue;
        if (++calls > most_calls)
            return whole + "; and others";
        const std::string text = text_of(all[first]);
        std::vector<std::size_t> same;
        for (std::size_t peer = first; peer < all.size(); ++peer)
            if (text_of(all[peer]) == text) {
                is_listed[peer] = true;
                same.push_back(peer);
            }
        whole += (first > 0 ? "; " : "") + text_of_ranks(same) + ": " + text;
    }
    return whole;
}

/// The result of a comparison: an error code of MPI, and a text that says who called what.
struct Verdict {
    int code = MPI_SUCCESS;
    std::string text;
};

/// Compares what all processes told. Every process gets the same verdict.
inline Verdict compare_calls(const Call& call, const Room<Told>& all) {
    if (all.empty())
        return {};
    const Told& first = all[0];
    const auto differs = [&](auto is_other) {
        for (const Told& one : all)
            if (is_other(one))
                return true;
        return false;
    };
    if (differs([&](const Told& one) { return std::strcmp(one.function, first.function) != 0; }))
        return {MPI_ERR_OTHER, "the processes call different functions: " + text_of(all)};
    if (call.is_inter && std::strcmp(call.own().function, first.function) != 0)
        return {MPI_ERR_OTHER, std::string("the groups call different functions: this group ") + call.own().function +
                                   "; in the other group, " + text_of(all)};
    if (call.is_inter && call.own().refusal != MPI_SUCCESS)
        return {call.own().refusal, call.own().refusal_text};
    for (std::size_t peer = 0; peer < all.size(); ++peer)
        if (all[peer].refusal != MPI_SUCCESS)
            return {all[peer].refusal, "process " + std::to_string(peer) + ": " + all[peer].refusal_text};
    if (!call.is_simple)
        return {};
    if (differs([&](const Told& one) { return one.root != first.root; }))
        return {MPI_ERR_ROOT, "the processes pass different roots: " + text_of(all)};
    if (differs([&](const Told& one) { return one.op != first.op; }))
        return {MPI_ERR_OP, "the processes pass different operations: " + text_of(all)};
    if (differs([&](const Told& one) { return one.whole.length != first.whole.length; }))
        return {MPI_ERR_COUNT, "the processes have different counts: " + text_of(all)};
    if (differs([&](const Told& one) { return !one.whole.matches(first.whole); }))
        return {MPI_ERR_TYPE, "the processes have different types: " + text_of(all)};
    return {};
}
/// Compares the data that is sent to this process with the data that it expects. Only this process gets the verdict.
inline Verdict compare_data(const Call& call, const Room<Told>& all) {
    for (std::size_t peer = 0; call.is_simple && peer < call.receives.size(); ++peer) {
        const Signature& sent = all[peer].sent;
        const Described& expected = call.receives[peer];
        if (sent.matches(expected.signature))
            continue;
        const bool same_count = sent.length == expected.signature.length;
        return {same_count ? MPI_ERR_TYPE : MPI_ERR_COUNT,
                std::string("process ") + std::to_string(peer) + " sends " + all[peer].sent_text + " to process " +
                    std::to_string(call.rank) + ", which expects " + expected.text + " from it"};
    }
    return {};
}

/// A comparison under way.
struct Comparison {
    explicit Comparison(Call given) : call(std::move(given)), mine(call.to_tell()), theirs(mine.size()) {
        if (code == MPI_SUCCESS)
            code = MPI_Ialltoall(mine.data(), sizeof(Told), MPI_BYTE, theirs.data(), sizeof(Told), MPI_BYTE, call.comm,
                                 &exchange);
    }
    Comparison(const Comparison&) = delete;
    Comparison& operator=(const Comparison&) = delete;

    bool is_complete() {
        int complete = 1;
        if (code == MPI_SUCCESS)
            code = MPI_Test(&exchange, &complete, MPI_STATUS_IGNORE);
        return complete != 0;
    }
    /// Waits for the other processes, and returns what this process finds.
    Verdict verdict() {
        if (code == MPI_SUCCESS)
            code = MPI_Wait(&exchange, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return {code, "the calls of the processes could not be compared"};
        Verdict verdict = compare_calls(call, theirs);
        return verdict.code == MPI_SUCCESS ? compare_data(call, theirs) : verdict;
    }

    Call call;
    Room<Told> mine, theirs;
    MPI_Request exchange = MPI_REQUEST_NULL;
    int code = call.code;
};

/// Makes the verdict of one process the verdict of all. Verdicts that all processes share already need no second round.
inline Verdict agreed(const Call& call, const Verdict& mine) {
    struct Report {
        int code;
        char text[300];
    } report{mine.code, ""};
    if (!call.is_simple)
        return mine;
    put_text(report.text, mine.text);
    const int my_place = mine.code == MPI_SUCCESS ? call.peers : call.rank;
    int first = 0;
    if (const int code = MPI_Allreduce(&my_place, &first, 1, MPI_INT, MPI_MIN, call.comm); code != MPI_SUCCESS)
        return {code, ""};
    if (first == call.peers)
        return {};
    if (const int code = MPI_Bcast(&report, sizeof report, MPI_BYTE, first, call.comm); code != MPI_SUCCESS)
        return {code, ""};
    return {report.code, report.text};
}
/// Does the same for two groups. A process learns the calls of the other group only, so it does not see mistakes in its
/// own group. In the first round each group learns what the other group found. In the second round each process also
/// learns what its own group found.
inline Verdict agreed_by_groups(const Call& call, const Verdict& mine) {
    int found = mine.code;
    for (int round = 0; round < 2; ++round) {
        int others = MPI_SUCCESS;
        if (const int code = MPI_Allreduce(&found, &others, 1, MPI_INT, MPI_MAX, call.comm); code != MPI_SUCCESS)
            return {code, ""};
        found = std::max(found, others);
    }
    if (mine.code != MPI_SUCCESS || found == MPI_SUCCESS)
        return mine;
    return {found,
            std::string("processes of this group call different functions, or one of them made a mistake: this one "
                        "calls ") +
                call.own().function};
}
/// Compares a call that may wait for the other processes.
inline Verdict compare_now(Call given) {
    Comparison comparison(std::move(given));
    const Verdict verdict = comparison.verdict();
    if (comparison.code == MPI_SUCCESS && comparison.call.is_inter)
        return agreed_by_groups(comparison.call, verdict);
    const bool all_see_it =
        comparison.code != MPI_SUCCESS || compare_calls(comparison.call, comparison.theirs).code != MPI_SUCCESS;
    return all_see_it ? verdict : agreed(comparison.call, verdict);
}

/// The comparisons of immediate calls, by the handles of their requests. (Libraries may give several operations one
/// handle if they are complete at once.)
class PendingComparisons {
public:
    static void add(MPI_Request handle, std::shared_ptr<Comparison> comparison) {
        const std::lock_guard lock(mutex);
        all().add(number_of(handle), std::move(comparison));
        ++count;
    }
    static bool are_there() noexcept { return count.load(std::memory_order_relaxed) > 0; }
    /// Returns true if the comparison is complete. Does not wait.
    static bool are_complete(MPI_Request handle) {
        const std::lock_guard lock(mutex);
        return all().all_of(number_of(handle), [](const auto& one) { return one->is_complete(); });
    }
    static std::shared_ptr<Comparison> take(MPI_Request handle) {
        const std::lock_guard lock(mutex);
        const auto found = all().find(number_of(handle));
        if (!found)
            return nullptr;
        std::shared_ptr<Comparison> comparison = std::move(*found);
        all().remove(number_of(handle));
        --count;
        return comparison;
    }

private:
    static inline std::mutex mutex;
    static inline std::atomic<int> count{0};
    /// Never destroyed: requests may be static objects.
    static NumberTable<std::shared_ptr<Comparison>>& all() {
        static auto& made = *new NumberTable<std::shared_ptr<Comparison>>;
        return made;
    }
};

inline thread_local char verdict_text[1024]{}; // of the last mistake of this thread
inline const char* kept_text(const std::string& text) noexcept {
    put_text(verdict_text, text);
    return verdict_text;
}

/// Passes the arguments of a function of MPI to the call, without the communicator.
template <class... A>
void take_arguments(Call& call, const std::tuple<A...>& arguments) {
    if (call.is_simple)
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            call.takes(std::get<I>(arguments)...);
        }
    (std::make_index_sequence<sizeof...(A)>());
}

} // namespace anympi::shared
#pragma GCC visibility pop

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

inline Fault fault_of(const shared::Verdict& verdict) {
    if (verdict.code == MPI_SUCCESS)
        return MPI_SUCCESS;
    return {verdict.code, verdict.text.empty() ? nullptr : shared::kept_text(verdict.text)};
}

/// Calls a function of MPI for operations without a shape. If calls are compared, the call is compared first, from all
/// its arguments. A null communicator is an error.
template <class Function, class Owner, class... A>
[[gnu::cold, gnu::noinline]] Fault call_with_comparison(Function function, const char* name, const Owner& owner,
                                                        A... arguments) {
    const shared::CommObject comm = owner.where();
    if (comm.is_null())
        return null_object(comm);
    if (shared::compares_calls() && !has_ended()) {
        shared::Call call(comm, short_name(name));
        shared::take_arguments(call, std::tuple(arguments...));
        if (const Fault fault = fault_of(shared::compare_now(std::move(call))))
            return fault;
    }
    return function(arguments..., comm.handle());
}
template <class Function, class Owner, class... A>
Fault compared_call(Function function, const char* name, const Owner& owner, A... arguments) {
    if (shared::is_gated(owner.where())) [[unlikely]]
        return call_with_comparison(function, name, owner, arguments...);
    return function(arguments..., owner.handle());
}
/// Returns a mistake that this process has found before it calls a function. If calls are compared, the other processes
/// get it too.
inline Fault refuse_call(const char* name, MPI_Comm comm, const Fault& mistake) {
    if (!shared::compares_calls()) [[likely]]
        return mistake;
    shared::Call call(comm, short_name(name));
    call.refuses(mistake.code, mistake.text ? std::string(mistake.text) : text_of(mistake.code));
    return fault_of(shared::compare_now(std::move(call)));
}
/// Compares operations that exchange sizes before they send elements of this type. `mistake` is an error that this
/// process has found by itself: it is returned, and the other processes get it too.
inline Fault compare_steps(MPI_Comm comm, const std::string& name, MPI_Datatype type, int root = shared::Call::no_root,
                           const Fault& mistake = MPI_SUCCESS) {
    if (!shared::compares_calls()) [[likely]]
        return mistake;
    shared::Call call(comm, name + " after its sizes");
    call.takes_any(type, root);
    if (mistake)
        call.refuses(mistake.code, mistake.text ? std::string(mistake.text) : text_of(mistake.code));
    return fault_of(shared::compare_now(std::move(call)));
}

/// Describes the call that a shape would make, without calling anything.
template <class Shape, class From, class Into>
shared::Call call_of(const char* name, shared::CommObject comm, const Shape& shape, const From& from,
                     const Into& into) {
    shared::Call call(comm, name);
    const Fault refusal = shape.call(comm, from, into, [&](auto... arguments) -> Fault {
        if (call.is_simple)
            call.takes(arguments...);
        return MPI_SUCCESS;
    });
    if (refusal)
        call.refuses(refusal.code, refusal.text ? std::string(refusal.text) : text_of(refusal.code));
    return call;
}

/// Used before a request is waited for. If the other processes do not make the same call, the operation is abandoned,
/// since it might never complete.
[[gnu::cold, gnu::noinline]] inline Fault settle_comparisons(MPI_Request handle) {
    while (handle != MPI_REQUEST_NULL) {
        const auto comparison = shared::PendingComparisons::take(handle);
        if (!comparison)
            break;
        if (const Fault fault = fault_of(comparison->verdict()))
            return fault;
    }
    return MPI_SUCCESS;
}
inline Fault settle(MPI_Request handle) {
    return shared::PendingComparisons::are_there() ? settle_comparisons(handle) : Fault(MPI_SUCCESS);
}

/// Used for a request that an exception destroys, which must not wait. MPI may still write into the buffers of an
/// incomplete operation, so they are kept.
[[gnu::cold, gnu::noinline]] inline void leave_comparisons(MPI_Request handle) {
    while (auto comparison = shared::PendingComparisons::take(handle))
        if (!comparison->is_complete())
            shared::keep_for_ever(std::move(comparison));
}

/// Returns true if the comparison of a request is complete, so that the request may be looked at. Until then the
/// request counts as incomplete.
inline bool is_compared(MPI_Request handle) {
    return !shared::PendingComparisons::are_there() || handle == MPI_REQUEST_NULL ||
           shared::PendingComparisons::are_complete(handle);
}

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

// Makes a collective call without a shape. The handle of `owner` is MPI's last argument. Does the same as
// compared_call(), with fewer instructions.
#define ANYMPI_COMPARED_CALL(owner, function, ...)                                                                     \
    do {                                                                                                               \
        if (::anympi::detail::is_too_late()) [[unlikely]]                                                              \
            ANYMPI_FAIL(::anympi::detail::too_late(), #function, (owner).where());                                     \
        if (!::anympi::shared::is_gated((owner).where())) [[likely]] {                                                 \
            if (const auto anympi_code = function(__VA_ARGS__ __VA_OPT__(, )(owner).handle());                         \
                anympi_code != MPI_SUCCESS) [[unlikely]]                                                               \
                ANYMPI_FAIL(anympi_code, #function, (owner).where());                                                  \
        } else {                                                                                                       \
            ANYMPI_REQUIRE(                                                                                            \
                (owner).where(), #function,                                                                            \
                ::anympi::detail::call_with_comparison(function, #function, owner __VA_OPT__(, ) __VA_ARGS__));        \
        }                                                                                                              \
    } while (false)

#endif
