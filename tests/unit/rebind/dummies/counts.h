// The results of the dummies, for the dummies and for the tests.

#pragma once

enum { from_runtime = 1, references_by_name = 8, references_by_table = 7 };
