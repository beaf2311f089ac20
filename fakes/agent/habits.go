package agent

import "context"

// habits are the judgements of the loop about a question, one field each, as
// [policies] are those of recovery. A design or a defect replaces fields.
type habits struct {
	// notebook may put something before the durable talk.
	notebook func(n notebook) notebook
	// streams tells whether the model is asked to answer in events.
	streams bool
	// returns tells whether each turn begins with the first model again, although it failed in an earlier one.
	returns bool
	// told is the conversation as the model gets it.
	told func(t *talk) []message
	// layer carries out one call, and attempt makes the attempts of one.
	layer   func(ctx context.Context, l *loop, c toolCall) ([]byte, *failure, error)
	attempt func(ctx context.Context, l *loop, c toolCall) (reply, *failure, error)
	// key is the identifier of a call whose every repetition would have a consequence of its own; "" is none.
	key func(l *loop, c toolCall) string
	// tries is the number of attempts of one call.
	tries func(l limits) int
	// misfit tells how arguments fail a tool's schema.
	misfit func(d *declaration, arguments string) error
	// diagnose classifies the end of an attempt.
	diagnose func(r reply, read func(reply) error) diagnosis
	// meanwhile is done after an attempt that will be made again.
	meanwhile func(t *talk, f failure)
	// barred tells why a call is not made although it could be.
	barred func(l *loop, c toolCall) *failure
	// walks are the tools that the loop itself tries in place of one, in order, before the model learns that it failed.
	walks func(q question, tool string) []string
	// lasting tells whether a failed call is not made again when the model asks for it once more.
	lasting func(f failure) bool
	// raise is an error that ends the process instead of a failure as data.
	raise func(f failure) error
	// payload is what the model reads of a failure.
	payload func(f failure, l limits) string
	// enter puts the outcome of a call into the conversation.
	enter func(t *talk, c toolCall, content string)
	// threshold is the number of failed results of one call that open the breaker.
	threshold func(l limits) int
	// steps is the number of turns that the model has.
	steps func(l limits) int
	// parting is done before the answer is given.
	parting func(ctx context.Context, l *loop) error
	// models are those that are asked, in order.
	models func(q question) []string
	// sources are the tools that the answer names.
	sources func(t *talk) []string
	// disclosures are what the answer admits.
	disclosures func(t *talk) []string
	// hands hands the question to a person.
	hands func(l *loop, reason string) error
	// matter may alter what an escalation says.
	matter func(m *matter)
}

func goodHabits() *habits {
	return &habits{
		notebook:    func(n notebook) notebook { return n },
		told:        func(t *talk) []message { return t.Messages },
		layer:       func(ctx context.Context, l *loop, c toolCall) ([]byte, *failure, error) { return l.layer(ctx, c) },
		attempt:     func(ctx context.Context, l *loop, c toolCall) (reply, *failure, error) { return l.attempt(ctx, c) },
		key:         (*loop).key,
		tries:       func(l limits) int { return l.MaxAttempts },
		misfit:      misfit,
		diagnose:    diagnose,
		meanwhile:   func(*talk, failure) {},
		barred:      (*loop).barred,
		walks:       func(question, string) []string { return nil },
		lasting:     func(f failure) bool { return !f.Retryable },
		raise:       func(failure) error { return nil },
		payload:     func(f failure, _ limits) string { return f.content() },
		enter:       enter,
		threshold:   func(l limits) int { return l.BreakerThreshold },
		steps:       func(l limits) int { return l.MaxSteps },
		parting:     func(context.Context, *loop) error { return nil },
		models:      func(q question) []string { return q.Models },
		sources:     sources,
		disclosures: disclosures,
		hands:       (*loop).handOver,
		matter:      func(*matter) {},
	}
}

// alone walks the whole chain of a tool without asking the model.
func alone(q question, tool string) []string {
	next, _ := q.chain(tool)
	return next
}
