# make bench-torch: measures the pairs for the rules of PyTorch, keeps the results in bench/results/pytorch and writes
# check/rules/gains.csv anew, with what they gained; some ten minutes. RESULTS, RUNS and REDO as in full.mk; IDS: only
# these, and nothing is kept. It asks for PyTorch, which no other target needs.
TORCH_PYTHON = /usr/bin/python3

.PHONY: bench-torch deps-torch
deps-torch:
	@$(DEPS) build torch

bench-torch:
	@$(DEPS) build torch
	+@$(MAKE_AGAIN) build/ppmine
	@bench/full/rules pytorch '$(TORCH_PYTHON)' '$(RESULTS)/pytorch' '$(RUNS)' '$(REDO)' $(IDS)

# What check --try says of small programs, against hyperfine: check/evidence/tried.csv. PROJECTS: a folder with
# eriklindernoren+PyTorch-GAN and pytorch+examples; without it, only what is made of the pairs. TENSORFLOW: a Python with
# TensorFlow, such as that of `ppmine bench setup`; without it, only PyTorch.
PROJECTS =
TENSORFLOW =

.PHONY: bench-try
bench-try:
	@$(DEPS) build torch
	+@$(MAKE_AGAIN) build/ppmine
	@bench/torch/try.py --python '$(TORCH_PYTHON)' --runs '$(RUNS)' $(PROJECTS:%=--projects '%') \
		$(TENSORFLOW:%=--tensorflow '%') >build/tried.csv
	@mv build/tried.csv check/evidence/tried.csv
