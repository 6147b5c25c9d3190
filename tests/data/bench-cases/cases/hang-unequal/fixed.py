import fake

fake.digest(2)
