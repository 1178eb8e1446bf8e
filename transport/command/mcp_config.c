/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/location.h"
#include "runtime/text/path.h"
#include "runtime/text/utf8.h"
#include "transport/command/command.h"
#include "transport/command/options.h"

/* Where the client starts its server is not to matter: what is meant is said,
 * the project or the configuration that was named. */
static yyjson_mut_val *entry(yyjson_mut_doc *doc, const char *program,
                             const struct location *where)
{
    yyjson_mut_val *server = yyjson_mut_obj(doc);

    yyjson_mut_obj_add_strcpy(doc, server, "command", program);
    yyjson_mut_val *args = yyjson_mut_obj_add_arr(doc, server, "args");
    yyjson_mut_arr_add_str(doc, args, "mcp");
    if (where->project && *where->project) {
        yyjson_mut_arr_add_str(doc, args, "--project");
        yyjson_mut_arr_add_strcpy(doc, args, where->project);
    } else if (!where->project) {
        yyjson_mut_val *env = yyjson_mut_obj_add_obj(doc, server, "env");
        yyjson_mut_obj_add_strcpy(doc, env, "KUROMAJUTSU_CONFIG", where->file);
    }
    return server;
}

/* JSON has no other names. */
static bool is_text(struct console *con, const char *path)
{
    if (utf8_is_valid(path, strlen(path)))
        return true;
    COMPLAIN(con, "UTF-8 でないパスは JSON に書けません: %s",
             "a path that is no UTF-8 cannot be written as JSON: %s", path);
    return false;
}

/* One that cannot be written is found by who is started in it. */
static void leave_out(struct console *con, struct location *where)
{
    if (!where->project || is_text(con, where->project))
        return;
    COMPLAIN(con, "%sのディレクトリで起動するクライアントにだけ使えます",
             "the entry is for clients that start it in the project%s alone",
             SAY(con, "プロジェクト", ""));
    *where->project = '\0';
}

static void print(struct console *con, const char *program,
                  const struct location *where)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);

    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_val *servers = yyjson_mut_obj_add_obj(doc, root, "mcpServers");
    yyjson_mut_obj_add_val(doc, servers, "kuromajutsu",
                           entry(doc, program, where));
    yyjson_doc *fixed = yyjson_mut_doc_imut_copy(doc, NULL);
    console_print_json(con, fixed);
    yyjson_doc_free(fixed);
    yyjson_mut_doc_free(doc);
    fflush(stdout);
    term_put(&con->err, TERM_DIM,
             SAY(con,
                 "プロジェクトの .cursor/mcp.json に置いてください（既にあれば "
                 "mcpServers の中に kuromajutsu を足す）。\n"
                 "CURSOR_API_KEY などは \"env\" に書けます。\n",
                 "Put this into .cursor/mcp.json of your project (if there is "
                 "one, add kuromajutsu to its mcpServers).\n"
                 "CURSOR_API_KEY and the like can go into \"env\".\n"));
}

static int run(struct console *con, int argc, char **argv)
{
    const struct option options[] = {{NULL}};
    char program[PATH_MAX];
    struct location where;
    struct config_error e;
    int code = CONSOLE_FAILED;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    if (path_beside(program, "") != 0)
        return CONSOLE_FAILED;
    if (location_find(&where, con->config_file, environ, &e)) {
        console_complain(con, "%s", e.text);
        code = CONSOLE_USAGE;
    } else if (is_text(con, program) &&
               (where.project || is_text(con, where.file))) {
        leave_out(con, &where);
        print(con, program, &where);
        code = CONSOLE_FINE;
    }
    location_finish(&where);
    return code;
}

const struct command command_mcp_config = {
    .name = "mcp-config",
    .words = "",
    .ja = ".cursor/mcp.json に書く設定を出力する",
    .en = "prints the entry for .cursor/mcp.json",
    .more_ja =
        "標準出力は JSON だけ: kuromajutsu mcp-config > .cursor/mcp.json\n"
        "今いる場所から見つかったプロジェクト（または --project "
        "DIR）の絶対パスが\n"
        "入り、どこから起動されても同じハブを使う。--config FILE を付けると、\n"
        "代わりに KUROMAJUTSU_CONFIG が入る。",
    .more_en =
        "stdout is JSON alone: kuromajutsu mcp-config > .cursor/mcp.json\n"
        "It names the project that is found from here (or --project DIR), so\n"
        "that it means the same hub wherever it is started. With --config "
        "FILE\n"
        "it holds KUROMAJUTSU_CONFIG instead.",
    .run = run,
};
