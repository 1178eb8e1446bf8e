/*
 * A toolset is what one system of the hub offers to MCP clients: groups and
 * their agents are one, mail is another, phases a third; projects have two, for
 * those who work in them and for those who set them up. Which of them a client
 * is offered is chosen when it is configured, and stays so.
 */
#ifndef CONFIG_TOOLSET_H
#define CONFIG_TOOLSET_H

#define TOOLSET_LIST(X)                                                        \
    X(KURO, "kuro")                                                            \
    X(MAIL, "mail")                                                            \
    X(PHASES, "phases")                                                        \
    X(PM, "pm")                                                                \
    X(PM_ADMIN, "pm_admin")

#define TOOLSET_ENUM(name, word) TOOLSET_##name,
enum toolset { TOOLSET_LIST(TOOLSET_ENUM) TOOLSETS };
#undef TOOLSET_ENUM

#define TOOLSET_BIT(toolset) (1u << (toolset))
#define TOOLSET_ALL (TOOLSET_BIT(TOOLSETS) - 1)
/* What a client is offered where nothing else is said. */
#define TOOLSET_USUAL (TOOLSET_ALL & ~TOOLSET_BIT(TOOLSET_PM_ADMIN))

#endif
