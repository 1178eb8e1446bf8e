/* SPDX-License-Identifier: MIT */
#include "runtime/text/sha256.h"

#include <stdlib.h>

#include "tap.h"

static void check(struct slice text, size_t piece, const char *want)
{
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    struct sha256 s;

    sha256_init(&s);
    for (size_t at = 0; at < text.len; at += piece)
        sha256_add(&s, slice_of(text.ptr + at,
                                text.len - at < piece ? text.len - at : piece));
    sha256_finish(&s, digest);
    sha256_hex(digest, hex);
    TEST_ASSERT_EQUAL_STRING(want, hex);
}

/* The examples of FIPS 180-4. */
static void the_standards_examples_hold(void)
{
    check(SLICE_EMPTY, 1,
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check(SLICE("abc"), 3,
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check(SLICE("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), 56,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_long_text_may_come_in_pieces_of_any_size(void)
{
    size_t len = 1000000;
    char *text = malloc(len);

    memset(text, 'a', len);
    for (size_t piece = 1; piece <= len; piece = piece * 7 + 1)
        check(
            slice_of(text, len), piece,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(text);
}

/* The padding takes another block from 56 bytes on: worked out elsewhere. */
static void every_length_around_a_block_is_padded(void)
{
    static const char *const want[] = {
        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
        "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
        "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
    };
    char text[64];

    memset(text, 'a', sizeof(text));
    check(slice_of(text, 55), 64, want[0]);
    check(slice_of(text, 56), 64, want[1]);
    check(slice_of(text, 64), 64, want[2]);
}

int main(void)
{
    TAP_BEGIN();
    TEST(the_standards_examples_hold);
    TEST(a_long_text_may_come_in_pieces_of_any_size);
    TEST(every_length_around_a_block_is_padded);
    return TAP_END();
}
