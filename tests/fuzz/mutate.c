/* SPDX-License-Identifier: MIT */
/*
 * The quick form of a fuzzer, for every compiler: its corpus, and inputs made
 * of it by changes that are the same each time. What it finds it finds by
 * crashing, so a run that ends early has failed.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/bytes.h"
#include "runtime/text/slice.h"

#define ROUNDS 1500 /* for each file */
#define CHANGES 6   /* at most, for one input */
#define LONGEST 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Not every fuzzer has something to set up. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct bytes files[64], words[256];
static size_t file_count, word_count;
static uint64_t seed = 0x9e3779b97f4a7c15;

static size_t draw(size_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed >> 11) % below;
}

static void read_file(const char *path, struct bytes *out)
{
    FILE *f = fopen(path, "rb");
    char part[4096];
    size_t len;

    if (f == NULL) {
        perror(path);
        exit(1);
    }
    while ((len = fread(part, 1, sizeof(part), f)) > 0)
        bytes_append(out, part, len);
    fclose(f);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_corpus(const char *folder)
{
    char *names[64], path[4096];
    DIR *d = opendir(folder);
    struct dirent *entry;

    while (d != NULL && (entry = readdir(d)) != NULL)
        if (entry->d_name[0] != '.' && file_count < 64)
            names[file_count++] = strdup(entry->d_name);
    qsort(names, file_count, sizeof(*names), by_name);
    for (size_t i = 0; i < file_count; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        read_file(path, &files[i]);
        free(names[i]);
    }
    if (d != NULL)
        closedir(d);
}

/* A word of the dictionary: "..." with \\, \" and \xAB in it. */
static void read_word(const char *at, struct bytes *out)
{
    for (; *at != '"' && *at != 0; at++) {
        unsigned byte = (unsigned char)*at;

        if (*at == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &byte) == 1)
            at += 3;
        else if (*at == '\\')
            byte = (unsigned char)*++at;
        bytes_append(out, &(char){(char)byte}, 1);
    }
}

static void read_dictionary(const char *path)
{
    struct bytes text = {0};
    char *line, *rest;

    read_file(path, &text);
    bytes_append(&text, "", 1);
    rest = text.ptr;
    while ((line = strsep(&rest, "\n")) != NULL)
        if (*line == '"' && word_count < 256)
            read_word(line + 1, &words[word_count++]);
    bytes_finish(&text);
}

/* Puts `with` where `old` bytes are from `at` on. */
static void put(struct bytes *b, size_t at, size_t old, struct slice with)
{
    struct bytes out = {0};

    bytes_append(&out, b->ptr, at);
    bytes_append(&out, with.ptr, with.len);
    bytes_append(&out, b->ptr + at + old, b->len - at - old);
    bytes_finish(b);
    *b = out;
}

static void change(struct bytes *b)
{
    size_t at = draw(b->len + 1), left = b->len - at;
    size_t some = left > 0 ? draw(left < 40 ? left : 40) : 0;
    const struct bytes *other = &files[draw(file_count)];
    size_t from = draw(other->len + 1);
    char byte = (char)draw(256);

    switch (draw(word_count > 0 ? 6 : 5)) {
    case 0:
        if (left > 0)
            b->ptr[at] = (char)(b->ptr[at] ^ 1 << draw(8));
        break;
    case 1:
        put(b, at, left > 0, slice_of(&byte, 1));
        break;
    case 2:
        put(b, at, some, SLICE_EMPTY);
        break;
    case 3: {
        struct bytes twice = {0};
        bytes_append(&twice, b->ptr + at, some);
        put(b, at, 0, bytes_slice(&twice));
        bytes_finish(&twice);
        break;
    }
    case 4:
        put(b, at, some, slice_of(other->ptr + from, other->len - from));
        break;
    default:
        put(b, at, draw(2) ? some : 0, bytes_slice(&words[draw(word_count)]));
    }
    if (b->len > LONGEST)
        b->len = LONGEST;
}

static void try_one(const struct bytes *b)
{
    uint8_t *copy = bytes_alloc(b->len > 0 ? b->len : 1);

    if (b->len > 0)
        memcpy(copy, b->ptr, b->len);
    LLVMFuzzerTestOneInput(copy, b->len);
    free(copy);
}

static void mutate(const struct bytes *file)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct bytes b = {0};

        bytes_append(&b, file->ptr, file->len);
        for (size_t n = draw(CHANGES) + 1; n > 0; n--)
            change(&b);
        try_one(&b);
        bytes_finish(&b);
    }
}

/* mutate CORPUS [DICTIONARY] */
int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize(&argc, &argv);
    read_corpus(argv[1]);
    if (argc > 2)
        read_dictionary(argv[2]);
    printf("1..%zu\n", file_count);
    for (size_t i = 0; i < file_count; i++) {
        try_one(&files[i]);
        mutate(&files[i]);
        printf("ok %zu - corpus file %zu and %d of its kind\n", i + 1, i + 1,
               ROUNDS);
        fflush(stdout);
    }
    for (size_t i = 0; i < file_count; i++)
        bytes_finish(&files[i]);
    for (size_t i = 0; i < word_count; i++)
        bytes_finish(&words[i]);
    return file_count == 0;
}
