print("ppcase work_seconds 1\nppcase digest a")
