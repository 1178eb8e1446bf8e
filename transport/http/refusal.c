/* SPDX-License-Identifier: MIT */
#include "transport/http/refusal.h"

#include "runtime/text/json.h"
#include "transport/http/exchange.h"
#include "transport/mcp/rpc.h"

/* What the SDKs use for whatever is wrong with a request's carriage. */
#define CARRIAGE (-32000)

static struct slice code_of(int status)
{
    switch (status) {
    case 401:
        return SLICE("UNAUTHORIZED");
    case 403:
        return SLICE("FORBIDDEN");
    case 404:
        return SLICE("NOT_FOUND");
    case 405:
        return SLICE("METHOD_NOT_ALLOWED");
    case 415:
        return SLICE("UNSUPPORTED_MEDIA_TYPE");
    case 431:
        return SLICE("HEAD_TOO_LARGE");
    default:
        return SLICE("BAD_REQUEST");
    }
}

void refusal_send(struct exchange *x, int status, struct slice message)
{
    struct bytes out = {0};
    const char *type = "application/json";

    if (exchange_is_below(x, "/mcp")) {
        rpc_error(&out, SLICE_EMPTY, CARRIAGE, message, SLICE_EMPTY);
    } else if (exchange_is_below(x, "/api")) {
        JSON_RAW(&out, "{\"error\":true");
        JSON_TEXT(&out, "code", code_of(status));
        JSON_TEXT(&out, "message", message);
        JSON_RAW(&out, "}");
    } else {
        type = "text/plain; charset=utf-8";
        bytes_append(&out, message.ptr, message.len);
        bytes_append(&out, "\n", 1);
    }
    exchange_reply(x, status, type, &out);
}
