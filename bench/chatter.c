/* SPDX-License-Identifier: MIT */
/*
 * A CLI that only talks: `chatter LINES` prints a stream-json run of so many
 * lines of 200 to 500 bytes, in writes of 64 KiB, and leaves. `chatter 3 BYTES`
 * makes the second of three lines as long as that. Static, so that starting it
 * costs as little as starting a process can.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/lines.h"

static void say_long(unsigned long bytes)
{
    static char text[4096];

    memset(text, 'x', sizeof(text));
    fputs("{\"type\":\"thinking\",\"subtype\":\"delta\",\"text\":\"", stdout);
    for (unsigned long done = 0; done < bytes; done += sizeof(text))
        fwrite(text, 1, sizeof(text), stdout);
    fputs("\"}\n", stdout);
}

int main(int argc, char **argv)
{
    unsigned long lines = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    unsigned long bytes = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    static char buffer[64 * 1024];

    if (lines == 0)
        return 0;
    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    for (unsigned long i = 0; i < lines; i++) {
        char line[LINES_MAX];
        if (i == 1 && bytes > 0) {
            say_long(bytes);
            continue;
        }
        fwrite(line, 1, lines_make(line, i, lines), stdout);
    }
    return fflush(stdout) != 0;
}
