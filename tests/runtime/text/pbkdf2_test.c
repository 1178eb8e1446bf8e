/* SPDX-License-Identifier: MIT */
#include "runtime/text/pbkdf2.h"

#include "tap.h"

static void check(struct slice secret, struct slice salt, uint32_t iterations,
                  const char *want)
{
    uint8_t derived[SHA256_BYTES];
    char hex[SHA256_HEX];

    pbkdf2_sha256(secret, salt, iterations, derived);
    sha256_hex(derived, hex);
    TEST_ASSERT_EQUAL_STRING(want, hex);
}

/* Those of RFC 6070, by SHA-256 instead; the first half of RFC 7914's too. */
static void known_examples_hold(void)
{
    check(SLICE("password"), SLICE("salt"), 1,
          "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b");
    check(SLICE("password"), SLICE("salt"), 2,
          "ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43");
    check(SLICE("password"), SLICE("salt"), 4096,
          "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a");
    check(SLICE("passwd"), SLICE("salt"), 1,
          "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc");
}

/* Its digest stands for a key that is longer than a block. */
static void keys_around_a_block(void)
{
    static const char key[] = "0123456789012345678901234567890123456789"
                              "012345678901234567890123456789";

    check(slice_of(key, 63), SLICE("salt"), 3,
          "e9b092f6dc6ac5ffadb6ea546e513fa92431d80c350b21c9d254920a406b0746");
    check(slice_of(key, 64), SLICE("salt"), 3,
          "9463d21564bcb7d95e076a4fae0d25446de959fe5ddc2f6850ee6228968e9ddf");
    check(slice_of(key, 65), SLICE("salt"), 3,
          "5645de96f95362715ab4d6abcf7b3d5fedbf3a6f4279ec266017614fac9a5aa8");
}

int main(void)
{
    TAP_BEGIN();
    TEST(known_examples_hold);
    TEST(keys_around_a_block);
    return TAP_END();
}
