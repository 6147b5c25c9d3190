/* facet_views: the views whose columns follow from the facets: problem_label, coding, counts of codes. */
#include "db/fragments.h"
#include "label/facet_views.h"

static void add_underscored(struct buf *sql, struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        buf_add_char(sql, name.ptr[i] == ' ' || name.ptr[i] == '-' ? '_' : name.ptr[i]);
}

/* The code_id at a place of a problem's facet. json_extract is not for views: SQLite trusts only the
 * table functions with the schema of a file that may be a stranger's. */
static void add_code_id(struct buf *sql, const struct facet *facet, size_t place)
{
    buf_addf(sql, "(SELECT v.value FROM json_each(l.labels, '$.\"%s\"') AS v WHERE v.key = %zu)", facet->name.ptr,
             place);
}

static void add_problem_label(struct buf *sql, const struct facets *f)
{
    buf_add_text(sql, "CREATE VIEW problem_label (problem_id, post_id, url, created_at");
    for (size_t i = 0; i < f->n_columns; i++)
        for (size_t k = 0; k < f->items[f->columns[i]].most; k++) {
            buf_add_text(sql, ", \"");
            facet_column(&f->items[f->columns[i]], k, sql);
            buf_add_char(sql, '"');
        }
    buf_add_text(sql, ") AS SELECT l.problem_id, l.post_id, " URL_OF(
                          "p.post_type", "l.post_id") ","
                                                      " coalesce(l.created_at, p.created_at)");
    for (size_t i = 0; i < f->n_columns; i++)
        for (size_t k = 0; k < f->items[f->columns[i]].most; k++) {
            buf_add_text(sql, ", (SELECT c.name FROM code AS c WHERE c.code_id = ");
            add_code_id(sql, &f->items[f->columns[i]], k);
            buf_add_char(sql, ')');
        }
    buf_add_text(sql, " FROM problem AS l LEFT JOIN post AS p ON p.post_id = l.post_id;");
}

/* As many columns of codes as the facet that may have most. */
static void add_coding(struct buf *sql, const struct facets *f)
{
    size_t most = 1;

    for (size_t i = 0; i < f->n; i++)
        most = f->items[i].most > most ? f->items[i].most : most;
    buf_add_text(sql, "CREATE VIEW coding (problem_id, post_id, coder, is_merged, facet");
    for (size_t k = 1; k <= most; k++)
        buf_addf(sql, ", code%zu", k);
    buf_add_text(sql, ", spelling, decided_at, codebook_version) AS SELECT l.subject, l.post_id,"
                      " l.coder, c.is_merged, l.facet");
    for (size_t k = 1; k <= most; k++)
        buf_addf(sql,
                 ", (SELECT k.name FROM label AS m JOIN code AS k USING (code_id)"
                 " WHERE m.subject = l.subject AND m.facet = l.facet AND m.coder = l.coder"
                 " AND m.place = %zu)",
                 k);
    buf_add_text(sql, ", l.spelling, l.decided_at, l.codebook_version"
                      " FROM label AS l JOIN coder AS c USING (coder) WHERE l.place = 1;");
}

static void add_count_name(struct buf *sql, struct span list)
{
    buf_add_char(sql, '"');
    add_underscored(sql, list);
    buf_add_text(sql, "_count\"");
}

/* How often each code is the first one of its facet. */
static void add_count(struct buf *sql, const struct facets *f, const struct facet *facet)
{
    buf_add_text(sql, "CREATE VIEW ");
    add_count_name(sql, f->lists[facet->list]);
    buf_add_text(sql, " (category, code, n, share) AS"
                      " SELECT c.category, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER ()"
                      " FROM problem AS l JOIN code AS c ON c.code_id = ");
    add_code_id(sql, facet, 0);
    buf_add_text(sql, " GROUP BY c.code_id ORDER BY count(*) DESC, c.code_id;");
}

/* The same for each of the facets that share a list. */
static void add_role_count(struct buf *sql, const struct facets *f, size_t list)
{
    const char *before = "";

    buf_add_text(sql, "CREATE VIEW ");
    add_count_name(sql, f->lists[list]);
    buf_add_text(sql, " (role, \"");
    add_underscored(sql, f->lists[list]);
    buf_add_text(sql, "\", n, share) AS SELECT s.role, c.name, count(*),"
                      " count(*) * 1.0 / sum(count(*)) OVER (PARTITION BY s.role) FROM (");
    for (size_t i = 0; i < f->n; i++) {
        if (f->items[i].list != list)
            continue;
        buf_addf(sql, "%sSELECT %zu AS place, '", before, i);
        facet_role(f, &f->items[i], sql);
        buf_add_text(sql, "' AS role, ");
        add_code_id(sql, &f->items[i], 0);
        buf_add_text(sql, " AS code_id FROM problem AS l");
        before = " UNION ALL ";
    }
    buf_add_text(sql, ") AS s JOIN code AS c USING (code_id)"
                      " GROUP BY s.place, c.code_id ORDER BY s.place, count(*) DESC, c.code_id;");
}

void facet_views_drop(struct buf *sql, const struct facets *f)
{
    buf_add_text(sql, "DROP VIEW IF EXISTS problem_label; DROP VIEW IF EXISTS coding;");
    for (size_t list = 0; list < f->n_lists; list++) {
        buf_add_text(sql, "DROP VIEW IF EXISTS ");
        add_count_name(sql, f->lists[list]);
        buf_add_char(sql, ';');
    }
}

void facet_views_create(struct buf *sql, const struct facets *f)
{
    add_problem_label(sql, f);
    add_coding(sql, f);
    for (size_t i = 0; i < f->n; i++) {
        size_t list = f->items[i].list, first = 0;
        while (f->items[first].list != list)
            first++;
        if (list == SIZE_MAX || first < i)
            continue;
        if (facets_share(f, list) > 1)
            add_role_count(sql, f, list);
        else
            add_count(sql, f, &f->items[i]);
    }
}
