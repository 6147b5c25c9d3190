/* screening_words: the words of the table screening, which screen/ fills and label/coding merges. */
#pragma once

/* In the order of enum db_screen_answer and enum db_screen_stratum; NULL ends. */
extern const char *const db_screen_answers[], *const db_screen_strata[];
