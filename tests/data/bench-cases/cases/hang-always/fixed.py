import fake

fake.digest(1)
