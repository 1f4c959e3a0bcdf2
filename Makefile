.PHONY: demo test test-lab check bench bench-scale bench-peers

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

bench-scale:
	"$$(scripts/setup test)/python" benchmarks/run.py --part scale

bench-peers:
	"$$(scripts/setup test)/python" benchmarks/run.py --part renderers
