/* page: the pages of the rules and gains.csv, put into the program by scripts/embed-rules. For check only. */
#pragma once

#include "check/check.h"

struct rule_page {
    struct span name, content; /* "PP301", Markdown; "gains.csv" */
};

extern const struct rule_page rule_pages[];
extern const size_t rule_page_count;
