/* Which names a coder may have. */
#include "base/csv.h"
#include "base/utf8.h"
#include "label/label.h"

#include <unictype.h>
#include <uninorm.h>

static bool is_blank(uint32_t c)
{
    return uc_is_property_white_space(c) || c == 0x200b || c == 0xfeff;
}

/* Of valid UTF-8: what is wrong with its characters, or NULL. */
static const char *fault_of(struct span name)
{
    const char *p = name.ptr, *end = name.ptr + name.len;
    size_t n = 0;
    uint32_t c = 0;

    for (; p < end; n++) {
        p += utf8_decode(p, end, &c);
        /* Line and paragraph separators are a kind of control. */
        if (uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp) ||
            uc_is_property_bidi_control(c))
            return "contains a control character";
        if (n == 0 && is_blank(c))
            return "begins with a blank";
    }
    if (n > 0 && is_blank(c))
        return "ends with a blank";
    return n > CODER_NAME_MAX ? "has more than 100 characters" : NULL;
}

enum status coder_name_check(struct span typed, struct buf *name, struct err *e)
{
    enum { BYTES_MAX = 16 * CODER_NAME_MAX }; /* more than NFC can shorten to 100 characters */

    if (typed.len == 0)
        return err_set(e, ST_INPUT, "is empty");
    if (typed.len > BYTES_MAX)
        return err_set(e, ST_INPUT, "has more than %d characters", CODER_NAME_MAX);
    if (utf8_valid_prefix(typed) != typed.len)
        return err_set(e, ST_INPUT, "is not valid UTF-8");
    size_t len = 0;
    uint8_t *nfc = u8_normalize(UNINORM_NFC, (const uint8_t *)typed.ptr, typed.len, NULL, &len);
    if (nfc == NULL)
        return err_set(e, ST_INPUT, "is too long");
    buf_reset(name);
    buf_add(name, (const char *)nfc, len);
    mem_free(nfc); /* libunistring's memory is the C library's, as mem's is */
    const char *fault = fault_of(buf_span(name));
    if (fault != NULL)
        return err_set(e, ST_INPUT, "%s", fault);
    if (csv_is_formula(buf_span(name)))
        return err_set(e, ST_INPUT, "begins with '%c', which spreadsheets take for a formula", name->ptr[0]);
    return ST_OK;
}

bool coder_is_model(struct span coder)
{
    return span_starts(coder, SPAN(CODER_MODEL_PREFIX));
}
