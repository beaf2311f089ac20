package judge

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestTheNoiseAboutAnInstantIsTheGreatestOfItsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := newNoise()
		run, at := &history.Run{}, time.Duration(0)
		for range rapid.IntRange(0, 40).Draw(t, "delays") {
			d := history.Delay{From: at + time.Duration(rapid.IntRange(0, 900).Draw(t, "gap"))*time.Millisecond}
			d.Late = time.Duration(rapid.IntRange(1, 300).Draw(t, "late")) * time.Millisecond
			d.To = d.From + d.Late
			at = d.To
			run.Delays, run.Noise = append(run.Delays, d), max(run.Noise, d.Late)
		}
		n.add(run)
		n.ready(400*time.Millisecond, 10*n.busy())
		instant := time.Duration(rapid.IntRange(0, 20_000).Draw(t, "instant")) * time.Millisecond
		want := noiseFloor
		for _, d := range run.Delays {
			if d.To >= instant-n.around && d.From <= instant+n.around {
				want = max(want, d.Late)
			}
		}
		if got := n.at(instant); got != want {
			t.Fatalf("%s at %s, want %s of %+v", got, instant, want, run.Delays)
		}
	})
}

func TestAMachineThatIsLateAgainAndAgainIsSoAtAnyTime(t *testing.T) {
	for late, want := range map[time.Duration]time.Duration{300 * time.Millisecond: noiseFloor, 500 * time.Millisecond: 500 * time.Millisecond} {
		n := newNoise()
		n.add(&history.Run{Noise: late, Delays: []history.Delay{{From: 0, To: late, Late: late}}})
		n.ready(400*time.Millisecond, 4*time.Second)
		if got := n.at(3 * time.Second); got != want {
			t.Errorf("late by %s: %s, want %s", late, got, want)
		}
	}
}

func TestAHistoryThatTellsOnlyTheGreatestDelayHasItAtAnyTime(t *testing.T) {
	n := newNoise()
	n.add(&history.Run{Noise: 7 * time.Millisecond})
	n.ready(400*time.Millisecond, time.Hour)
	if got := n.at(time.Hour); got != 7*time.Millisecond {
		t.Errorf("%s", got)
	}
}
