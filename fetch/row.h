/* A row's attributes; private to fetch. */
#pragma once

#include "fetch/fetch.h"

enum attribute_step { ATTRIBUTE_FOUND, ATTRIBUTE_END, ATTRIBUTE_BROKEN };

/* Takes the next `name="value"` off *rest, which begins after the element's name or an attribute; does not check the
 * value. ATTRIBUTE_END: took "/>". */
enum attribute_step row_next_attribute(struct span *rest, struct span *name, struct span *value);

/* All attributes of the dump schema in one walk, escaped; ptr NULL for absent ones. *len: to the end of "/>". False
 * when `raw` is not of the form `<row name="value" … />`. */
bool row_attributes(struct span raw, struct span values[ATTR_COUNT], size_t *len, bool *twice);

/* The Id of a row that may be broken after it; 0 when there is no usable one. */
int64_t row_first_id(struct span raw);

/* The character of a reference, whose `name` is between '&' and ';'; 0: unknown. */
uint32_t row_reference(struct span name);

/* Rewrites a row of any well-formed XML in the plain form, into the arena; ptr NULL for anything else. Uses libxml2. */
struct span row_rewrite(struct span text, struct arena *arena);
/* To be called before threads use row_rewrite. */
void row_rewrite_prepare(void);
