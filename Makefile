# The front door. `make run` and `make test` prepare a fresh Debian 12 by themselves; all else assumes that they did.
.PHONY: help run test build prepare accuracy lint asan tsan fuzz fuzz-long bench format clean install

PRESET ?= release

help:  ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

prepare:  ## install the Debian packages that are missing (as root or through sudo)
	@tools/prepare build

build: prepare  ## compile into build/, binary at build/headrace
	@tools/build release headrace

run: build  ## plan Llama-3-70B on 128 DGX H100
	@build/headrace plan llama3-70b-pretrain

test: prepare  ## every test; REWRITE=1 rewrites the expectations in tests/cases
	@tools/build release
	@tools/run-tests build $(if $(REWRITE),--rewrite)

accuracy: build  ## fill the tables of docs/accuracy.md
	@tools/accuracy build

lint:  ## format, clang-tidy, shell and include-graph checks, warnings as errors
	@tools/prepare lint
	@tools/lint

asan:  ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/prepare lint
	@tools/build asan
	@tools/run-tests build/asan

tsan:  ## the tests that use threads under ThreadSanitizer
	@tools/prepare lint
	@tools/build tsan base_test plan_test judge_test
	@tools/run-tests build/tsan -R '^(base|plan|judge)$$'

fuzz:  ## every reader for a few seconds under ASan and UBSan
	@tools/prepare lint
	@tools/fuzz short

fuzz-long:  ## every reader for ten minutes; writes fuzz/LOG.md
	@tools/prepare lint
	@tools/fuzz long

bench:  ## Google Benchmark and instruction counts
	@tools/prepare bench
	@tools/bench

format:  ## rewrite sources in the house's format
	@git ls-files 'src/*.cc' 'src/*.h' 'tests/*.cc' 'fuzz/*.cc' 'bench/*.cc' | xargs clang-format-19 -i

install: build  ## copy the binary to PREFIX/bin (default /usr/local)
	install -D -m 755 build/headrace $(DESTDIR)$(or $(PREFIX),/usr/local)/bin/headrace

clean:  ## remove what was built
	rm -rf build
