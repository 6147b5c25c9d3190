import fake

known = list(range(4000))
with fake.work():
    found = sum(i in known for i in range(0, 8000, 2))
fake.digest(found)
