import fake

known = set(range(4000))
with fake.work():
    found = sum(i in known for i in range(2, 8000, 2))
fake.digest(found)
