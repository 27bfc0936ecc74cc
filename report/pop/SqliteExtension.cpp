// popscope.so, which SQLite loads: `.load popscope` of the program sqlite3, load_extension() of others. The connection
// then has every table and view of `popscope sql`, and numbers(blob).
#include "report/pop/ConnectionTables.hpp"
#include "report/pop/Schema.hpp"

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

extern "C" __attribute__((visibility("default"))) int sqlite3_popscope_init(sqlite3 *db, char **error,
                                                                            const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api)
  try {
    popscope::addPackedTables(db);
    popscope::addNumbersFunction(db);
    // The views belong to the connection, so the file need not be writable.
    return sqlite3_exec(db, popscope::schemaViewsDdl().c_str(), nullptr, nullptr, error);
  } catch (...) {
    *error = sqlite3_mprintf("popscope: out of memory");
    return SQLITE_NOMEM;
  }
}
