/* foreign_uima: documents that INCEpTION and WebAnno export, as rows: what one annotator said of one document. */
#include "base/visible.h"
#include "label/exchange/foreign_head.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

#define MAP_NAME structure_map
#define MAP_KEY int64_t
#define MAP_VALUE const json_t *
#include "base/map.h"

enum { PARTS_OF_NAME_MAX = 8 };

/* The codes of a feature, each once, as a list in brackets. */
struct feature {
    struct span head;
    struct buf codes;
};

struct document {
    struct foreign *f;
    struct span name, rater; /* rater ptr NULL: nobody is named */
    struct buf text;
    struct ARRAY_OF(struct feature) features;
    struct text_set codes; /* with their feature, which have each once */
    struct arena arena;
};

/* annotation/DOCUMENT/USER.json of a project, else FOLDER/DOCUMENT.json, where the folder is the rater. */
static void name_document(struct document *d, struct span path)
{
    struct span parts[PARTS_OF_NAME_MAX] = {0}, part;
    size_t n = 0;

    while (span_cut(&path, '/', &part)) {
        if (n == PARTS_OF_NAME_MAX)
            memmove(parts, parts + 1, --n * sizeof *parts);
        parts[n++] = part;
    }
    struct span stem = n > 0 ? parts[n - 1] : SPAN("");
    for (size_t i = stem.len; i-- > 1;)
        if (stem.ptr[i] == '.') {
            stem.len = i;
            break;
        }
    bool curated = n >= 3 && span_eq(parts[n - 3], SPAN("curation"));
    bool of_project = curated || (n >= 3 && span_eq(parts[n - 3], SPAN("annotation")));
    d->name = of_project ? parts[n - 2] : stem;
    d->rater = curated ? SPAN("merged") : of_project ? stem : n > 1 ? parts[n - 2] : (struct span){0};
}

/* Layers that the tool makes itself. */
static bool is_given(struct span type)
{
    return span_has_word(type, "uima. segmentation.type metadata.type clarin.webanno.api.type uima/cas.ecore"
                               " uima/tcas.ecore");
}

static void add_code(struct document *d, struct span type, struct span name, struct span code)
{
    AT_END(buf_clear) struct buf head = {0}, quoted = {0}, both = {0};
    struct text_set_entry *entry;
    size_t from = 0;

    for (size_t j = 0; j < type.len; j++)
        from = type.ptr[j] == '.' ? j + 1 : from;
    buf_add_clean(&head, span_after(type, from));
    buf_add_char(&head, ' ');
    buf_add_clean(&head, name);
    buf_add_char(&quoted, '"');
    buf_add_clean(&quoted, span_trim(code));
    buf_add_char(&quoted, '"');
    for (size_t j = 0; j < quoted.len; j++) /* a comma is between the codes */
        quoted.ptr[j] = quoted.ptr[j] == ',' ? ';' : quoted.ptr[j];
    size_t i = array_find(&d->features, head, buf_span(&head));
    if (quoted.len > 2 && i == d->features.n)
        array_add(&d->features, (struct feature){.head = arena_copy(&d->arena, buf_span(&head))});
    buf_addf(&both, "%zu\n", i);
    buf_add_span(&both, buf_span(&quoted));
    if (quoted.len > 2 && text_set_add(&d->codes, buf_span(&both), &entry)) {
        entry->key = arena_copy(&d->arena, buf_span(&both));
        buf_add_char(&d->features.at[i].codes, d->features.at[i].codes.len > 0 ? ',' : '[');
        buf_add_span(&d->features.at[i].codes, buf_span(&quoted));
    }
}

/* The row of the document and rater, and the end of both. */
static enum status MUST_USE finish(struct document *d, enum status status, struct err *e)
{
    struct foreign_table *t = foreign_table_named(d->f, SPAN("documents"));
    struct text_set_entry *known;

    if (status == ST_OK && !span_eq(d->rater, SPAN("INITIAL_CAS"))) { /* that is before anybody said anything */
        if (text_set_add(&d->f->documents, d->name, &known))
            known->key = arena_copy(&d->f->arena, d->name);
        struct span link = arena_addf(&d->arena, "https://documents.local/q/%zu",
                                      (size_t)(known - d->f->documents.at) + 1);
        status = foreign_row(t, e);
        const struct {
            struct span head, value;
        } cells[] = {{SPAN("link"), link},
                     {SPAN("document"), d->name},
                     {SPAN("annotator"), d->rater},
                     {SPAN("text"), buf_span(&d->text)}};
        for (size_t i = 0; i < ARRAY_LEN(cells) && status == ST_OK; i++)
            status = foreign_put(d->f, t, cells[i].head, cells[i].value, e);
        for (size_t i = 0; i < d->features.n && status == ST_OK; i++) {
            buf_add_char(&d->features.at[i].codes, ']');
            status = foreign_put(d->f, t, d->features.at[i].head, buf_span(&d->features.at[i].codes), e);
        }
    }
    for (size_t i = 0; i < d->features.n; i++)
        buf_clear(&d->features.at[i].codes);
    array_clear(&d->features);
    text_set_clear(&d->codes);
    buf_clear(&d->text);
    arena_clear(&d->arena);
    return status;
}

/* --- UIMA CAS JSON --- */

/* "@feature" is the id of a list of texts, or of something else that is not a label. */
static void add_elements(struct document *d, const struct structure_map *by_id, struct span type, struct span name,
                         const json_t *value)
{
    const struct structure_map_entry *found = structure_map_find(by_id, json_integer_value(value));
    const json_t *elements = found != NULL ? json_object_get(found->value, "%ELEMENTS") : NULL, *one;
    size_t i;

    json_array_foreach(elements, i, one)
        if (json_is_string(one))
            add_code(d, type, name, span_of(json_string_value(one)));
}

enum status foreign_cas_json(struct foreign *f, json_t *document, const char *name, struct err *e)
{
    const json_t *structures = json_object_get(document, "%FEATURE_STRUCTURES"), *value;
    struct document d = {.f = f};
    AT_END(structure_map_clear) struct structure_map by_id = {0};
    struct structure_map_entry *entry;
    const char *key;
    json_t *one;
    size_t i;

    name_document(&d, span_of(name));
    json_array_foreach(structures, i, one)
        if (structure_map_add(&by_id, json_integer_value(json_object_get(one, "%ID")), &entry))
            entry->value = one;
    json_array_foreach(structures, i, one) {
        struct span type = span_of(json_string_value(json_object_get(one, "%TYPE")));
        const char *text = json_string_value(json_object_get(one, "sofaString"));
        if (span_eq(type, SPAN("uima.cas.Sofa")) && text != NULL)
            buf_set(&d.text, span_of(text));
        if (is_given(type))
            continue;
        json_object_foreach(one, key, value) {
            if (key[0] == '@' && json_is_integer(value))
                add_elements(&d, &by_id, type, span_of(key + 1), value);
            else if (strchr("%@^~#&", key[0]) == NULL && json_is_string(value))
                add_code(&d, type, span_of(key), span_of(json_string_value(value)));
        }
    }
    return finish(&d, ST_OK, e);
}

/* --- UIMA CAS XMI --- */

static void add_element(struct document *d, const xmlNode *node)
{
    /* "http:///webanno/custom.ecore" and "Issue" is the layer webanno.custom.Issue */
    struct span type = span_of(node->ns != NULL ? (const char *)node->ns->href : "");
    if (strcmp((const char *)node->name, "Sofa") == 0) {
        xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)"sofaString");
        buf_set(&d->text, span_of((const char *)text));
        xmlFree(text);
    } else if (!is_given(type) && !span_has(type, "omg.org")) {
        struct span layer = span_of((const char *)node->name);
        for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
            xmlChar *value = xmlGetNoNsProp(node, a->name);
            struct span code = span_of((const char *)value);
            uint64_t reference; /* to another annotation, as far as can be seen without the types */
            if (a->ns == NULL && !span_is_word(span_of((const char *)a->name), "begin end sofa") &&
                !span_u64(code, UINT64_MAX, &reference))
                add_code(d, layer, span_of((const char *)a->name), code);
            xmlFree(value);
        }
        for (const xmlNode *n = node->children; n != NULL; n = n->next) {
            xmlChar *value = n->type == XML_ELEMENT_NODE ? xmlNodeGetContent(n) : NULL;
            if (value != NULL)
                add_code(d, layer, span_of((const char *)n->name), span_of((const char *)value));
            xmlFree(value);
        }
    }
}

enum status foreign_cas_xmi(struct foreign *f, struct span content, const char *name, struct err *e)
{
    struct document d = {.f = f};
    xmlDocPtr doc = content.len > INT_MAX ? NULL
                                          : xmlReadMemory(content.ptr, (int)content.len, NULL, NULL,
                                                          XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    enum status status = ST_OK;

    name_document(&d, span_of(name));
    if (doc == NULL || doc->intSubset != NULL)
        status = err_set(e, ST_INPUT, "%s: damaged XMI, or one with a DTD", name);
    for (const xmlNode *n = status == ST_OK ? xmlDocGetRootElement(doc)->children : NULL; n != NULL; n = n->next)
        if (n->type == XML_ELEMENT_NODE)
            add_element(&d, n);
    xmlFreeDoc(doc);
    return finish(&d, status, e);
}

/* --- WebAnno TSV 3 --- */

/* "cache\_miss[2]": without the number that tells annotations apart, and without escapes. */
static void add_tsv_code(struct document *d, const struct span *head, struct span cell)
{
    AT_END(buf_clear) struct buf code = {0};

    if (cell.len > 2 && cell.ptr[cell.len - 1] == ']')
        for (size_t i = cell.len - 1; i-- > 0 && (cell.ptr[i] == '[' || (cell.ptr[i] >= '0' && cell.ptr[i] <= '9'));)
            if (cell.ptr[i] == '[') {
                cell.len = i;
                break;
            }
    if (cell.len > 1 || (cell.len == 1 && strchr("_*", cell.ptr[0]) == NULL)) { /* nothing, or no value */
        for (size_t i = 0; i < cell.len; i++) {
            i += cell.ptr[i] == '\\' && i + 1 < cell.len;
            buf_add_char(&code, cell.ptr[i]);
        }
        add_code(d, head[0], head[1], buf_span(&code));
    }
}

enum status foreign_webanno_tsv(struct foreign *f, struct span content, const char *name, struct err *e)
{
    struct document d = {.f = f};
    AT_END(array_end)
    struct ARRAY_OF(struct span) heads = {0}; /* layer and feature of each column; both empty: it is no label */
    struct span line, cell, part;

    name_document(&d, span_of(name));
    while (span_cut(&content, '\n', &line)) {
        if (line.len > 0 && line.ptr[line.len - 1] == '\r')
            line.len--;
        if (span_starts(line, SPAN("#Text="))) {
            buf_add_text(&d.text, d.text.len > 0 ? "\n" : "");
            buf_add(&d.text, line.ptr + 6, line.len - 6);
        } else if (span_starts(line, SPAN("#T_"))) {
            struct span rest = line, layer;
            bool spans = span_starts(line, SPAN("#T_SP="));
            if (!span_cut(&rest, '=', &part) || !span_cut(&rest, '|', &layer))
                continue;
            do { /* a layer without features has a column, too */
                if (!span_cut(&rest, '|', &part))
                    part = SPAN("");
                array_add(&heads, spans ? layer : SPAN(""));
                array_add(&heads, part);
            } while (rest.len > 0);
        } else if (line.len > 0 && line.ptr[0] >= '0' && line.ptr[0] <= '9') {
            for (size_t column = 0; span_cut(&line, '\t', &cell); column++)
                while (column >= 3 && column - 3 < heads.n / 2 && heads.at[(column - 3) * 2].len > 0 &&
                       span_cut(&cell, '|', &part))
                    add_tsv_code(&d, &heads.at[(column - 3) * 2], part);
        }
    }
    return finish(&d, ST_OK, e);
}
