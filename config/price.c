/* SPDX-License-Identifier: MIT */
#include "config/price.h"

#include "config/loader.h"

#define PRICES 256

/*
 * One star is tried shorter first and lengthened on a mismatch; an earlier one
 * never has to be taken back, so this is never worse than quadratic.
 */
bool price_fits(const char *pattern, const char *model)
{
    const char *star = NULL, *from = model;

    while (*model) {
        if (*pattern == '*') {
            star = pattern++;
            from = model;
        } else if (*pattern == *model) {
            pattern++;
            model++;
        } else if (star) {
            pattern = star + 1;
            model = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

const struct price *price_find(const struct config *c, const char *model,
                               const char *cli_model)
{
    for (size_t i = 0; i < c->price_count; i++)
        if (price_fits(c->prices[i].model, model) ||
            (*cli_model && price_fits(c->prices[i].model, cli_model)))
            return &c->prices[i];
    return NULL;
}

/* Double is exact far beyond what agents can cost. */
uint64_t price_of(const struct price *p, uint64_t input, uint64_t output,
                  uint64_t cache_read, uint64_t cache_write)
{
    double cost = (double)input * (double)p->input +
                  (double)output * (double)p->output +
                  (double)cache_read * (double)p->cache_read +
                  (double)cache_write * (double)p->cache_write;

    cost = cost / 1e6 + 0.5;
    return cost < 1.8e19 ? (uint64_t)cost : UINT64_MAX;
}

/* ---- reading ----------------------------------------------------------- */

static int read_prices(struct loader *r, const struct node *list)
{
    struct config *c = r->config;
    int rc = 0;

    for (size_t i = 0; !rc && list && i < list->count; i++) {
        const struct child *item = &list->children[i];
        const char *path = arena_printf(r->arena, "prices[%zu]", i);
        struct price *prices = arena_grow(r->arena, (void *)c->prices,
                                          c->price_count, sizeof(*prices));
        struct price *p = &prices[c->price_count++];
        c->prices = prices;
        keys_defaults(&keys_price, p);
        rc = loader_mapping(r, &keys_price, NULL, path, item, NULL, p);
        if (!rc && !p->model)
            rc = ERROR_AT(r->error, r->layer->file, item->start,
                          CONFIG_KEY_MISSING, path, "model");
    }
    return rc;
}

/* The first that fits holds, so the project's come before the user's. */
int loader_prices(struct loader *r)
{
    int rc = 0;

    for (size_t i = r->layer_count; !rc && i-- > 0;) {
        const struct node *list;
        r->layer = &r->layers[i];
        rc = loader_list(r, r->layer->root, "prices", "prices", PRICES, &list);
        if (!rc)
            rc = read_prices(r, list);
    }
    return rc;
}
