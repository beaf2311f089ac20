package scenario

import "fmt"

// Requirements are the ids that covers: can name: A of read-only tools, B of
// actions with consequences, C of the five cases that must exist by name.
func Requirements() []string {
	var ids []string
	for i := 1; i <= 18; i++ {
		ids = append(ids, fmt.Sprintf("A%02d", i))
	}
	for i := 1; i <= 40; i++ {
		ids = append(ids, fmt.Sprintf("B%02d", i))
	}
	for i := 1; i <= 5; i++ {
		ids = append(ids, fmt.Sprintf("C%d", i))
	}
	return ids
}
