package main

import (
	"errors"
	"path/filepath"

	"github.com/lostreceipt/lostreceipt/reports"
)

type reportVerb struct {
	Merge mergeVerb `cmd:"" help:"Join the shards of a divided run; one that is missing, doubled or of another run is refused."`
	HTML  drawVerb  `cmd:"" name:"html" help:"Draw a report again as a page, with the histories that stand beside it."`
}

type mergeVerb struct {
	Dirs     []string `arg:"" name:"dir" type:"existingdir" help:"Directories that runs wrote, one a shard."`
	Out      string   `required:"" type:"path" help:"Directory for the joined report and evidence." placeholder:"DIR"`
	Selftest string   `type:"existingdir" help:"Take over the self-test that stands there." placeholder:"DIR"`
}

// Help is the worked example.
func (mergeVerb) Help() string {
	return `Example: three machines ran a third each, with --shard 1/3 --seed 7, --shard 2/3 --seed 7 and --shard 3/3 --seed 7:

    lostreceipt report merge --out whole shard-1 shard-2 shard-3`
}

// Run runs the verb.
func (v *mergeVerb) Run(in *invocation) error {
	r, lost, err := reports.Merge(v.Out, v.Dirs, v.Selftest)
	if err != nil {
		return usage{err}
	}
	for _, line := range lost {
		say(in.err, "lostreceipt: warning: %s\n", line)
	}
	say(in.out, "%s\nReport and evidence: %s\n", r.Statement().Verdict, named(v.Out))
	return nil
}

type drawVerb struct {
	Report string `arg:"" type:"path" help:"report.json, or the directory that a run wrote."`
	Out    string `type:"path" help:"The page to write. Default: report.html beside the report." placeholder:"FILE"`
}

// Help is the worked example.
func (drawVerb) Help() string {
	return `Example: the page of a report that came from elsewhere:

    lostreceipt report html artifact/report.json`
}

// Run runs the verb.
func (v *drawVerb) Run(in *invocation) error {
	r, dir, err := readReport(v.Report)
	if err != nil {
		return err
	}
	page := v.Out
	if page == "" {
		page = reports.Out(dir).Page()
	}
	if err := r.SaveHTML(page, dir, nil); err != nil {
		return errors.Join(errors.New("the page could not be written"), err)
	}
	say(in.out, "%s\n", named(filepath.Clean(page)))
	return nil
}
