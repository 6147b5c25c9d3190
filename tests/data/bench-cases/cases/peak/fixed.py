import fake

with fake.work():
    total = sum(i for i in range(2000000))
fake.digest(total)
