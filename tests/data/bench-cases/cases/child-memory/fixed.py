import fake
import os

child = os.fork()
held = []
for i in range(10 if child == 0 else 1):
    held.append(b"x" * (1 << 20))
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
fake.digest(1)
