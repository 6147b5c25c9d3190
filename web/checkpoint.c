/* checkpoint: moves what was saved from the write-ahead log into the database, so that no save has to. */
#include "base/log.h"
#include "db/db.h"
#include "web/site.h"

enum { LOG_PAGES_MAX = 2000 }; /* more: then the log begins anew, for which saves wait a moment */

/* Nobody waits for the first pass, which does nearly all the work; when the log became long, saves wait for
 * what came meanwhile. */
static enum status MUST_USE move(struct web *w, struct err *e)
{
    int pages;
    enum status status = db_checkpoint_pages(w->checkpointer, &pages, e);

    if (status != ST_OK || pages < LOG_PAGES_MAX)
        return status;
    pthread_mutex_lock(&w->writing);
    status = db_checkpoint_pages(w->checkpointer, &pages, e);
    pthread_mutex_unlock(&w->writing);
    return status;
}

void checkpoint_run(struct web *w)
{
    struct err e;
    enum status status = ST_OK;

    if (w->checkpointer == NULL)
        status = db_open(&w->checkpointer, w->options.db_path, DB_WRITE, &e);
    if (status == ST_OK)
        status = move(w, &e);
    if (status != ST_OK) /* saves do it themselves once the log is very long */
        log_debug("%s", e.text);
}

void checkpoint_close(struct web *w)
{
    db_close(w->checkpointer);
    w->checkpointer = NULL;
}
