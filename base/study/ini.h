/*
 * ini: reads study.ini. For study only.
 */
#pragma once

#include "base/study/study.h"

/* Fills the settings of *s from `content`, which outlives *s; `path` is used in errors. Checks
 * everything that can be checked without the other files. */
enum status MUST_USE ini_read(struct study *s, struct span content, const char *path, struct err *e);
