/* Preloaded into the program: ends it with SIGKILL when the answer to the API request of the number
 * $KILL_AT_REQUEST has come, and was not handed out yet. Asking a clock is no such request. */
#define _GNU_SOURCE
#include <curl/curl.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

CURLcode curl_easy_perform(CURL *curl)
{
    static CURLcode (*real)(CURL *);
    static atomic_long count;
    const char *at = getenv("KILL_AT_REQUEST"), *url = NULL;

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "curl_easy_perform");
    CURLcode rc = real(curl);
    curl_easy_getinfo(curl, CURLINFO_EFFECTIVE_URL, &url);
    if (at == NULL || url == NULL || strstr(url, "/_clock") != NULL)
        return rc;
    if (++count == strtol(at, NULL, 10))
        kill(getpid(), SIGKILL);
    return rc;
}
