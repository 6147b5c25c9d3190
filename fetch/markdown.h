/*
 * markdown: GitHub's Markdown to HTML; private to fetch.
 */
#pragma once

#include "base/base.h"

/* Appends the HTML of a text in GitHub's Markdown (valid UTF-8). HTML inside it stays as it is, as
 * everywhere in posts. A text that would become many times longer is appended as it is, escaped, in
 * one <p>. */
void markdown_to_html(struct buf *out, struct span text);
