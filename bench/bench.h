/*
 * bench: runs the benchmark's cases and says which problems show here. May include base and stat; for cli and tests.
 *
 * A case is a folder <cases>/<problem_id> with case.ini, buggy.py and fixed.py. Both scripts do the same work; only the
 * fix differs. They print lines `ppcase KEY VALUE…`, which bench reads; it ignores all other output.
 *
 * Units: seconds, and kilobytes of 1024 bytes, unless a name says otherwise.
 */
#pragma once

#include "base/sha256.h"
#include "base/stat/stat.h"

/* --- cases --- */

enum bench_metric {
    BENCH_CPU_TIME,          /* user + system time of the process and its children */
    BENCH_EXHAUSTION,        /* buggy fails for want of memory, fixed does not */
    BENCH_HANG,              /* buggy runs into the time limit, fixed ends */
    BENCH_INIT_TIME,         /* from the start of the process to the mark `ready` */
    BENCH_MEMORY_GROWTH,     /* kilobytes that a step adds to the resident memory */
    BENCH_PEAK_MEMORY,       /* that the marked part adds to what was resident before it */
    BENCH_PEAK_MEMORY_TOTAL, /* of the largest process */
    BENCH_STEP_GROWTH,       /* how many times slower the last step is than the first */
    BENCH_TIME,              /* wall clock of the whole process */
    BENCH_WORK_TIME,         /* wall clock of the marked part */
    BENCH_METRICS
};

extern const char *const bench_metric_names[]; /* "cpu_time" …, in this order; NULL ends */
extern const char *const bench_metric_units[]; /* "s", "KB", "KB/step", "x" or "" */

enum bench_side { BENCH_BUGGY, BENCH_FIXED, BENCH_SIDES };

/* Does the pair show the problem as labelled? A stand-in shows a similar one, and does not count among the study's. */
enum bench_fidelity { BENCH_FIDELITY_UNKNOWN, BENCH_FAITHFUL, BENCH_STAND_IN, BENCH_FIDELITIES };

extern const char *const bench_fidelity_names[]; /* "not stated", "faithful", "stand-in"; NULL ends */

struct bench_case {
    const char *id; /* "53424152_1"; also the name of its folder */
    const char *summary, *fix;
    enum bench_fidelity fidelity;
    const char *certainty;       /* of that judgement: "high", "medium", "low"; or "" */
    const char *made_from;       /* what of the study the pair was made from, "title, labels"; or "" */
    const char *fidelity_reason; /* why it is a stand-in, or what a faithful one assumes; or "" */
    enum bench_metric metric;
    const char *costly;  /* operations and stages that the mistake makes costly, as the Profiler
                               * would call them, "A, B"; "": there is none that it could list */
    uint64_t tensorflow; /* 1, 2, or 0: none is needed */
    uint64_t pytorch;    /* the least major release, 1 or 2, or 0: none is needed */
    bool gpu;
    const char *reason; /* why it cannot run here; "" when it may */
    /* The environment of each side, in the folder environments beside the cases, when the mistake is in a package's
     * release; "": both sides run with the setting's Python. */
    const char *environments[BENCH_SIDES];
    uint64_t seconds, memory_mb; /* limits of one run */
    bool exact;                  /* digests must be the same text; else values agree within: */
    double tolerance;            /* relative */
    bool uncompared;             /* scripts that are not ours print no digest */
    /* A size at which both scripts of a hang or of exhausted memory end, to compare results: "SIDE = 52" replaces the
     * line "SIDE = …" of both. "": no such size, and the results are not compared. */
    const char *small;
};

/* Owns its cases, ordered by id. All-zero is a valid empty one. */
struct bench_cases {
    struct ARRAY_OF(struct bench_case) items;
    char *dir; /* absolute */
    struct arena arena;
};

/* Reads every folder of `dir` that has a case.ini; reports and skips one whose name cannot be a case's. ST_INPUT with
 * file:line for a bad case, ST_IO for a missing folder. *out needs bench_cases_clear in either case. */
enum status MUST_USE bench_cases_load(struct bench_cases *out, const char *dir, struct err *e);
void bench_cases_clear(struct bench_cases *c);
const struct bench_case *bench_cases_find(const struct bench_cases *c, const char *id);
bool bench_is_id(const char *name); /* can a case be called so? */

/* Reads buggy.py and fixed.py of a case below `cases_dir`. */
extern const char *const bench_script_names[BENCH_SIDES];
void bench_sides_clear(struct buf (*texts)[BENCH_SIDES]); /* for AT_END */
enum status MUST_USE bench_case_scripts(struct buf texts[BENCH_SIDES], const struct bench_case *c,
                                        const char *cases_dir, struct err *e);
/* Of what decides its result: scripts, metric, limits and tolerance. What lib contains is left out. */
void bench_case_sha256(char out[SHA256_TEXT_SIZE], const struct bench_case *c, const struct buf texts[BENCH_SIDES]);
/* Is that the case as it is now below `cases_dir`? No for "". */
bool bench_case_is(const struct bench_case *c, const char *cases_dir, const char *sha256);
/* One case.ini; `path` is for messages, `id` the name of its folder. Texts go to the arena. */
enum status MUST_USE bench_case_read(struct bench_case *out, const char *id, struct span content, const char *path,
                                     struct arena *arena, struct err *e);

/* --- marks: what scripts say --- */

enum {
    BENCH_LINE_MAX = 256 * 1024, /* longer lines are passed over */
    BENCH_STEPS_MAX = 16384,     /* later ones are passed over */
    BENCH_VALUES_MAX = 64,
    BENCH_DIGEST_SIZE = 72
};

struct bench_numbers ARRAY_OF(double);

/* What has not been printed is NAN, or empty. All-zero is not valid: bench_marks_init. */
struct bench_marks {
    double work_seconds, work_rss_before_kb, work_peak_rss_kb, ready;
    double work_rounds; /* that work_seconds is the median of; NAN: one */
    double work_began;  /* seconds since 1970 */
    struct bench_numbers step_seconds, step_rss_kb, values;
    char digest[BENCH_DIGEST_SIZE], exact[BENCH_DIGEST_SIZE]; /* "sha256:…" */
    struct buf versions; /* lines "python 3.11.2", of the script that asks for them */
    struct buf entries;  /* lines "SECONDS COUNT NAME" of ppprofile */
    /* Of the log: each compilation by XLA, when it ended (seconds since 1970, or NAN) and how long it took. */
    struct bench_numbers compiled_at, compile_seconds;
    struct buf log_line;
    struct buf line; /* that has not ended yet */
    bool line_too_long;
};

void bench_marks_init(struct bench_marks *m);
/* Takes the next bytes of the output, cut anywhere. A later mark replaces an earlier one. Ignores malformed marks. */
void bench_marks_feed(struct bench_marks *m, struct span bytes);
/* Takes what TensorFlow logs on stderr with TF_CPP_VMODULE=device_compiler=1, cut anywhere. */
void bench_marks_feed_log(struct bench_marks *m, struct span bytes);
void bench_marks_clear(struct bench_marks *m);

/* --- one process, and all that it starts --- */

enum bench_end {
    BENCH_EXITED,
    BENCH_SIGNALLED,
    BENCH_TIMED_OUT,     /* killed at the time limit */
    BENCH_OUT_OF_MEMORY, /* killed at the memory limit */
    BENCH_STOPPED        /* killed, since SIGINT or SIGTERM came */
};

enum {
    BENCH_HEAD_MAX = 64 * 1024, /* of each output, kept; all of it is drained */
    BENCH_SAMPLES_MAX = 256     /* of the resident memory; thinned by half when they are full */
};

struct cgroup_home;

struct bench_command {
    const char *const *argv;          /* argv[0] is a path, or is looked up in PATH */
    const char *const *environment;   /* NULL: that of this process */
    const char *dir;                  /* NULL: that of this process */
    const char *sandbox;              /* the one folder below which it may write; it has no network then. NULL: any */
    double seconds;                   /* 0: no limit */
    uint64_t memory_kb;               /* 0: no limit */
    const struct cgroup_home *groups; /* of bench: where the run gets its own group; or NULL */
    bool gpu;                         /* look at the GPUs while it runs */
    bool echo;                        /* everything it prints goes to stderr as well */
    bool reads_log;                   /* of compilations by XLA, on its stderr */
};

struct bench_process {
    enum bench_end end;
    int code; /* exit code or signal */
    double wall, user_seconds, system_seconds;
    uint64_t peak_kb;         /* of the largest process, as the kernel counts (ru_maxrss) */
    uint64_t sampled_peak_kb; /* of all processes together, as sampled */
    bool grouped;             /* the kernel kept the memory limit, on a group (cgroup v2) */
    uint64_t group_peak_kb;   /* of that group, as the kernel counts; 0: not known */
    size_t n_gpu;             /* looks at the GPUs; 0: there is none, or it was not asked */
    uint64_t gpu_peak_kb;     /* in use on all of them, above what was before the run */
    double gpu_busy_percent;  /* the mean */
    double others;            /* processors that others used, on the mean; NAN: not known */
    uint64_t n_out, n_err;    /* bytes printed */
    struct buf out, err;      /* the first of them */
    struct buf err_tail;      /* the last of them */
    struct bench_marks marks;
    struct {
        double at;
        uint64_t kb;
    } samples[BENCH_SAMPLES_MAX];
    size_t n_samples;
};

/*
 * Runs the command in its own session. When its process ends, kills and reaps all that it started, also what has left
 * its process group, and waits for it. This process becomes the reaper of its descendants (PR_SET_CHILD_SUBREAPER), and
 * must have no other children.
 *
 * With `groups`, where the kernel allows it, the run's own group has the memory limit: on all memory of its processes,
 * each page once, and files in memory. At the limit the kernel kills the group: BENCH_OUT_OF_MEMORY. Samples continue.
 *
 * Otherwise the limit is on the resident memory of all processes together, sampled from /proc: the first process every
 * 20 ms, its descendants every 200 ms. (An address-space limit would count what TensorFlow reserves and never touches.)
 * Memory allocated and freed between samples is missed; pages that two processes share count twice. A process that
 * needs less than some 3 MB shows as 3 MB: before exec it is a copy of this one.
 *
 * ST_IO when it cannot be started; ST_NO for BENCH_STOPPED. *p needs bench_process_clear in any case.
 */
enum status MUST_USE bench_process_run(struct bench_process *p, const struct bench_command *c, struct err *e);
void bench_process_clear(struct bench_process *p);

/* --- files --- */

/* The default folder of cases or environments: below ./bench, else where this program is installed, else bench/NAME. */
void bench_data_path(struct buf *out, const char *name);
/* One process of any user measures on a machine, and one into a folder of results, which machines may share. */
struct bench_lock {
    int machine, results;
};

/* Waits until no other process measures here or into the folder, which is made when missing; NULL: no folder. The
 * machine's lock is the file $PPMINE_BENCH_LOCK, else one in /run/lock or /tmp. ST_NO when a signal stopped the
 * waiting. *lock is for bench_unlock in any case. */
enum status MUST_USE bench_lock(struct bench_lock *lock, const char *results_dir, struct err *e);
void bench_unlock(const struct bench_lock *lock);

#define BENCH_RESULTS_DIR "bench-results"

/* --- runs, and what they come to --- */

/* One run of a script, without what it printed. */
struct bench_run {
    enum bench_end end;
    int code;
    double wall, user_seconds, system_seconds;
    uint64_t peak_kb, sampled_peak_kb, group_peak_kb, n_out, n_err;
    bool grouped;
    size_t n_gpu;
    uint64_t gpu_peak_kb;
    double gpu_busy_percent;
    bool lacked_memory; /* it failed, and it was for want of memory */
    bool warm_up;       /* counts for nothing but digests */
    bool disturbed;     /* such a one, since others used the processors in the meantime */
    bool small;         /* such a one, at the size where both scripts end: BENCH_SMALL */
    double others;      /* processors that others used in the meantime; NAN: not known */
    double metric;      /* NAN: the script did not print what the metric needs, or failed */
    char digest[BENCH_DIGEST_SIZE], exact[BENCH_DIGEST_SIZE];
    struct bench_numbers values, step_seconds, step_rss_kb, samples_at, samples_kb;
    double work_seconds, work_rss_before_kb, work_peak_rss_kb, ready;
    uint64_t work_rounds; /* that work_seconds is the median of */
    char said[400];       /* the last line on stderr of a run that failed */
};

/* What is kept of a run, but for how it ended, in its file and in the database. */
enum bench_kind { BENCH_FLAG, BENCH_COUNT, BENCH_REAL, BENCH_TEXT, BENCH_LIST };
/* Of a number: it cannot lack. What is optional is in the file when it is true, or not "". */
enum bench_rule { BENCH_ANY, BENCH_NEEDED, BENCH_SIGNED, BENCH_OPTIONAL };

struct bench_run_field {
    const char *name; /* in JSON; NULL ends */
    enum bench_kind kind;
    enum bench_rule rule;
    size_t at, max;        /* in struct bench_run; of a text its bytes with NUL, of a list its numbers */
    const char *parameter; /* of the statement that stores it; NULL: not in the database */
};

extern const struct bench_run_field bench_run_fields[];

extern const char *const bench_end_names[];  /* "exited", …, in the order of enum bench_end */
extern const char *const bench_side_names[]; /* "buggy", "fixed" */

enum bench_verdict {
    BENCH_REPRODUCED,
    BENCH_NOT_REPRODUCED,
    BENCH_NOT_RUNNABLE,
    BENCH_NOT_EQUIVALENT, /* the two do not compute the same */
    BENCH_BROKEN,         /* a script fails, or does not say what the metric needs */
    BENCH_VERDICTS
};

extern const char *const bench_verdict_names[]; /* "reproduced", …; NULL ends */

/* Less than that of a fixed script is mostly the time of a first call: bench/lib/ppcase.py. */
#define BENCH_LEAST_SECONDS 0.2

struct bench_result {
    enum bench_verdict verdict;
    char why[600];
    double medians[BENCH_SIDES]; /* NAN: of failures there is none */
    struct stat_ratio ratio;
    struct bench_run *runs[BENCH_SIDES];
    size_t n_runs[BENCH_SIDES];
    uint64_t seed;
    char case_sha256[SHA256_TEXT_SIZE]; /* "" when the scripts were not read */
    struct buf versions[BENCH_SIDES];   /* lines, of a case that has its own environments */
};

/* The metric of a run that ended well. Below a floor there is only noise: 16 KB for a step, 1 MB for a peak, 1 ms for a
 * time (all its rounds together), 1 for the growth of steps: 1 + slope (n - 1) / median, slope by stat_slope. */
double bench_metric_of(enum bench_metric metric, const struct bench_process *p);
/* Do the two runs report the same results? A tolerance is for floating-point numbers, not shapes, integers or texts. */
bool bench_runs_agree(const struct bench_case *c, const struct bench_run *a, const struct bench_run *b);
/* Sets verdict, why, medians and ratio. Reproduced: the ratio of medians, buggy over fixed, is at least 1.5, and the
 * lower end of its interval above 1.2; for `hang` and `exhaustion`, every run of buggy fails so, and none of fixed. */
void bench_judge(const struct bench_case *c, struct bench_result *r);
void bench_result_clear(struct bench_result *r);

/* What to do while others use the processors: more than a tenth of one, on the mean of a second. */
enum bench_when {
    BENCH_REFUSE_BUSY,
    BENCH_WHEN_IDLE, /* wait; and a round during which others came is run again, up to n_runs times */
    BENCH_ANYWAY
};

enum { BENCH_THREADS = 2, BENCH_THREADS_MAX = 1024, BENCH_VARIABLES_MAX = 64, BENCH_RUNS_MAX = 1000 };

/* What is the same for all cases of a run. */
struct bench_setting {
    const char *cases_dir; /* absolute; ../lib and ../../lib of it go to PYTHONPATH */
    const char *python;
    uint64_t n_runs, seed;
    /* Rounds continue after n_runs until the ratio's interval is this narrow (high over low), or to most_runs. */
    uint64_t most_runs;
    double narrow;
    enum bench_when when;
    uint64_t threads; /* of TensorFlow, for operations and between them, or of PyTorch; 0 is BENCH_THREADS */
    /* Variables of scripts besides, "NAME" as this process has it, or "NAME=VALUE". */
    const char *const *variables;
    size_t n_variables;
    uint64_t patience; /* time limits are so many times those of the cases; 0 is 1 */
    const char *results_dir;
    const char *machine; /* its name; NULL: made of what it is */
    /* Called with each result as JSON, once it is written, in the process that ran the case; NULL: no call. */
    enum status (*keep)(void *ctx, struct span json, struct err *e);
    void *keep_ctx;
    struct buf versions; /* lines "python 3.11.2", "tensorflow 2.15.1" */
    bool has_tensorflow;
    uint64_t pytorch;                 /* the major release that the Python has; 0: none */
    bool resume;                      /* passes over cases whose result stands */
    const struct cgroup_home *groups; /* of bench, which sets it for its workers */
    bool gpu;                         /* scripts may use GPUs, which are looked at */
};

/* How a script is run. */
enum bench_way {
    BENCH_PLAIN,
    BENCH_SMALL,         /* at the size where both scripts end: bench_case.small */
    BENCH_XLA_CLUSTERS,  /* XLA compiles what TensorFlow thinks worth it, in graphs and functions */
    BENCH_XLA_FUNCTIONS, /* XLA compiles every tf.function and step of Keras: bench/lib/ppxla.py */
    BENCH_PROFILED,      /* below TensorFlow's Profiler: bench/lib/ppprofile.py */
    BENCH_WAYS
};

/* Asks the Python for versions. ST_INPUT when it cannot be run; ST_NO when a signal stopped it. */
enum status MUST_USE bench_ask_versions(struct bench_setting *s, struct err *e);
/* A script that should compute what fixed.py of a case does. */
enum bench_trial_outcome { BENCH_TRIAL_SAME, BENCH_TRIAL_DIFFERS, BENCH_TRIAL_FAILS, BENCH_TRIAL_OUTCOMES };

extern const char *const bench_trial_names[]; /* "same", "differs", "fails"; NULL ends */

struct bench_trial {
    struct span text; /* of the script */
    enum bench_trial_outcome outcome;
    char why[400]; /* it fails */
};

/* Runs fixed.py and each script once, at the small size for a hang or exhaustion, and sets outcomes. ST_INPUT when the
 * case cannot run here, ST_NO when a signal stopped it. */
enum status MUST_USE bench_try(const struct bench_case *c, const struct bench_setting *s, struct bench_trial *trials,
                               size_t n, struct err *e);
/* Runs the cases, `jobs` at a time, each below its own process, which cleans up even when this one is killed. Writes
 * each result to results_dir and progress to stderr. ST_NO when a signal stopped it. */
enum status MUST_USE bench_run_cases(const struct bench_case *const *cases, size_t n, const struct bench_setting *s,
                                     unsigned jobs, struct err *e);

/* --- results: JSON files <dir>/<id>.json --- */

enum { BENCH_RESULT_MAX = 256 << 20 }; /* bytes */

/* What a table shows of a result. Texts are of the arena given. */
struct bench_summary {
    const char *id, *why, *metric, *unit, *date, *machine;
    const char *case_sha256; /* of the case that was run; "": not known */
    enum bench_verdict verdict;
    double medians[BENCH_SIDES], ratio, low, high; /* NAN: none */
};

/* The summary of a case without a result: its metric is "". */
struct bench_summary bench_summary_none(const char *id);
/* Whether the case has a result. */
bool bench_summary_is(const struct bench_summary *s);
enum status MUST_USE bench_result_write(const struct bench_result *r, const struct bench_case *c,
                                        const struct bench_setting *s, struct err *e);
/* Is there a result of the unchanged case, from this machine, these versions and this seed, with at least as many runs?
 * Not one that is broken or not runnable. */
bool bench_result_stands(const struct bench_case *c, const struct bench_setting *s);
/* ST_NO when there is no result of the case; ST_INPUT for a file that is not one. */
enum status MUST_USE bench_summary_read(struct bench_summary *out, const char *dir, const char *id, struct arena *arena,
                                        struct err *e);

/* --- assessment: what an approach does about a case's problem --- */

enum bench_grade { BENCH_NOT_APPLICABLE, BENCH_NOT_SOLVED, BENCH_PARTLY_SOLVED, BENCH_SOLVED, BENCH_GRADES };

extern const char *const bench_grade_names[]; /* "not applicable", …; NULL ends */

/* A grade, and the figures that it rests on, in words. */
struct bench_opinion {
    enum bench_grade grade;
    char why[400];
};

/*
 * XLA: the buggy script with XLA against the two without. Figures are medians of the case's metric.
 *
 * With m = what XLA's compilations took in the marked part taken off a figure that is a time (`net`;
 * other figures stay as they are), and way(x) = log(buggy / x) / log(buggy / fixed):
 *   not applicable    the case cannot run here; XLA compiled nothing, or every run with it failed;
 *                     buggy / fixed is below 1.5, so that there is nothing to solve
 *   solved            net <= fixed * max(1.2, slowest of fixed / fixed), and way(figure) >= 1/3
 *   partially solved  way(net) >= 1/3
 *   not solved        otherwise; or what is computed differs; or the growth of steps or memory is
 *                     less, but the marked part takes more than 1.2 times as long; or the run was
 *                     ended at twice the time limit of the case, while XLA compiled
 * For a hang or an exhaustion: solved when no run fails so, not solved when one does.
 */
struct bench_xla {
    enum bench_way way;  /* BENCH_PLAIN: XLA compiled nothing either way */
    double compilations; /* of a run, medians */
    double compile_seconds;
    double buggy, fixed, fixed_worst, figure, net;
    double buggy_work, work; /* seconds of the marked part, or NAN */
    bool failed;             /* no way's first run ended well; `said` has why */
    bool too_long;           /* the run was ended at its time limit */
    bool differs;            /* from what buggy computes without XLA */
    bool fails_so;           /* as the case is about, with XLA as well */
    char said[300];
    struct bench_numbers runs[3]; /* the metric of every run: buggy, fixed, with XLA */
};

struct bench_opinion bench_judge_xla(const struct bench_case *c, const struct bench_xla *x);

/* An entry of the Profiler: see bench/lib/ppprofile.py. */
struct bench_entry {
    const char *name;
    double seconds; /* its own */
    uint64_t count;
};

enum { BENCH_ENTRIES_MAX = 200, BENCH_TOP = 3, BENCH_TOP_PARTLY = 10 };

/*
 * The Profiler: does it point at something of `costly` in the buggy run, and not in the fixed one? It points
 * at its first entries by own time.
 *   not applicable    the case cannot run here; `costly` is empty: what the mistake costs is neither
 *                     an operation nor a stage, so no entry could name it; the symptom is memory, but
 *                     the profile is one of time; a run left no profile
 *   solved            among the first 3 of buggy, and not of fixed
 *   partially solved  among the first 10 of buggy, and not of fixed
 *   not solved        otherwise
 * Names are compared without "_", "_Mkl", "_Native" and "_Fused" in front and a version ("V2") at the end;
 * a stage also without "Parallel", and it may go on ("Iterator::MapAndBatch" is Iterator::Map). The
 * sum `eager execution` takes nobody's place.
 */
struct bench_profile {
    bool ran;
    char said[300];              /* why there is no profile */
    struct bench_entry *entries; /* the longest first */
    size_t n;
    struct arena arena;
};

/* *place: that of the first costly entry of buggy, from 1, or 0; *found: it, or NULL. Both may be NULL. */
struct bench_opinion bench_judge_profiles(const struct bench_case *c, const struct bench_profile *buggy,
                                          const struct bench_profile *fixed, size_t *place,
                                          const struct bench_entry **found);

/*
 * A checker, by what it finds in both scripts. The fix is all that they differ by: a rule with more
 * findings in buggy sees the problem; one with as many sees something else.
 *   not applicable    a script could not be read
 *   solved            a rule has more warnings in buggy than in fixed, and fixed has none at all
 *   partially solved  a rule has more findings in buggy, but they are notes, or fixed has warnings
 *   not solved        otherwise
 */
struct bench_finding {
    const char *rule;
    bool warning; /* or worse */
};

struct bench_findings {
    struct bench_finding *items[BENCH_SIDES];
    size_t n[BENCH_SIDES];
    bool unreadable;
};

/* *rule: the one that sees the problem, or NULL; of the findings given. */
struct bench_opinion bench_judge_findings(const struct bench_findings *f, const char **rule);

/* What is kept of the measured approaches of a case. */
struct bench_assessment {
    struct bench_opinion xla_opinion, profile_opinion;
    struct bench_xla xla;
    struct bench_profile profiles[BENCH_SIDES];
    char case_sha256[SHA256_TEXT_SIZE]; /* of the case that was measured; "" when it cannot be run here */
    size_t n_runs, n_grouped;           /* and of these, with a group's memory limit */
    size_t place;                       /* of the first costly entry; 0: none */
    const char *entry, *date;           /* of the arena of the first profile */
};

void bench_assessment_clear(struct bench_assessment *a);
/* Measures the cases one by one, each below a worker as bench_run_cases does; `resume` skips those with an assessment
 * of the unchanged case. Runs the Profiler once on each side, each way of XLA once, then, when there is something to
 * compare, buggy, with XLA, and fixed in turn, `n_runs` times. Writes <results_dir>/assessment/<id>.json, unless a
 * script fails without XLA, or times out with less than half of a processor, since that shows the machine only: ST_IO
 * then, after the other cases. ST_NO when a signal stopped it. */
enum status MUST_USE bench_assess_cases(const struct bench_case *const *cases, size_t n, const struct bench_setting *s,
                                        struct err *e);
/* ST_NO: the case was not measured; ST_INPUT: a bad file. *out needs bench_assessment_clear in any case. */
enum status MUST_USE bench_assessment_read(struct bench_assessment *out, const char *results_dir, const char *id,
                                           struct err *e);

/* A whole result, from wherever it comes. Texts are of its arena, "" if there is none. */
struct bench_record {
    const char *problem_id, *date, *why;
    const char *machine; /* its name */
    const char *processor, *os, *kernel, *architecture, *memory_limit;
    uint64_t processors, memory_kb; /* 0: not known */
    double load_after;              /* NAN: not known */
    enum bench_metric metric;
    uint64_t limit_seconds, limit_memory_mb;
    struct bench_result result; /* without `why` */
    struct buf versions;        /* a JSON object */
    struct buf identity;        /* bytes: the same for the same result, whatever its machine is called */
    struct arena arena;
};

/* ST_INPUT, with the reason, for what this program does not write: medians, ratio, interval and verdict are recomputed
 * from the runs, and must be the same. *out needs bench_record_clear in any case. */
enum status MUST_USE bench_record_read(struct bench_record *out, struct span json, const char *name, struct err *e);
/* The same of a file; ST_IO when it cannot be read. */
enum status MUST_USE bench_record_load(struct bench_record *out, const char *path, struct err *e);
void bench_record_clear(struct bench_record *r);

/* Can a machine be called so? Up to 200 bytes of UTF-8 without control characters. */
bool bench_is_machine(const char *name);

/* --- Python environments --- */

/* A file <name>.txt in pip's format, with every package's version and hashes; a line "# python 3.11" gives its Python.
 * The folder's name has a hash of the file: environments are side by side, and none is cleared while in use. */
struct bench_environment {
    const char *name, *requirements;
    const char *wanted;             /* "3.11"; "": any Python */
    const char *tensorflow, *keras; /* their versions; "" */
    const char *dir;                /* where it is made */
};

struct bench_environments {
    struct ARRAY_OF(struct bench_environment) items; /* ordered by name */
    struct arena arena;
};

enum { BENCH_ENVIRONMENT_NAME_MAX = 64 };
#define BENCH_ENVIRONMENT "tf2.15" /* that the cases are written for */

bool bench_is_environment(const char *name); /* can one be called so? */
/* That of a file; `dir` NULL: $XDG_CACHE_HOME/ppmine/environments/<name>-<hash>, else below ~/.cache.
 * ST_USAGE without either variable, ST_IO. Texts go to the arena. */
enum status MUST_USE bench_environment_read(struct bench_environment *out, const char *requirements, const char *dir,
                                            struct arena *arena, struct err *e);
/* <folder>/<name>.txt; ST_USAGE when it is not there. */
enum status MUST_USE bench_environment_named(struct bench_environment *out, const char *folder, const char *name,
                                             struct arena *arena, struct err *e);
/* All of the folder. *out needs bench_environments_clear in any case. */
enum status MUST_USE bench_environments_load(struct bench_environments *out, const char *folder, struct err *e);
void bench_environments_clear(struct bench_environments *list);

/* Its Python, when it was made to its end; ST_NO, with words, when not. */
enum status MUST_USE bench_environment_python(struct buf *out, const struct bench_environment *environment,
                                              struct err *e);
/* Keeps others from remaking this Python's environment until the descriptor is closed; -1 when it was not made here. */
int bench_environment_use(const char *python);
/* The Python to make it with: `given`, or, when NULL, the wanted one from $PATH or pyenv. ST_INPUT: that is another
 * version, or is not here. */
enum status MUST_USE bench_environment_base(struct buf *out, const struct bench_environment *environment,
                                            const char *given, struct err *e);
/* Is it there, made to its end, for these requirements? */
enum status MUST_USE bench_environment_ready(bool *ready, const char *dir, const char *requirements, struct err *e);
/* Makes it, unless it is there for these requirements: venv, then pip with hashes. Remakes one that is half-made or for
 * other requirements; ST_IO when a run uses that. ST_NETWORK when pip fails. *made: something was done. The caller
 * prevents two calls at a time, which would clear each other's work. */
enum status MUST_USE bench_environment_make(const char *dir, const char *python, const char *requirements, bool *made,
                                            struct err *e);
