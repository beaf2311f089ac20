package service

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"pgregory.net/rapid"
)

// does is a deed from one instant to another; 0 is no end.
func does(from, to int, v verb, content string, saw sight) deed {
	return deed{client: from, key: "k", verb: v, content: content, call: time.Duration(from), end: time.Duration(to), saw: saw}
}

func submit(from, to int, content string, saw sight) deed {
	return does(from, to, submits, content, saw)
}

func look(from, to int, refs string) deed { return does(from, to, queries, "", made(refs)) }

var (
	none  = sight{}
	other = sight{kind: conflicts}
	shut  = sight{kind: fenced}
	open  = sight{kind: unsettled}
	away  = sight{kind: absent}
	late  = sight{kind: decided}
)

func made(ref string) sight { return sight{kind: records, refs: ref} }

func is(ref, status string) sight { return sight{kind: records, refs: ref, status: status} }

func TestAnOrderThatExplainsWhatClientsSawIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		deeds []deed
		legal bool
	}{
		"nothing":                                     {nil, true},
		"a repetition":                                {[]deed{submit(1, 2, "A", made("a")), submit(3, 4, "A", made("a"))}, true},
		"a repetition that makes another":             {[]deed{submit(1, 2, "A", made("a")), submit(3, 4, "A", made("b"))}, false},
		"two at once that make one":                   {[]deed{submit(1, 4, "A", made("a")), submit(2, 3, "A", made("a"))}, true},
		"two at once that make two":                   {[]deed{submit(1, 4, "A", made("a")), submit(2, 3, "A", made("b"))}, false},
		"other content":                               {[]deed{submit(1, 2, "A", made("a")), submit(3, 4, "B", other)}, true},
		"other content that is taken":                 {[]deed{submit(1, 2, "A", made("a")), submit(3, 4, "B", made("a"))}, false},
		"other content that makes another":            {[]deed{submit(1, 2, "A", made("a")), submit(3, 4, "B", made("b"))}, false},
		"a conflict with itself":                      {[]deed{submit(1, 2, "A", made("a")), submit(3, 4, "A", other)}, false},
		"a conflict with nothing":                     {[]deed{submit(1, 2, "A", other)}, false},
		"a conflict with one at once":                 {[]deed{submit(1, 4, "A", other), submit(2, 3, "B", made("b"))}, true},
		"a conflict with one that is later":           {[]deed{submit(1, 2, "A", other), submit(3, 4, "B", made("b"))}, false},
		"both of two in conflict":                     {[]deed{submit(1, 4, "A", other), submit(2, 3, "B", other)}, false},
		"one given up, that was carried out":          {[]deed{submit(1, 0, "A", none), submit(3, 4, "B", other)}, true},
		"one given up, that was not carried out":      {[]deed{submit(1, 0, "A", none), submit(3, 4, "B", made("b")), look(5, 6, "b")}, true},
		"one given up, that is carried out late":      {[]deed{submit(1, 0, "A", none), look(3, 4, ""), look(5, 6, "a")}, true},
		"one given up, that is there and then not":    {[]deed{submit(1, 0, "A", none), look(3, 4, "a"), look(5, 6, "")}, false},
		"one given up, and a conflict with neither":   {[]deed{submit(1, 0, "A", none), submit(3, 4, "A", other)}, false},
		"a look before and after":                     {[]deed{look(1, 2, ""), submit(3, 4, "A", made("a")), look(5, 6, "a")}, true},
		"a look that is too early":                    {[]deed{look(1, 2, "a"), submit(3, 4, "A", made("a"))}, false},
		"a look that misses":                          {[]deed{submit(1, 2, "A", made("a")), look(3, 4, "")}, false},
		"a look that finds two":                       {[]deed{submit(1, 2, "A", made("a")), look(3, 4, "a,b")}, false},
		"a look that finds two unseen":                {[]deed{submit(1, 0, "A", none), look(3, 4, "a,b")}, false},
		"a look at another":                           {[]deed{submit(1, 2, "A", made("a")), look(3, 4, "b")}, false},
		"an old look":                                 {[]deed{submit(1, 2, "A", made("a")), does(3, 4, queries, "", none)}, true},
		"a fence before":                              {[]deed{does(1, 2, fences, "", shut), submit(3, 4, "A", shut), look(5, 6, ""), does(7, 8, asks, "", shut)}, true},
		"a fence that is passed":                      {[]deed{does(1, 2, fences, "", shut), submit(3, 4, "A", made("a"))}, false},
		"a fence that comes too late":                 {[]deed{submit(1, 2, "A", made("a")), does(3, 4, fences, "", made("a"))}, true},
		"a fence of what is there":                    {[]deed{submit(1, 2, "A", made("a")), does(3, 4, fences, "", shut)}, false},
		"a fence beside a submission, both done":      {[]deed{does(1, 4, fences, "", shut), submit(2, 3, "A", made("a"))}, false},
		"a fence whose answer is lost":                {[]deed{does(1, 0, fences, "", none), submit(3, 4, "A", made("a"))}, true},
		"a fence whose answer is lost, and a refusal": {[]deed{does(1, 0, fences, "", none), submit(3, 4, "A", shut)}, true},
		"a refusal by no fence":                       {[]deed{submit(1, 2, "A", shut)}, false},
		"a state before and after":                    {[]deed{does(1, 2, asks, "", open), submit(3, 4, "A", made("a")), does(5, 6, asks, "", made("a"))}, true},
		"a state that goes back":                      {[]deed{submit(1, 2, "A", made("a")), does(3, 4, asks, "", open)}, false},
		"a withdrawal":                                {[]deed{submit(1, 2, "A", is("a", Pending)), does(3, 4, withdraws, "", is("a", Withdrawn)), look(5, 6, "a"), submit(7, 8, "A", is("a", Withdrawn))}, true},
		"a withdrawal of nothing":                     {[]deed{does(1, 2, withdraws, "", away), submit(3, 4, "A", is("a", Pending))}, true},
		"a withdrawal that finds nothing":             {[]deed{submit(1, 2, "A", made("a")), does(3, 4, withdraws, "", away)}, false},
		"a withdrawal that is undone":                 {[]deed{submit(1, 2, "A", made("a")), does(3, 4, withdraws, "", is("a", Withdrawn)), does(5, 6, queries, "", is("a", Pending))}, false},
		"a withdrawal after a decision":               {[]deed{submit(1, 2, "A", is("a", Pending)), does(3, 4, withdraws, "", late), does(5, 6, queries, "", is("a", Approved))}, true},
		"a withdrawal too late for nothing":           {[]deed{submit(1, 2, "A", is("a", Pending)), does(3, 4, withdraws, "", late), does(5, 6, queries, "", is("a", Pending))}, false},
		"a withdrawal of what is decided":             {[]deed{does(1, 2, queries, "", made("")), submit(3, 4, "A", is("a", Declined)), does(5, 6, withdraws, "", is("a", Withdrawn))}, false},
		"a decision that changes":                     {[]deed{submit(1, 2, "A", is("a", Approved)), does(3, 4, queries, "", is("a", Declined))}, false},
		"an answer that means nothing":                {[]deed{does(1, 2, asks, "", sight{kind: impossible})}, false},
		"one record of two identifiers":               {[]deed{submit(1, 2, "A", made("a")), {client: 2, key: "l", verb: submits, content: "A", call: 3, end: 4, saw: made("a")}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			err := explain(c.deeds)
			if c.legal {
				g.Expect(err).NotTo(HaveOccurred())
				return
			}
			var broken *Broken
			g.Expect(errors.As(err, &broken)).To(BeTrue(), "%v", err)
		})
	}
}

func TestWhatNoOrderExplainsIsTold(t *testing.T) {
	err := explain([]deed{
		submit(3000, 4000, "B", made("b")), submit(1000, 2000, "A", made("a")), submit(2000, 0, "A", none), look(5000, 6000, ""),
		does(7000, 8000, asks, "", open), does(9000, 9500, submits, "A", is("a", Pending)), does(9600, 9700, submits, "A", none),
	})
	NewWithT(t).Expect(err).To(MatchError(`: no order of the requests under k explains what the clients saw:
    client 1000 from 1µs to 2µs submits A: a
    client 2000 from 2µs to ... submits A: no answer
    client 3000 from 3µs to 4µs submits B: b
    client 5000 from 5µs to 6µs queries: no record
    client 7000 from 7µs to 8µs asks for the state: unsettled
    client 9000 from 9µs to 10µs submits A: a pending
    client 9600 from 10µs to 10µs submits A: an answer that settles nothing; concurrent requests with one identifier have one consequence, and all clients see one order of events`))
}

// TestWhatAServiceThatCreatesOnceSaysIsAlwaysExplained carries requests out one
// after another, each at an instant between its beginning and its end.
func TestWhatAServiceThatCreatesOnceSaysIsAlwaysExplained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var content, status string
		shutOff := false
		var deeds []deed
		for at := range rapid.IntRange(1, 14).Draw(t, "requests") {
			instant := 10 * (at + 1)
			verbs := []verb{submits, submits, submits, queries, asks, fences, withdraws}
			d := deed{client: at, key: "k", verb: verbs[random.IntN(len(verbs))], content: string(rune('A' + random.IntN(2)))}
			d.call, d.end = time.Duration(instant-random.IntN(25)), time.Duration(instant+random.IntN(25))
			if random.IntN(5) == 0 && status == Pending {
				status = Approved
			}
			lost := random.IntN(5) == 0
			if !lost || random.IntN(2) == 0 {
				switch {
				case d.verb == submits && content == "" && !shutOff:
					content, status = d.content, Pending
				case d.verb == fences && content == "":
					shutOff = true
				case d.verb == withdraws && status == Pending:
					status = Withdrawn
				}
			}
			switch {
			case lost:
				d.end = 0
			case d.verb == withdraws && content == "":
				d.saw = away
			case d.verb == withdraws && status == Approved:
				d.saw = late
			case d.verb != withdraws && d.verb != queries && shutOff:
				d.saw = shut
			case d.verb == asks && content == "":
				d.saw = open
			case d.verb == queries && content == "":
				d.saw = made("")
			case d.verb == submits && content != d.content:
				d.saw = other
			default:
				d.saw = is("a", status)
			}
			deeds = append(deeds, d)
		}
		if err := explain(deeds); err != nil {
			t.Fatal(err)
		}
	})
}
