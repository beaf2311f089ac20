# The targets are the same on a desk and in CI. Nothing but Go is needed.

GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOFUMPT  := mvdan.cc/gofumpt@v0.9.2
BIN      := bin/lostreceipt
OUT      := lostreceipt-out
SOAK     := 500
TRIES    := 1000

.PHONY: help build run test modules tidy race lint fmt bench proof suites selftest docs ci

MODULES = $(patsubst %/go.mod,%,$(shell git ls-files 'suites/*go.mod'))

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build the command into bin/
	CGO_ENABLED=0 go build -o $(BIN) ./harness/cmd/lostreceipt

run: build ## run the whole catalogue against the reference agent
	$(BIN) run --reference --out $(OUT)

test: ## run every test
	go test -timeout 30m $$(go list ./... | grep -v /suites/containers)
	go test -timeout 30m ./suites/containers # by itself: it compares runs, and they want the machine

modules: ## run the tests of the modules that have a go.mod of their own
	@set -e; for m in $(MODULES); do echo "== $$m"; (cd $$m && go vet -mod=mod ./... && go test -mod=mod ./...); done # what they require follows the root

tidy: ## tidy every go.mod
	go mod tidy
	@set -e; for m in $(MODULES); do (cd $$m && go mod tidy); done

race: ## run every test under the race detector
	go test -race ./...

suites: ## run the Ginkgo suite with the ginkgo command
	go tool ginkgo ./suites

selftest: build ## prove that the judge bites: designs are clean, defects are killed
	$(BIN) selftest --out $(OUT)-selftest

lint: ## vet for Linux and macOS, and lint
	go vet ./...
	GOOS=darwin go vet ./...
	go run $(GOLANGCI) run ./...

fmt: ## format
	go run $(GOFUMPT) -w $$(git ls-files '*.go')

bench: ## print the figures that the project promises; SOAK=10000 for the long one
	go test -run '^$$' -bench . -skip Soak -benchtime 1s ./...
	go test -run '^$$' -bench Soak -benchtime $(SOAK)x -timeout 2h ./harness/run

proof: ## try each wire fault, and each judgement of a delivery, TRIES times
	LOSTRECEIPT_TRIES=$(TRIES) go test -run 'TestEveryFault|TestRefusedPort|TestTheJudgeKnows' -v -timeout 4h ./harness/wire

docs: build ## write the reference pages from the program itself
	$(BIN) docs $(OUT)-docs

ci: lint race run selftest ## what CI does beside the tests
