import fake
import threading

lock = threading.Lock()
with lock:
    pass
fake.digest(1)
