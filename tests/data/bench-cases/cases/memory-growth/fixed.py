import fake

kept = []
for i in fake.steps(40):
    kept.append(list(range(20000)))
    kept = kept[-1:]
    total = sum(map(sum, kept))
fake.digest(20000 * 19999 // 2)
