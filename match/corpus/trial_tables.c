/* trial_tables: another keyword set beside the candidates that there are. */
#include "base/log.h"
#include "base/table/table.h"
#include "match/corpus/mine.h"

static void add_counts(struct table *t, const struct mine_trial_count *c)
{
    table_add_row(t, table_int((int64_t)c->candidates), table_int((int64_t)c->judged), table_int((int64_t)c->problems));
}

static void add_keywords(struct table_list *r, const struct mine_trial *trial)
{
    struct table *t = table_list_add(r, "trial-keywords", "Keyword by keyword");

    table_columns(t,
                  "keyword; now int; candidates int = with this set; gained int; gained_judged int = judged;"
                  " gained_problems int = problems; lost int; lost_judged int = judged; lost_problems int = problems");
    for (size_t i = 0; i < trial->keywords.n; i++) {
        const struct mine_trial_keyword *k = &trial->keywords.at[i];
        table_add_row(t, table_text(k->keyword), table_int((int64_t)k->before.candidates),
                      table_int((int64_t)k->after.candidates));
        add_counts(t, &k->gained);
        add_counts(t, &k->lost);
    }
    table_note(t, "Gained and lost: candidates with this keyword; one with several is in each.");
}

static void add_posts(struct table_list *r, const struct mine_trial *trial, size_t limit)
{
    struct table *t = table_list_add(r, "trial-posts", "Posts gained and lost");

    table_columns(t, "post_id int; change; judged; keywords");
    for (size_t i = 0; i < trial->posts.n && (limit == 0 || i < limit); i++) {
        const struct mine_trial_post *post = &trial->posts.at[i];
        table_add_row(t, table_int(post->post_id), table_text(post->gained ? SPAN("gained") : SPAN("lost")));
        if (post->judged)
            table_add_text(t, post->is_problem ? SPAN("problem") : SPAN("no problem"));
        else
            table_add_absent(t);
        table_add_text(t, post->keywords);
    }
    if (limit > 0 && trial->posts.n > limit)
        table_note(t, "The first %zu of %zu; --limit 0 prints all.", limit, trial->posts.n);
}

void mine_trial_print(const struct mine_trial *trial, size_t limit, const struct table_output *out)
{
    AT_END(table_list_clear) struct table_list r = {0};

    static const char *const words[] = {"now", "with this set", "both", "gained", "lost"};
    const struct mine_trial_count *counts[] = {&trial->before, &trial->after, &trial->both, &trial->gained,
                                               &trial->lost};
    struct table *t = table_list_add(&r, "trial", "Candidates now and with this set");

    table_columns(t, "which; candidates int; judged int; problems int");
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        table_add_text(t, span_of(words[i]));
        add_counts(t, counts[i]);
    }
    table_note(t, "Judged: by any coder. Problems: as the merged labels say, else if any coder said yes."
                  " Nothing was written; --replace takes this set.");
    add_keywords(&r, trial);
    if (trial->posts.n > 0 || out->format != TABLE_AS_TEXT)
        add_posts(&r, trial, limit);
    table_list_print(&r, out);
}

void mine_trial_say(const struct mine_trial *trial)
{
    log_info("candidates: %zu before, %zu now; gained: %zu, of which judged: %zu; lost: %zu, of"
             " which judged: %zu (problems: %zu)",
             trial->before.candidates, trial->after.candidates, trial->gained.candidates, trial->gained.judged,
             trial->lost.candidates, trial->lost.judged, trial->lost.problems);
    if (trial->lost.judged > 0)
        log_warn("judged posts that are no longer candidates: %zu; they keep their labels, and agree and stats count"
                 " them, but progress and label next do not; plain `ppmine match` returns to the study's keywords",
                 trial->lost.judged);
}
