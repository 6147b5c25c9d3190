"""ppmine on Apache Spark: see README.md in the folder above."""
