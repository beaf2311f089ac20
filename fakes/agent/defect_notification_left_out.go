package agent

func notificationLeftOut() defect {
	return defect{
		Info: Info{
			Name:      "notification-left-out",
			Summary:   "When the approval is finished and its notification failed, the notification is recovered.",
			Rule:      "missing-consequence",
			Scenarios: []string{"notification-failed", "acceptance-unannounced"},
			Covers:    []string{"B14", "B26"},
		},
		apply: func(p *policies) {
			p.missing = func(*record) bool { return false }
		},
	}
}
