package agent

import (
	"context"
	"time"
)

// policies are the judgements of recovery, one field each. A nil field is not
// allowed: start from [reference].
type policies struct {
	// take does one piece of work.
	take func(ctx context.Context, j *job) error

	// door makes the caller of the services.
	door func() caller
	// ledger may put something before the durable store.
	ledger func(l ledger) ledger
	// timeout bounds one attempt; 0 does not.
	timeout func(l limits) time.Duration
	// budget is the number of sends of one write, over all processes.
	budget func(l limits) int
	// wait is how long to wait after the n-th attempt, n from 1; random is in [0, 1).
	wait func(l limits, n int, random float64) time.Duration
	// overtake is how long an attempt that may be another process's is given to end, beside the wait.
	overtake func(l limits) time.Duration
	// asked is the wait that a reply asks for and that is granted.
	asked func(r reply) time.Duration

	// key is the identifier of the next send of an intent.
	key func(in *intent) string
	// body is the content of the next send of an intent.
	body func(in *intent) []byte
	// check tells whether the confirmation is asked for before the next send.
	check func(in *intent) bool

	// protected tells whether the service still recognises the intent's identifier.
	protected func(in *intent, p promise, l limits, now time.Time) bool
	// patience is how many empty queries come between the last send, of this number, and the next.
	patience func(attempt int) int
	// verifying tells whether the verification period of an intent is running.
	verifying func(in *intent, l limits, now time.Time) bool
	// emptyProves tells whether an empty query shows that the intent was not executed.
	emptyProves func(in *intent) bool
	// association finds and recognises the record of an intent.
	association association

	// refuses tells whether a reply refuses the attempt that it answers, without effect.
	refuses func(r reply, p promise) bool
	// settled tells whether a refusal of one attempt says something about the intent.
	settled func(in *intent) bool
	// refusal is the standing that a refusal of the only send leads to.
	refusal func(in *intent) standing
	// clash is the standing that a conflict leads to.
	clash func(in *intent) standing
	// assured tells whether a reply without a record is taken for acceptance.
	assured func(r reply) bool
	// pursue is the next move about an intent that is in doubt.
	pursue func(v *view, in *intent) move
	// exhausted is the move when nothing safe is left to try.
	exhausted func(v *view, in *intent, reason string) move
	// follow is the next move about a submission that exists and is not to be bought on.
	follow func(v *view, b *bid) move
	// repair is what a part that failed of a submission needs; false: nothing.
	repair func(v *view, b *bid) (move, bool)
	// missing tells whether a record's notification is known to be missing.
	missing func(r *record) bool
	// recoverable tells whether a promise lets the outcome of a send be recovered.
	recoverable func(p promise) bool
	// mayDepend tells whether the purchase may begin.
	mayDepend func(b *bid) bool

	// cancelled, revised and stopped tell whether that is heeded.
	cancelled, revised, stopped func(is bool) bool
	// denied tells whether the known lack of an action's authorization is heeded.
	denied func(action string, is bool) bool
	// cancel is what a cancelled task does about a submission; false goes on as if it were not.
	cancel func(v *view, b *bid) (move, bool)
	// revise is what a revised confirmation does about the older submission; false goes on.
	revise func(v *view, b *bid) (move, bool)

	// brief may alter what an escalation says.
	brief func(b *brief)
	// addresses are the identifiers under which one escalation is sent.
	addresses func(key string) []string
	// handedOver is the next move after an escalation was recorded.
	handedOver func(v *view, b *bid, h *handover) move
	// linger is how long to listen after an escalation.
	linger func(l limits) time.Duration
	// listen is how long one question to the inbox waits for an answer.
	listen func() time.Duration
	// claims tells whether a state is claimed.
	claims func(state string) bool
	// outcome is what is posted of a task's result.
	outcome func(r result) []result

	// loop are the judgements of the loop about a question.
	loop *habits
}

// never is a patience that no number of queries ends.
const never = 1 << 30

func reference() *policies {
	same := func(is bool) bool { return is }
	return &policies{
		take:    func(ctx context.Context, j *job) error { return j.do(ctx) },
		door:    func() caller { return newDoor() },
		ledger:  func(l ledger) ledger { return l },
		timeout: limits.attemptTimeout,
		budget:  func(l limits) int { return l.MaxAttempts },
		wait: func(l limits, n int, random float64) time.Duration {
			step := float64(l.step(n))
			return time.Duration(step * (1 - (1-l.BackoffJitter)*random))
		},
		overtake: limits.attemptTimeout,
		asked:    func(r reply) time.Duration { return r.asked },

		key:   func(in *intent) string { return in.Key },
		body:  func(in *intent) []byte { return in.Body },
		check: func(*intent) bool { return true },

		protected:   protected,
		patience:    func(attempt int) int { return min(attempt-1, 1) },
		verifying:   func(in *intent, l limits, now time.Time) bool { return now.Before(periodEnd(in, l)) },
		emptyProves: func(*intent) bool { return false },
		association: association{ask: ask, belongs: belongs, newer: newer},

		refuses:     refuses,
		settled:     func(in *intent) bool { return in.Open <= 0 },
		refusal:     func(*intent) standing { return refused },
		clash:       func(*intent) standing { return conflict },
		assured:     func(reply) bool { return false },
		pursue:      (*view).pursue,
		exhausted:   (*view).handOver,
		follow:      (*view).follow,
		repair:      (*view).notify,
		missing:     (*record).notificationFailed,
		recoverable: func(p promise) bool { return p.Idempotency.Supported || p.Query.ByKey },
		mayDepend:   func(b *bid) bool { return b.status() == "approved" },

		cancelled: same, revised: same, stopped: same,
		denied: func(_ string, is bool) bool { return is },
		cancel: (*view).cancel,
		revise: (*view).revise,

		brief:      func(*brief) {},
		addresses:  func(key string) []string { return []string{key} },
		handedOver: (*view).afterHandover,
		linger:     func(l limits) time.Duration { return l.attemptTimeout() + l.backoffMax() },
		listen:     func() time.Duration { return pollWait },
		claims:     func(string) bool { return true },
		outcome:    func(r result) []result { return []result{r} },

		loop: goodHabits(),
	}
}

// protected is the cautious reading of a promise: the service kept the
// identifier for the retention from some instant after the first byte left, and
// a replay needs up to an attempt's time to arrive.
func protected(in *intent, p promise, l limits, now time.Time) bool {
	if !p.Idempotency.Supported {
		return false
	}
	return now.Before(in.FirstSent.Add(p.retention() - l.attemptTimeout()))
}

// periodEnd is when the verification of an intent ends, a little late so that a
// clock that began before the first byte left never ends it early.
func periodEnd(in *intent, l limits) time.Time {
	began := in.FirstSent
	if began.IsZero() {
		began = in.Began
	}
	return began.Add(l.period() + l.attemptTimeout()/4)
}
