/* statistics: intervals of proportions, tests of contingency tables, samples and strata, probabilities of counts. */
#include "base/stat/statistics.h"

#include "base/random.h"

#include <math.h>

const char *statistic_words(enum statistic_reason reason)
{
    static const char *const words[] = {
        [STATISTIC_BAD_ARGUMENT] = "a confidence, margin or share is out of range",
        [STATISTIC_NO_DATA] = "nothing was counted",
        [STATISTIC_ONE_LINE] = "the table has fewer than two rows or columns",
        [STATISTIC_EMPTY_LINE] = "a row or a column of the table is empty",
        [STATISTIC_TOO_LARGE] = "the table is too large",
        [STATISTIC_COUNTED] = "counted completely",
        [STATISTIC_NOT_DRAWN] = "the sample has none of these posts",
    };

    return (size_t)reason < ARRAY_LEN(words) ? words[reason] : "unknown";
}

/* --- distributions --- */

static double log_gamma(double x)
{
    int sign; /* lgamma() writes a global one */

    return lgamma_r(x, &sign);
}

enum { AS241_TERMS = 8 };

/* The two polynomials of one of the three ranges of AS 241, constants first. */
struct rational {
    double above[AS241_TERMS], below[AS241_TERMS];
};

static double rational_at(const struct rational *f, double x)
{
    double above = 0, below = 0;

    for (int i = AS241_TERMS - 1; i >= 0; i--) {
        above = above * x + f->above[i];
        below = below * x + f->below[i];
    }
    return above / below;
}

double normal_quantile(double p)
{
    static const struct rational centre = {
        {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
         4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
        {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
         3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}};
    static const struct rational side = {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
         1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
         1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
    static const struct rational tail = {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
         2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
         1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};
    double q = p - 0.5;

    if (!(p > 0 && p < 1))
        return NAN;
    if (fabs(q) <= 0.425)
        return q * rational_at(&centre, 0.180625 - q * q);
    double r = sqrt(-log(q < 0 ? p : 1 - p));
    double z = r <= 5 ? rational_at(&side, r - 1.6) : rational_at(&tail, r - 5);
    return q < 0 ? -z : z;
}

enum { GAMMA_STEPS = 1000000 };

/* P(a, x) without its factor: 1/a + x/(a (a+1)) + … */
static double gamma_series(double a, double x)
{
    double term = 1 / a, sum = term;

    for (int i = 1; i < GAMMA_STEPS && term > sum * 1e-17; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return sum;
}

/* Q(a, x) without its factor, x > a + 1: no divisor comes near 0 there. */
static double gamma_fraction(double a, double x)
{
    double b = x + 1 - a, c = INFINITY, d = 1 / b, value = d, step = 0;

    for (int i = 1; i < GAMMA_STEPS && fabs(step - 1) > 1e-15; i++) {
        double numerator = -i * (i - a);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        step = c * d;
        value *= step;
    }
    return value;
}

double gamma_upper(double a, double x)
{
    if (!(a > 0) || !(x >= 0))
        return NAN;
    double factor = exp(a * log(x) - x - log_gamma(a)); /* x = 0: exp(-inf) */
    if (factor == 0)
        return x < a + 1 ? 1 : 0;
    return x < a + 1 ? 1 - factor * gamma_series(a, x) : factor * gamma_fraction(a, x);
}

/* --- proportions --- */

static bool is_confidence(double confidence)
{
    return confidence > 0 && confidence < 1;
}

static double normal_bound(double confidence)
{
    return -normal_quantile((1 - confidence) / 2);
}

void wilson_interval(uint64_t successes, uint64_t n, double confidence, struct proportion *out)
{
    *out = (struct proportion){STATISTIC_OK, NAN, NAN, NAN};
    if (!is_confidence(confidence) || successes > n) {
        out->reason = STATISTIC_BAD_ARGUMENT;
        return;
    }
    if (n == 0) {
        out->reason = STATISTIC_NO_DATA;
        return;
    }
    double z = normal_bound(confidence), total = (double)n, share = (double)successes / total;
    double scale = 1 + z * z / total, centre = (share + z * z / (2 * total)) / scale;
    double half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / scale;
    out->share = share;
    out->low = successes == 0 ? 0 : centre - half;
    out->high = successes == n ? 1 : centre + half;
}

enum statistic_reason sample_size(double confidence, double margin, uint64_t population, uint64_t *n)
{
    *n = 0;
    if (!is_confidence(confidence) || !(margin > 0 && margin < 1))
        return STATISTIC_BAD_ARGUMENT;
    if (population == 0)
        return STATISTIC_OK;
    double z = normal_bound(confidence), unlimited = z * z / (4 * margin * margin);
    double wanted = unlimited / (1 + (unlimited - 1) / (double)population);
    wanted = ceil(wanted - 1e-9); /* 100.0000000000001 is 100 */
    *n = wanted < 1 ? 1 : wanted < (double)population ? (uint64_t)wanted : population;
    return STATISTIC_OK;
}

/* --- contingency tables --- */

/* A table and its margins. */
struct table {
    const uint64_t *counts;
    size_t rows, cols;
    uint64_t n;
    uint64_t *row_sums, *col_sums; /* one block; release with table_clear */
};

static void table_clear(struct table *t)
{
    mem_free(t->row_sums);
}

/* Release *t with table_clear, whatever comes back. */
static enum statistic_reason table_of(struct table *t, const uint64_t *counts, size_t rows, size_t cols)
{
    *t = (struct table){.counts = counts, .rows = rows, .cols = cols};
    if (rows < 2 || cols < 2)
        return STATISTIC_ONE_LINE;
    if (rows > STATISTIC_LINES_MAX || cols > STATISTIC_LINES_MAX)
        return STATISTIC_TOO_LARGE;
    t->row_sums = mem_zero(rows + cols, sizeof *t->row_sums);
    t->col_sums = t->row_sums + rows;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 0; j < t->cols; j++) {
            uint64_t count = t->counts[i * t->cols + j];
            if (count > STATISTIC_TOTAL_MAX - t->n)
                return STATISTIC_TOO_LARGE;
            t->n += count;
            t->row_sums[i] += count;
            t->col_sums[j] += count;
        }
    if (t->n == 0)
        return STATISTIC_NO_DATA;
    for (size_t i = 0; i < t->rows + t->cols; i++)
        if (t->row_sums[i] == 0) /* col_sums stand behind row_sums */
            return STATISTIC_EMPTY_LINE;
    return STATISTIC_OK;
}

static const double PHI2_NOISE = 1e-14; /* what rounding may leave of a difference of 0 */

/* Bergsma 2013: phi squared less its mean under independence, and shortened sides. */
static double corrected_v(const struct table *t, double phi2)
{
    double r = (double)t->rows, c = (double)t->cols, n = (double)t->n;

    if (t->n < 2)
        return NAN;
    double phi2_corrected = phi2 - (r - 1) * (c - 1) / (n - 1);
    double r_corrected = r - (r - 1) * (r - 1) / (n - 1);
    double c_corrected = c - (c - 1) * (c - 1) / (n - 1);
    double shorter = fmin(r_corrected, c_corrected) - 1;
    if (phi2_corrected < PHI2_NOISE)
        phi2_corrected = 0;
    return shorter > 0 ? fmin(1, sqrt(phi2_corrected / shorter)) : NAN;
}

void chi_square_test(const uint64_t *counts, size_t rows, size_t cols, struct chi_square *out, double *expected)
{
    AT_END(table_clear) struct table t;

    *out = (struct chi_square){
        .statistic = NAN, .p = NAN, .expected_min = NAN, .cramers_v = NAN, .cramers_v_corrected = NAN};
    out->reason = table_of(&t, counts, rows, cols);
    if (out->reason != STATISTIC_OK)
        return;
    out->statistic = 0;
    out->expected_min = INFINITY;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) {
            uint64_t product = t.row_sums[i] * t.col_sums[j];
            double e = (double)product / (double)t.n;
            double difference = (double)counts[i * cols + j] - e;
            out->statistic += difference * difference / e;
            out->expected_min = fmin(out->expected_min, e);
            out->n_expected_below_5 += product < 5 * t.n;
            if (expected != NULL)
                expected[i * cols + j] = e;
        }
    out->n = t.n;
    out->df = (rows - 1) * (cols - 1);
    out->p = gamma_upper((double)out->df / 2, out->statistic / 2);
    double phi2 = out->statistic / (double)t.n;
    double side = (double)((rows < cols ? rows : cols) - 1);
    out->cramers_v = fmin(1, sqrt(phi2 / side));
    out->cramers_v_corrected = corrected_v(&t, phi2);
}

/* --- Fisher's exact test --- */

static const double TIE = 1e-10; /* relative difference of probabilities that are equal */

/* 2 x 2: with a the first cell, the tables' weights relative to the most probable one follow from w(a + 1) / w(a) =
 * (row - a) (col - a) / ((a + 1) (n - row - col + a + 1)). */
static double weight_ratio(const struct table *t, uint64_t a)
{
    uint64_t row = t->row_sums[0], col = t->col_sums[0];
    double above = (double)(row - a) * (double)(col - a);

    return above / ((double)(a + 1) * (double)(t->n + a + 1 - row - col));
}

struct tail {
    double limit; /* weights up to this one count */
    double counted, all;
};

static void tail_add(struct tail *tail, double weight)
{
    tail->all += weight;
    if (weight <= tail->limit)
        tail->counted += weight;
}

static double fisher_2x2(const struct table *t, uint64_t *n_tables)
{
    uint64_t row = t->row_sums[0], col = t->col_sums[0];
    uint64_t low = row + col > t->n ? row + col - t->n : 0, high = row < col ? row : col;
    uint64_t mode = (row + 1) * (col + 1) / (t->n + 2);
    double weight = 1;

    for (uint64_t x = mode; x < t->counts[0]; x++)
        weight *= weight_ratio(t, x);
    for (uint64_t x = mode; x > t->counts[0]; x--)
        weight /= weight_ratio(t, x - 1);
    struct tail tail = {.limit = weight * (1 + TIE)};
    tail_add(&tail, weight = 1);
    for (uint64_t x = mode; x < high; x++)
        tail_add(&tail, weight *= weight_ratio(t, x));
    weight = 1;
    for (uint64_t x = mode; x > low; x--)
        tail_add(&tail, weight /= weight_ratio(t, x - 1));
    *n_tables = high - low + 1;
    return fmin(1, tail.counted / tail.all);
}

/* r x c: the log of a table's probability is `constant` less the sum of its cells' log(count!). */
struct fisher_state {
    const struct table *t;
    const double *logs;
    double limit; /* sums of logs from this one on count */
    double constant;
    uint64_t *rows_left; /* of each row, what is not yet placed */
    uint64_t n_tables, max_tables;
    double counted, all;
};

static double cells_log(const uint64_t *counts, size_t n, const double *logs)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += logs[counts[i]];
    return sum;
}

static bool place_column(struct fisher_state *s, size_t col, double sum);

/* Fills the column from `row` on with `left`, in all ways that leave enough room for `below`, the sum of rows_left
 * after `row`; then goes to the next column. False: too many tables. */
static bool place_cell(struct fisher_state *s, size_t col, size_t row, uint64_t left, uint64_t below, double sum)
{
    uint64_t room = s->rows_left[row], low = left > below ? left - below : 0;
    uint64_t high = left < room ? left : room;
    bool last = row + 1 == s->t->rows, fits = true;

    for (uint64_t count = low; fits && count <= high; count++) {
        s->rows_left[row] = room - count;
        double sum_here = sum + s->logs[count];
        fits = last ? place_column(s, col + 1, sum_here)
                    : place_cell(s, col, row + 1, left - count, below - s->rows_left[row + 1], sum_here);
    }
    s->rows_left[row] = room;
    return fits;
}

/* The last column is what the others leave. */
static bool place_column(struct fisher_state *s, size_t col, double sum)
{
    uint64_t below = 0;

    if (col + 1 < s->t->cols) {
        for (size_t i = 1; i < s->t->rows; i++)
            below += s->rows_left[i];
        return place_cell(s, col, 0, s->t->col_sums[col], below, sum);
    }
    if (s->n_tables == s->max_tables)
        return false;
    sum += cells_log(s->rows_left, s->t->rows, s->logs);
    double probability = exp(s->constant - sum);
    s->n_tables++;
    s->all += probability;
    if (sum >= s->limit)
        s->counted += probability;
    return true;
}

static bool fisher_enumerate(struct fisher_state *s, struct fisher *out)
{
    s->rows_left = mem_resize(NULL, s->t->rows, sizeof *s->rows_left);
    memcpy(s->rows_left, s->t->row_sums, s->t->rows * sizeof *s->rows_left);
    bool fits = place_column(s, 0, 0);
    mem_free(s->rows_left);
    if (fits) {
        out->method = FISHER_EXACT;
        out->n_tables = s->n_tables;
        out->p = fmin(1, s->counted / s->all);
        out->p_se = 0;
    }
    return fits;
}

/* One item after the other, its row and its column. */
struct items {
    uint32_t *rows, *cols;
    uint64_t *counts; /* of a table */
};

/* Writes line i sums[i] times. */
static void spread(const uint64_t *sums, size_t n, uint32_t *lines)
{
    for (size_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < sums[i]; k++)
            *lines++ = (uint32_t)i;
}

static void fisher_sample(const struct fisher_state *s, const struct fisher_plan *plan, struct fisher *out)
{
    const struct table *t = s->t;
    struct items items = {mem_resize(NULL, t->n, sizeof *items.rows), mem_resize(NULL, t->n, sizeof *items.cols),
                          mem_resize(NULL, t->rows * t->cols, sizeof *items.counts)};
    struct random random;
    uint64_t counted = 0;

    spread(t->row_sums, t->rows, items.rows);
    spread(t->col_sums, t->cols, items.cols);
    random_seed(&random, plan->seed);
    for (uint64_t i = 0; i < plan->n_samples; i++) {
        /* Fisher & Yates' shuffle of the columns, from the last item down; each counts once it is put. */
        memset(items.counts, 0, t->rows * t->cols * sizeof *items.counts);
        for (size_t k = t->n; k-- > 0;) {
            size_t other = random_below(&random, k + 1);
            uint32_t col = items.cols[other];
            items.cols[other] = items.cols[k];
            items.cols[k] = col;
            items.counts[items.rows[k] * t->cols + col]++;
        }
        counted += cells_log(items.counts, t->rows * t->cols, s->logs) >= s->limit;
    }
    out->method = FISHER_MONTE_CARLO;
    out->n_tables = plan->n_samples;
    out->p = (double)(counted + 1) / (double)(plan->n_samples + 1);
    out->p_se = sqrt(out->p * (1 - out->p) / (double)plan->n_samples);
    mem_free(items.rows);
    mem_free(items.cols);
    mem_free(items.counts);
}

void fisher_exact(const uint64_t *counts, size_t rows, size_t cols, const struct fisher_plan *plan, struct fisher *out)
{
    AT_END(table_clear) struct table t;

    *out = (struct fisher){.p = NAN, .p_se = NAN, .odds_ratio = NAN};
    out->reason = table_of(&t, counts, rows, cols);
    if (out->reason == STATISTIC_OK && (t.n > FISHER_TOTAL_MAX || rows * cols > FISHER_CELLS_MAX))
        out->reason = STATISTIC_TOO_LARGE;
    else if (out->reason == STATISTIC_OK && (plan->n_samples == 0 || plan->n_samples > UINT64_C(1) << 32))
        out->reason = STATISTIC_BAD_ARGUMENT;
    if (out->reason == STATISTIC_OK && rows == 2 && cols == 2) {
        out->p = fisher_2x2(&t, &out->n_tables);
        out->p_se = 0;
        double across = (double)counts[1] * (double)counts[2];
        out->odds_ratio = across > 0 ? (double)counts[0] * (double)counts[3] / across : INFINITY;
    } else if (out->reason == STATISTIC_OK) {
        AT_END(mem_end) double *logs = mem_resize(NULL, t.n + 1, sizeof *logs); /* logs[i] is log(i!) */
        struct fisher_state s = {.t = &t, .logs = logs, .max_tables = plan->max_tables};

        for (uint64_t i = 0; i <= t.n; i++)
            logs[i] = log_gamma((double)i + 1);
        s.limit = cells_log(t.counts, t.rows * t.cols, logs);
        s.limit -= TIE + s.limit * 1e-15; /* sums in another order, too, are the same */
        s.constant = cells_log(t.row_sums, t.rows + t.cols, logs) - logs[t.n];
        if (!fisher_enumerate(&s, out))
            fisher_sample(&s, plan, out);
    }
}

/* --- samples --- */

enum statistic_reason stratum_shares(const uint64_t *sizes, size_t n_strata, uint64_t n, uint64_t *shares)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n_strata && total <= STATISTIC_TOTAL_MAX; i++)
        total += sizes[i] <= STATISTIC_TOTAL_MAX ? sizes[i] : (uint64_t)STATISTIC_TOTAL_MAX + 1;

    if (n_strata > 0)
        memset(shares, 0, n_strata * sizeof *shares);
    if (total > STATISTIC_TOTAL_MAX)
        return STATISTIC_TOO_LARGE;
    if (total == 0)
        return STATISTIC_OK;
    uint64_t left = n = n < total ? n : total;
    AT_END(mem_end) uint64_t *remainders = mem_resize(NULL, n_strata, sizeof *remainders);
    for (size_t i = 0; i < n_strata; i++) {
        shares[i] = n * sizes[i] / total;
        remainders[i] = n * sizes[i] % total;
        left -= shares[i];
    }
    for (; left > 0; left--) {
        size_t largest = 0; /* the first of equals; they are never all 0 */
        for (size_t i = 1; i < n_strata; i++)
            largest = remainders[i] > remainders[largest] ? i : largest;
        shares[largest]++;
        remainders[largest] = 0;
    }
    return STATISTIC_OK;
}

/* --- counts, without approximation --- */

static double log_choose(double n, double k)
{
    return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

/* P(X = k) + P(X = k - 1) + … + P(X = low), each from the one before: p(k-1)/p(k) is
 * k (N-K-n+k) / ((K-k+1) (n-k+1)). */
static double sum_down(double N, double K, double n, double k, double low)
{
    double term = exp(log_choose(K, k) + log_choose(N - K, n - k) - log_choose(N, n)), sum = 0;

    while (k >= low && term > sum * 1e-17) {
        sum += term;
        term *= k * (N - K - n + k) / ((K - k + 1) * (n - k + 1));
        k -= 1;
    }
    return sum;
}

double hypergeometric_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k)
{
    double N = (double)population, K = (double)marked, n = (double)drawn;

    if (marked > population || drawn > population)
        return NAN;
    uint64_t high = marked < drawn ? marked : drawn;
    uint64_t low = drawn > population - marked ? drawn - (population - marked) : 0;
    if (k >= high)
        return 1;
    if (k < low)
        return 0;
    double sum = (double)k * N <= n * K ? sum_down(N, K, n, (double)k, (double)low)
                                        /* X of them are marked when n - X are not: the other tail, downwards too */
                                        : 1 - sum_down(N, N - K, n, n - (double)k - 1, n - (double)high);
    return sum < 0 ? 0 : sum > 1 ? 1 : sum;
}

/* Terms relative to that of X = k, downwards and upwards, each from the one before. */
double hypergeometric_odds_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k, double odds)
{
    double N = (double)population, K = (double)marked, n = (double)drawn;
    double high = K < n ? K : n, low = n > N - K ? n - (N - K) : 0, at = (double)k;
    double below = 0, above = 0, term = 1;

    if (marked > population || drawn > population || !(odds > 0))
        return NAN;
    if (at >= high)
        return 1;
    if (at < low)
        return 0;
    double x = at;
    while (x >= low && term > below * 1e-17) {
        below += term;
        if (below > 1e300)
            return 1;
        term *= x * (N - K - n + x) / ((K - x + 1) * (n - x + 1) * odds);
        x -= 1;
    }
    x = at;
    term = 1;
    while (x < high && term > above * 1e-17) {
        term *= (K - x) * (n - x) * odds / ((x + 1) * (N - K - n + x + 1));
        above += term;
        if (above > 1e300)
            return 0;
        x += 1;
    }
    return below / (below + above);
}

/* P(X >= seen) of a share, from the largest term on. */
static double binomial_at_least(uint64_t seen, uint64_t n, double share)
{
    double sum = 0;

    for (uint64_t k = seen; k <= n; k++) {
        double term = exp(log_choose((double)n, (double)k) + (double)k * log(share) + (double)(n - k) * log1p(-share));
        sum += term;
        if (term < sum * 1e-17 && (double)k > share * (double)n)
            break;
    }
    return sum;
}

double binomial_least(uint64_t seen, uint64_t n, double confidence)
{
    double low = 0, high = 1;

    if (seen == 0 || seen > n)
        return seen > n ? NAN : 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (binomial_at_least(seen, n, middle) < 1 - confidence)
            low = middle;
        else
            high = middle;
    }
    return low;
}
