/* SPDX-License-Identifier: MIT */
/*
 * kuromajutsu-warden: one per agent, or the zygote that forks them. Here it
 * leaves the hub's session and descriptors.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "runtime/warden/life.h"
#include "runtime/warden/order.h"
#include "runtime/warden/zygote.h"

static void complain(const char *what)
{
    static const char name[] = "kuromajutsu-warden: ";

    if (write(2, name, sizeof(name) - 1) > 0 &&
        write(2, what, strlen(what)) > 0 && write(2, "\n", 1) > 0)
        return;
}

/*
 * The warden outlives the hub, so it must hold none of the hub's files open:
 * another program may be waiting for their end. 0 to 2 stay taken, lest a file
 * of ours be given such a number and then overwritten in the CLI.
 */
static bool let_go(unsigned from)
{
    int null = open("/dev/null", O_RDWR);

    if (null < 0)
        return false;
    for (int fd = 0; fd <= 2; fd++)
        dup2(null, fd);
    if ((unsigned)null >= 3 && (unsigned)null < from)
        return false;
    close_range(from, ~0U, 0);
    return true;
}

static bool is_zygote(char **argv)
{
    return argv[0] != NULL && argv[1] != NULL &&
           strcmp(argv[1], ORDER_OPTION) == 0;
}

static int be_zygote(char **argv)
{
    unsigned free = argv[2] == NULL ? 0 : zygote_free_files(argv[2]);

    if (free == 0) {
        complain("orders of that format are not understood");
        return EX_USAGE;
    }
    return let_go(free) ? zygote_run(argv) : EX_OSERR;
}

static int be_warden(char **argv)
{
    struct options o;
    const char *wrong = options_parse(&o, argv);

    if (wrong != NULL) {
        complain(wrong);
        return EX_USAGE;
    }
    if (!let_go(3))
        return EX_OSERR;
    /* Fails where the hub has done it for us: then nothing is missing. */
    setsid();

    int dir = open(o.dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    return dir < 0 ? EX_CANTCREAT : life_run(&o, dir, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    life_reset_signals();
    return is_zygote(argv) ? be_zygote(argv) : be_warden(argv);
}
