import time

begin = time.monotonic()
total = sum(i * i for i in range(400000))
print("ppcase ready", time.monotonic() - begin)
print("ppcase digest a")
