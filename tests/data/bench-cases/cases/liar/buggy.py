import sys

for line in ("work_seconds -1", "work_seconds nan", "work_seconds 1e999", "work_seconds 0x1", "work_seconds",
             "digest " + "x" * 100, "values", "step_seconds " + "9 " * 300000, "", "\0"):
    print("ppcase", line)
sys.stdout.flush()
sys.stdout.buffer.write(b"ppcase work_seconds \xff\nppcase work_seconds 1")
