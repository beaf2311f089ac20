package judge

// rules are all rules. Those that give the ground of an unlawful act are tried
// in this order, and the first that holds is the ground.
var rules = []*Rule{
	// grounds of an unlawful act, the most specific first
	&ownStopIgnored, &identifierChanged, &submissionAfterCancel, &revisedWhileInDoubt, &revisedBesideOriginal,
	&staleAuthorization, &dependentWhileInDoubt, &blindCompensation, &withdrawImpossible, &conflictRetried,
	&permanentRetried, &resubmitAfterAcceptance, &resubmitWithoutBasis, &replayAfterExpiry, &attemptsExceeded,
	&verificationAbandoned, &escalationNeedless, &verificationOverrun, &uncontrolledWrite,
	// what may be wrong with any act
	&identifierMissing, &contentChanged, &identifierReused, &unconfirmedContent, &authorizationUnchecked, &backoffFlat, &retryAfterIgnored,
	&escalationRepeated, &escalationIncomplete, &escalationUntrue,
	// what the agent says
	&wrongAssociation, &similarRecordAdopted, &acceptanceAssumed, &fabricatedSuccess, &fabricatedFailure, &receiptDropped,
	&stateRegressed, &historyRewritten,
	// the whole
	&attemptUnbounded, &neverSettled, &agentCrashed, &controlFlooded, &escalationMissing, &duplicateConsequence, &missingConsequence,
	&unexpectedEnd,
	// services
	&dedupNotAtomic, &promiseBroken,
}
