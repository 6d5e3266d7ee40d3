#pragma once

#include <libpq-fe.h>
#include <poll.h>

// The fields of an error report. libpq names them by character constants, which Swift does not import.
enum {
    postgres_field_severity = PG_DIAG_SEVERITY_NONLOCALIZED,
    postgres_field_sqlstate = PG_DIAG_SQLSTATE,
    postgres_field_message = PG_DIAG_MESSAGE_PRIMARY,
    postgres_field_detail = PG_DIAG_MESSAGE_DETAIL,
    postgres_field_hint = PG_DIAG_MESSAGE_HINT,
    postgres_field_position = PG_DIAG_STATEMENT_POSITION,
    postgres_field_context = PG_DIAG_CONTEXT,
    postgres_field_schema = PG_DIAG_SCHEMA_NAME,
    postgres_field_table = PG_DIAG_TABLE_NAME,
    postgres_field_column = PG_DIAG_COLUMN_NAME,
    postgres_field_data_type = PG_DIAG_DATATYPE_NAME,
    postgres_field_constraint = PG_DIAG_CONSTRAINT_NAME
};

/// Waits until a socket can be read or, if `for_write`, written; a negative timeout waits for ever.
/// Positive: it can, or it has an error to tell. 0: the time is over. Negative: `errno` says why not.
static inline int postgres_socket_wait(int descriptor, int for_write, int timeout_milliseconds) {
    struct pollfd request = {.fd = descriptor, .events = for_write ? POLLOUT : POLLIN, .revents = 0};
    return poll(&request, 1, timeout_milliseconds);
}
