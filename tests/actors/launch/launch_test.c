/* SPDX-License-Identifier: MIT */
/* How CLIs are started, to the letter. */
#include "actors/launch/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/bytes.h"
#include "tap.h"

#define WORD_MAX ((size_t)96 * 1024)

static const char *const environment[] = {"PATH=/nowhere",
                                          "HOME=/home/u",
                                          "PWD=/somewhere/else",
                                          "KUROMAJUTSU_SOCKET=/outer.sock",
                                          "KUROMAJUTSU_AGENT_ID=outer-1",
                                          "KUROMAJUTSU_GROUP_ID=grp-outer",
                                          "KUROMAJUTSU_AGENT_KEY=outer",
                                          "KUROMAJUTSU_PUPPET=reply",
                                          "KUROMAJUTSU_TOKEN=secret",
                                          "KUROMAJUTSU_TOKEN_FILE=/secret",
                                          "KUROMAJUTSU_HOME=/elsewhere",
                                          "KUROMAJUTSU_CONFIG=/other.yaml",
                                          "KUROMAJUTSU_LANGUAGE=en",
                                          "KUROMAJUTSU_TOOLS=orchestrator",
                                          "CURSOR_API_KEY=secret",
                                          "CLAUDECODE=1",
                                          "CLAUDECODEX=mine",
                                          "CLAUDE_CODE_ENTRYPOINT=cli",
                                          "CLAUDE_CODE_OAUTH_TOKEN=token",
                                          NULL};

static struct settings *settings;
static struct caller *caller;
static struct hub_context *context;
static struct roster_role hired;
static struct roster roster;
static struct launch launch;
static struct process_spec *spec;

static void load(const char *yaml)
{
    struct config_error error;
    struct config *config;

    TEST_ASSERT_EQUAL_INT(
        0, config_parse("t.yaml", yaml, strlen(yaml), NULL, &config, &error));
    settings = settings_create_take(config);
    hired = (struct roster_role){.role = role_find(config, "impl-code"),
                                 .program = "/opt/bin/agent"};
    hired.backend = backend_find(hired.role->backend);
    roster = (struct roster){.settings = settings};
}

void setUp(void)
{
    caller = caller_create("", "/home/user/project", environment);
    context =
        hub_context_create(&(struct hub_context){.state_dir = "/state",
                                                 .socket = "/state/hub.sock",
                                                 .warden = "/bin/warden",
                                                 .relay = "/opt/\"kuro\"",
                                                 .build = "test",
                                                 .self = caller});
    load("roles:\n- id: impl-code\n  model: gpt-5\n");
    launch = (struct launch){.context = context,
                             .roster = &roster,
                             .role = &hired,
                             .caller = caller,
                             .agent_id = "impl-code-1-abcd",
                             .group_id = "grp-1-abcd",
                             .directory = "",
                             .prompt = SLICE("do it"),
                             .tools = "agent"};
    spec = NULL;
}

void tearDown(void)
{
    if (spec != NULL)
        rt_obj_drop(&spec->obj);
    rt_obj_drop(&context->obj);
    rt_obj_drop(&caller->obj);
    rt_obj_drop(&settings->obj);
}

static void use_claude(void)
{
    rt_obj_drop(&settings->obj);
    load("agent: {backend: claude}\nroles:\n- id: impl-code\n  model: opus\n");
    hired.program = "/opt/bin/claude";
}

/* One string of them all, a line each: a difference shows as a whole. */
static void assert_lines(const char *wanted, const char *const *list)
{
    struct bytes all = {0};

    for (; *list != NULL; list++) {
        bytes_append(&all, *list, strlen(*list));
        bytes_append(&all, "\n", 1);
    }
    bytes_append(&all, "", 1);
    TEST_ASSERT_EQUAL_STRING(wanted, all.ptr);
    bytes_finish(&all);
}

static void assert_file(size_t i, const char *name, const char *text)
{
    TEST_ASSERT_TRUE(i < spec->file_count);
    TEST_ASSERT_EQUAL_STRING(name, spec->files[i].name);
    TEST_ASSERT_EQUAL_size_t(strlen(text), spec->files[i].len);
    TEST_ASSERT_EQUAL_STRING_LEN(text, spec->files[i].bytes, strlen(text));
}

#define CURSOR_WORDS                                                           \
    "/opt/bin/agent\n-p\n--force\n--approve-mcps\n--plugin-dir\n"              \
    "/state/agents/impl-code-1-abcd\n--model\ngpt-5\n"                  \
    "--output-format\nstream-json\n--stream-partial-output\n"
#define ENTRY                                                                  \
    "\"mcpServers\":{\"kuromajutsu\":{\"command\":\"/opt/\\\"kuro\\\"\","      \
    "\"args\":[\"mcp\"],\"env\":{\"KUROMAJUTSU_SOCKET\":"                      \
    "\"/state/hub.sock\",\"KUROMAJUTSU_AGENT_ID\":\"impl-code-1-abcd\","       \
    "\"KUROMAJUTSU_GROUP_ID\":\"grp-1-abcd\",\"KUROMAJUTSU_AGENT_KEY\":"       \
    "\"impl-code-1-abcd.faa924f9af515a6dbaf7f798150a16c5\","                   \
    "\"KUROMAJUTSU_LANGUAGE\":\"ja\",\"KUROMAJUTSU_TOOLS\":\"agent\"}}}}\n"
#define HUB_ENV                                                                \
    "PWD=/home/user/project\nKUROMAJUTSU_SOCKET=/state/hub.sock\n"             \
    "KUROMAJUTSU_AGENT_ID=impl-code-1-abcd\n"                                  \
    "KUROMAJUTSU_GROUP_ID=grp-1-abcd\n"                                        \
    "KUROMAJUTSU_AGENT_KEY=impl-code-1-abcd."                                  \
    "faa924f9af515a6dbaf7f798150a16c5\nKUROMAJUTSU_LANGUAGE=ja\n"              \
    "KUROMAJUTSU_TOOLS=agent\n"

static void cursor_words(void)
{
    spec = launch_agent(&launch);
    assert_lines(CURSOR_WORDS "do it\n", spec->argv);
    TEST_ASSERT_NULL(spec->input);
    TEST_ASSERT_EQUAL_STRING("impl-code-1-abcd", spec->id);
    TEST_ASSERT_EQUAL_STRING("/state/agents/impl-code-1-abcd", spec->dir);
    TEST_ASSERT_EQUAL_STRING("/home/user/project", spec->cwd);
    TEST_ASSERT_EQUAL_UINT64(5000, spec->grace_ms);
    TEST_ASSERT_EQUAL_UINT64(1 << 30, spec->stdout_limit);
}

static void cursor_environment(void)
{
    spec = launch_agent(&launch);
    assert_lines(
        "PATH=/nowhere\nHOME=/home/u\nKUROMAJUTSU_PUPPET=reply\n"
        "CURSOR_API_KEY=secret\nCLAUDECODE=1\nCLAUDECODEX=mine\n"
        "CLAUDE_CODE_ENTRYPOINT=cli\nCLAUDE_CODE_OAUTH_TOKEN=token\n" HUB_ENV
        "CURSOR_CONFIG_DIR=/state/agents/impl-code-1-abcd/"
        ".cursor-plugin\n",
        spec->envp);
}

static void cursor_outfit(void)
{
    spec = launch_agent(&launch);
    TEST_ASSERT_EQUAL_size_t(1, spec->file_count);
    assert_file(0, ".cursor-plugin/plugin.json",
                "{\"name\":\"kuromajutsu\"," ENTRY);
    TEST_ASSERT_EQUAL_size_t(2, spec->copy_count);
    TEST_ASSERT_EQUAL_STRING("/home/u/.cursor", spec->copies[0].from);
    TEST_ASSERT_EQUAL_STRING(".cursor-plugin", spec->copies[0].to);
    TEST_ASSERT_TRUE(spec->copies[0].is_folder);
    /* Where an earlier version has put it: of agents that are adopted. */
    TEST_ASSERT_NULL(spec->copies[1].from);
    TEST_ASSERT_EQUAL_STRING("cursor", spec->copies[1].to);
}

static void assert_copied(const char *first, const char *second,
                          const char *wanted)
{
    const char *const env[] = {"HOME=/home/u", first, second, NULL};
    struct caller *other = caller_create("", "/", env);

    launch.caller = other;
    spec = launch_agent(&launch);
    TEST_ASSERT_EQUAL_STRING(wanted, spec->copies[0].from);
    rt_obj_drop(&spec->obj);
    rt_obj_drop(&other->obj);
    spec = NULL;
}

static void cursor_copies_what_the_user_has(void)
{
    assert_copied("XDG_CONFIG_HOME=/x", NULL, "/x/cursor");
    assert_copied("XDG_CONFIG_HOME=/x", "CURSOR_CONFIG_DIR=/c", "/c");
}

static void nobodys_folder_is_no_copy(void)
{
    const char *const env[] = {"A=b", "CURSOR_CONFIG_DIR=relative", NULL};
    struct caller *other = caller_create("", "/", env);

    launch.caller = other;
    spec = launch_agent(&launch);
    TEST_ASSERT_EQUAL_size_t(0, spec->copy_count);
    assert_lines("A=b\nCURSOR_CONFIG_DIR=relative\nPWD=/\n"
                 "KUROMAJUTSU_SOCKET=/state/hub.sock\n"
                 "KUROMAJUTSU_AGENT_ID=impl-code-1-abcd\n"
                 "KUROMAJUTSU_GROUP_ID=grp-1-abcd\n"
                 "KUROMAJUTSU_AGENT_KEY=impl-code-1-abcd."
                 "faa924f9af515a6dbaf7f798150a16c5\n"
                 "KUROMAJUTSU_LANGUAGE=ja\nKUROMAJUTSU_TOOLS=agent\n",
                 spec->envp);
    rt_obj_drop(&other->obj);
}

static void claude_words(void)
{
    use_claude();
    spec = launch_agent(&launch);
    assert_lines("/opt/bin/claude\n-p\n--output-format\nstream-json\n"
                 "--verbose\n--include-partial-messages\n--model\nopus\n"
                 "--mcp-config\n/state/agents/impl-code-1-abcd/mcp.json\n"
                 "--strict-mcp-config\n--disallowedTools\nAskUserQuestion\n"
                 "--dangerously-skip-permissions\ndo it\n",
                 spec->argv);
    TEST_ASSERT_EQUAL_size_t(1, spec->file_count);
    assert_file(0, "mcp.json", "{" ENTRY);
    TEST_ASSERT_EQUAL_size_t(0, spec->copy_count);
}

static void claude_environment(void)
{
    use_claude();
    spec = launch_agent(&launch);
    assert_lines("PATH=/nowhere\nHOME=/home/u\nKUROMAJUTSU_PUPPET=reply\n"
                 "CURSOR_API_KEY=secret\nCLAUDECODEX=mine\n"
                 "CLAUDE_CODE_OAUTH_TOKEN=token\n" HUB_ENV,
                 spec->envp);
}

static void a_dash_is_no_flag(void)
{
    launch.prompt = SLICE("-p is what?");
    spec = launch_agent(&launch);
    assert_lines(CURSOR_WORDS "--\n-p is what?\n", spec->argv);
}

static void a_long_prompt_is_standard_input(void)
{
    char *text = bytes_alloc(WORD_MAX + 1);

    memset(text, '-', WORD_MAX + 1);
    launch.prompt = slice_of(text, WORD_MAX);
    spec = launch_agent(&launch);
    TEST_ASSERT_NULL(spec->input);
    rt_obj_drop(&spec->obj);
    launch.prompt = slice_of(text, WORD_MAX + 1);
    spec = launch_agent(&launch);
    assert_lines(CURSOR_WORDS, spec->argv);
    TEST_ASSERT_EQUAL_size_t(WORD_MAX + 1, spec->input_len);
    TEST_ASSERT_EQUAL_MEMORY(text, spec->input, WORD_MAX + 1);
    free(text);
}

static void a_directory_may_be_relative(void)
{
    launch.directory = "/elsewhere";
    spec = launch_agent(&launch);
    TEST_ASSERT_EQUAL_STRING("/elsewhere", spec->cwd);
    rt_obj_drop(&spec->obj);
    launch.directory = "sub";
    spec = launch_agent(&launch);
    TEST_ASSERT_EQUAL_STRING("/home/user/project/sub", spec->cwd);
}

static void checks(void)
{
    launch.prompt = SLICE("say OK");
    spec = launch_check(&launch, "/state/health/1");
    assert_lines("/opt/bin/agent\n-p\n--trust\n--model\ngpt-5\nsay OK\n",
                 spec->argv);
    TEST_ASSERT_EQUAL_STRING("/state/health/1", spec->dir);
    TEST_ASSERT_EQUAL_STRING("/state/health/1", spec->cwd);
    TEST_ASSERT_EQUAL_size_t(0, spec->file_count);
    rt_obj_drop(&spec->obj);
    use_claude();
    spec = launch_check(&launch, "/state/health/2");
    assert_lines("/opt/bin/claude\n-p\n--model\nopus\n--strict-mcp-config\n"
                 "--dangerously-skip-permissions\nsay OK\n",
                 spec->argv);
}

static void lists_of_models(void)
{
    spec = launch_models(&launch, "/state/health/1");
    assert_lines("/opt/bin/agent\nmodels\n", spec->argv);
    rt_obj_drop(&spec->obj);
    use_claude();
    spec = launch_models(&launch, "/state/health/1");
    TEST_ASSERT_NULL(spec);
}

static void tools(void)
{
    launch.role = NULL;
    spec = launch_tool(&launch, "lint --version", "/state/health/1");
    assert_lines("/bin/sh\n-c\nlint --version\n", spec->argv);
    TEST_ASSERT_EQUAL_STRING("/state/health/1", spec->dir);
    TEST_ASSERT_EQUAL_STRING("/home/user/project", spec->cwd);
}

/* ---- programs --------------------------------------------------------- */

static char folder[64];

static void put_program(const char *name, mode_t mode)
{
    char path[128];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    f = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(f);
    fclose(f);
    chmod(path, mode);
}

static void assert_found(const char *wanted, const char *name, const char *path)
{
    const char *const env[] = {path, NULL};
    struct caller *other = caller_create("", folder, env);
    char *found = launch_find_program(name, other);
    char full[128];

    snprintf(full, sizeof(full), "%s/%s", folder, wanted != NULL ? wanted : "");
    if (wanted == NULL)
        TEST_ASSERT_NULL(found);
    else
        TEST_ASSERT_EQUAL_STRING(full, found);
    free(found);
    rt_obj_drop(&other->obj);
}

static void programs_are_found(void)
{
    char full[128], path[160];

    strcpy(folder, "/tmp/launch-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    put_program("good", 0755);
    put_program("closed", 0644);
    snprintf(full, sizeof(full), "%s/good", folder);
    snprintf(path, sizeof(path), "PATH=/nowhere:%s:/bin", folder);
    assert_found("good", "good", path);
    assert_found(NULL, "closed", path);
    assert_found(NULL, "absent", path);
    assert_found("good", full, "PATH=/nowhere");
    assert_found("good", full, NULL);
    assert_found("./good", "./good", path);
    /* What lies in the project is not what was meant by a name. */
    assert_found(NULL, "good", "PATH=/nowhere::/bin");
    assert_found(NULL, "good", "PATH=.");
    assert_found(NULL, "good", "PATH=");
    snprintf(path, sizeof(path), "rm -r %s", folder);
    TEST_ASSERT_EQUAL_INT(0, system(path));
}

/* A name that other makers use is not started with a prompt; a link of that
 * name to a file that is called as only one is, can be. */
static void a_program_of_unknown_make(void)
{
    char path[160], other[160];
    const char *const env[] = {path, NULL};
    struct caller *one;

    strcpy(folder, "/tmp/launch-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    put_program("agent", 0755);
    snprintf(path, sizeof(path), "PATH=%s", folder);
    launch.caller = one = caller_create("", folder, env);
    hired.program = "";
    spec = launch_models(&launch, "/state/health/1");
    assert_lines("cursor-agent\nmodels\n", spec->argv);
    rt_obj_drop(&spec->obj);
    put_program("cursor-agent", 0755);
    snprintf(other, sizeof(other), "%s/agent", folder);
    TEST_ASSERT_EQUAL_INT(0, unlink(other));
    TEST_ASSERT_EQUAL_INT(0, symlink("cursor-agent", other));
    spec = launch_models(&launch, "/state/health/1");
    strcat(other, "\nmodels\n");
    assert_lines(other, spec->argv);
    rt_obj_drop(&one->obj);
    launch.caller = caller;
    snprintf(path, sizeof(path), "rm -r %s", folder);
    TEST_ASSERT_EQUAL_INT(0, system(path));
}

/* Hired before health has found it: looked for, and named in any case. */
static void a_program_not_yet_known(void)
{
    hired.program = "";
    spec = launch_models(&launch, "/state/health/1");
    assert_lines("cursor-agent\nmodels\n", spec->argv);
    rt_obj_drop(&spec->obj);
    rt_obj_drop(&settings->obj);
    load("agent: {command: /bin/sh}\n");
    hired.program = "";
    spec = launch_models(&launch, "/state/health/1");
    assert_lines("/bin/sh\nmodels\n", spec->argv);
}

int main(void)
{
    TAP_BEGIN();
    TEST(cursor_words);
    TEST(cursor_environment);
    TEST(cursor_outfit);
    TEST(cursor_copies_what_the_user_has);
    TEST(nobodys_folder_is_no_copy);
    TEST(claude_words);
    TEST(claude_environment);
    TEST(a_dash_is_no_flag);
    TEST(a_long_prompt_is_standard_input);
    TEST(a_directory_may_be_relative);
    TEST(checks);
    TEST(lists_of_models);
    TEST(tools);
    TEST(programs_are_found);
    TEST(a_program_of_unknown_make);
    TEST(a_program_not_yet_known);
    return TAP_END();
}
