package scenario

import (
	"fmt"
	"maps"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

func onCancelRules() []string { return []string{"withdraw", "keep", "ask"} }

func taskTypes() []string { return []string{PurchaseApproval, Question} }

// readTasks reads task: or tasks:. Exactly one of them stands in a scenario.
func (s *Scenario) readTasks(r *fault.Reader, onCancel string) {
	one, many := r.Field("task"), r.Field("tasks")
	switch {
	case one.Present() && many.Present():
		many.Complain("a scenario has task: or tasks:, not both")
		return
	case many.Present():
		items := many.Items("{id: a, type: purchase-approval}")
		if many.Written().Shape == fault.List && len(items) == 0 {
			many.Complain("the list of tasks is empty")
		}
		for i, item := range items {
			s.readTask(item, i, onCancel, "id")
		}
	default:
		if _, written := r.Written().Field("task"); written && !one.Present() {
			return // it has no value, and that was said
		}
		if !one.Present() {
			r.Complain(`the field "task" is missing: write task: %s, or a list of tasks`, PurchaseApproval)
			return
		}
		if one.Written().Shape == fault.Scalar {
			s.Tasks = []Task{s.newTask(0, "t-1", one.OneOf("type of task", taskTypes()), onCancel)}
			return
		}
		s.readTask(one, 0, onCancel)
	}
}

// newTask is a task with every default. Ids of confirmations differ over all tasks.
func (s *Scenario) newTask(i int, id, kind, onCancel string) Task {
	if onCancel == "" {
		onCancel = DefaultOnCancel
	}
	t := Task{ID: id, Type: kind, Tenant: DefaultTenant, Object: DefaultObject, OnCancel: onCancel}
	if kind == Question {
		t.OnCancel, t.Asked = "", DefaultAsked()
	} else {
		t.Confirmations = []Confirmation{{ID: fmt.Sprintf("c-%d", i+1), Content: DefaultContent()}}
	}
	return t
}

func (s *Scenario) readTask(r *fault.Reader, i int, onCancel string, required ...string) {
	kind := r.Field("type").Written().Text
	if !r.Fields(taskFields(kind)...) {
		return
	}
	id := r.Field("id")
	for _, name := range required {
		r.Need(name)
	}
	t := s.newTask(i, fmt.Sprintf("t-%d", i+1), r.Need("type").OneOf("type of task", taskTypes()), onCancel)
	if id.Present() {
		t.ID = id.Text()
	}
	if t.ID != "" && !idPattern.MatchString(t.ID) {
		id.Suggest(kebab(t.ID), "a task's id is of small letters, digits and single dashes")
	}
	for _, other := range s.Tasks {
		if other.ID == t.ID {
			id.Complain("the id %q is taken by another task", t.ID)
		}
	}
	set(&t.Tenant, r.Field("tenant").Text())
	set(&t.Object, r.Field("object").Text())
	if t.Type != PurchaseApproval {
		t.Asked = readAsked(r)
	}
	if t.Type == Question {
		s.Tasks = append(s.Tasks, t)
		return
	}
	set(&t.OnCancel, r.Field("on_cancel").OneOf("rule", onCancelRules()))
	content, confirmations := r.Field("content"), r.Field("confirmations")
	switch {
	case content.Present() && confirmations.Present():
		confirmations.Complain("a task has content: or confirmations:, not both")
	case confirmations.Present():
		t.Confirmations = readConfirmations(confirmations, i)
	default:
		readContent(content, t.Confirmations[0].Content)
	}
	s.Tasks = append(s.Tasks, t)
}

// taskFields are the fields of a task of a type, of both when it is neither.
func taskFields(kind string) []string {
	names := []string{"id", "type", "tenant", "object"}
	if kind != Question {
		names = append(names, "on_cancel", "content", "confirmations")
	}
	if kind != PurchaseApproval {
		names = append(names, "prompt", "tools", "fallback", "models", "steps")
	}
	return names
}

// readConfirmations reads [{content: {...}}, ...].
func readConfirmations(r *fault.Reader, task int) []Confirmation {
	var all []Confirmation
	for i, item := range r.Items("{content: {amount: 80.00}}") {
		c := Confirmation{ID: fmt.Sprintf("c-%d-%d", task+1, i+1), Content: DefaultContent()}
		if item.Fields("content") {
			readContent(item.Field("content"), c.Content)
		}
		all = append(all, c)
	}
	if len(all) == 0 && r.Written().Shape == fault.List {
		r.Complain("the list of confirmations is empty")
	}
	return all
}

// readContent lays what is written over the default content.
func readContent(r *fault.Reader, content map[string]string) {
	maps.Copy(content, r.Map("{amount: 1200.00, currency: EUR}"))
}

func set(to *string, text string) {
	if text != "" {
		*to = text
	}
}
