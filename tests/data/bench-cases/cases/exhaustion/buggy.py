import fake

held = []
for i in range(1 << 20):
    held.append(b"x" * (1 << 20))
fake.digest(1)
