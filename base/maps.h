/* maps: the maps and sets that many files need: by a text, and of ids. See base/map.h. Texts are borrowed. */
#pragma once

#define MAP_NAME text_set
#define MAP_KEY struct span
#include "base/map.h"

#define MAP_NAME text_numbers /* a place, or a count, of each text */
#define MAP_KEY struct span
#define MAP_VALUE size_t
#include "base/map.h"

#define MAP_NAME text_pairs /* of each text another one */
#define MAP_KEY struct span
#define MAP_VALUE struct span
#include "base/map.h"

#define MAP_NAME id_set
#define MAP_KEY int64_t
#include "base/map.h"
