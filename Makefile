.PHONY: demo test test-lab check bench

demo:
	scripts/demo

test:
	scripts/test

test-lab:
	scripts/test -m lab

check:
	scripts/check

bench:
	"$$(scripts/setup test)/python" benchmarks/run.py
