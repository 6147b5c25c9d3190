/* post_shown: gets what is needed to show a post. */
#include "cli/post_shown.h"
#include "match/corpus/related.h"

#include "base/visible.h"
#include "db/study.h"

enum { WIDTH_DEFAULT = 100, WIDTH_MAX = 120 };

enum status post_shown_init(struct post_shown *p, const struct invocation *in, struct err *e)
{
    size_t width = terminal_width(stdout);

    *p = (struct post_shown){0};
    enum status status = db_study_load_unlabelled(&p->study, in->db, e);

    THEN(status, stored_codebook_load(&p->book, in->db, e));
    p->view = (struct post_view){.db = in->db,
                                 .book = &p->book,
                                 .width = width == 0          ? WIDTH_DEFAULT
                                          : width < WIDTH_MAX ? width
                                                              : WIDTH_MAX,
                                 .with_answers = !in->values.no_answers};
    if (status == ST_OK && !in->values.blind && !p->study.blind) {
        status = post_hints_init(&p->hints, &p->study, NULL, e);
        p->view.hints = p->hints.hints != NULL ? &p->hints : NULL;
        if (p->hints.hints != NULL)
            hints_follow(p->hints.hints, &p->book.codebook);
    }
    return status;
}

enum status post_shown_relate(struct post_shown *p, struct err *e)
{
    p->view.related = &p->related;
    return mine_related_read(&p->related, p->view.db, e);
}

void post_shown_clear(struct post_shown *p)
{
    post_relations_clear(&p->related);
    post_hints_clear(&p->hints);
    stored_codebook_clear(&p->book);
    study_clear(&p->study);
}
