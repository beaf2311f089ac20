package harness_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/onsi/gomega"
)

const module = "github.com/lostreceipt/lostreceipt/"

// floors are the rooms by floor. A room that is not listed is not allowed in.
var floors = map[string]int{
	"harness":         0, // the description of the house
	"harness/history": 1, "harness/contract": 1, "harness/intake": 1, "harness/yamltext": 1,
	"harness/tool": 2, "harness/fault": 2, "harness/judge": 2, "harness/dialect": 2, "harness/requirement": 2,
	"harness/scenario": 3, "harness/wire": 3, "fakes/service": 3, "fakes/approval": 3, "fakes/purchase": 3, "fakes/desk": 3, "fakes/knowledge": 3, "fakes/model": 3, "fakes/remote": 3,
	"scenarios":     3, // data, and the table that it embeds
	"harness/stack": 4, "harness/control": 4, "harness/agent": 4,
	"harness/run": 5, "reports": 5,
	"suites": 6, "harness/cmd/lostreceipt": 6,
}

// apart are rooms that import nothing of the house.
var apart = []string{"fakes/agent"}

// pure are rooms right of the history, and what they may not know.
var pure = map[string][]string{
	"harness/history":     {"net", "os", "os/exec", "net/http"},
	"harness/contract":    {"net", "os", "os/exec", "net/http"},
	"harness/judge":       {"net", "os", "os/exec", "net/http", "math/rand", "math/rand/v2", "github.com/onsi"},
	"harness/requirement": {"net", "os", "os/exec", "net/http"},
	"reports":             {"net", "os/exec", "net/http", "github.com/onsi"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []listed {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); err {
		case nil:
			all = append(all, p)
		case io.EOF:
			return all
		default:
			t.Fatal(err)
		}
	}
}

// room is the listed room that a package belongs to: itself or one above it.
func room(path string) (string, bool) {
	for name := path; name != ""; {
		if _, ok := floors[name]; ok && (name == path || name != "harness") {
			return name, true
		}
		for _, a := range apart {
			if a == name {
				return name, true
			}
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			break
		}
		name = name[:i]
	}
	return "", false
}

func TestNoRoomImportsAHigherFloor(t *testing.T) {
	g := gomega.NewWithT(t)
	all := packages(t)
	g.Expect(len(all)).To(gomega.BeNumerically(">", 10))
	for _, p := range all {
		from := strings.TrimPrefix(p.ImportPath, module)
		home, known := room(from)
		g.Expect(known).To(gomega.BeTrue(), "%s stands on no floor: add it to the list here and to the package comment", from)
		_, tall := floors[home]
		for _, imported := range p.Imports {
			if to, inside := strings.CutPrefix(imported, module); inside {
				target, _ := room(to)
				if !tall {
					g.Expect(target).To(gomega.Equal(home), "%s stands apart and must not import %s", from, to)
					continue
				}
				g.Expect(floors[target]).To(gomega.BeNumerically("<=", floors[home]), "%s (floor %d) imports %s (floor %d)", from, floors[home], to, floors[target])
			}
			for _, banned := range pure[home] {
				g.Expect(imported == banned || strings.HasPrefix(imported, banned+"/") && strings.Contains(banned, ".")).To(
					gomega.BeFalse(), "%s is a pure function of records and must not import %s", from, imported)
			}
		}
	}
}

func TestHistoryImportsOnlyTheStandardLibrary(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, p := range packages(t) {
		if p.ImportPath != module+"harness/history" {
			continue
		}
		for _, imported := range p.Imports {
			first, _, _ := strings.Cut(imported, "/")
			g.Expect(first).NotTo(gomega.ContainSubstring("."), "history imports %s", imported)
		}
	}
}
