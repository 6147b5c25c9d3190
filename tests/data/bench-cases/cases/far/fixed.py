import fake

with fake.work():
    total = sum(i * i for i in range(20000))
fake.digest(1.001, 2.0)
