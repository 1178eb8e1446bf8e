/*
 * Fetching (`kuromajutsu-hub --fetch`): what lies at an address, by GET. A
 * program of its own as posting is (post.h), for the same reasons. On stdin
 * come the address, a line, and the key that is sent as X-API-Key, a line that
 * may be empty.
 *
 * It tries again, up to three times and ever later, where that may help: no
 * connection, a broken one, 429, 500 and above; and ends after ten seconds. A
 * key goes to nobody else: not in the clear to another machine, not where a
 * redirection points.
 */
#ifndef TRANSPORT_HUB_FETCH_H
#define TRANSPORT_HUB_FETCH_H

/*
 * On stdout: "HTTP 200" and in the next lines the body, 200 KiB at most; or
 * "HTTP " and another status; or "refused: " and why it was not asked or not
 * read; or else what went wrong, in a line. Never the address, the key, or a
 * body of another status. The exit code is 0.
 */
int fetch_main(void);

#endif
