import fake

ENDS = False

while not ENDS:
    pass
fake.digest(1)
