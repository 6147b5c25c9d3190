import fake

with fake.work():
    pass
fake.digest(1)
