// Package requirement holds what the project must show, as data, and who says
// that they show it: scenarios, rules and defects cite requirements by id, and
// [List.Cover] joins the citations, so that a requirement that nothing shows is
// visible.
//
//	list, err := requirement.Parse("requirements.yaml", text)
//	covers, err := list.Cover([]requirement.Citation{
//		{Column: requirement.Scenario, By: "lost-receipt", IDs: []string{"B01", "C1"}},
//		{Column: requirement.Rule, By: "duplicate-consequence", IDs: []string{"C1"}},
//	})
//	covers[0].Gaps() // the columns in which nobody cites the first requirement
//
// The list itself is scenarios/requirements.yaml.
package requirement
