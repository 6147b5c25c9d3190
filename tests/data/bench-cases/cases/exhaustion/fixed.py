import fake

held = []
for i in range(10):
    held.append(b"x" * (1 << 20))
fake.digest(1)
