/* study_change: changes of a study that is under way, with their history. */
#include "label/coding/study_change.h"

#include "label/facet_table.h"

enum status study_put_settings(struct db *db, const struct study *s, struct err *e)
{
    const struct {
        const char *key;
        struct span value;
    } settings[] = {
        {"name", s->name},         {"title", s->title}, {"authors", s->authors},
        {"problems", s->problems}, {"site", s->site},   {"stemmer", s->stemmer},
    };
    enum status status = ST_OK;

    for (size_t i = 0; status == ST_OK && i < ARRAY_LEN(settings); i++)
        if (settings[i].value.len > 0)
            status = db_setting_put(db, settings[i].key, settings[i].value, e);
    if (status == ST_OK && s->n_sites > 0) {
        AT_END(buf_clear) struct buf sites = {0};
        study_add_sites(&sites, s);
        status = db_setting_put(db, "sites", buf_span(&sites), e);
    }
    return status;
}

struct changing {
    struct db *db;
    const struct study *study;
    struct study before;
    struct span by, why;
    struct study_changed *changed;
    struct err *e;
};

static enum status MUST_USE refuse(const struct changing *c, struct span name)
{
    if (span_eq(name, SPAN("categories.csv")))
        return err_set(c->e, ST_INPUT,
                       "categories.csv: differs from the study's; `ppmine codebook load` takes its definitions");
    if (span_eq(name, SPAN("codebook.csv")) || span_eq(name, SPAN("disambiguation.csv")))
        return err_set(c->e, ST_INPUT,
                       "%.*s: differs from the study's; change the codebook with `ppmine"
                       " codebook add`, define, rename, merge and split, which keep its history",
                       SPAN_ARG(name));
    return err_set(c->e, ST_INPUT,
                   "%.*s: differs from the study's, and labels are not changed this way: see `ppmine label import`",
                   SPAN_ARG(name));
}

/* What coders decided keeps its meaning: a facet that stays has its kind and list. */
static enum status MUST_USE check_facets(const struct changing *c, const struct facets *facets)
{
    const struct facets *before;
    enum status status = db_facets(c->db, &before, c->e);

    for (size_t i = 0; i < (status == ST_OK ? before->n : 0); i++) {
        const struct facet *was = &before->items[i];
        size_t place = facets_find(facets, was->name);
        if (i == FACET_JUDGES && place != FACET_JUDGES)
            return err_set(c->e, ST_INPUT, "facets.csv: the first facet was '%s', and stays the first", was->name.ptr);
        if (place == facets->n)
            continue; /* db_facets_put refuses it where coders decided about it */
        const struct facet *is = &facets->items[place];
        bool same_list = (was->list == SIZE_MAX) == (is->list == SIZE_MAX) &&
                         (was->list == SIZE_MAX || span_eq(before->lists[was->list], facets->lists[is->list]));
        if (was->kind != is->kind || !same_list || is->most < was->most)
            return err_set(c->e, ST_INPUT,
                           "facets.csv: '%s' changed its kind or its codes, or takes fewer"
                           " of them; add a facet of another name instead",
                           was->name.ptr);
    }
    return status;
}

/* A file's content of before and after; ptr NULL: there was, or is, none. */
static enum status MUST_USE change_file(const struct changing *c, struct span name, struct span before,
                                        struct span after)
{
    const struct db_study_change change = {
        .changed_by = c->by, .file = name, .reason = c->why, .before = before, .after = after};
    enum status status = ST_OK;

    if ((before.ptr == NULL) == (after.ptr == NULL) && span_eq(before, after))
        return ST_OK;
    /* Files that are changed in another way, or never. */
    bool is_kept = span_is_word(name, "categories.csv codebook.csv disambiguation.csv coding.csv identification.csv"
                                      " problems.csv assessment.csv");
    bool is_new = before.ptr == NULL && span_eq(name, SPAN("categories.csv"));
    if (is_kept && !is_new)
        return after.ptr == NULL ? ST_OK : refuse(c, name);
    status = after.ptr != NULL ? db_study_file_put(c->db, name, after, c->e) : db_study_file_remove(c->db, name, c->e);
    THEN(status, db_study_change_put(c->db, &change, c->e));
    c->changed->n++;
    c->changed->facets |= span_eq(name, SPAN("facets.csv"));
    c->changed->keywords |= span_eq(name, SPAN("keywords.txt"));
    return status;
}

static struct span content_of(const struct study *s, struct span name)
{
    for (size_t i = 0; i < s->n_files; i++)
        if (span_eq(s->files[i].name, name))
            return s->files[i].content.ptr != NULL ? s->files[i].content : SPAN("");
    return (struct span){0};
}

static enum status MUST_USE change(const struct changing *c, const struct facets *facets)
{
    struct err why = {0};
    enum status status = ST_OK;

    /* Names that it led to come with their histories, so copies of a study are known by the name. */
    if (!span_eq(c->study->name, c->before.name))
        return err_set(c->e, ST_INPUT,
                       "study.ini: the name is '%.*s', and that of the study '%.*s': copies of"
                       " a study are known by its name, which stays",
                       SPAN_ARG(c->study->name), SPAN_ARG(c->before.name));
    for (size_t i = 0; i < c->study->n_files && status == ST_OK; i++) {
        struct span name = c->study->files[i].name;
        status = change_file(c, name, content_of(&c->before, name), content_of(c->study, name));
    }
    for (size_t i = 0; i < c->before.n_files && status == ST_OK; i++) {
        struct span name = c->before.files[i].name;
        if (content_of(c->study, name).ptr == NULL)
            status = change_file(c, name, content_of(&c->before, name), (struct span){0});
    }
    bool changed = c->changed->facets || !span_eq(c->before.model_codes, c->study->model_codes);
    if (status == ST_OK && changed)
        status = check_facets(c, facets);
    if (status == ST_OK && changed)
        status = db_facets_put(c->db, facets, &why);
    if (status != ST_OK && why.text[0] != '\0')
        err_set(c->e, status, "%s%s", status == ST_INPUT ? "facets.csv: " : "", why.text);
    return status == ST_OK && c->changed->n > 0 ? study_put_settings(c->db, c->study, c->e) : status;
}

enum status study_change(struct db *db, const struct study *study, const struct facets *facets, struct span by,
                         struct span why, struct study_changed *changed, struct err *e)
{
    struct changing c = {.db = db, .study = study, .by = by, .why = why, .changed = changed, .e = e};

    *changed = (struct study_changed){0};
    enum status status = db_begin(db, e);
    THEN(status, db_study_load(&c.before, db, e));
    THEN(status, change(&c, facets));
    status = db_end(db, status, e);
    study_clear(&c.before);
    return status;
}
