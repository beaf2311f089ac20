package scenario

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// checker is the schema as another program reads it.
func checker(t testing.TB, o Options) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(NewSchema(o))
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scenario.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scenario.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// check holds a text against the schema.
func check(t testing.TB, s *jsonschema.Schema, text string) error {
	t.Helper()
	var value any
	if err := yaml.Load([]byte(text), &value); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	written, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(document)
}

func TestEveryScenarioOfTheCatalogueFitsTheSchema(t *testing.T) {
	g := NewWithT(t)
	s := checker(t, Options{})
	files, err := filepath.Glob("../../scenarios/*/*.yaml")
	g.Expect(err).NotTo(HaveOccurred())
	own, err := filepath.Glob("testdata/*/*.yaml")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(len(files)).To(BeNumerically(">", 40))
	for _, file := range append(files, own...) {
		text, err := os.ReadFile(file)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(check(t, s, string(text))).To(Succeed(), file)
	}
}

func TestTheSchemaRefusesWhatTheReaderRefuses(t *testing.T) {
	o := Options{Rows: []string{"first-send"}, Rules: []string{"identifier-changed"}, Requirements: []string{"B01"}}
	s := checker(t, o)
	NewWithT(t).Expect(check(t, s, head)).To(Succeed())
	const broken = "faults: [{at: approval.submit#1 replied, do: reset}]\n"
	NewWithT(t).Expect(check(t, s, head+broken)).To(Succeed())
	for name, text := range map[string]string{
		"an unknown field":                         head + "falts: []\n",
		"no id":                                    strings.Replace(head, "id: a\n", "", 1),
		"no title":                                 strings.Replace(head, "title: b\n", "", 1),
		"an empty title":                           strings.Replace(head, "title: b\n", "title: ''\n", 1),
		"no task":                                  strings.Replace(head, "task: purchase-approval\n", "", 1),
		"two kinds of task":                        head + "tasks: [{id: a, type: purchase-approval}]\n",
		"an id with capitals":                      strings.Replace(head, "id: a", "id: Lost_Receipt", 1),
		"an unknown requirement":                   strings.Replace(head, "[B01]", "[B1]", 1),
		"a requirement twice":                      strings.Replace(head, "[B01]", "[B01, B01]", 1),
		"no requirement":                           strings.Replace(head, "[B01]", "[]", 1),
		"an unknown type of task":                  strings.Replace(head, "purchase-approval", "purchase-aproval", 1),
		"a task without a type":                    strings.Replace(head, "task: purchase-approval", "task: {tenant: a}", 1),
		"one of tasks without an id":               strings.Replace(head, "task: purchase-approval", "tasks: [{type: purchase-approval}]", 1),
		"an unknown capability":                    head + "needs: [withdrawal]\n",
		"labels that are no list":                  head + "labels: slow\n",
		"a wrong unit":                             head + "given: {approval: {replica_lag: 500ms}}\n",
		"an unknown limit":                         head + "given: {approval: {replica_lag: 2 retentions}}\n",
		"a limit that is a duration":               head + "given: {limits: {retention: 2 attempt_timeout}}\n",
		"a limit of nothing":                       head + "given: {limits: {retention: 0}}\n",
		"an unknown promise":                       head + "given: {breaks: [atomicty]}\n",
		"a word for true":                          head + "given: {approval.submit: {idempotency: {supported: \"yes\"}}}\n",
		"a status in quotes":                       head + "given: {approval.submit: {no_effect_statuses: [\"403\"]}}\n",
		"an unknown operation":                     head + "given: {approval.summit: {void: true}}\n",
		"an outcome that is none":                  head + "given: {approval: {outcome: maybe}}\n",
		"an unknown effect":                        head + strings.Replace(broken, "reset", "rest", 1),
		"two effects in one map":                   head + strings.Replace(broken, "reset", "{kill: {down_for: 1 retention}, hold: {for: 1 attempt_timeout}}", 1),
		"an effect with arguments that takes none": head + strings.Replace(broken, "reset", "{reset: {hard: true}}", 1),
		"an effect without the arguments it needs": head + strings.Replace(broken, "reset", "truncate", 1),
		"an argument of another kind":              head + strings.Replace(broken, "reset", "{truncate: much}", 1),
		"an unknown argument":                      head + strings.Replace(broken, "reset", "{hold: {unti: [agent started]}}", 1),
		"an unknown word as argument":              head + strings.Replace(broken, "reset", "{reply: emty}", 1),
		"an effect that is a number":               head + strings.Replace(broken, "reset", "5", 1),
		"no effect":                                head + strings.Replace(broken, "reset", "[]", 1),
		"an anchor without an ordinal":             head + strings.Replace(broken, "#1", "", 1),
		"an anchor without a phase":                head + strings.Replace(broken, " replied", "", 1),
		"an unknown phase":                         head + strings.Replace(broken, "replied", "repiled", 1),
		"a phase that a read does not pass":        head + strings.Replace(broken, "submit#1 replied", "query#1 committed", 1),
		"a fault without a moment":                 head + "faults: [{do: reset}]\n",
		"an unknown connection":                    head + "faults: [{at: agent started, do: kill, connection: old}]\n",
		"endings beside any_of":                    head + "expect: {ends: [completed], any_of: [{ends: [escalated]}]}\n",
		"an unknown result":                        head + "expect: {ends: [complete]}\n",
		"an unknown row":                           head + "expect: {rows: [first-sent]}\n",
		"an unknown rule":                          head + "expect: {never: [x]}\n",
		"an unknown consequence":                   head + "expect: {consequences: {approvals: 1}}\n",
		"fewer than none":                          head + "expect: {consequences: {approval: -1}}\n",
		"another party":                            head + "expect: {blames: agent}\n",
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			_, err := Parse("x.yaml", []byte(text), o)
			g.Expect(err).To(HaveOccurred(), "the reader takes it:\n%s", text)
			g.Expect(check(t, s, text)).NotTo(Succeed(), text)
		})
	}
}

// TestTheSchemaHasTheFieldsAndWordsOfTheReader writes something that is nowhere
// at every place of the schema, and compares what the reader says there is.
func TestTheSchemaHasTheFieldsAndWordsOfTheReader(t *testing.T) {
	g := NewWithT(t)
	places := 0
	var visit func(s *Schema, path string, write func(inner string) string)
	visit = func(s *Schema, path string, write func(inner string) string) {
		switch {
		case s.Ref != "":
			return // durations, anchors and effects have parsers of their own
		case len(s.Properties) > 0:
			var names []string
			for _, f := range s.Properties {
				names = append(names, f.Name)
				visit(f.Schema, path+"."+f.Name, func(inner string) string { return write("{" + f.Name + ": " + inner + "}") })
			}
			g.Expect(said(t, write("{zzzzzzzzz: 1}"), `unknown field "zzzzzzzzz": the fields here are (.*)`)).To(ConsistOf(names), path)
			places++
		case len(s.Enum) > 1:
			g.Expect(said(t, write("zzzzzzzzz"), `unknown [a-z ]+ "zzzzzzzzz": one of (.*)`)).To(ConsistOf(s.Enum), path)
			places++
		case s.Items != nil:
			visit(s.Items, path, func(inner string) string { return write("[" + inner + "]") })
		}
	}
	top := NewSchema(Options{})
	for _, f := range top.Properties {
		write := func(inner string) string { return f.Name + ": " + inner + "\n" }
		switch f.Name {
		case "task":
			visit(f.Schema.AnyOf[1], "task", write)
			continue
		case "needs", "tasks", "given", "faults", "expect":
		default:
			continue
		}
		visit(f.Schema, f.Name, write)
	}
	g.Expect(places).To(BeNumerically(">", 30))
	var names []string
	for _, f := range top.Properties {
		names = append(names, f.Name)
	}
	g.Expect(names).To(Equal(fields()))
}

// said parses a scenario with one more field and returns the words that a
// complaint lists.
func said(t *testing.T, line, pattern string) []string {
	t.Helper()
	text := "id: a\ntitle: b\ncovers: [B01]\n" + line
	if !strings.HasPrefix(line, "task") {
		text += "task: purchase-approval\n"
	}
	_, err := Parse("x.yaml", []byte(text), Options{})
	if err == nil {
		t.Fatalf("nothing is said about\n%s", text)
	}
	m := regexp.MustCompile(pattern).FindStringSubmatch(err.Error())
	if m == nil {
		t.Fatalf("%v does not match %s", err, pattern)
	}
	return strings.Split(m[1], ", ")
}

func TestTheFormOfAnAnchorIsThatOfItsParser(t *testing.T) {
	form := regexp.MustCompile(anchorPattern())
	for _, text := range []string{
		"approval.submit#1 replied", "approval.submit#1..3 sent", "approval.submit#every committed", "b/approval.query#2 delivered",
		"agent started", "agent started#2", "agent claims tracking", "agent claims tracking#2", "agent escalates", "task cancelled",
		"event approved#1 emitted", "event declined#every delivered", "control.confirmation#1 delivered",
		"approval.submit#1 sent and then a-1/approval.query#3 delivered", "desk.escalate#1 committed",
		"", "approval.submit", "approval.submit#1", "approval.submit#0 sent", "approval.submit#01 sent", "approval.submit#1..x sent",
		"approval.submit #1 sent", "approval.submit#1  sent", "approval.query#1 validated", "approval.summit#1 sent", "agent", "agent claims",
		"agent claims lost", "event approved emitted", "event approved#1", "event approved#1 held", "control.confirmation#1 sent",
		"/approval.submit#1 sent", "b//approval.submit#1 sent", "approval.submit#1 sent and then", "approval.submit#1 sent then agent started",
		"approval.submit#every#1 sent", "task cancelled#1..2", "approval.submit#-1 sent",
	} {
		_, err := fault.ParseAnchor(text)
		NewWithT(t).Expect(form.MatchString(text)).To(Equal(err == nil), "%q: %v", text, err)
	}
}

func TestTheFormOfADurationIsThatOfItsParser(t *testing.T) {
	form := regexp.MustCompile(spanPattern())
	for _, text := range []string{
		"1 attempt_timeout", "0.5 verification_period", "12.25 retention", "2 backoff_max", "10 backoff_base",
		"", "1", "500ms", "retention", "1 retentions", "01 retention", "1_0 retention", "-1 retention", ".5 retention", "1. retention", "1  retention", "1e3 retention",
	} {
		_, err := fault.ParseSpan(text)
		NewWithT(t).Expect(form.MatchString(text)).To(Equal(err == nil), "%q: %v", text, err)
	}
}

// TestTheUsageOfEveryEffectCanBeReadAndIsTrue writes each effect as its usage
// says, for the schema and for the reader.
func TestTheUsageOfEveryEffectCanBeReadAndIsTrue(t *testing.T) {
	samples := strings.NewReplacer(
		"<anchor>, ...", "agent started", "<anchor>", "agent started", "<duration>", "1 attempt_timeout", "<bytes>", "14", "<number>", "503",
		"<text>", "a text", "<name>", "approval", "<tool>", "search_kb", "<tool or action>", "resubmit", "<field>: <value>, ...", "amount: 900.00",
	)
	s := checker(t, Options{})
	for _, k := range fault.Effects() {
		t.Run(k.Name, func(t *testing.T) {
			g := NewWithT(t)
			_, _, err := readUsage(k.Name, k.Usage)
			g.Expect(err).NotTo(HaveOccurred())
			for _, form := range split(k.Usage) {
				written := samples.Replace(strings.TrimPrefix(form, "or "))
				if strings.Contains(written, ": ") {
					written = "{" + written + "}"
				}
				g.Expect(written).NotTo(ContainSubstring("<"), "a placeholder that this test has no sample of")
				text := head + "faults: [{at: approval.submit#1 replied, do: " + written + "}]\n"
				g.Expect(check(t, s, text)).To(Succeed(), text)

				src, problems := parseSource("x.yaml", []byte(text))
				g.Expect(problems).To(BeEmpty())
				faults, _ := src.root.Field("faults")
				do, _ := faults.Value.Items[0].Field("do")
				r := fault.NewReader(do.Value)
				fault.ReadEffects(r)
				g.Expect(slices.Collect(messages(r))).To(BeEmpty(), written)
			}
		})
	}
}

func messages(r *fault.Reader) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, p := range r.Problems() {
			if !yield(p.Error()) {
				return
			}
		}
	}
}

func TestAUsageThatIsNoUsageIsSaidToBeNone(t *testing.T) {
	for usage, want := range map[string]string{
		"hold, or held: 5":     `usage of hold: "held: 5" does not begin with its name`,
		"hold: <time>":         `usage of hold: <time> is nothing that is known`,
		"hold: {until}":        `usage of hold: "until" is no field`,
		"hold: {until: [<x>]}": `usage of hold: <x> is nothing that is known`,
		"hold: two words":      `usage of hold: "two words" is no argument`,
	} {
		_, _, err := readUsage("hold", usage)
		NewWithT(t).Expect(err).To(MatchError(want))
	}
}
