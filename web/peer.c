/* peer: which user of this machine is at the other end of a connection; Linux knows that for TCP. */
#include "web/site.h"

#ifdef __linux__
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TCP_IS_ESTABLISHED = 1 }; /* the kernel's number; netinet/tcp.h is for other needs */

struct question {
    struct nlmsghdr header;
    struct inet_diag_req_v2 body;
};

struct reply {
    struct nlmsghdr header;
    struct inet_diag_msg body;
    char more[256]; /* what we do not ask for */
};

static void put_end(const struct sockaddr_storage *at, __be16 *port, __be32 address[4])
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    memcpy(&v4, at, sizeof v4);
    memcpy(&v6, at, sizeof v6);
    *port = at->ss_family == AF_INET ? v4.sin_port : v6.sin6_port;
    if (at->ss_family == AF_INET)
        memcpy(address, &v4.sin_addr, sizeof v4.sin_addr);
    else
        memcpy(address, &v6.sin6_addr, sizeof v6.sin6_addr);
}

/* The socket that has our end as its other one. */
static bool MUST_USE put_question(struct question *q, int fd)
{
    struct sockaddr_storage own = {0}, other = {0};
    socklen_t own_size = sizeof own, other_size = sizeof other;

    if (getsockname(fd, (struct sockaddr *)&own, &own_size) != 0 ||
        getpeername(fd, (struct sockaddr *)&other, &other_size) != 0)
        return false;
    *q = (struct question){
        .header = {.nlmsg_len = sizeof *q, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .body = {.sdiag_family = (__u8)own.ss_family,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = 1U << TCP_IS_ESTABLISHED,
                 .id = {.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}},
    };
    put_end(&other, &q->body.id.idiag_sport, q->body.id.idiag_src);
    put_end(&own, &q->body.id.idiag_dport, q->body.id.idiag_dst);
    return true;
}

int64_t peer_user(int fd)
{
    struct question question;
    struct reply reply = {0};
    int64_t user = PEER_ELSEWHERE;
    int link = put_question(&question, fd) ? socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG) : -1;

    if (link < 0)
        return user;
    /* One that is closed already has no user, or that of nobody: 0. */
    if (send(link, &question, sizeof question, 0) == (ssize_t)sizeof question &&
        recv(link, &reply, sizeof reply, 0) >= (ssize_t)offsetof(struct reply, more) &&
        reply.header.nlmsg_type == SOCK_DIAG_BY_FAMILY && reply.body.idiag_state == TCP_IS_ESTABLISHED)
        user = reply.body.idiag_uid;
    close(link);
    return user;
}

#else

int64_t peer_user(int fd)
{
    (void)fd;
    return PEER_ELSEWHERE;
}

#endif
