/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/path.h"
#include "runtime/text/utf8.h"
#include "transport/command/command.h"
#include "transport/command/options.h"

static yyjson_mut_val *entry(yyjson_mut_doc *doc, const char *program,
                             const char *config)
{
    yyjson_mut_val *server = yyjson_mut_obj(doc);

    yyjson_mut_obj_add_strcpy(doc, server, "command", program);
    yyjson_mut_val *args = yyjson_mut_obj_add_arr(doc, server, "args");
    yyjson_mut_arr_add_str(doc, args, "mcp");
    if (config) {
        yyjson_mut_val *env = yyjson_mut_obj_add_obj(doc, server, "env");
        yyjson_mut_obj_add_strcpy(doc, env, "KUROMAJUTSU_CONFIG", config);
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

static int run(struct console *con, int argc, char **argv)
{
    const struct option options[] = {{NULL}};
    char program[PATH_MAX];
    yyjson_mut_doc *doc;

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 0, 0, ""))
        return CONSOLE_USAGE;
    if (path_beside(program, "") != 0)
        return CONSOLE_FAILED;
    char *config = con->config_file ? realpath(con->config_file, NULL) : NULL;
    if (!is_text(con, program) || (config && !is_text(con, config))) {
        free(config);
        return CONSOLE_FAILED;
    }
    doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_val *servers = yyjson_mut_obj_add_obj(doc, root, "mcpServers");
    yyjson_mut_obj_add_val(doc, servers, "kuromajutsu",
                           entry(doc, program, config));
    yyjson_doc *fixed = yyjson_mut_doc_imut_copy(doc, NULL);
    console_print_json(con, fixed);
    yyjson_doc_free(fixed);
    yyjson_mut_doc_free(doc);
    free(config);
    fflush(stdout);
    term_put(&con->err, TERM_DIM,
             SAY(con,
                 "プロジェクトの .cursor/mcp.json に置いてください（既にあれば "
                 "mcpServers の中に kuromajutsu を足す）。\n"
                 "CURSOR_API_KEY などは \"env\" に書けます。\n",
                 "Put this into .cursor/mcp.json of your project (if there is "
                 "one, add kuromajutsu to its mcpServers).\n"
                 "CURSOR_API_KEY and the like can go into \"env\".\n"));
    return CONSOLE_FINE;
}

const struct command command_mcp_config = {
    .name = "mcp-config",
    .words = "",
    .ja = ".cursor/mcp.json に書く設定を出力する",
    .en = "prints the entry for .cursor/mcp.json",
    .more_ja =
        "標準出力は JSON だけ: kuromajutsu mcp-config > .cursor/mcp.json\n"
        "--config FILE を付けると KUROMAJUTSU_CONFIG も入る。",
    .more_en =
        "stdout is JSON alone: kuromajutsu mcp-config > .cursor/mcp.json\n"
        "With --config FILE it holds KUROMAJUTSU_CONFIG too.",
    .run = run,
};
