package agent

// defects are the known-bad variants. Each stands in a file of its own and
// replaces one policy of the design that it spoils.
func defects() []defect {
	return []defect{
		newKeyEachAttempt(),
		blindRetry(),
		contentChanged(),
		recordAfterSend(),
		firstEmptyBelieved(),
		expiredRecordTrusted(),
		cancelForgetsReceipt(),
		givesUpAsFailed(),
		doesNothing(),
		similarRecordAdopted(),
		clientResends(),
		buysInDoubt(),
		submitsAfterCancel(),
		successFabricated(),
		authorizationUnchecked(),
		noWaits(),
		unlimitedAttempts(),
		escalatesAtOnce(),
		verifiesForEver(),
		neverEscalates(),
		escalatesTwice(),
		escalationIncomplete(),
		escalationUntrue(),
		conflictNewKey(),
		conflictRetried(),
		retryAfterIgnored(),
		wrongVersionTaken(),
		noTimeout(),
		exitsAtOnce(),
		refusalRetried(),
		queueNumberTaken(),
		stopIgnored(),
		contentUnconfirmed(),
		revisedBeside(),
		revisedInDoubt(),
		withdrawsInDoubt(),
	}
}
