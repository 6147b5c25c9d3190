/*
 * peer: who is at the other end of a connection. For web only.
 */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "base/base.h"

enum { PEER_ELSEWHERE = -1 };

/* The user of this machine whose program has the other end of the TCP connection; PEER_ELSEWHERE for one of
 * another machine, one that was closed already, and where the system does not tell. */
int64_t peer_user(int fd);
