/* help_text is what --help says around the list of commands. */
#ifndef TRANSPORT_COMMAND_HELP_TEXT_H
#define TRANSPORT_COMMAND_HELP_TEXT_H

struct help_text {
    const char *head, *tail;
};

extern const struct help_text help_text_ja, help_text_en;

/* Manuals of the words that the main program knows by itself. */
struct help_topic {
    const char *name; /* NULL ends the list */
    const char *ja, *en;
};

extern const struct help_topic help_topics[];

#endif
