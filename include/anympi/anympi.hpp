// The typed API: everything. See docs/builder/typed-api.md.
#ifndef ANYMPI_ANYMPI_HPP
#define ANYMPI_ANYMPI_HPP

#include "attribute.hpp"
#include "environment.hpp"
#include "error_handler.hpp"
#include "file.hpp"
#include "generalized.hpp"
#include "intercomm.hpp"
#include "memory.hpp"
#include "pack.hpp"
#include "partitioned.hpp"
#include "report.hpp"
#include "request_scope.hpp"
#include "serialize.hpp"
#include "session.hpp"
#include "tools.hpp"
#include "topology.hpp"
#include "type_description.hpp"
#include "views.hpp"
#include "window.hpp"

#endif
