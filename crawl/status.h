/* fetch_status: what `fetch --status` prints. */
#ifndef CRAWL_STATUS_H
#define CRAWL_STATUS_H

#include "db/db.h"


enum status MUST_USE fetch_status_print(struct db *db, bool as_json, struct err *e);

#endif
