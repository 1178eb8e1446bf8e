/* SPDX-License-Identifier: MIT */
/*
 * The heads of requests, by whoever can connect. We and h2o agree on where one
 * ends and on what it says, a body that was dropped from it is none to h2o, and
 * without the token nobody is let in where one is set. The first byte of an
 * input says who connects, and to what kind of site.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/text/bytes.h"
#include "transport/http/access.h"
#include "transport/http/exchange.h"
#include "transport/http/refusal.h"
#include "transport/http/request_head.h"
#include "transport/http/site.h"

#define CHECK(fact)                                                            \
    do                                                                         \
        if (!(fact))                                                           \
            abort();                                                           \
    while (0)
#define TOKEN "s3cret"
#define HEADERS 100 /* h2o's limit */

/* picohttpparser, which h2o brings along but does not declare. */
struct phr_header {
    const char *name;
    size_t name_len;
    const char *value;
    size_t value_len;
};
int phr_parse_request(const char *text, size_t len, const char **method,
                      size_t *method_len, const char **path, size_t *path_len,
                      int *minor_version, struct phr_header *headers,
                      size_t *count, size_t last_len);

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct access open_door, guarded;

/* ---- what access would answer by ---------------------------------------- */

void exchange_add_header(struct exchange *x, const char *name,
                         struct slice value)
{
    (void)x, (void)name, (void)value;
}

void exchange_reply_text(struct exchange *x, int status, const char *type,
                         struct slice body)
{
    (void)x, (void)status, (void)type, (void)body;
}

void refusal_send(struct exchange *x, int status, struct slice message)
{
    (void)x, (void)status, (void)message;
}

/* ---- what h2o makes of it ----------------------------------------------- */

struct reading {
    int len; /* or negative: no request, or not yet */
    struct slice method, path;
    struct phr_header headers[HEADERS];
    size_t count;
};

static void read_as_h2o(struct slice input, struct reading *r)
{
    int minor;

    *r = (struct reading){.count = HEADERS};
    r->len = phr_parse_request(input.ptr, input.len, &r->method.ptr,
                               &r->method.len, &r->path.ptr, &r->path.len,
                               &minor, r->headers, &r->count, 0);
}

/* The last one of that name; ptr is NULL: there is none. */
static struct slice find(const struct reading *r, const char *name)
{
    struct slice found = {0};

    for (size_t i = 0; i < r->count; i++)
        if (r->headers[i].name != NULL &&
            r->headers[i].name_len == strlen(name) &&
            strncasecmp(r->headers[i].name, name, strlen(name)) == 0)
            found = slice_trim(
                slice_of(r->headers[i].value, r->headers[i].value_len));
    return found;
}

static void compare(const struct request_head *head, const struct reading *r)
{
    static const struct {
        enum request_field field;
        const char *name;
    } all[] = {{REQUEST_HOST, "host"},
               {REQUEST_ORIGIN, "origin"},
               {REQUEST_COOKIE, "cookie"},
               {REQUEST_AUTHORIZATION, "authorization"},
               {REQUEST_CONTENT_LENGTH, "content-length"},
               {REQUEST_TRANSFER_ENCODING, "transfer-encoding"},
               {REQUEST_FETCH_SITE, "sec-fetch-site"}};

    CHECK(head->len == (size_t)r->len && slice_eq(head->method, r->method));
    CHECK(head->path.len > 0 && head->path.ptr[0] == '/');
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        struct slice seen = find(r, all[i].name);

        CHECK((seen.ptr == NULL) == (head->fields[all[i].field].ptr == NULL));
        CHECK(slice_eq(seen, head->fields[all[i].field]));
    }
}

/* ---- checks ------------------------------------------------------------- */

static bool has(struct slice text, const char *word)
{
    return text.len > 0 &&
           memmem(text.ptr, text.len, word, strlen(word)) != NULL;
}

static void check_access(const struct request_head *head, struct slice input,
                         enum access_peer peer)
{
    int status = access_judge(&guarded, head, peer).status;

    CHECK(status == 0 || status == 303 || (status >= 400 && status < 500));
    if (status == 0)
        CHECK(has(input, TOKEN) || (peer != ACCESS_STRANGER &&
                                    has(input, guarded.token_cookie.value)));
    if (access_judge(&open_door, head, peer).status == 0)
        CHECK(peer == ACCESS_OURS);
}

static void check_dropped(struct slice input)
{
    char *copy = bytes_alloc(input.len);
    static struct reading r;

    memcpy(copy, input.ptr, input.len);
    request_head_drop_body(copy, input.len);
    read_as_h2o(slice_of(copy, input.len), &r);
    CHECK(r.len == (int)input.len);
    CHECK(find(&r, "content-length").ptr == NULL &&
          find(&r, "transfer-encoding").ptr == NULL &&
          find(&r, "expect").ptr == NULL);
    free(copy);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    access_open(&open_door,
                &(struct access_setup){.token = "", .host = "127.0.0.1"}, 80);
    access_open(&guarded,
                &(struct access_setup){.token = TOKEN, .host = "127.0.0.1"},
                9696);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice input = slice_of((const char *)data + 1, size - 1);
    static struct reading r;
    struct request_head head;
    size_t len;

    if (size < 2 || input.len > SITE_HEAD)
        return 0;
    len = request_head_length(input);
    read_as_h2o(input, &r);
    CHECK(r.len <= 0 || len == (size_t)r.len);
    if (len > 0) {
        input.len = len;
        if (request_head_read(input, &head) == NULL) {
            CHECK(r.len != -2);
            if (r.len > 0)
                compare(&head, &r);
            check_access(&head, input, (enum access_peer)(data[0] % 3));
        }
        request_head_finish(&head);
        if (r.len > 0)
            check_dropped(input);
    }
    return 0;
}
