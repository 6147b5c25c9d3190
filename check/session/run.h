/* run: the parts of check_run. For check only. */
#pragma once

#include "base/bitset.h"
#include "check/rules/rules.h"

#include <sys/stat.h>

enum { FILE_BYTES_MAX = 64 << 20, BESIDE_BYTES_MAX = 1 << 20 };

/* A file of the run. */
struct source {
    char *path; /* as it is shown */
    char *absolute;
    struct buf content;                  /* what was read; not used when `given` is */
    struct span given;                   /* content from the caller */
    struct stat stat;                    /* of what was read, for those that are kept */
    struct bitset used;                  /* comments that hide a finding */
    const struct check_options *options; /* of the nearest pyproject.toml; set for what is asked for */
    const char *project_path;            /* set for those that failed or have findings, see root.c */
    struct err why;
    struct buf code;            /* of a notebook: its cells as one program */
    struct py_cell_line *cells; /* for each line of code */
    size_t n_cells;
    struct py_file file;
    bool asked; /* its findings are; the others are read for what they say of those that are */
    bool walked;
    bool has_given;
    bool failed;
    bool left_out;        /* it is too large to be read for others, or only a part of it was, and nobody said so yet */
    bool no_file_comment; /* it is known that no comment speaks of the whole file */
    unsigned own_uses;    /* frameworks that it names; set when it was read */
    unsigned uses;        /* or that it uses by others; 0: it is not parsed */
};

#define MAP_NAME near_map /* of a folder, absolute: the options of the nearest pyproject.toml */
#define MAP_KEY struct span
#define MAP_VALUE const struct check_options *
#include "base/map.h"

/* Another pyproject.toml that was read, than that of the run's options. */
struct run_config {
    struct check_options *options;
};

struct check_run {
    const struct check_options *options;
    struct ARRAY_OF(struct run_config) configs;
    struct near_map near;
    enum status wrong; /* of the first that cannot be used, and why */
    struct err why_wrong;
    struct source *sources;
    size_t n_sources, capacity;
    uint32_t *parsed; /* sources, as the project numbers its files */
    size_t n_parsed;
    struct arena arena;
    struct rule_findings found;
    struct check_finding *findings; /* ordered, what is left of `found` */
    size_t n_findings;
    struct check_finding *more;   /* totals.more of them: not to be shown */
    struct check_finding *hidden; /* by comments, then by the baseline */
    size_t n_hidden;
    const struct source *asked; /* --why-not's file; NULL: none */
    struct span lacked, known;  /* see why_not.c */
    struct check_hot *hot;      /* of a profile */
    size_t n_hot;
    struct check_totals totals;
    struct check_list unused;       /* see check_unused */
    struct check_list kept_entries; /* lines of the baseline that fit nothing, and need not: it was not looked at */
    struct check_kept *kept;        /* NULL: none */
    struct check_list unread;       /* folders that could not be read whole; as project_path, see root.c, with "/" */
    struct check_list roots;        /* of the projects of what was asked for; absolute */
    struct check_list walked;       /* folders that were asked for; absolute */
};

struct source *source_add(struct check_run *c, struct span path, bool asked);
void source_clear(struct source *s);
/* The source of a file of the project. */
struct source *source_of(const struct check_run *c, const struct py_file *f);
struct span source_bytes(const struct source *s);

/* config.c: the options of the nearest pyproject.toml with a table of ours, from the folder (absolute) upwards. */
const struct check_options *options_near(struct check_run *c, struct span folder);
/* Gives each source that is asked for its options. */
enum status MUST_USE options_give(struct check_run *c, struct err *e);
void options_free(struct check_run *c);

/* walk.c: the Python files and notebooks below a folder. Of what was not asked for nothing is said. */
void walk_folder(struct check_run *c, const char *folder, bool asked);
/* Does a pattern of .gitignore fit the path (relative, without "./")? */
bool pattern_fits(struct span pattern, struct span path, bool folder);

/* read.c: reads the sources, in threads, and parses those that matter. */
void sources_read(struct check_run *c);

/* release.c: the lowest TensorFlow release that these folders' requirements allow: 204 is 2.4; 0: they set none. */
uint16_t release_of(const struct check_list *folders);

/* notebook.c: the code of a notebook. ST_INPUT when it is not a notebook. */
enum status MUST_USE notebook_read(struct source *s, struct err *e);

/* suppress.c */
bool suppressed(struct source *s, const struct rule_finding *found);
/* Fills c->unused, after `suppressed` was asked of all findings. */
void find_unused(struct check_run *c);
bool rule_listed(const struct check_list *list, const struct check_rule *rule);
bool rule_wanted(const struct check_options *o, const struct check_rule *rule, const char *path);
/* By the options of the file, which is asked for: its path may be seen from here, from its project and from its pyproject.toml. */
bool source_wants(const struct source *s, const struct check_rule *rule);

/* root.c: the top folder of the project that a path is in, absolute; empty: there is none. */
void root_of(const char *path, struct buf *root);
/* What the roots have in common, up to a folder where names of modules begin, no package but for a project that is one;
 * "" if there is none. */
struct span roots_common(const struct check_run *c);
/* Paths as they are seen from the tops of their projects, and the names of functions. */
void project_paths(struct check_run *c);
struct span function_name(struct check_run *c, const struct rule_finding *found);

/* baseline.c: needs project_paths. */
void fingerprints(struct check_run *c);
enum status MUST_USE baseline_apply(struct check_run *c, struct err *e);

/* why_not.c: finds the file that is asked about, whatever path it came by, among the ordered sources. */
void why_not_find(struct check_run *c);
/* Before the rules look at a file: is one of its lines asked about? */
void why_not_ask(struct check_run *c, const struct py_file *f);
/* What rules lacked there, and what is known of the line. */
void why_not_know(struct check_run *c, struct project *p);

/* fix.c: the first of the findings in a file, which are not beside each other where a profile orders them. */
size_t first_of_path(const struct check_run *c, const char *path);

/* print.c: a field of CSV for people and spreadsheets: names of files may be any bytes. */
void add_clean_field(struct buf *b, struct span s);
/* A page of these lines. */
void print_html_lines(struct buf *b, struct span lines);

const struct source *source_find(const struct check_run *c, const char *path);
/* The source at the absolute path, of sources that are in the order of these; NULL: there is none. */
struct source *source_at(struct source *sources, size_t n, const char *absolute);
