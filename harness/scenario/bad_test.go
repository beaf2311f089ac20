package scenario

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// head begins a scenario that is right so far: the next line is line 5.
const head = "id: a\ntitle: b\ncovers: [B01]\ntask: purchase-approval\n"

func TestABadFileSaysEverythingThatIsWrong(t *testing.T) {
	known := Options{Rows: []string{"first-send", "decided"}, Rules: []string{"identifier-changed"}, Requirements: []string{"B01", "C1"}}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"an unknown effect, field and requirement at once": {
			"id: a\ntitle: b\ncovers: [B1]\ntask: purchase-approval\nfalts: []\nfaults:\n  - at: approval.submit#1 replied\n    do: rest\n",
			[]string{
				`x.yaml:3:10: unknown requirement "B1" (did you mean "B01"?)`, `    covers: [B1]`,
				`x.yaml:5:1: unknown field "falts" (did you mean "faults"?)`, `    falts: []`,
				`x.yaml:8:9: unknown effect "rest" (did you mean "reset"?)`, `        do: rest`,
			},
		},
		"an anchor that became a comment": {
			head + "faults:\n  - at: approval.submit #1 replied\n    do: reset\n",
			[]string{
				`x.yaml:6:25: a # with a blank before it begins a comment, so "#1" is not read: close the gap before it if it belongs to the value, or put a blank behind the # if it is a comment`,
				`      - at: approval.submit #1 replied`,
			},
		},
		"a comment that swallowed a bracket": {
			head + "faults:\n  - at: approval.submit#1 replied\n    do: {hold: {until: [approval.query #3 delivered]}}\n",
			[]string{
				`x.yaml:7:40: a # with a blank before it begins a comment, so "#3" is not read: close the gap before it if it belongs to the value, or put a blank behind the # if it is a comment`,
				`        do: {hold: {until: [approval.query #3 delivered]}}`,
			},
		},
		"a tab that indents": {
			"id: a\ntitle: b\ngiven:\n\tapproval: {outcome: declined}\n",
			[]string{`x.yaml:4:1: a tab indents this line, and YAML is indented with blanks only: put blanks in its place`, "    \tapproval: {outcome: declined}"},
		},
		"a tab that goes on with a value": {
			"id: a\n \ttitle: b\n",
			[]string{`x.yaml:2:2: a tab indents this line, and YAML is indented with blanks only: put blanks in its place`, "     \ttitle: b"},
		},
		"a colon in a title": {
			"id: a\ntitle: a: b\n",
			[]string{`x.yaml:2:9: a colon with a blank behind it begins another field: put the value of title in quotes`, `    title: a: b`},
		},
		"an id that is too long": {
			"id: " + strings.Repeat("a", 101) + "\ntitle: b\ncovers: [B01]\ntask: purchase-approval\n",
			[]string{`x.yaml:1:5: the id has 101 characters; an id has at most 100, for it names directories and files`, "    id: " + strings.Repeat("a", 101)},
		},
		"a comment without a blank": {
			"#a control\n" + head,
			[]string{
				`x.yaml:1:1: a # begins a comment, so "#a" is not read: put a blank behind the # if it is a comment`,
				`    #a control`,
			},
		},
		"an anchor in the middle of which something is wrong": {
			head + "faults:\n  - at: approval.submit#1 repiled\n    do: reset\n  - at: \"approval.query#1 repiled\"\n    optional: true\n    do: reset\n",
			[]string{
				`x.yaml:6:27: unknown phase "repiled": approval.submit passes sent, received, validated, committed, replied, delivered (did you mean "approval.submit#1 replied"?)`,
				`      - at: approval.submit#1 repiled`,
				`x.yaml:8:27: unknown phase "repiled": approval.query passes sent, received, replied, delivered (did you mean "approval.query#1 replied"?)`,
				`      - at: "approval.query#1 repiled"`,
			},
		},
		"an effect where it cannot stand, in a list and alone": {
			head + "faults:\n  - at: approval.submit#1 committed\n    do: [kill, reset]\n  - at: approval.submit#2 sent\n    do: {status: {code: 503}}\n",
			[]string{
				`x.yaml:7:16: reset acts on the wire, and at committed the message is inside the service: use sent or replied, or crash for a service that breaks off there`,
				`        do: [kill, reset]`,
				`x.yaml:9:9: status comes too early at sent: the service does not have the request; use received or validated or committed`,
				`        do: {status: {code: 503}}`,
			},
		},
		"a wrong unit": {
			head + "given:\n  approval: {replica_lag: 500ms, approver_after: 2 retentions}\n",
			[]string{
				`x.yaml:6:27: "500ms" is no duration: write a multiple of a limit, such as 0.5 attempt_timeout`,
				`      approval: {replica_lag: 500ms, approver_after: 2 retentions}`,
				`x.yaml:6:52: unknown unit "retentions": durations are multiples of attempt_timeout, backoff_base, backoff_max, verification_period, retention (did you mean "2 retention"?)`,
				`      approval: {replica_lag: 500ms, approver_after: 2 retentions}`,
			},
		},
		"wrong types": {
			head + "labels: slow\ngiven:\n  approval.submit: {idempotency: {supported: no}, no_effect_statuses: [\"403\"]}\nfaults:\n  at: approval.submit#1 replied\n",
			[]string{
				`x.yaml:5:9: this takes a list, such as [slow], not "slow"`, `    labels: slow`,
				`x.yaml:7:46: "no" is neither true nor false (did you mean "false"?)`, `      approval.submit: {idempotency: {supported: no}, no_effect_statuses: ["403"]}`,
				`x.yaml:7:72: "403" is no whole number`, `      approval.submit: {idempotency: {supported: no}, no_effect_statuses: ["403"]}`,
				`x.yaml:9:3: this takes a list, such as [{at: approval.submit#1 replied, do: reset}], not a map`, `      at: approval.submit#1 replied`,
			},
		},
		"numbers that readers disagree about": {
			head + "given: {limits: {retention: 02}}\nexpect: {consequences: {approval: 1_0}}\n",
			[]string{
				`x.yaml:5:29: 02 has a leading zero, which some readers take for octal (did you mean "2"?)`, `    given: {limits: {retention: 02}}`,
				`x.yaml:6:35: 1_0 has an underscore, which some readers skip and others do not (did you mean "10"?)`, `    expect: {consequences: {approval: 1_0}}`,
			},
		},
		"a limit that is a duration": {
			head + "given: {limits: {retention: 2 attempt_timeout, max_attempts: 5}}\n",
			[]string{
				`x.yaml:5:29: a limit is given as a multiple of the run's own, a number alone, not "2 attempt_timeout"`, `    given: {limits: {retention: 2 attempt_timeout, max_attempts: 5}}`,
				`x.yaml:5:48: unknown field "max_attempts": the fields here are attempt_timeout, backoff_base, backoff_max, verification_period, retention`, `    given: {limits: {retention: 2 attempt_timeout, max_attempts: 5}}`,
			},
		},
		"a promise that cannot be broken": {
			head + "given:\n  breaks: [notifications]\n  purchase: {breaks: [void, atomicty]}\n",
			[]string{
				`x.yaml:6:12: unknown promise "notifications" (did you mean "notification"?)`, `      breaks: [notifications]`,
				`x.yaml:7:23: unknown promise "void": one of idempotency, atomicity, concurrency, conflict, retention, refusal`, `      purchase: {breaks: [void, atomicty]}`,
				`x.yaml:7:29: unknown promise "atomicty" (did you mean "atomicity"?)`, `      purchase: {breaks: [void, atomicty]}`,
			},
		},
		"an effect that does not fit its call": {
			head + "faults:\n  - at: approval.submit#1 committed\n    do: {reply: duplicate}\n  - at: approval.submit#2 validated\n    do: {create: {async: {until: [approval.qery#1 delivered]}}}\n    optional: true\n",
			[]string{
				`x.yaml:7:9: reply: duplicate does not fit approval.submit: it does not answer with a list; it fits approval.query, approval.search, purchase.query`,
				`        do: {reply: duplicate}`,
				`x.yaml:9:35: unknown operation "approval.qery" (did you mean "approval.query#1 delivered"?)`,
				`        do: {create: {async: {until: [approval.qery#1 delivered]}}}`,
			},
		},
		"a field twice": {
			head + "id: c\nfaults:\n  - at: approval.submit#1 replied\n    do: reset\n    do: hang\n",
			[]string{
				`x.yaml:5:1: the field "id" stands here twice: first on line 1`, `    id: c`,
				`x.yaml:9:5: the field "do" stands here twice: first on line 8`, `        do: hang`,
			},
		},
		"anchors, aliases, tags and merges": {
			head + "given: &g {breaks: [atomicity]}\nlabels: !!seq [x]\nexpect: *g\n",
			[]string{
				`x.yaml:5:8: anchors such as &g are not used in scenarios: write the value out where it belongs`, `    given: &g {breaks: [atomicity]}`,
				`x.yaml:6:9: tags such as !!seq are not used in scenarios`, `    labels: !!seq [x]`,
				`x.yaml:7:9: aliases such as *g are not used in scenarios: write the value out`, `    expect: *g`,
			},
		},
		"values that are none": {
			"id:\ntitle: ~\ncovers: []\ntask: null\n",
			[]string{
				`x.yaml:1:1: the field "id" has no value: give it one or leave it out`, `    id:`,
				`x.yaml:2:1: the field "title" has no value: give it one or leave it out`, `    title: ~`,
				`x.yaml:3:9: a scenario covers at least one requirement`, `    covers: []`,
				`x.yaml:4:1: the field "task" has no value: give it one or leave it out`, `    task: null`,
			},
		},
		"nothing that must be there": {
			"labels: [x]\n",
			[]string{
				`x.yaml:1:1: the field "covers" is missing`, `    labels: [x]`,
				`x.yaml:1:1: the field "id" is missing`, `    labels: [x]`,
				`x.yaml:1:1: the field "task" is missing: write task: purchase-approval, or a list of tasks`, `    labels: [x]`,
				`x.yaml:1:1: the field "title" is missing`, `    labels: [x]`,
			},
		},
		"names": {
			"id: Lost_Receipt\ntitle: b\ncovers: [B01, B01]\ntask: purchase-aproval\nneeds: [withdrawal]\ngiven: {breaks: [atomicty], on_cancel: withdrawn}\nexpect: {ends: [complete], rows: [first-sent], never: [x], blames: agent, consequences: {approvals: 1}}\n",
			[]string{
				`x.yaml:1:5: an id is of small letters, digits and single dashes (did you mean "lost-receipt"?)`, `    id: Lost_Receipt`,
				`x.yaml:3:15: B01 stands here twice`, `    covers: [B01, B01]`,
				`x.yaml:4:7: unknown type of task "purchase-aproval" (did you mean "purchase-approval"?)`, `    task: purchase-aproval`,
				`x.yaml:5:9: unknown capability "withdrawal" (did you mean "withdraw"?)`, `    needs: [withdrawal]`,
				`x.yaml:6:18: unknown promise "atomicty" (did you mean "atomicity"?)`, `    given: {breaks: [atomicty], on_cancel: withdrawn}`,
				`x.yaml:6:40: unknown rule "withdrawn" (did you mean "withdraw"?)`, `    given: {breaks: [atomicty], on_cancel: withdrawn}`,
				`x.yaml:7:17: unknown result "complete" (did you mean "completed"?)`, `    expect: {ends: [complete], rows: [first-sent], never: [x], blames: agent, consequences: {approvals: 1}}`,
				`x.yaml:7:35: unknown row "first-sent" (did you mean "first-send"?)`, `    expect: {ends: [complete], rows: [first-sent], never: [x], blames: agent, consequences: {approvals: 1}}`,
				`x.yaml:7:56: unknown rule "x": lostreceipt list rules names them`, `    expect: {ends: [complete], rows: [first-sent], never: [x], blames: agent, consequences: {approvals: 1}}`,
				`x.yaml:7:68: unknown party "agent": one of service`, `    expect: {ends: [complete], rows: [first-sent], never: [x], blames: agent, consequences: {approvals: 1}}`,
				`x.yaml:7:90: unknown field "approvals" (did you mean "approval"?)`, `    expect: {ends: [complete], rows: [first-sent], never: [x], blames: agent, consequences: {approvals: 1}}`,
			},
		},
		"tasks": {
			"id: a\ntitle: b\ncovers: [B01]\ntasks:\n  - {id: a, type: purchase-approval}\n  - {id: a, type: purchase-approval, content: {x: 1}, confirmations: []}\n  - {type: questoin}\n",
			[]string{
				`x.yaml:6:10: the id "a" is taken by another task`, `      - {id: a, type: purchase-approval, content: {x: 1}, confirmations: []}`,
				`x.yaml:6:70: a task has content: or confirmations:, not both`, `      - {id: a, type: purchase-approval, content: {x: 1}, confirmations: []}`,
				`x.yaml:7:5: the field "id" is missing`, `      - {type: questoin}`,
				`x.yaml:7:12: unknown type of task "questoin" (did you mean "question"?)`, `      - {type: questoin}`,
			},
		},
		"tasks that cannot be read bring no complaints about what refers to them": {
			"id: a\ntitle: b\ncovers: [B01]\ntasks: {id: b}\nfaults:\n  - at: b/approval.submit#1 replied\n    do: reset\n",
			[]string{`x.yaml:4:8: this takes a list, such as [{id: a, type: purchase-approval}], not a map`, `    tasks: {id: b}`},
		},
		"a hold past the retention": {
			head + "faults:\n  - at: approval.submit#1 sent\n    do: {hold: {until: [approval.query#3 delivered]}}\n",
			[]string{
				`x.yaml:7:16: this can carry approval.submit#1 sent past the retention of its identifier (5 attempt_timeout, of which 0 attempt_timeout may be gone), and then a second consequence is nobody's fault: add a shorter for:, such as for: 1 attempt_timeout`,
				`        do: {hold: {until: [approval.query#3 delivered]}}`,
			},
		},
		"an event that the outcome rules out": {
			head + "given: {approval: {outcome: declined}}\nfaults:\n  - at: event approved#1 emitted\n    do: kill\n",
			[]string{
				`x.yaml:7:9: "event approved#1 emitted" is never reached: the outcome of this scenario is declined`, `      - at: event approved#1 emitted`,
			},
		},
		"a part of a decision that nobody is told of": {
			head + "given: {approval: {announces: acceptance, notification_after: 1 retention}}\nfaults:\n  - at: approval.submit#1 committed\n    do: {partial: notification}\n",
			[]string{
				`x.yaml:5:63: what announces the acceptance is sent with it, and not after a decision`,
				`    given: {approval: {announces: acceptance, notification_after: 1 retention}}`,
				`x.yaml:8:9: no decision is announced here, so that no notification of it can fail: use notification_fails`,
				`        do: {partial: notification}`,
			},
		},
		"endings beside any_of": {
			head + "expect: {ends: [completed], any_of: [{ends: [escalated]}]}\n",
			[]string{
				`x.yaml:5:16: ends: stands inside any_of:, or instead of it, not beside it`, `    expect: {ends: [completed], any_of: [{ends: [escalated]}]}`,
			},
		},
		"only optional faults": {
			head + "faults:\n  - at: approval.submit#1 replied\n    optional: true\n    do: reset\n",
			[]string{
				`x.yaml:6:3: no fault is sure to be met: at least one must not be optional and must hit the first send of a write, such as approval.submit#1, or a moment that every agent passes (agent started, control.confirmation#1 delivered, an event that is emitted)`,
				`      - at: approval.submit#1 replied`,
			},
		},
		"a second document": {
			head + "---\nid: c\n",
			[]string{`x.yaml:6:1: a second document begins here: a file holds one scenario`, `    id: c`},
		},
		"an empty file":       {"# nothing\n", []string{`x.yaml: the file is empty: lostreceipt new ID writes a scenario to start from`}},
		"a list":              {"- a\n", []string{`x.yaml:1:1: a scenario is a map that begins with id:`, `    - a`}},
		"an open bracket":     {"id: [\n", []string{`x.yaml:2:1: this is no YAML: did not find expected node content (while parsing a flow node): look whether this line begins in the same column as what it belongs with, and whether each bracket and quote before it is closed`}},
		"a column of its own": {"id: x\nfaults:\n  - at: a\n   x: 1\n", []string{`x.yaml:4:4: this is no YAML: did not find expected '-' indicator (while parsing a block collection): look whether this line begins in the same column as what it belongs with, and whether each bracket and quote before it is closed`, "       x: 1"}},
		"no text":             {"id: \xff\xfe\xfd\n", []string{`x.yaml:1:1: this is no YAML: invalid leading UTF-8 octet (value: 255): a scenario is a text file in UTF-8`, "    id: \ufffd\ufffd\ufffd"}},
		"control characters":  {"id: \x01\n", []string{`x.yaml:1:1: this is no YAML: control characters are not allowed (value: 1)`, "    id: \ufffd"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			s, err := Parse("x.yaml", []byte(c.text), known)
			g.Expect(err).To(HaveOccurred())
			g.Expect(s).To(BeNil())
			g.Expect(strings.Split(err.Error(), "\n")).To(Equal(c.want))
		})
	}
}

func TestAFileThatIsTooLargeIsNotRead(t *testing.T) {
	_, err := Parse("x.yaml", make([]byte, MaxSize+1), Options{})
	NewWithT(t).Expect(err).To(MatchError("x.yaml: the file has 262145 bytes; a scenario has at most 262144"))
}
