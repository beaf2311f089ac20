package scenario

import "math"

// givenSchema is what holds before anything happens.
func givenSchema() *Schema {
	fields := each(operations(), promiseSchema)
	above, most := 0.0, 100.0
	fields = append(fields,
		field("limits", object("Factors by which limits differ from the run's.", each(limitNames(), func(string) *Schema {
			return &Schema{Type: "number", Above: &above, Maximum: &most}
		})...)),
		field("on_cancel", oneOf("What becomes of a request that exists when a task is cancelled. Default: "+DefaultOnCancel+".", onCancelRules())),
		field("breaks", words("Promises of the approval service that it does not keep.", Breakable())),
		field("approval", approvalSchema()),
		field("purchase", object("The purchase service.",
			field("breaks", words("Promises that it does not keep.", PurchaseBreakable())),
		)),
		field("assistant", oneOf("A model that advises those who purchase.", []string{"model"})),
		field("knowledge", knowledgeSchema()),
		field("model", modelSchema()),
	)
	return object("What holds before anything happens: what the services promise, the limits, and how the services behave.", fields...)
}

func promiseSchema(operation string) *Schema {
	return object("What "+operation+" promises, where it differs from the default: identifiers kept for the retention of the run, and a way to look up.",
		field("idempotency", object("Whether a repeated identifier is recognised.",
			field("supported", flag("It is. Default: true.")),
			field("scope", words("Within what an identifier is unique. Default: all of these.", []string{"tenant", "action", "object"})),
			field("retention", ref("duration", "How long an identifier is recognised. Default: 1 retention.")),
			field("conflict", oneOf("Other content under the same identifier is refused.", []string{"reject"})),
		)),
		field("query", object("Whether it can be looked up what happened.",
			field("by_ref", flag("An instance can be tracked.")),
			field("by_key", flag("A record can be found by the client's identifier.")),
		)),
		field("void", flag("An identifier can be fenced, so that its request can never be carried out. Only approval.submit.")),
		field("no_effect_statuses", list("Refusals that promise that their attempt had no effect.", whole("", 400, 599))),
		field("withdraw_states", words("The states in which a withdrawal is accepted.", []string{"pending", "approved", "declined"})),
	)
}

func approvalSchema() *Schema {
	return object("The approval service.",
		field("outcome", oneOf("What the approver decides; none: requests stay pending. Default: "+DefaultOutcome+".", []string{"approved", "declined", noOutcome})),
		field("approver_after", ref("duration", "How long after the creation. Default: "+ApproverAfter().String()+".")),
		field("replica_lag", ref("duration", "How old the data is that queries read. Default: they read the primary.")),
		field("queue", flag("A gateway answers submissions with a queue number, which is no acceptance.")),
		field("create_after", ref("duration", "How long after its answer a request is carried out. Default: within the request.")),
		field("refuses", text("A code: every submission is refused for good.")),
		field("announces", oneOf("What people are notified of, once: a decision, or the acceptance, in one step with the creation. Default: decision.", Announced())),
		field("notification_fails", whole("How many notifications fail before one is sent.", 1, math.MaxInt16)),
		field("notification_after", ref("duration", "How long after the decision its notification is sent. Default: in one step with it.")),
		field("plain", flag("No search finds a similar record of another client.")),
		field("breaks", words("Promises that it does not keep.", Breakable())),
	)
}
