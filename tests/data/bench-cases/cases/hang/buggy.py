import fake
import threading

lock = threading.Lock()
with lock:
    lock.acquire()
fake.digest(1)
