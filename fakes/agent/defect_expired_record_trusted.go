package agent

import "time"

func expiredRecordTrusted() defect {
	return defect{
		Info: Info{
			Name:      "expired-record-trusted",
			Summary:   "After the retention of deduplication records the old identifier is not trusted.",
			Rule:      "replay-after-expiry",
			Scenarios: []string{"expired-record", "expired-record-never-executed"},
			Covers:    []string{"B12", "C4"},
		},
		apply: func(p *policies) {
			p.protected = func(_ *intent, pr promise, _ limits, _ time.Time) bool { return pr.Idempotency.Supported }
		},
	}
}
