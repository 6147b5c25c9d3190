"""Numbers that need all posts: what `ppmine match --stdin --part` counts of each piece, added up by Spark.

Lines have columns with tabs between them. Counts are added up by their first column, so it does not
matter how posts were cut into pieces, nor how often the program wrote what it had counted. No line of a
post goes through Python.
"""

PARTS = {"ngrams": "ngrams", "similar": "shingles", "features": "features"}
TEXTS_MIN = 2  # as in screen/features.c
BUCKET_MAX = 1000  # as in match/corpus/similar.c


class BadPosts(Exception):
    """Posts that cannot be compared, with words for the user."""


def _columns(lines, **kinds):
    from pyspark.sql import functions as f
    parts = f.split("line", "\t")
    return lines.select(*(parts[at].cast(kind).alias(name)
                          for at, (name, kind) in enumerate(kinds.items())))


def _write_lines(frame, separator, out):
    from pyspark.sql import functions as f
    frame.select(f.concat_ws(separator, *frame.columns).alias("line")).write.text(out)


def ngrams(lines, out, _options):
    """The line of the posts has an empty n-gram."""
    from pyspark.sql import functions as f
    counts = _columns(lines, ngram="string", n="bigint", problems="bigint", others="bigint",
                      occurrences="bigint")
    added = counts.groupBy("ngram", "n").agg(*(f.sum(name).alias(name) for name in
                                               ("problems", "others", "occurrences")))
    _write_lines(added.where("problems > 0 OR ngram = ''"), "\t", out)


def features(lines, out, _options):
    """Features that one text alone has say nothing of another."""
    from pyspark.sql import functions as f
    counts = _columns(lines, feature="string", texts="bigint")
    added = counts.groupBy("feature").agg(f.sum("texts").alias("texts"))
    _write_lines(added.where(f.col("texts") >= TEXTS_MIN), "\t", out)


# --- pairs of posts ---

def _equal_pairs(posts):
    """(posts that go on, pairs): of posts with the same set, all are paired with the first."""
    from pyspark.sql import functions as f
    first = posts.groupBy("content").agg(f.min("post_id").alias("first"))
    placed = posts.join(first, "content")
    pairs = placed.where("post_id <> first").select(f.col("first").alias("a"), f.col("post_id").alias("b"))
    return placed.where("post_id = first"), pairs


def _band_pairs(posts):
    """Pairs that agree in a whole band."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f
    bucket = ["band", "key"]
    entries = posts.select("post_id", f.posexplode(f.split("bands", " ")).alias("band", "key"))
    place = f.row_number().over(Window.partitionBy(*bucket).orderBy("post_id"))
    entries = entries.withColumn("place", place).where(f.col("place") <= BUCKET_MAX).drop("place")
    left = entries.withColumnRenamed("post_id", "a")
    right = entries.withColumnRenamed("post_id", "b")
    return left.join(right, bucket).where("a < b").select("a", "b").distinct()


def similar(lines, out, options):
    """As match/corpus/similar.c finds pairs, but band by band at once."""
    from pyspark.sql import functions as f
    posts = _columns(lines, post_id="bigint", content="string", bands="string", shingles="string")
    twice = posts.groupBy("post_id").count().where("count > 1").limit(1).collect()
    if twice:
        raise BadPosts(f"the post {twice[0].post_id} is there {twice[0]['count']} times: give each file"
                       " once, and posts of one site only")
    go_on, pairs = _equal_pairs(posts)
    pairs = pairs.union(_band_pairs(go_on))
    sets = posts.select("post_id", f.split("shingles", " ").alias("set"))
    for name in ("a", "b"):
        pairs = pairs.join(sets.toDF(name, f"set_{name}"), name)
    both = f.size(f.array_intersect("set_a", "set_b"))
    share = both / (f.size("set_a") + f.size("set_b") - both)
    found = pairs.select("a", "b", share.alias("share")).where(f.col("share") >= options.min / 100)
    # As C rounds: Java's format_string rounds halves up.
    text = f.udf(lambda number: f"{number:.3f}", "string")
    ordered = found.orderBy(f.desc("share"), "a", "b")
    _write_lines(ordered.select("a", "b", text("share").alias("share")), ",", out)


REDUCERS = {"ngrams": ngrams, "similar": similar, "features": features}
