package control

import (
	"net/http"
	"strings"
)

// shown is the id of a task or a work item as the agent sees it.
func (p *Plane) shown(id string) string {
	if p.cfg.Mark == "" {
		return id
	}
	return id + "." + p.cfg.Mark
}

// taskOf is the id of the task that a request names; one without the mark of
// this plane is no task's.
func (p *Plane) taskOf(r *http.Request) string {
	id := r.PathValue("id")
	if p.cfg.Mark == "" {
		return id
	}
	id, ours := strings.CutSuffix(id, "."+p.cfg.Mark)
	if !ours {
		return ""
	}
	return id
}

// markOf is the mark that an id carries, "" for none.
func markOf(id string) string {
	if i := strings.LastIndexByte(id, '.'); i >= 0 {
		return id[i+1:]
	}
	return ""
}
