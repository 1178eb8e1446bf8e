/* SPDX-License-Identifier: MIT */
/* What is around us: the client's entry for us, and the system's limits. */
#include "transport/command/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/process/cgroup.h"
#include "runtime/process/process.h"
#include "runtime/text/field.h"
#include "runtime/text/path.h"
#include "transport/command/program.h"

/* The entry whose program is ours, by its name or by the word after it. */
static yyjson_val *find_entry(yyjson_val *servers)
{
    yyjson_val *named = FIELD(servers, "kuromajutsu"), *key;
    yyjson_obj_iter each = yyjson_obj_iter_with(servers);

    while (!named && (key = yyjson_obj_iter_next(&each))) {
        yyjson_val *entry = yyjson_obj_iter_get_val(key);
        if (slice_ends(FIELD_TEXT(entry, "command"), SLICE("kuromajutsu")))
            named = entry;
    }
    return named;
}

static void see_command(struct doctor *x, const char *subject, const char *file,
                        yyjson_val *entry)
{
    char name[PATH_MAX], found[PATH_MAX], own[PATH_MAX] = "";

    slice_keep(name, sizeof(name), FIELD_TEXT(entry, "command"));
    path_beside(own, "");
    if (!*name) {
        FIND(x, DOCTOR_OK, subject, "%s: URL による登録", "%s: by its URL",
             file);
    } else if (!program_on_path(name, found)) {
        FIND(x, DOCTOR_FAIL, subject, "%s: '%s' が見つかりません",
             "%s: there is no '%s'", file, name);
        MEND(x, "\"command\" を \"%s\" に", "set \"command\" to \"%s\"", own);
    } else {
        char *real = realpath(found, NULL);
        if (real && strcmp(real, own)) {
            FIND(x, DOCTOR_WARN, subject, "%s: 別のプログラム %s",
                 "%s: another program, %s", file, real);
            MEND(x, "これを使うなら \"command\" を \"%s\" に",
                 "for this one set \"command\" to \"%s\"", own);
        } else {
            doctor_find(x, DOCTOR_OK, subject, "%s", file);
        }
        free(real);
    }
}

/* False: there is no such file, or we are not in it. */
static bool see_file(struct doctor *x, const char *subject, const char *file)
{
    yyjson_read_err error;

    if (access(file, F_OK))
        return false;
    yyjson_doc *doc = yyjson_read_file(file, 0, NULL, &error);
    if (!doc) {
        FIND(x, DOCTOR_FAIL, subject,
             "%s は正しい JSON ではない（%zu バイト目）: %s",
             "%s is no valid JSON (byte %zu): %s", file, error.pos, error.msg);
        MEND(x, "`kuromajutsu mcp-config` の出力を手本に直す%s",
             "mend it after what `kuromajutsu mcp-config` prints%s", "");
        return true;
    }
    yyjson_val *entry =
        find_entry(FIELD(yyjson_doc_get_root(doc), "mcpServers"));
    if (entry)
        see_command(x, subject, file, entry);
    yyjson_doc_free(doc);
    return entry != NULL;
}

void doctor_see_entry(struct doctor *x)
{
    const char *subject = "MCP", *home = getenv("HOME");
    char user[PATH_MAX] = "";

    if (home)
        snprintf(user, sizeof(user), "%s/.cursor/mcp.json", home);
    if (see_file(x, subject, ".cursor/mcp.json") || see_file(x, subject, user))
        return;
    FIND(x, DOCTOR_WARN, subject,
         "このディレクトリの .cursor/mcp.json に kuromajutsu がない%s",
         ".cursor/mcp.json of this directory has no kuromajutsu%s", "");
    MEND(x,
         "プロジェクトで: mkdir -p .cursor && kuromajutsu mcp-config > "
         ".cursor/mcp.json%s",
         "in the project: mkdir -p .cursor && kuromajutsu mcp-config > "
         ".cursor/mcp.json%s",
         access(".cursor/mcp.json", F_OK)
             ? ""
             : SAY(x->console, "（既にあるファイルには mcpServers に追記）",
                   " (there is one: add to its mcpServers)"));
}

static void see_files(struct doctor *x)
{
    const char *subject = SAY(x->console, "ファイル数", "open files");
    struct rlimit limit;
    int64_t agents = x->config ? x->config->agent.max_concurrent +
                                     x->config->agent.max_orchestrators
                               : 0;
    rlim_t need = (rlim_t)(agents * PROCESS_FILES_EACH + PROCESS_FILES_OURS);

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    if (limit.rlim_max < need) {
        FIND(x, DOCTOR_FAIL, subject, "上限 %llu では足りません（要 %llu）",
             "the limit %llu is too low (%llu are needed)",
             (unsigned long long)limit.rlim_max, (unsigned long long)need);
        MEND(x, "ulimit -Hn を上げるか、agent.maxConcurrent を下げる%s",
             "raise ulimit -Hn, or lower agent.maxConcurrent%s", "");
    } else {
        FIND(x, DOCTOR_OK, subject, "%llu（%llu 必要）", "%llu (%llu needed)",
             (unsigned long long)limit.rlim_max, (unsigned long long)need);
    }
}

/* Tried, not computed: others of this user have taken from the same count. */
static int try_inotify(void)
{
    int fd = inotify_init1(IN_CLOEXEC), error = fd < 0 ? errno : 0;

    if (fd >= 0 && inotify_add_watch(fd, "/", IN_MODIFY) < 0)
        error = errno;
    if (fd >= 0)
        close(fd);
    return error;
}

/* Of the hub that runs, else of one that would be started from here. */
static void see_memory(struct doctor *x)
{
    const char *subject = SAY(x->console, "メモリ上限", "memory limit");
    bool is_english = x->console->is_english;
    char base[PATH_MAX];
    enum cgroup_verdict verdict =
        cgroup_judge("/proc", x->hub > 0 ? x->hub : getpid(), base);

    if (x->config == NULL || x->config->agent.memory_max_bytes == 0)
        return;
    if (verdict == CGROUP_FIT) {
        FIND(x, DOCTOR_OK, subject, "agent.memoryMax_bytes が有効（%s）",
             "agent.memoryMax_bytes is enforced (%s)", base);
        return;
    }
    FIND(x, DOCTOR_WARN, subject,
         "agent.memoryMax_bytes は設定されているが、ここでは強制できない。"
         "Agent は上限なしで動く: %s",
         "agent.memoryMax_bytes is set and cannot be enforced here, so agents "
         "run without it: %s",
         cgroup_why(verdict, is_english));
    doctor_mend(x, "%s", cgroup_remedy(verdict, is_english));
}

void doctor_see_limits(struct doctor *x)
{
    int error = try_inotify();

    see_files(x);
    see_memory(x);
    if (!error) {
        FIND(x, DOCTOR_OK, "inotify", "使える%s", "there is room%s", "");
        return;
    }
    FIND(x, DOCTOR_FAIL, "inotify", "使えません: %s", "cannot be used: %s",
         strerror(error));
    MEND(x, "sysctl %s を上げてください", "raise it: sysctl %s",
         error == EMFILE ? "fs.inotify.max_user_instances=1024"
                         : "fs.inotify.max_user_watches=524288");
}
