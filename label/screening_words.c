/* screening_words: what a reader answered, and how the post came to be read. */
#include "label/screening_words.h"

#include <stddef.h>

const char *const db_screen_answers[] = {"no", "yes", "unsure", NULL};
const char *const db_screen_strata[] = {"ranked", "random", "keyword", "hand", NULL};
