/* SPDX-License-Identifier: MIT */
#include "runtime/text/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_join(char to[static PATH_MAX], const char *dir, const char *name)
{
    int n = snprintf(to, PATH_MAX, "%s/%s", dir, name);

    return n >= 0 && n < PATH_MAX;
}

int path_make_folders(const char *path)
{
    char own[PATH_MAX];

    if (strlen(path) >= sizeof(own))
        return -ENAMETOOLONG;
    strcpy(own, path);
    for (char *p = own; (p = strchr(p + 1, '/')) != NULL; *p = '/') {
        *p = '\0';
        if (mkdir(own, 0700) != 0 && errno != EEXIST)
            return -errno;
    }
    return 0;
}

int path_beside(char to[static PATH_MAX], const char *name)
{
    static const char gone[] = " (deleted)";
    ssize_t n = readlink("/proc/self/exe", to, PATH_MAX - 1);
    char *end, *slash;

    if (n < 0)
        return -errno;
    to[n] = '\0';
    end = to + n - (sizeof(gone) - 1);
    if (end > to && strcmp(end, gone) == 0)
        *end = '\0';
    slash = strrchr(to, '/');
    if (slash == NULL || slash + 1 + strlen(name) >= to + PATH_MAX)
        return -ENAMETOOLONG;
    if (*name != '\0')
        strcpy(slash + 1, name);
    return 0;
}

int path_address(const char *path, struct sockaddr_un *address, int *dir)
{
    const char *name = strrchr(path, '/');
    char parent[PATH_MAX];
    int n;

    *dir = -1;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) < sizeof(address->sun_path)) {
        strcpy(address->sun_path, path);
        return 0;
    }
    if (name == NULL || (size_t)(name - path) >= sizeof(parent))
        return -ENAMETOOLONG;
    memcpy(parent, path, (size_t)(name - path));
    parent[name - path] = '\0';
    *dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*dir < 0)
        return -errno;
    n = snprintf(address->sun_path, sizeof(address->sun_path),
                 "/proc/self/fd/%d%s", *dir, name);
    return n < (int)sizeof(address->sun_path) ? 0 : -ENAMETOOLONG;
}
