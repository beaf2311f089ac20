package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var replayAfterExpiry = Rule{
	ID: "replay-after-expiry", Family: Basis, Party: Agent,
	Sentence: "A request was replayed after its deduplication record can have expired.",
	Correct:  "Counts the retention from its own first byte, through restarts, and trusts the identifier no longer.",
	Covers:   []string{"B12", "C4"},
	unlawful: func(p *replay, a *act) *Finding {
		if !a.resends() || !a.intent.promise.Idempotency.Supported || !a.surelyNot(contract.Protected) {
			return nil
		}
		first, keeps := a.intent.sends[0], a.intent.promise.Idempotency.Retention()
		f := p.about(a, "replayed %s after its first send; the service keeps identifiers for %s", millis(a.at-first.first()), millis(keeps))
		f.Records = append([]int{first.sent.N}, f.Records...)
		return p.timed(f, a.at-first.first()-keeps, first.first(), a.at)
	},
}
