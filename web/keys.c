/* keys: which key does what; page.js reads both tables from the page. */
#include "web/site.h"

/* In reach of the left hand. */
static const char *const code_keys[] = {
    "1", "2", "3", "4", "5", "q", "w", "e", "r", "t", "a", "s", "d", "f", "g", "z", "x", "c",
    "v", "b", "Q", "W", "E", "R", "T", "A", "S", "D", "F", "G", "Z", "X", "C", "V", "B",
};

const char *key_of_code(size_t n)
{
    return n < ARRAY_LEN(code_keys) ? code_keys[n] : "";
}

const struct key_command key_commands[] = {
    {"yes", "y", "It is a problem"},
    {"no", "n", "It is no problem: saves, and goes on to the next post"},
    {"next", "l", "Go on to the next post"},
    {"skip", "k", "Pass over this post; it comes again at the end"},
    {"unsure", "u", "Unsure: a mark for yourself; the post comes again at the end"},
    {"back", "j", "Back to the post that was shown before"},
    {"undo", "o", "Take your last act back"},
    {"facet-next", "ArrowRight", "The next facet"},
    {"facet-back", "ArrowLeft", "The facet before"},
    {"problem", "p", "Another problem in the same post"},
    {"definitions", "i", "Show or hide the definitions of this facet"},
    {"reason", "h", "Write a reason; published with the labels"},
    {"note", "m", "Write a note; never published"},
    {"quote", ";", "Quote the text that is selected as evidence, in the reason"},
    {"hit", ".", "The next keyword in the text"},
    {"help", "?", "Show or hide all keys"},
    {NULL, NULL, NULL},
};

void keys_page(struct visit *v)
{
    page_begin(v, "Keys", "keys");
    buf_add_text(v->out, "<p>A key of the code list gives a code of the facet that is marked, or takes"
                         " it back. The next facet is marked then. No key does anything while you"
                         " write in a text field; Escape leaves it.</p>\n"
                         "<table>\n<thead><tr><th scope=\"col\">Key</th><th scope=\"col\">What it"
                         " does</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; key_commands[i].name != NULL; i++) {
        page_text(v->out, "<tr data-command=\"", span_of(key_commands[i].name), "\">");
        page_text(v->out, "<td><kbd>", span_of(key_commands[i].key), "</kbd></td>");
        page_text(v->out, "<td>", span_of(key_commands[i].what), "</td></tr>\n");
    }
    buf_add_text(v->out, "</tbody>\n</table>\n<p id=\"change-keys\" hidden>Choose a row, then press its"
                         " new key. <button type=\"button\" id=\"reset-keys\">All keys as they were"
                         "</button></p>\n");
    page_end(v);
}
