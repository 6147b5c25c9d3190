import fake

ENDS = False

while True:
    pass
fake.digest(1)
