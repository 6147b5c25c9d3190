/* invocation: the database of an invocation, and the facets of its study, which are in options and in help. */
#include "cli/command.h"
#include "label/facet_table.h"

#include "base/log.h"
#include "base/study/study.h"

enum status invocation_open_db(struct invocation *in, enum db_mode mode, struct err *e)
{
    if (in->read_before != NULL && mode == DB_READ) {
        in->db = in->read_before;
        in->read_before = NULL;
        return ST_OK;
    }
    return db_open(&in->db, in->db_path, mode, e);
}

void invocation_clear(struct invocation *in)
{
    db_close(in->db);
    db_close(in->read_before);
    facets_clear(&in->built_in);
    arena_clear(&in->arena);
}

static void read_built_in(struct invocation *in)
{
    AT_END(study_clear) struct study study;
    struct err e;

    if (study_load(&study, NULL, &e) != ST_OK || facets_of_study(&in->built_in, &study, &e) != ST_OK)
        log_debug("%s", e.text); /* cannot be: the study is ours */
    in->facets = &in->built_in;
}

const struct facets *invocation_facets(struct invocation *in)
{
    struct err e;

    if (in->facets != NULL)
        return in->facets;
    if (in->command != NULL && in->command->built_in_facets) {
        read_built_in(in);
        return in->facets;
    }
    if (in->db == NULL && in->read_before == NULL && in->db_path != NULL && in->command != NULL &&
        in->command->needs != NEEDS_NO_DB && db_open(&in->read_before, in->db_path, DB_READ, &e) != ST_OK) {
        db_close(in->read_before);
        in->read_before = NULL;
    }
    struct db *db = in->db != NULL ? in->db : in->read_before;
    if (db == NULL || db_facets(db, &in->facets, &e) != ST_OK)
        read_built_in(in);
    return in->facets;
}

/* Names of what follows from the study's facets, in the place of {facets} and {lists}. */
void help_add(struct buf *out, const char *help, struct invocation *in)
{
    struct span rest = span_of(help), before;

    while (span_cut(&rest, '{', &before)) {
        struct span name = {0};
        buf_add_span(out, before);
        if (!span_cut(&rest, '}', &name))
            return;
        if (span_eq(name, SPAN("facets")))
            facets_add_names(invocation_facets(in), ", ", out);
        else if (span_eq(name, SPAN("lists")))
            facets_add_lists(invocation_facets(in), " or ", out);
        else
            facets_add_lists(invocation_facets(in), ", ", out);
    }
}

void help_own_examples(FILE *out, struct invocation *in)
{
    const struct command *c = in->command;
    const struct facets *f = invocation_facets(in);
    AT_END(buf_clear) struct buf line = {0};

    if (c->judging_example != NULL) {
        buf_addf(&line, "%s --%s no", c->judging_example, f->items[FACET_JUDGES].option.ptr);
        help_example(out, NULL, buf_cstr(&line));
        buf_reset(&line);
    }
    if (c->coding_example != NULL && f->n > FACET_JUDGES + 1) {
        buf_add_text(&line, c->coding_example);
        for (size_t i = FACET_JUDGES + 1; i < f->n; i++)
            buf_addf(&line, " --%s %s", f->items[i].option.ptr, facet_placeholder(&f->items[i]));
        help_example(out, NULL, buf_cstr(&line));
    }
}
