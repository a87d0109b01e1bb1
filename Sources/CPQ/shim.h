#ifndef CAUSEBOARD_CPQ_SHIM_H
#define CAUSEBOARD_CPQ_SHIM_H

#include <libpq-fe.h>

// libpq's field codes are character macros, which do not import into Swift.
static const int CPQ_DIAG_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int CPQ_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int CPQ_DIAG_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
static const int CPQ_DIAG_DETAIL = PG_DIAG_MESSAGE_DETAIL;
static const int CPQ_DIAG_HINT = PG_DIAG_MESSAGE_HINT;
static const int CPQ_DIAG_POSITION = PG_DIAG_STATEMENT_POSITION;
static const int CPQ_DIAG_CONTEXT = PG_DIAG_CONTEXT;
static const int CPQ_DIAG_SCHEMA = PG_DIAG_SCHEMA_NAME;
static const int CPQ_DIAG_TABLE = PG_DIAG_TABLE_NAME;
static const int CPQ_DIAG_COLUMN = PG_DIAG_COLUMN_NAME;
static const int CPQ_DIAG_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME;
static const int CPQ_DIAG_SOURCE_FUNCTION = PG_DIAG_SOURCE_FUNCTION;

#endif
