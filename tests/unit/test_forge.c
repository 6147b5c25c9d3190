/* forge: links to issues and topics, and where a list of a repository goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fetch/forge.h"
#include "tests/unit/unit.h"

static bool is_link(const char *url, enum forge_kind kind, const char *site, int64_t number)
{
    struct forge_link link;

    if (!forge_link_read(&link, span_of(url), SPAN("github.com")))
        return kind == FORGE_NONE;
    return link.kind == kind && link.number == number && span_eq(link.site, span_of(site));
}

TEST(links_as_people_write_them)
{
    assert_true(is_link("https://github.com/a/b/issues/7", FORGE_ISSUE, "github.com/a/b", 7));
    assert_true(is_link("http://www.github.com/a/b/pull/7/files#r1", FORGE_ISSUE, "github.com/a/b", 7));
    assert_true(is_link("https://github.com/a/b/discussions/12?sort=new", FORGE_DISCUSSION, "github.com/a/b", 12));
    assert_true(is_link("https://discuss.pytorch.org/t/a-title/45/3", FORGE_TOPIC, "discuss.pytorch.org", 45));
    assert_true(is_link("https://discuss.pytorch.org/t/45", FORGE_TOPIC, "discuss.pytorch.org", 45));
    assert_true(is_link("https://example.org/forum/t/a/45", FORGE_TOPIC, "example.org/forum", 45));
}

TEST(what_is_no_such_link)
{
    static const char *const others[] = {
        "",
        "github.com/a/b/issues/7",
        "https://",
        "https://github.com",
        "https://github.com/a/b",
        "https://github.com/a/b/issues",
        "https://github.com/a/b/issues/0",
        "https://github.com/a/b/issues/x",
        "https://github.com/a/b/issues/99999999999999999999",
        "https://github.com/../b/issues/7",
        "https://github.com/a/b c/issues/7",
        "https://github.com/a/b%2f/issues/7",
        "https://github.com/a//issues/7",
        "https://github.com/a/b/wiki/7",
        "https://example.org/t/",
        "https://example.org/t/a/b",
        "https:///t/5",
        "https://example.org/t?x=/t/5",
    };

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_true(is_link(others[i], FORGE_NONE, "", 0));
}

TEST(hosts_of_an_api)
{
    assert_true(span_eq(forge_host("https://api.github.com"), SPAN("github.com")));
    assert_true(span_eq(forge_host("https://git.example.org/api/v3"), SPAN("git.example.org")));
    assert_true(span_eq(forge_host("http://127.0.0.1:80"), SPAN("github.com")));
}

TEST(a_place_is_read_as_it_was_written)
{
    struct forge_place place = {.repository = SPAN("a/b"), .list = "issues"}, again = place;
    struct buf text = {0}, second = {0};

    forge_place_read(&place, (struct span){0});
    assert_true(place.since == POST_ABSENT &&
                span_starts(buf_span(&place.request), SPAN("/repos/a/b/issues?state=all&")));
    place.since = 1600000000;
    buf_add_text(&place.etag, "W/\"x y\"");
    forge_place_write(&place, &text);
    forge_place_read(&again, buf_span(&text));
    forge_place_write(&again, &second);
    assert_true(again.since == 1600000000 && span_eq(buf_span(&text), buf_span(&second)));
    forge_place_clear(&place);
    forge_place_clear(&again);
    buf_clear(&text);
    buf_clear(&second);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
