/* host: the host of an address. */
#include "base/host.h"

#include <arpa/inet.h>
#include <strings.h>

enum { HOST_MAX = 253 }; /* bytes: longer ones are none */

static size_t count_until(struct span s, const char *ends)
{
    size_t n = 0;

    while (n < s.len && (s.ptr[n] == '\0' || strchr(ends, s.ptr[n]) == NULL))
        n++;
    return n;
}

struct span host_of_url(struct span url)
{
    static const char *const schemes[] = {"http://", "https://"};
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:";
    struct span s = SPAN("");

    for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
        size_t n = strlen(schemes[i]);
        if (url.len > n && strncasecmp(url.ptr, schemes[i], n) == 0)
            s = span_after(url, n);
    }
    while (s.len > 0 && (s.ptr[0] == '/' || s.ptr[0] == '\\')) /* as browsers do */
        s = span_after(s, 1);
    s.len = count_until(s, "/\\?#");
    for (size_t at; (at = count_until(s, "@")) < s.len;)
        s = span_after(s, at + 1);
    if (s.len > 0 && s.ptr[0] == '[') {
        s = span_after(s, 1);
        s.len = count_until(s, "]");
    } else {
        s.len = count_until(s, ":");
    }
    while (s.len > 0 && s.ptr[s.len - 1] == '.')
        s.len--;
    bool plain = s.len <= HOST_MAX;
    for (size_t i = 0; i < s.len && plain; i++)
        plain = s.ptr[i] != '\0' && strchr(allowed, s.ptr[i]) != NULL;
    return plain ? s : SPAN("");
}

static bool is_local_v4(const unsigned char address[4])
{
    return address[0] == 127 || address[0] == 0;
}

static bool is_local_v6(const struct in6_addr *address)
{
    static const unsigned char mapped[12] = {[10] = 0xFF, [11] = 0xFF}, compatible[12] = {0};

    return (memcmp(address, mapped, sizeof mapped) == 0 || memcmp(address, compatible, sizeof compatible) == 0) &&
           is_local_v4(address->s6_addr + sizeof mapped);
}

bool host_is_this_machine(struct span host)
{
    char text[HOST_MAX + 1];
    struct in_addr v4;
    struct in6_addr v6;
    size_t last = host.len;

    if (host.len > HOST_MAX)
        return true;
    memcpy(text, host.ptr, host.len);
    text[host.len] = '\0';
    if (strchr(text, ':') != NULL)
        return inet_pton(AF_INET6, text, &v6) != 1 || is_local_v6(&v6);
    while (last > 0 && text[last - 1] != '.')
        last--;
    /* Its last part says whether it is a number. */
    if (text[last] < '0' || text[last] > '9') {
        const struct span name = SPAN("localhost");

        return host.len >= name.len &&
               span_eq_any_case((struct span){host.ptr + host.len - name.len, name.len}, name) &&
               (host.len == name.len || host.ptr[host.len - name.len - 1] == '.');
    }
    return inet_aton(text, &v4) == 0 || is_local_v4((const unsigned char *)&v4.s_addr);
}
