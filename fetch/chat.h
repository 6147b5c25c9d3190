/* chat: asks a language model over the interface chat/completions, which llama.cpp's server, Ollama, vLLM and hosted
 * services share. One request at a time for each chat. */
#pragma once

#include "base/base.h"

struct chat;

/* `url` of the interface ("http://127.0.0.1:8080/v1"): https, or http to this machine; others are ST_USAGE. `key` goes
 * into the header Authorization and nowhere else; NULL: none. */
enum status MUST_USE chat_open(struct chat **out, const char *url, const char *key, struct err *e);
void chat_close(struct chat *c); /* NULL does nothing */

struct chat_reply {
    const char *failed; /* why there is no answer (static text); NULL: there is one */
    bool may_pass;      /* another time there may be one */
    long code;          /* 200, …; 0: none */
    long retry_after;   /* seconds, a day at most; 0: the server did not say */
    struct span body;   /* lives until the next call but one */
};

/* Begins to post the JSON text, which must live until it is answered, `delay` seconds from now. */
void chat_start(struct chat *c, struct span json, double delay);
/* Whether it is answered, or ended by a signal; *reply is set then. Never waits. */
bool chat_take(struct chat *c, struct chat_reply *reply);
