/* schema: the text of schema.sql, compiled in by the Makefile. */
#pragma once

#include <stddef.h>

extern const char schema_sql[]; /* not NUL-terminated */
extern const size_t schema_sql_len;

/* Comment in schema.sql: what follows it is made at each match. */
#define SCHEMA_MADE_BY_MATCH "\n-- made by match\n"

/* user_version and application_id as schema.sql sets them. */
#define SCHEMA_VERSION 6
#define SCHEMA_APPLICATION_ID 0x70706d31

/* application_id of all versions before the first release. */
#define SCHEMA_UNRELEASED_ID 0x70706d69
