/* stem: text on standard input to stems on standard output, line by line. */
#include "base/utf8.h"
#include "cli/command.h"
#include "stem/stem.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

enum { CHUNK = 256 * 1024, LINE_MAX_BYTES = 64 << 20 };

struct stemming {
    struct stemmer *stemmer;
    bool tokens;
    uint64_t offset; /* of the first byte in `input` */
    struct buf input, output;
};

static void add_number(struct buf *b, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    buf_add(b, digits + at, sizeof digits - at);
}

static void flush_output(struct stemming *s)
{
    if (s->output.len > 0)
        fwrite(s->output.ptr, 1, s->output.len, stdout); /* main checks stdout */
    buf_reset(&s->output);
}

static enum status stem_line(struct stemming *s, struct span line, uint64_t offset, struct err *e)
{
    struct token_reader reader = token_reader(line);
    struct token token;
    size_t valid = utf8_valid_prefix(line);

    if (valid < line.len)
        return err_set(e, ST_INPUT, "standard input: invalid UTF-8 at byte %" PRIu64, offset + valid);
    for (bool first = true; token_next(&reader, &token); first = false) {
        struct span word = {line.ptr + token.start, token.end - token.start};
        if (s->tokens) {
            uint64_t start = offset + token.start;
            add_number(&s->output, start);
            buf_add_char(&s->output, '\t');
            add_number(&s->output, start + word.len);
            buf_add_char(&s->output, '\t');
            buf_add_span(&s->output, word);
            buf_add_char(&s->output, '\t');
            buf_add_span(&s->output, stemmer_stem(s->stemmer, word));
            buf_add_char(&s->output, '\n');
        } else {
            if (!first)
                buf_add_char(&s->output, ' ');
            buf_add_span(&s->output, stemmer_stem(s->stemmer, word));
        }
        if (s->output.len > CHUNK)
            flush_output(s);
    }
    if (!s->tokens)
        buf_add_char(&s->output, '\n');
    return ST_OK;
}

/* Stems whole lines and keeps the beginning of the next one; the search for line ends continues at `from`. */
static enum status stem_lines(struct stemming *s, size_t from, struct err *e)
{
    struct buf *in = &s->input;
    size_t done = 0;
    const char *end;

    while (from < in->len && (end = memchr(in->ptr + from, '\n', in->len - from)) != NULL) {
        size_t len = (size_t)(end - in->ptr) - done;
        enum status status = stem_line(s, (struct span){in->ptr + done, len}, s->offset + done, e);
        if (status != ST_OK)
            return status;
        done += len + 1;
        from = done;
    }
    memmove(in->ptr, in->ptr + done, in->len - done);
    in->len -= done;
    s->offset += done;
    if (in->len > LINE_MAX_BYTES)
        return err_set(e, ST_INPUT, "standard input: the line at byte %" PRIu64 " is longer than %d bytes", s->offset,
                       LINE_MAX_BYTES);
    return ST_OK;
}

static enum status run_stem(struct invocation *in, struct err *e)
{
    struct stemming s = {.tokens = in->values.tokens};
    const char *algorithm = option_or(in->values.algorithm, "nltk");
    bool ended = false;

    if (in->values.list) {
        for (const char *const *name = stemmer_names(); *name != NULL; name++)
            puts(*name);
        return ST_OK;
    }
    invocation_confine(NULL, 0, false);
    enum status status = stemmer_new(&s.stemmer, span_of(algorithm), e);
    if (status != ST_OK)
        return status;
    while (status == ST_OK && !ended && ferror(stdout) == 0) {
        buf_reserve(&s.input, CHUNK);
        size_t from = s.input.len;
        ssize_t got = read(STDIN_FILENO, s.input.ptr + from, CHUNK);
        ended = got == 0;
        s.input.len += got > 0 ? (size_t)got : 0;
        if (got > 0)
            status = stem_lines(&s, from, e);
        else if (got < 0 && errno != EINTR)
            status = err_set(e, ST_IO, "standard input: %s", strerror(errno));
    }
    if (status == ST_OK && ended && s.input.len > 0)
        status = stem_line(&s, buf_span(&s.input), s.offset, e);
    flush_output(&s);
    stemmer_free(s.stemmer);
    buf_clear(&s.input);
    buf_clear(&s.output);
    return status;
}

const struct command command_stem = {
    .name = "stem",
    .summary = "Reduce the words of standard input to their stems",
    .options = OPTIONS(TEXT("algorithm", algorithm, "NAME", "the stemmer (default: nltk)", 'a'),
                       FLAG("tokens", tokens, "print a line for each word: start, end, word, stem", 't'),
                       FLAG("list", list, "print the names of the stemmers and exit", 'l')),
    .description = "A word is a run of letters and digits; all text between two words becomes one blank. The\n"
                   "stemmer nltk computes the stems of nltk.stem.PorterStemmer() of NLTK 3.8. Words are lower-cased\n"
                   "first, as matching does: News becomes news, as news does. NLTK itself makes new of News.",
    .examples = EXAMPLES({"echo 'My training runs slowly' | ppmine stem", "prints: my train run slowli"},
                         {"ppmine stem --tokens < post.txt", "the position of each word, in bytes of the input"},
                         {"ppmine stem --algorithm german < text.txt", NULL}),
    .run = run_stem,
};
