/*
 * The careful way: libxml2 reads one row that is well-formed but not in the plain form, such as
 * `<row …></row>`, and it is written again in that form.
 */
#include "fetch/row.h"

#include "base/visible.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

static void be_silent(void *ctx, xmlErrorPtr error)
{
    (void)ctx;
    (void)error;
}

/* Blanks that are written as they are become spaces in an attribute. */
static void add_escaped(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n' || *text == '\r' || *text == '\t')
            buf_addf(out, "&#%d;", *text);
        else
            buf_add_markup(out, *text);
}

static void write_plain(struct buf *out, xmlNode *row)
{
    buf_add_text(out, "<row");
    for (xmlAttr *attr = row->properties; attr != NULL; attr = attr->next) {
        xmlChar *value = xmlNodeListGetString(row->doc, attr->children, 1);
        buf_addf(out, " %s=\"", (const char *)attr->name);
        add_escaped(out, value != NULL ? (const char *)value : "");
        buf_add_char(out, '"');
        xmlFree(value);
    }
    buf_add_text(out, " />");
}

struct span row_rewrite(struct span text, struct arena *arena)
{
    AT_END(buf_clear) struct buf out = {0};
    struct span plain = {0};
    int options = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;

    if (text.len > DUMP_ROW_MAX)
        return plain;
    xmlSetStructuredErrorFunc(NULL, be_silent);
    xmlDoc *doc = xmlReadMemory(text.ptr, (int)text.len, NULL, "UTF-8", options);
    xmlNode *root = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
    if (root != NULL && xmlStrcmp(root->name, (const xmlChar *)"row") == 0) {
        write_plain(&out, root);
        plain = arena_copy(arena, buf_span(&out));
    }
    xmlFreeDoc(doc);
    return plain;
}

void row_rewrite_prepare(void)
{
    xmlInitParser();
}
