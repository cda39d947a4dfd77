#include "runtime/identify/fingerprint.hpp"

#include "fake_machine.hpp"
#include "runtime/identify/identify.hpp"

#include <regex>

namespace anympi::runtime {
namespace {

class fingerprint_of : public fake_machine {
protected:
    static std::string text_of(const std::string& file) {
        library mpi;
        EXPECT_EQ(identify(file.c_str(), mpi), identification::mpi) << file;
        return fingerprint(mpi).text;
    }
};

TEST_F(fingerprint_of, names_version_and_build) {
    const std::string four = text_of(dummy("mpich_4_0"));
    EXPECT_TRUE(std::regex_match(four, std::regex("MPICH 4\\.0\\.2;([0-9a-f]{16,40}|[0-9]+ bytes)"))) << four;
    EXPECT_EQ(four, text_of(install("opt/lib/libmpi.so.12", "mpich_4_0")));
    EXPECT_NE(four, text_of(dummy("mpich_5")));
}

TEST_F(fingerprint_of, needs_no_version) {
    const std::string intel = text_of(dummy("intel"));
    EXPECT_TRUE(intel.starts_with("Intel MPI;")) << intel;
}

} // namespace
} // namespace anympi::runtime
