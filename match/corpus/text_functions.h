/* text_functions: what stem and match offer to SQLite. Also in the loadable extension. */
#pragma once

#include "db/text.h"

/* For db_use_text: tokens have "nltk" stems, and hits are those of the built-in study, until use_study changes that. */
struct db_text text_functions(void);
