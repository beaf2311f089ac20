package judge

// rules are all rules. Those that give the ground of an unlawful act are tried
// in this order, and the first that holds is the ground.
var rules = []*Rule{
	// grounds of an unlawful act, the most specific first
	&ownStopIgnored, &closedMatterContinued, &identifierChanged, &submissionAfterCancel, &revisedWhileInDoubt, &revisedBesideOriginal,
	&compensationUnauthorized, &staleAuthorization, &dependentWhileInDoubt, &blindCompensation, &withdrawImpossible, &conflictRetried,
	&permanentRetried, &partialReexecuted, &resubmitAfterAcceptance, &resubmitWithoutBasis, &replayAfterExpiry, &attemptsExceeded,
	&transientNotRetried, &verificationAbandoned, &escalationNeedless, &verificationOverrun, &uncontrolledWrite,
	// what may be wrong with any act
	&identifierMissing, &contentChanged, &scopeIgnored, &identifierReused, &unconfirmedContent, &authorizationUnchecked, &backoffFlat, &retryAfterIgnored,
	&escalationRepeated, &escalationIncomplete, &escalationUntrue,
	// what the agent says
	&wrongAssociation, &similarRecordAdopted, &acceptanceAssumed, &fabricatedSuccess, &fabricatedFailure, &compensationUnverified, &receiptDropped,
	&stateRegressed, &historyRewritten, &previewUnfounded, &unverifiedUnnamed, &claimMissing,
	// the whole
	&attemptUnbounded, &neverSettled, &agentCrashed, &controlFlooded, &escalationMissing, &duplicateConsequence, &missingConsequence,
	&unexpectedEnd,
	// the loop of a question
	&transcriptLost, &toolResultMissing, &errorSilent, &errorUnstructured, &attemptsMisreported, &retryableMisreported, &malformedCallSent,
	&fallbackImprovised, &fallbackOutOfOrder, &fallbackUndisclosed, &identicalCallRepeated, &finishedStepRepeated, &breakerNotOpened, &noJitter,
	// services
	&concurrentDuplicate, &conflictAccepted, &dedupNotAtomic, &promiseBroken,
}
