/*
 * A price is what tokens of some models cost, in millionths of a dollar per
 * million tokens. It counts where the CLI does not say the cost itself.
 */
#ifndef CONFIG_PRICE_H
#define CONFIG_PRICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct config;

struct price {
    const char *model; /* * stands for any text, also none */
    int64_t input, output, cache_read, cache_write;
};

/* The first that fits the role's model or what the CLI says it uses (may be
 * ""); NULL if none does. */
const struct price *price_find(const struct config *c, const char *model,
                               const char *cli_model);
bool price_fits(const char *pattern, const char *model);
/* In micro-dollars, rounded; UINT64_MAX if it is more than that. */
uint64_t price_of(const struct price *p, uint64_t input, uint64_t output,
                  uint64_t cache_read, uint64_t cache_write);

#endif
