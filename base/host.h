/* host: the host of an address, as a browser understands it. */
#pragma once

#include "base/base.h"

/* Without user name, port, brackets and a final dot. Only of "http://" and "https://"; len 0 for any other address and
 * for a host not in plain letters, digits and ".-_:" (a browser reads "%31" and full-width digits as digits). */
struct span host_of_url(struct span url);
/* "localhost" and names below it, 127.0.0.0/8, 0.0.0.0/8, ::1 and ::, however they are written: "127.1",
 * "0x7f000001", "2130706433", "::ffff:127.0.0.1". True for numbers that are not an address. */
bool host_is_this_machine(struct span host);
