from tensorflow import data, io

d = data.TFRecordDataset("x").map(lambda r: io.parse_tensor(r, "float32"))  # expect: PP301
