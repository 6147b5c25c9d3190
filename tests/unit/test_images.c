/* Tests of what an image's bytes say, and of which addresses may be asked for one. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fetch/image.h"

/* clang-format off */
#define BYTES(text) {(text), sizeof (text) - 1}
/* clang-format on */

static const struct {
    const char *type;
    struct span bytes;
    uint32_t width, height;
} good[] = {
    {"image/png", BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0\7\10\6\0\0\0"), 258, 7},
    {"image/gif", BYTES("GIF87a\3\0\2\1"), 3, 258},
    {"image/gif", BYTES("GIF89a\3\0\2\1..."), 3, 258},
    {"image/jpeg", BYTES("\xff\xd8\xff\xe0\0\4ab\xff\xff\xc2\0\x11\10\0\5\1\0\3"), 256, 5},
    {"image/webp", BYTES("RIFF....WEBPVP8 ....\0\0\0\x9d\x01\x2a\x10\x40\x20\x80"), 16, 32},
    {"image/webp", BYTES("RIFF....WEBPVP8L....\x2f\x0f\xc0\x07\0.....??"), 16, 32},
    {"image/webp", BYTES("RIFF....WEBPVP8X....\0\0\0\0\x0f\0\0\x1f\0\0"), 16, 32},
};

static void tells_the_formats(void **state)
{
    struct image_look look;
    const char *why;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        assert_true(image_look(good[i].bytes, &look, &why));
        assert_string_equal(look.type, good[i].type);
        assert_int_equal(look.width, good[i].width);
        assert_int_equal(look.height, good[i].height);
    }
}

/* Cut anywhere it is whole or refused, and nothing behind the end is read (the copy ends there). */
static void refuses_what_is_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        for (size_t n = 0; n < good[i].bytes.len; n++) {
            struct image_look look;
            const char *why = NULL;
            char *copy = mem_alloc(n + 1);
            memcpy(copy, good[i].bytes.ptr, n);
            if (!image_look((struct span){copy, n}, &look, &why))
                assert_non_null(why);
            else
                assert_true(look.width > 0 && look.height > 0);
            mem_free(copy);
        }
}

static void refuses_the_rest(void **state)
{
    static const struct {
        struct span bytes;
        const char *why;
    } bad[] = {
        {BYTES(""), "not a PNG, JPEG, GIF or WebP image"},
        {BYTES("<svg xmlns=\"http://www.w3.org/2000/svg\"/>"), "not a PNG, JPEG, GIF or WebP image"},
        {BYTES("<!DOCTYPE html>"), "not a PNG, JPEG, GIF or WebP image"},
        {BYTES("\x1f\x8b\x08"), "not a PNG, JPEG, GIF or WebP image"},
        {BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1\0\0\0\1\0\0"), "too many pixels"},
        {BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff"), "too many pixels"},
        {BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\1"), "damaged image"},
        {BYTES("\xff\xd8\xff\xe0\0\0\xff\xe0\0\0\xff\xe0\0\0"), "damaged image"},
    };
    struct image_look look;
    const char *why;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(image_look(bad[i].bytes, &look, &why));
        assert_string_equal(why, bad[i].why);
    }
}

static bool may_ask(const char *text, uint16_t port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        return image_may_ask((const struct sockaddr *)&v4);
    assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
    return image_may_ask((const struct sockaddr *)&v6);
}

static bool is_public(const char *text)
{
    assert_int_equal(may_ask(text, 80), may_ask(text, 443));
    return may_ask(text, 443);
}

/* Other services of a server listen elsewhere. */
static void asks_ports_of_the_web_only(void **state)
{
    static const char *const addresses[] = {"1.1.1.1", "2606:4700::1", "64:ff9b::1.1.1.1"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(addresses); i++)
        for (unsigned port = 0; port <= UINT16_MAX; port++)
            if (may_ask(addresses[i], (uint16_t)port) != (port == 80 || port == 443))
                fail_msg("%s port %u", addresses[i], port);
}

static void asks_public_addresses_only(void **state)
{
    static const char *const yes[] = {
        "1.1.1.1",         "9.255.255.255", "11.0.0.0",        "100.63.255.255",   "100.128.0.0",
        "126.255.255.255", "128.0.0.0",     "169.253.255.255", "172.15.255.255",   "172.32.0.0",
        "192.167.255.255", "192.169.0.0",   "198.17.255.255",  "198.20.0.0",       "223.255.255.255",
        "2606:4700::1",    "2001:200::1",   "2a00::1",         "64:ff9b::1.1.1.1",
    };
    /* clang-format off */
    static const char *const no[] = {
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1",
        "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7",
        "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:1.1.1.1",
        "::127.0.0.1", "fe80::1", "fec0::1", "fc00::1", "fd12::1", "ff02::1", "2001::1", "2001:db8::1",
        "2002:7f00:1::1", "3fff::1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1"
    };
    /* clang-format on */
    const struct sockaddr other = {.sa_family = AF_UNIX};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        if (!is_public(yes[i]))
            fail_msg("%s is public", yes[i]);
    for (size_t i = 0; i < ARRAY_LEN(no); i++)
        if (is_public(no[i]))
            fail_msg("%s is not public", no[i]);
    assert_false(image_may_ask(&other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_formats),          cmocka_unit_test(refuses_what_is_cut),
        cmocka_unit_test(refuses_the_rest),           cmocka_unit_test(asks_public_addresses_only),
        cmocka_unit_test(asks_ports_of_the_web_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
