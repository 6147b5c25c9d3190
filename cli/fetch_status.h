/* fetch_status: what `fetch --status` prints. Of cli only. */
#ifndef CLI_FETCH_STATUS_H
#define CLI_FETCH_STATUS_H

#include "db/db.h"

enum status MUST_USE fetch_status_print(struct db *db, bool as_json, struct err *e);

#endif
