/*
 * check: finds performance problems in Python programs that use TensorFlow, Keras and PyTorch.
 *
 * A run takes files and folders, or the content of one file, and gives findings, ordered by place. It reads the file's
 * whole project, so that the findings do not depend on how the file was named. A finding names its rule (its page:
 * check/rules/PPxxx.md), impact, certainty, place, reason and advice; some have a fix. What hides findings: the comment
 * `# ppmine: ignore[PP301] reason`, options, [tool.ppmine] in pyproject.toml, a baseline.
 *
 * How to add a rule
 *   1. check/rules/PPxxx_what_it_finds.c: `const struct rule_looks rule_PPxxx = {…}` (check/rules/rule.h) with a
 *      function for each file, or each call; it asks check/facts/facts.h and calls rule_report.
 *   2. A line in check/rules/rules.tsv: the rule's name, and the texts of its findings.
 *   3. check/rules/PPxxx.md: what --explain prints. A test checks its headings: Bad, Good, Why, When not, Evidence.
 *   4. tests/check/PPxxx/bad.py and good.py: at least twelve cases each. `make test T=check/PPxxx` runs them and shows
 *      which failed and how; `make test T=scripts/check-rules` names what is missing: page, heading, cases, line of 2.
 *
 * Includes base only. Strings handed out live as long as the run.
 */
#pragma once

#include "base/base.h"

/* The cost, by what repeats it and the time of one round, measured where the benchmark has a case. Low: little to gain,
 * in tests and vendored code, or in a program's unused functions and classes. */
enum check_impact { CHECK_LOW, CHECK_MEDIUM, CHECK_HIGH };
extern const char *const check_impacts[];     /* "low", …; NULL ends */
extern const char *const check_fail_levels[]; /* the same and "never"; NULL ends */
/* Certain: the code shows it. Likely: it depends on what the code does not show. */
enum check_certainty { CHECK_LIKELY, CHECK_CERTAIN };
extern const char *const check_certainties[]; /* "likely", …; NULL ends */

enum check_target { CHECK_TARGET_ANY, CHECK_TARGET_TF1, CHECK_TARGET_TF2 };

/* A list of words; all-zero is empty. */
struct check_list {
    char **items;
    size_t n, capacity;
};

void check_list_add(struct check_list *list, struct span item);
/* "PP301, PP302" */
void check_list_split(struct check_list *list, const char *text);
bool check_list_has(const struct check_list *list, const char *text);
void check_list_clear(struct check_list *list);

/* What check_print_why_not is about: NULL and 0 are all. */
struct check_why_not {
    const struct check_rule *rule;
    const char *path; /* as it is shown, see check_shown; NULL: all files */
    uint32_t line;
};

struct check_options {
    struct check_list select; /* words for rules: see check_rule_fits; empty: all */
    struct check_list ignore;
    struct check_list trust;    /* rules that are only likely right by default: taken for certain */
    struct check_list exclude;  /* patterns as in .gitignore */
    struct check_list per_file; /* pairs: pattern, rule */
    enum check_target target;
    unsigned jobs; /* 0: one for each processor */
    /* What is shown, from these on; of the rest only the number is told. Zero: all. */
    enum check_impact least;
    enum check_certainty surest;
    bool levels_given; /* these two are the user's: pyproject.toml does not change them */
    unsigned fail_on;  /* of pyproject.toml: 1 + an index of check_fail_levels; 0: it does not say */
    bool no_gitignore;
    bool no_config; /* for check_serve */
    bool as_walked; /* in a file that is left out of its project, .gitignore and exclude say so, nothing is found */
    char *folder;   /* absolute: that of the pyproject.toml which was read, as patterns see paths; NULL: none */
    struct check_options *given; /* as they were before a pyproject.toml was looked for; NULL: none may be read */
    const char *baseline;        /* findings of this file are left out; NULL: none */
    const struct check_why_not *why_not; /* NULL: nobody asks */
    const char *profile;                 /* what a profiler recorded; NULL: none */
    const char *root;                    /* absolute: the project's top folder; NULL: it is looked for */
};

/* Sets options of [tool.ppmine] that the command line did not: of the nearest pyproject.toml with such a table, in
 * `folder` or above. ST_INPUT with file:line for an error in it. A run with these options asks each file's nearest
 * table. */
enum status MUST_USE check_configure(struct check_options *o, const char *folder, struct err *e);
void check_options_copy(struct check_options *to, const struct check_options *from);
void check_options_clear(struct check_options *o);

enum { CHECK_MESSAGE_MAX = 100 };

/* One replacement of a fix: bytes start … end of the file become text. */
struct check_edit {
    size_t start, end;
    struct span text;
    bool statement; /* inserts whole statements before the one that begins there, and its indentation */
};

struct check_finding {
    const struct check_rule *rule;
    enum check_impact impact;
    enum check_certainty certainty;
    const char *path;
    const struct check_options *options; /* of its file, see check_configure */
    uint32_t line, column;               /* from 1; columns count characters */
    uint32_t end_line, end_column;
    uint32_t cell;       /* of a notebook, from 1, lines count in it; otherwise 0 */
    struct span code;    /* its first line, without blanks at the ends */
    struct span message; /* what is found: CHECK_MESSAGE_MAX characters at most */
    struct span why;     /* one sentence or two; never empty */
    struct span advice;  /* what to do about it; never empty */
    struct span
        gain; /* "2.8–58× faster after the fix in our benchmark (TensorFlow 2.15.1, 2 processors)"; empty where no case shows it */
    const char *fix; /* what the fix does, or NULL */
    struct check_edit *edits;
    size_t n_edits;
    /* A change that may help, but may also change the result. --fix ignores it, --try measures it. Never together
     * with a fix. NULL: none. */
    const char *proposal;
    struct check_edit *proposed;
    size_t n_proposed;
    uint64_t fingerprint; /* of what is found, wherever in the file it stands, and from wherever the run was started */
    struct span function; /* "Model.train"; empty at the top of a file */
    const char *project_path; /* as it is seen from options.root, or else from the top of its project */
    /* With options.profile: the share of time of its lines, from 0 to 1, and in words; -1: not known. A fix gains at
     * most 1 / (1 - share). */
    double share;
    struct span profile;
};

/* With options.profile: a line, or a function by its first line, that takes time and has no finding. */
struct check_hot {
    const char *path;
    uint32_t line;
    double share;
    struct span code, context; /* the line; "in the loop of line 3, in train, called from line 9" */
};

/* What a rule says of itself. */
struct check_rule {
    const char *id, *name, *summary;
    /* The rule that found it before this one had an id; NULL: none. Selecting, ignoring or trusting that id applies to
     * this rule too; fingerprints use that id. */
    const char *split_from;
    const char *why, *advice;       /* of findings that have no other text */
    enum check_impact impact;       /* the most that it finds */
    enum check_certainty certainty; /* the most that it says by default */
    bool fixable;
};

size_t check_n_rules(void);
const struct check_rule *check_rule_at(size_t i);
const struct check_rule *check_rule_find(struct span word); /* by id or name; NULL: no such rule */
/* Does the word (of an option or comment) name the rule, or begin its id or that of the rule it was split from? */
bool check_rule_fits(const struct check_rule *rule, struct span word);
/* The rule's page, Markdown; empty when there is none. */
struct span check_page(const struct check_rule *rule);
/* Adds to *out what the fix gained in the benchmark: a Markdown line for each case, nothing without cases. ST_INPUT:
 * bad built-in gains.csv. */
enum status MUST_USE check_gains(struct buf *out, const struct check_rule *rule, struct err *e);
/* ST_USAGE when `text` is neither a rule's name nor how an id begins. */
enum status MUST_USE check_rule_known(const char *text, struct err *e);

/* The absolute form of a path, by its text alone: links are not followed. */
void check_absolute(const char *path, struct buf *out);
/* The path relative to the absolute folder `root`: "." for itself, NULL when not below. It lives in *absolute. */
const char *check_below(const char *root, const char *path, struct buf *absolute);

/* The folder that all of these are in, absolute; this one where there are none. */
void check_common_folder(char *const *paths, size_t n, struct buf *out);

struct check_run;

/* The options stay the caller's and must outlive the run. */
struct check_run *check_new(const struct check_options *o);
void check_free(struct check_run *c);
/* A file, or a folder and what is below it. ST_IO when there is no such thing. */
enum status MUST_USE check_add(struct check_run *c, const char *path, struct err *e);
/* A file that is not on disk, or is but not yet as here; the content stays the caller's until the run is freed. */
void check_add_content(struct check_run *c, const char *path, struct span content);
/* The same of a file that nothing is to be found in: what is asked for may use it. */
void check_add_beside(struct check_run *c, const char *path, struct span content);
/* Content is checked alone unless the project of its path is read too, as it is for files and folders. */
void check_add_project(struct check_run *c, const char *path);
/* What runs over a project have in common, and leave to the next; it outlives them. */
struct check_kept;
struct check_kept *check_kept_new(void);
void check_kept_free(struct check_kept *k);
void check_keep(struct check_run *c, struct check_kept *k);
/* Of a run over one notebook: the byte of it where the line and column (from 1) of a cell are. */
size_t MUST_USE check_cell_offset(const struct check_run *c, uint32_t cell, uint32_t line, uint32_t column);
/* Reads the files, looks for problems. Files that cannot be read are said on stderr and counted. */
enum status MUST_USE check_go(struct check_run *c, struct err *e);
const struct check_finding *check_findings(const struct check_run *c, size_t *n);
/* The findings that are below what options.least and .surest show, in their order. */
const struct check_finding *check_more(const struct check_run *c, size_t *n);
/* Adds the finding in words, sentences with `between` the parts: "Message.", "Why.", "Do this: …" */
void check_finding_text(struct buf *b, const struct check_finding *f, const char *between);
/* Findings hidden by a comment (*n_comments), then those by the baseline, each in order; *n is the sum. */
const struct check_finding *check_hidden(const struct check_run *c, size_t *n, size_t *n_comments);
/* The i-th unreadable file, relative to options.root, then partly unreadable folders, with "/" at the end ("": the
 * whole project); NULL after the last. */
const char *check_unread(const struct check_run *c, size_t i);
/* The i-th comment that names a rule that was asked for, and hides nothing: "a.py:3: this comment hides nothing: #
 * ppmine: …"; or baseline entry: "known.csv:2: this entry hides nothing: PP301 in a.py"; NULL after the last. */
const char *check_unused(const struct check_run *c, size_t i);
/* Files looked at, files that could not be read, findings that a comment or baseline took away. */
struct check_totals {
    size_t files, parsed, unreadable, suppressed, baselined, more;
    size_t cold;          /* of `more`: certain, but they take less than 1 % of the time of a profile */
    const char *profiler; /* "Scalene", …; NULL: there is no profile */
    double profiled;      /* the share of its time that is in the files looked at */
    double imported;      /* of that, the share that is spent in import statements: they are not listed as hot */
};
struct check_totals check_totals(const struct check_run *c);

enum check_format { CHECK_TEXT, CHECK_JSON, CHECK_SARIF, CHECK_GITHUB, CHECK_CSV, CHECK_HTML };
extern const char *const check_formats[]; /* NULL ends */

void check_print(const struct check_run *c, enum check_format format, FILE *out);
/* Prints which rules looked there, what became of their findings, and the line's facts. ST_INPUT: file not checked. */
enum status MUST_USE check_print_why_not(const struct check_run *c, FILE *out, struct err *e);
/* A path as findings have it. */
struct span check_shown(const char *path);
/* How often each rule was found. */
void check_print_statistics(const struct check_run *c, enum check_format format, FILE *out);
/* What the fixes would change, as a unified diff; with CHECK_HTML, in a page. */
void check_print_diff(const struct check_run *c, enum check_format format, FILE *out);
/* The file's content with some fixes and proposals: chosen[i] is for the i-th of check_findings; NULL: all fixes, no
 * proposal. Of two at one place takes the first: taken[i] (unless taken is NULL) becomes true. False: no change, or the
 * result does not parse. */
bool check_changed(const struct check_run *c, const char *path, const bool *chosen, struct buf *out, bool *taken);
/* Adds what they would change, in all files, as a unified diff. */
void check_add_diff(const struct check_run *c, const bool *chosen, struct buf *out);
/* Writes the fixed files, except those given as content, read-only, or changed since they were read. Sets fixed[i] for
 * those of check_findings that it fixes. */
enum status MUST_USE check_fix(const struct check_run *c, bool *fixed, struct err *e);
/* All findings, those of check_more and of the baseline, too. */
enum status MUST_USE check_write_baseline(const struct check_run *c, const char *path, struct err *e);

/* A language server, LSP 3.17, until the editor sends exit; ST_INPUT when it leaves without shutdown. */
enum status MUST_USE check_serve(const struct check_options *o, FILE *in, FILE *out, struct err *e);
