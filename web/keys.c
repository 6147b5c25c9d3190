/* keys: which key does what, and the changes that each coder made; page.js reads them from the page. */
#include <jansson.h>

#include "base/utf8.h"
#include "db/study.h"
#include "web/site.h"

enum { KEY_BYTES_MAX = 12 };

static const struct key_command {
    const char *name, *key, *what;
    unsigned where; /* the pages that have it */
} commands[] = {
    {"yes", "y", "Yes", KEYS_CODE | KEYS_SCREEN},
    {"no", "n", "No; saves and shows the next post", KEYS_CODE | KEYS_SCREEN},
    {"next", "l", "The next post", KEYS_CODE},
    {"skip", "k", "Skip this post; it comes again at the end", KEYS_CODE},
    {"unsure", "u", "Unsure; the post comes again at the end", KEYS_CODE | KEYS_SCREEN},
    {"back", "j", "Back to the post before", KEYS_CODE | KEYS_SCREEN},
    {"undo", "o", "Undo the last act", KEYS_CODE | KEYS_SCREEN},
    {"facet-next", "ArrowRight", "The next facet", KEYS_CODE},
    {"facet-back", "ArrowLeft", "The facet before", KEYS_CODE},
    {"problem", "p", "Another one in the same post", KEYS_CODE},
    {"find", "/", "Type to find a code of this facet; Enter gives it", KEYS_CODE},
    {"new-code", "+", "Make a code of this facet; owners of the study", KEYS_CODE},
    {"definitions", "i", "Show or hide the definitions of this facet", KEYS_CODE},
    {"reason", "h", "Write a reason; it is published with the labels", KEYS_CODE},
    {"note", "m", "Write a note; it is never published", KEYS_CODE},
    {"quote", ";", "Quote the selected text as evidence in the reason", KEYS_CODE},
    {"hit", ".", "The next keyword in the text", KEYS_CODE | KEYS_SCREEN},
    {"help", "?", "Show or hide all keys", KEYS_CODE | KEYS_SCREEN},
};

/* --- what a coder changed: {"no": "0", "symptom: memory leak": "8"} --- */

static void add_setting(const struct visit *v, struct buf *out)
{
    buf_addf(out, "keys %.*s", (int)v->coder.len, v->coder.ptr);
}

enum status keys_read(struct visit *v, struct err *e)
{
    AT_END(buf_clear) struct buf name = {0};
    struct span text = {0};

    add_setting(v, &name);
    enum status status = db_setting_get(v->worker->db, buf_cstr(&name), &v->arena, &text, e);
    json_decref(v->keys);
    v->keys = status == ST_OK && text.ptr != NULL ? json_loadb(text.ptr, text.len, 0, NULL) : NULL;
    if (status == ST_OK && !json_is_object(v->keys)) {
        json_decref(v->keys);
        v->keys = json_object();
    }
    return status;
}

static const char *chosen(const struct visit *v, const char *what, const char *otherwise)
{
    const char *key = json_string_value(json_object_get(v->keys, what));

    return key != NULL ? key : otherwise;
}

static void add_code_name(struct buf *out, struct span facet, struct span code)
{
    buf_addf(out, "%.*s: %.*s", (int)facet.len, facet.ptr, (int)code.len, code.ptr);
}

const char *key_of_code(const struct visit *v, struct span facet, struct span code, size_t nth)
{
    AT_END(buf_clear) struct buf begin = {0}, what = {0};
    const char *other, *own = code_key(nth);
    json_t *value;

    add_code_name(&what, facet, code);
    const char *key = chosen(v, buf_cstr(&what), NULL);
    if (key != NULL)
        return key;
    /* Did the coder assign the key to a command or a code of the facet? A later release may change a code's key. */
    add_code_name(&begin, facet, SPAN(""));
    json_object_foreach(v->keys, other, value) {
        const char *given = json_string_value(value);
        bool same_place = strncmp(other, buf_cstr(&begin), begin.len) == 0 || strstr(other, ": ") == NULL;
        if (same_place && given != NULL && strcmp(given, own) == 0)
            return "";
    }
    return own;
}

/* --- all keys, one after the other --- */

struct key {
    const char *what, *key, *words; /* the name of a command, or "facet: code" */
    size_t facet;                   /* SIZE_MAX: a command */
};

struct key_list ARRAY_OF(struct key);

/* They live as long as the visit. */
static void list_keys(struct visit *v, struct key_list *out)
{
    const struct stored_codebook *book = &v->worker->book;
    AT_END(buf_clear) struct buf what = {0};
    size_t n;
    const struct facet *facets = act_facets(book, &n);

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        const struct key_command *c = &commands[i];
        array_add(out, ((struct key){c->name, chosen(v, c->name, c->key), c->what, SIZE_MAX}));
    }
    for (size_t f = 0; f < n; f++)
        for (size_t i = 0, nth = 0; i < book->codebook.n_codes; i++) {
            const struct code *code = &book->codebook.codes[i];
            if (!span_eq(code->facet, act_list(book, &facets[f])))
                continue;
            buf_reset(&what);
            add_code_name(&what, facets[f].name, code->name);
            const char *name = arena_text(&v->arena, buf_span(&what));
            array_add(out, ((struct key){name, key_of_code(v, facets[f].name, code->name, nth++), name, f}));
        }
}

/* --- changing one --- */

/* A browser's name of a key: a character, or "ArrowUp". Tab, Enter and Escape keep their usual effect. */
static bool is_key(struct span key)
{
    static const char *const names[] = {"ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp",  "Backspace", "Delete",
                                        "End",       "Home",      "Insert",     "PageDown", "PageUp"};

    if (key.len == 0 || key.len > KEY_BYTES_MAX || utf8_valid_prefix(key) != key.len)
        return false;
    if (span_is_any(key, names, ARRAY_LEN(names)))
        return true;
    return utf8_count(key) == 1 && (unsigned char)key.ptr[0] > ' ' && key.ptr[0] != 0x7F;
}

static enum status MUST_USE change_key(struct visit *v, const json_t *body, struct err *e)
{
    const char *what = json_string_value(json_object_get(body, "what"));
    const char *key = json_string_value(json_object_get(body, "key"));
    const struct key *changed = NULL;
    AT_END(array_end) struct key_list keys = {0};
    AT_END(buf_clear) struct buf name = {0};
    AT_END(mem_end) char *text = NULL;
    enum status status = keys_read(v, e);

    if (status != ST_OK)
        return status;
    if (json_is_true(json_object_get(body, "reset"))) {
        json_object_clear(v->keys);
    } else {
        list_keys(v, &keys);
        for (size_t i = 0; i < keys.n && what != NULL && changed == NULL; i++)
            changed = strcmp(keys.at[i].what, what) == 0 ? &keys.at[i] : NULL;
        if (changed == NULL)
            return err_set(e, ST_INPUT, "what: expected the name of a command, or 'facet: code'");
        if (key == NULL || !is_key(span_of(key)))
            return err_set(e, ST_INPUT, "key: expected one character, or the name of a key such as Home");
        for (size_t i = 0; i < keys.n; i++) {
            /* A command has its key alone; codes of two facets may share one. */
            const struct key *k = &keys.at[i];
            bool meets = k->facet == SIZE_MAX || changed->facet == SIZE_MAX || k->facet == changed->facet;
            if (meets && strcmp(k->what, what) != 0 && strcmp(k->key, key) == 0)
                return err_set(e, ST_INPUT, "the key %s is that of '%s'; give that one another key first", key,
                               k->what);
        }
        if (json_object_set_new(v->keys, what, json_string(key)) != 0)
            return err_set(e, ST_INPUT, "the name is not a text");
    }
    text = json_dumps(v->keys, JSON_COMPACT | JSON_SORT_KEYS);
    if (text == NULL)
        mem_lacking(1);
    add_setting(v, &name);
    status = db_begin(v->worker->db, e);
    THEN(status, db_setting_put(v->worker->db, buf_cstr(&name), span_of(text), e));
    return db_end(v->worker->db, status, e);
}

enum status api_keys(struct visit *v)
{
    pthread_mutex_lock(&v->web->writing);
    enum status status = change_key(v, v->body, &v->error);
    pthread_mutex_unlock(&v->web->writing);
    answer_begin(v, 200, "application/json");
    buf_add_text(v->out, "{\"saved\":true}\n");
    return status;
}

/* --- on the pages --- */

void keys_add(struct visit *v, unsigned where)
{
    buf_add_text(v->out, "<details class=\"keys\"><summary>Keys</summary><dl>\n");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        struct span key = span_of(chosen(v, commands[i].name, commands[i].key));
        if ((commands[i].where & where) == 0)
            continue;
        html(v->out, SPAN("command"), span_of(commands[i].name), key, key, span_of(commands[i].what));
    }
    buf_add_text(v->out, "</dl><p><a href=\"/keys\">Change keys</a></p></details>\n");
}

enum status keys_page(struct visit *v)
{
    AT_END(array_end) struct key_list keys = {0};
    enum status status = keys_read(v, &v->error);

    page_begin(v, "Keys", "keys");
    html(v->out, SPAN("keys"));
    list_keys(v, &keys);
    for (size_t i = 0; i < keys.n; i++)
        html(v->out, SPAN("key"), span_of(keys.at[i].what), span_of(keys.at[i].key), span_of(keys.at[i].words));
    buf_add_text(v->out, "</tbody>\n</table>\n");
    page_end(v);
    return status;
}
