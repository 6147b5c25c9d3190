/*
 * text_functions: what stem and match offer to SQLite. Also in the loadable extension.
 */
#pragma once

#include "db/text.h"

/* For db_use_text: tokens are stemmed with "nltk" and hits are those of the study that is built in,
 * until use_study says otherwise. */
struct db_text text_functions(void);
