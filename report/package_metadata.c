/* package_metadata: a package as archives, search engines and other programs read it, in three vocabularies. */
#include "base/csv.h"
#include "base/visible.h"
#include "report/package.h"

#include <jansson.h>

/* Frictionless Data Package (datapackage.org, version 1, which its own validator reads), RO-Crate 1.1
 * (w3id.org/ro/crate/1.1) and Croissant 1.0 (mlcommons.org/croissant/1.0). All say what data_dictionary.csv says. */

/* What is described. */
struct contents {
    const struct package *p;
    struct dictionary *columns; /* of each of p->files */
};

/* The text, whatever bytes a database had. */
static json_t *text_of(struct span s)
{
    AT_END(buf_clear) struct buf clean = {0};

    buf_add_clean(&clean, s);
    return json_stringn(buf_cstr(&clean), clean.len);
}

static json_t *id_of(const char *id)
{
    return json_pack("{s:s}", "@id", id);
}

/* Says of a file what the dictionary says of it, if anything. */
static void describe(json_t *file, const struct package *p, const char *name)
{
    const struct dictionary_row *row = dictionary_find(&p->dictionary, span_of(name), SPAN(""));

    if (row != NULL && row->meaning.len > 0)
        json_object_set_new(file, "description", text_of(row->meaning));
}

static struct span title_of(const struct package *p)
{
    return p->title.len > 0 ? p->title : p->name.len > 0 ? p->name : SPAN("Replication package");
}

static json_t *description_of(const struct package *p)
{
    AT_END(buf_clear) struct buf text = {0};

    buf_add_text(&text, "Labelled posts of a study, what follows from them, and a program that checks it. Made with"
                        " ppmine " PPMINE_VERSION ".");
    if (p->not_counted.len > 0) {
        buf_add_text(&text, " What is settled: ");
        buf_add_span(&text, p->not_counted);
        buf_add_char(&text, '.');
    }
    return text_of(buf_span(&text));
}

static const char *media_type(const char *name)
{
    static const char *const types[][2] = {
        {".csv", "text/csv"},     {".json", "application/json"},      {".jsonl", "application/jsonl"},
        {".md", "text/markdown"}, {".db", "application/vnd.sqlite3"}, {".sql", "application/sql"},
        {".py", "text/x-python"}, {".svg", "image/svg+xml"},          {".cff", "application/yaml"},
    };
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < ARRAY_LEN(types); i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "text/plain";
}

/* A name for programs: "data/problems.csv" is "data-problems-csv". */
static json_t *slug_of(struct span s)
{
    AT_END(buf_clear) struct buf slug = {0};

    for (size_t i = 0; i < s.len; i++) {
        char c = ascii_lower(s.ptr[i]);
        buf_add_char(&slug, (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ? c : '-');
    }
    return json_stringn(buf_cstr(&slug), slug.len);
}

/* The columns of a file, in its own order, as the dictionary describes them; its row "*" is for columns that are codes
 * or that the author of a study file chose. No rows for what is not a table. The names live in `arena`. */
static enum status MUST_USE read_columns(const struct package *p, const char *name, struct dictionary *columns,
                                         struct err *e)
{
    const struct dictionary_row *other = dictionary_find(&p->dictionary, span_of(name), SPAN("*"));
    struct csv_reader csv;
    AT_END(buf_clear) struct buf path = {0};
    AT_END(mem_end) char *line = NULL;
    size_t capacity = 0;
    ssize_t len = -1;

    *columns = (struct dictionary){0};
    if (strcmp(media_type(name), "text/csv") != 0)
        return ST_OK;
    package_path(p, name, &path);
    FILE *file = fopen(buf_cstr(&path), "re");
    if (file != NULL) {
        len = getline(&line, &capacity, file);
        (void)fclose(file);
    }
    enum status status = len < 0 ? err_set(e, ST_IO, "%s: cannot be read", buf_cstr(&path)) : ST_OK;
    csv_open_verbatim(&csv, (struct span){line, len < 0 ? 0 : (size_t)len}, name);
    THEN(status, csv_next(&csv, e));
    for (size_t i = 0; status == ST_OK && csv.delimiter == ',' && i < csv.fields.n; i++) {
        const struct dictionary_row *row = dictionary_find(&p->dictionary, span_of(name), csv.fields.at[i]);
        struct dictionary_row column = {.type = SPAN("text")};
        if (row != NULL || other != NULL)
            column = row != NULL ? *row : *other;
        column.file = span_of(name);
        column.column = arena_copy(&columns->arena, csv.fields.at[i]);
        array_add(&columns->rows, column);
    }
    csv_close(&csv);
    return status;
}

/* --- Data Package --- */

static json_t *constraints_of(const struct dictionary_row *r)
{
    json_t *constraints = json_object();
    struct span rest = r->allowed, one;

    if (span_eq(r->empty, SPAN("0")))
        json_object_set_new(constraints, "required", json_true());
    if (span_eq(r->type, SPAN("sha256")))
        json_object_set_new(constraints, "pattern", json_string("^[0-9a-f]{64}$"));
    if (rest.len == 0 || span_starts(rest, SPAN("in data/")))
        return constraints;
    json_t *values = json_array();
    while (span_cut(&rest, '|', &one))
        json_array_append_new(values, text_of(one));
    json_object_set_new(constraints, "enum", values);
    return constraints;
}

static json_t *field_of(const struct dictionary_row *r)
{
    /* A type of the dictionary as one of Table Schema. Dates are of a day or of a millisecond, and JSON may be of any
     * type: texts there. */
    static const char *const types[][3] = {{"integer", "", "integer"},
                                           {"boolean", "", "boolean"},
                                           {"real", "", "number"},
                                           {"json", "array", "array"},
                                           {"json", "object", "object"}};
    const char *type = "string";

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (span_eq(r->type, span_of(types[i][0])) && span_starts(r->format, span_of(types[i][1])))
            type = types[i][2];
    json_t *field = json_pack("{s:o,s:s,s:o,s:o}", "name", text_of(r->column), "type", type, "description",
                              text_of(r->meaning), "constraints", constraints_of(r));
    if (span_eq(r->type, SPAN("boolean"))) {
        json_object_set_new(field, "trueValues", json_pack("[s]", "1"));
        json_object_set_new(field, "falseValues", json_pack("[s]", "0"));
    }
    return field;
}

static json_t *resource_of(const struct package *p, const struct package_entry *f, const struct dictionary *columns)
{
    json_t *resource = json_pack("{s:o,s:s,s:s,s:I,s:o}", "name", slug_of(span_of(f->name)), "path", f->name,
                                 "mediatype", media_type(f->name), "bytes", (json_int_t)f->size, "hash",
                                 json_sprintf("sha256:%s", f->sha256));
    describe(resource, p, f->name);
    if (columns->rows.n == 0)
        return resource;

    json_t *fields = json_array(), *keys = json_array(), *schema = json_pack("{s:o}", "fields", fields);
    for (size_t i = 0; i < columns->rows.n; i++) {
        json_array_append_new(fields, field_of(&columns->rows.at[i]));
        if (span_eq(columns->rows.at[i].key, SPAN("1")))
            json_array_append_new(keys, text_of(columns->rows.at[i].column));
    }
    if (json_array_size(keys) > 0)
        json_object_set(schema, "primaryKey", keys);
    json_decref(keys);
    json_object_set_new(resource, "profile", json_string("tabular-data-resource"));
    json_object_set_new(resource, "format", json_string("csv"));
    json_object_set_new(resource, "encoding", json_string("utf-8"));
    json_object_set_new(resource, "schema", schema);
    return resource;
}

static json_t *data_package(const struct contents *c)
{
    const struct package *p = c->p;
    struct span rest = p->authors, name;
    json_t *contributors = json_array(), *resources = json_array();

    while (package_author(&rest, &name))
        json_array_append_new(contributors, json_pack("{s:o,s:s}", "title", text_of(name), "role", "author"));
    for (size_t i = 0; i < p->files.n; i++)
        if (p->files.at[i].name[0] != '.') /* such a path is not a safe one there */
            json_array_append_new(resources, resource_of(p, &p->files.at[i], &c->columns[i]));
    json_t *all = json_pack("{s:s,s:o,s:o,s:o,s:s,s:[{s:s,s:o}],s:o}", "profile", "data-package", "name",
                            slug_of(p->name.len > 0 ? p->name : SPAN("study")), "title", text_of(title_of(p)),
                            "description", description_of(p), "created", p->now, "licenses", "path", "LICENSE", "title",
                            text_of(p->wanted->licence.ptr != NULL ? p->wanted->licence : SPAN("see LICENSE")),
                            "resources", resources);
    if (json_array_size(contributors) > 0)
        json_object_set(all, "contributors", contributors);
    json_decref(contributors);
    return all;
}

/* --- RO-Crate --- */

static json_t *ro_crate(const struct contents *c)
{
    const struct package *p = c->p;
    struct span rest = p->authors, name;
    json_t *graph = json_array(), *parts = json_array(), *authors = json_array();
    json_t *root = json_pack("{s:s,s:s,s:o,s:o,s:s,s:o,s:O}", "@id", "./", "@type", "Dataset", "name",
                             text_of(title_of(p)), "description", description_of(p), "datePublished", p->now, "license",
                             id_of("LICENSE"), "hasPart", parts);

    json_array_append_new(graph,
                          json_pack("{s:s,s:s,s:o,s:o}", "@id", "ro-crate-metadata.json", "@type", "CreativeWork",
                                    "conformsTo", id_of("https://w3id.org/ro/crate/1.1"), "about", id_of("./")));
    json_array_append_new(graph, root);
    while (package_author(&rest, &name)) {
        json_t *id = json_sprintf("#author-%zu", json_array_size(authors) + 1);
        json_array_append_new(authors, json_pack("{s:O}", "@id", id));
        json_array_append_new(graph, json_pack("{s:o,s:s,s:o}", "@id", id, "@type", "Person", "name", text_of(name)));
    }
    if (json_array_size(authors) > 0)
        json_object_set(root, "author", authors);
    json_decref(authors);
    for (size_t i = 0; i < p->files.n; i++) {
        const struct package_entry *f = &p->files.at[i];
        json_t *file = json_pack("{s:s,s:s,s:s,s:s,s:o,s:s}", "@id", f->name, "@type", "File", "name", f->name,
                                 "encodingFormat", media_type(f->name), "contentSize",
                                 json_sprintf("%llu", (unsigned long long)f->size), "sha256", f->sha256);
        describe(file, p, f->name);
        json_array_append_new(parts, id_of(f->name));
        json_array_append_new(graph, file);
    }
    json_decref(parts);
    return json_pack("{s:s,s:o}", "@context", "https://w3id.org/ro/crate/1.1/context", "@graph", graph);
}

/* --- Croissant --- */

/* The terms that the specification asks each file to bring along. */
static const char CONTEXT[] =
    "{\"@language\":\"en\",\"@vocab\":\"https://schema.org/\",\"citeAs\":\"cr:citeAs\",\"column\":\"cr:column\","
    "\"conformsTo\":\"dct:conformsTo\",\"cr\":\"http://mlcommons.org/croissant/\",\"rai\":"
    "\"http://mlcommons.org/croissant/RAI/\",\"data\":{\"@id\":\"cr:data\",\"@type\":\"@json\"},\"dataType\":"
    "{\"@id\":\"cr:dataType\",\"@type\":\"@vocab\"},\"dct\":\"http://purl.org/dc/terms/\",\"examples\":{\"@id\":"
    "\"cr:examples\",\"@type\":\"@json\"},\"equivalentProperty\":\"cr:equivalentProperty\",\"extract\":\"cr:extract\",\"field\":\"cr:field\",\"fileProperty\":"
    "\"cr:fileProperty\",\"fileObject\":\"cr:fileObject\",\"fileSet\":\"cr:fileSet\",\"format\":\"cr:format\","
    "\"includes\":\"cr:includes\",\"isLiveDataset\":\"cr:isLiveDataset\",\"jsonPath\":\"cr:jsonPath\",\"key\":"
    "\"cr:key\",\"md5\":\"cr:md5\",\"parentField\":\"cr:parentField\",\"path\":\"cr:path\",\"recordSet\":"
    "\"cr:recordSet\",\"references\":\"cr:references\",\"regex\":\"cr:regex\",\"repeated\":\"cr:repeated\","
    "\"replace\":\"cr:replace\",\"samplingRate\":\"cr:samplingRate\",\"sc\":\"https://schema.org/\",\"separator\":\"cr:separator\",\"source\":"
    "\"cr:source\",\"subField\":\"cr:subField\",\"transform\":\"cr:transform\"}";

/* NULL for what has no columns. */
static json_t *record_set(const struct dictionary *columns, const char *name)
{
    static const char *const types[][2] = {{"integer", "sc:Integer"}, {"real", "sc:Float"}, {"url", "sc:URL"}};
    json_t *fields = json_array();

    for (size_t i = 0; i < columns->rows.n; i++) {
        const struct dictionary_row *r = &columns->rows.at[i];
        const char *type = "sc:Text";
        AT_END(buf_clear) struct buf field = {0};
        for (size_t k = 0; k < ARRAY_LEN(types); k++)
            if (span_eq(r->type, span_of(types[k][0])))
                type = types[k][1];
        buf_addf(&field, "%.*s/%.*s", SPAN_ARG(r->file), SPAN_ARG(r->column));
        json_array_append_new(fields, json_pack("{s:s,s:o,s:o,s:o,s:s,s:{s:{s:o},s:{s:o}}}", "@type", "cr:Field", "@id",
                                                slug_of(buf_span(&field)), "name", text_of(r->column), "description",
                                                text_of(r->meaning), "dataType", type, "source", "fileObject", "@id",
                                                text_of(r->file), "extract", "column", text_of(r->column)));
    }
    if (columns->rows.n == 0) {
        json_decref(fields);
        return NULL;
    }
    json_t *id = slug_of(span_of(name));
    return json_pack("{s:s,s:O,s:o,s:o}", "@type", "cr:RecordSet", "@id", id, "name", id, "field", fields);
}

static json_t *croissant(const struct contents *c)
{
    const struct package *p = c->p;
    struct span rest = p->authors, name;
    json_t *distribution = json_array(), *sets = json_array(), *creators = json_array();

    for (size_t i = 0; i < p->files.n; i++) {
        const struct package_entry *f = &p->files.at[i];
        json_t *size = json_sprintf("%llu B", (unsigned long long)f->size);
        json_array_append_new(distribution,
                              json_pack("{s:s,s:s,s:s,s:s,s:o,s:s,s:s}", "@type", "cr:FileObject", "@id", f->name,
                                        "name", f->name, "contentUrl", f->name, "contentSize", size, "encodingFormat",
                                        media_type(f->name), "sha256", f->sha256));
        json_t *set = record_set(&c->columns[i], f->name);
        if (set != NULL)
            json_array_append_new(sets, set);
    }
    while (package_author(&rest, &name))
        json_array_append_new(creators, json_pack("{s:s,s:o}", "@type", "sc:Person", "name", text_of(name)));
    json_t *all = json_pack("{s:o,s:s,s:o,s:o,s:s,s:s,s:o,s:o,s:o}", "@context", json_loads(CONTEXT, 0, NULL), "@type",
                            "sc:Dataset", "name", text_of(title_of(p)), "description", description_of(p), "conformsTo",
                            "http://mlcommons.org/croissant/1.0", "datePublished", p->now, "license",
                            text_of(p->wanted->licence.ptr != NULL ? p->wanted->licence : SPAN("see LICENSE")),
                            "distribution", distribution, "recordSet", sets);
    json_object_set_new(all, "citeAs",
                        json_sprintf("%s (CITATION.cff)", json_string_value(json_object_get(all, "name"))));
    json_object_set_new(all, "version", json_sprintf("%lld.0.0", (long long)p->codebook_version));
    if (json_array_size(creators) > 0)
        json_object_set(all, "creator", creators);
    json_decref(creators);
    return all;
}

/* --- all of them --- */

enum status package_metadata(struct package *p, struct err *e)
{
    static const struct {
        const char *name;
        json_t *(*make)(const struct contents *c);
    } documents[] = {
        {"datapackage.json", data_package}, {"ro-crate-metadata.json", ro_crate}, {"croissant.json", croissant}};
    struct contents c = {.p = p};
    enum status status = package_list(p, e);

    c.columns = mem_zero(p->files.n + 1, sizeof *c.columns);
    for (size_t i = 0; i < p->files.n && status == ST_OK; i++)
        status = read_columns(p, p->files.at[i].name, &c.columns[i], e);
    for (size_t i = 0; i < ARRAY_LEN(documents) && status == ST_OK; i++) {
        json_t *what = documents[i].make(&c);
        AT_END(mem_end) char *text = what != NULL ? json_dumps(what, JSON_INDENT(1)) : NULL;

        json_decref(what);
        if (text == NULL)
            mem_lacking(1);
        AT_END(buf_clear) struct buf line = {0};
        buf_addf(&line, "%s\n", text);
        status = package_write(p, documents[i].name, buf_span(&line), e);
    }
    for (size_t i = 0; i < p->files.n; i++)
        dictionary_clear(&c.columns[i]);
    mem_free(c.columns);
    return status;
}
