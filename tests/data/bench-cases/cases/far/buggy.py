import fake

with fake.work():
    total = sum(i * i for i in range(400000))
fake.digest(1.0, 2.0)
