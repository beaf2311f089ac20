package run

import (
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// JudgedBy is s with another judge.
func JudgedBy(s Shared, f func(*contract.Table, []history.Record) (*judge.Verdict, error)) Shared {
	s.judge = f
	return s
}

// Live is how many workers of a pool run.
func Live(p *Workers) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all)
}
