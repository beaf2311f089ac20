package model

import (
	"errors"
	"slices"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Config is what a model is opened with.
type Config struct {
	Frame    service.Config
	Settings Settings
}

// Settings say what the model says.
type Settings struct {
	// Script is what it plays, at least one turn.
	Script []Turn
	// Models are the names that it answers to. Nil: primary and backup.
	Models []string
	// Missing are names of Models that it does not answer to after all: 404, as for one that is not there.
	Missing []string
}

// Turn is one turn of a script.
type Turn struct {
	fault.Speech
	// AfterError is said instead when a tool failed. Nil: the turn is the same.
	AfterError *fault.Speech
}

func (s Settings) check() error {
	if len(s.Script) == 0 {
		return errors.New("the script has no turn")
	}
	return nil
}

func (s Settings) answers(name string) bool {
	return slices.Contains(s.Models, name) && !slices.Contains(s.Missing, name)
}
