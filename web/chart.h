/* chart: a table as a drawing. Of web only. */
#ifndef WEB_CHART_H
#define WEB_CHART_H

#include "base/table/table.h"
#include "web/site.h"

struct chart {
    struct buf *out;
    const struct table *table;
    const struct table_links *links; /* NULL: a file, without links */
};

/* Adds an SVG drawing: bars of shares with their intervals, a map of counts, or kappas in the course
 * of the coding. False, and nothing is added, for any other table. */
bool chart_add(const struct chart *c);

#endif
