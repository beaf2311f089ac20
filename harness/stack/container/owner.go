package container

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Label is on everything that a harness makes on an engine, with an id of its
// own; [labelOwner] says which process that was.
const (
	Label      = "org.lostreceipt.run"
	labelOwner = "org.lostreceipt.owner"
)

func ownLabels(run string) map[string]string {
	return map[string]string{Label: run, labelOwner: self().String()}
}

// owner is a process, so that it can be told from a later one with its number.
type owner struct {
	boot  string // of the machine
	space string // in which the number counts
	pid   int
	start string // in ticks since the boot
}

// self is this process. What the system does not tell stays empty.
func self() owner {
	o := owner{pid: os.Getpid()}
	if text, err := os.ReadFile("/proc/sys/kernel/random/boot_id"); err == nil {
		o.boot = strings.TrimSpace(string(text))
	}
	if link, err := os.Readlink("/proc/self/ns/pid"); err == nil {
		o.space = link
	}
	o.start = startOf(o.pid)
	return o
}

// startOf is when a process began; "" when there is none.
func startOf(pid int) string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat") //nolint:gosec // a number is no path
	if err != nil {
		return ""
	}
	// The name stands in brackets and may hold anything.
	_, rest, ok := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
	if fields := strings.Fields(rest); ok && len(fields) > 19 && fields[0] != "Z" {
		return fields[19]
	}
	return ""
}

func (o owner) String() string { return fmt.Sprintf("%s/%s/%d/%s", o.boot, o.space, o.pid, o.start) }

func parseOwner(text string) (o owner, ok bool) {
	parts := strings.Split(text, "/")
	if len(parts) != 4 {
		return owner{}, false
	}
	pid, err := strconv.Atoi(parts[2])
	return owner{boot: parts[0], space: parts[1], pid: pid, start: parts[3]}, err == nil
}

// dead tells whether the owner is known to have ended. Of one that counts its
// processes otherwise, as in a container, nothing is known.
func (o owner) dead(here owner) bool {
	switch {
	case o.boot != here.boot:
		return here.boot != "" && o.boot != ""
	case o.space != here.space:
		return false
	}
	return startOf(o.pid) != o.start
}

// left tells whether labels are those of an owner that has ended.
func left(labels map[string]string) bool {
	o, ok := parseOwner(labels[labelOwner])
	return ok && labels[Label] != "" && o.dead(self())
}
