#pragma once

#include "front/app.hpp"
#include "functions.hpp"

/// The functions of MPI that the Fortran layer itself needs. By their profiling names: a tool is shown the calls of the
/// program.
extern "C" {
int PMPI_Type_commit(anympi::handle_of<anympi::app, anympi::object::datatype>* type);
int PMPI_Type_free(anympi::handle_of<anympi::app, anympi::object::datatype>* type);
int PMPI_Type_contiguous_c(std::int64_t count, anympi::handle_of<anympi::app, anympi::object::datatype> old,
                           anympi::handle_of<anympi::app, anympi::object::datatype>* type);
int PMPI_Type_create_hvector_c(std::int64_t count, std::int64_t length, std::int64_t stride,
                               anympi::handle_of<anympi::app, anympi::object::datatype> old,
                               anympi::handle_of<anympi::app, anympi::object::datatype>* type);
int PMPI_Type_create_struct_c(std::int64_t count, const std::int64_t* lengths, const std::int64_t* places,
                              const anympi::handle_of<anympi::app, anympi::object::datatype>* types,
                              anympi::handle_of<anympi::app, anympi::object::datatype>* type);
int PMPI_Type_create_resized_c(anympi::handle_of<anympi::app, anympi::object::datatype> old, std::int64_t lower,
                               std::int64_t extent, anympi::handle_of<anympi::app, anympi::object::datatype>* type);
int PMPI_Type_get_extent_c(anympi::handle_of<anympi::app, anympi::object::datatype> type, std::int64_t* lower,
                           std::int64_t* extent);
int PMPI_Type_get_true_extent_c(anympi::handle_of<anympi::app, anympi::object::datatype> type, std::int64_t* lower,
                                std::int64_t* extent);
int PMPI_Type_get_envelope_c(anympi::handle_of<anympi::app, anympi::object::datatype> type, std::int64_t* integers,
                             std::int64_t* addresses, std::int64_t* counts, std::int64_t* types, int* combiner);
int PMPI_Type_get_contents_c(anympi::handle_of<anympi::app, anympi::object::datatype> type, std::int64_t max_integers,
                             std::int64_t max_addresses, std::int64_t max_counts, std::int64_t max_types, int* integers,
                             std::intptr_t* addresses, std::int64_t* counts,
                             anympi::handle_of<anympi::app, anympi::object::datatype>* types);
}
