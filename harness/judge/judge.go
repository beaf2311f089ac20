package judge

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Judge judges one history. The history must begin with a run.started record
// that carries a [Setup]; one that does not end with run.ended (its writer was
// killed) is judged as far as it goes and can at best be undetermined.
func Judge(table *contract.Table, records []history.Record) (*Verdict, error) {
	setup, err := ReadSetup(records)
	if err != nil {
		return nil, err
	}
	p := newReplay(table, setup, records)
	for i := range records {
		p.take(&records[i])
	}
	p.finish()
	return p.verdict(), nil
}

// ReadSetup returns the setup that a history carries.
func ReadSetup(records []history.Record) (*Setup, error) {
	if len(records) == 0 || records[0].Kind != history.RunStarted || records[0].Run == nil {
		return nil, errors.New("the history does not begin with a run.started record")
	}
	var setup Setup
	if err := json.Unmarshal(records[0].Run.Setup, &setup); err != nil {
		return nil, fmt.Errorf("record 1: setup: %w", err)
	}
	return &setup, nil
}
