/*
 * codebook_file: definitions of codes, and words that tell them apart, from the sheet of blocks in which authors of a
 * codebook keep them. Nothing here writes; see code_change.h.
 *
 * A block of definitions has a header with a cell "definition" or "description" (our codebook.csv is one). A block of
 * the guide is a matrix, whose first row and column name codes, or its header has a cell "rule" (disambiguation.csv).
 * A block is about the list in a column "facet", else in the row above the header, else the list whose codes it has.
 */
#pragma once

#include "label/coding/stored_codebook.h"

enum codebook_text_kind { TEXT_OF_CODE, TEXT_OF_CATEGORY, TEXT_OF_PAIR };

struct codebook_text {
    enum codebook_text_kind kind;
    size_t row;          /* as the spreadsheet shows it; the line of a CSV file */
    size_t code, versus; /* places in the codebook; of a category, code is any of its codes */
    struct span text;
};

/* Why a row's text was left out, or what was taken for something else. After the first CODEBOOK_REMARKS_MAX of a kind,
 * remarks count but may have no words: finding the nearest names takes time. */
enum { CODEBOOK_REMARKS_MAX = 40 };
struct codebook_remark {
    size_t row;
    struct span words;
};

struct codebook_file {
    struct ARRAY_OF(struct codebook_text) texts; /* each code, category and pair at most once */
    struct ARRAY_OF(struct codebook_remark) left_out, doubts;
    struct arena arena;
};

/* Reads an xlsx workbook (its sheet "codebook", else the first visible one) or CSV. ST_INPUT for a file that cannot be
 * read, or has no block of either kind. *out needs codebook_file_clear in either case. */
enum status MUST_USE codebook_file_read(struct codebook_file *out, struct span content, const char *name,
                                        const char *encoding, const struct codebook *book, struct err *e);
void codebook_file_clear(struct codebook_file *f);
