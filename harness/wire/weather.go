package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/rs/zerolog"
	zlog "github.com/rs/zerolog/log"

	"github.com/Shopify/toxiproxy/v2/stream"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// await is closed when a message may go on: when what it waits for is over and
// the stock toxics that were ordered with it are on its connection.
func (k *conn) await(o fault.Order, c *call) <-chan struct{} {
	ready := make(chan struct{})
	k.links.Go(func() {
		defer close(ready)
		if o.Wait != nil {
			select {
			case <-o.Wait:
			case <-k.ctx.Done():
				return
			}
		}
		for _, w := range o.Weather {
			if err := k.put(w); err != nil {
				c.failed(w.Receipt, err.Error())
				continue
			}
			c.struck(w.Receipt, 0)
		}
	})
	return ready
}

// quiet keeps Toxiproxy's bandwidth toxic, which writes its steps to the
// process-wide logger, from writing them to the standard error.
var quiet = sync.OnceFunc(func() { zlog.Logger = zlog.Logger.Level(max(zlog.Logger.GetLevel(), zerolog.InfoLevel)) })

// put puts a stock toxic on the connection, behind the gate. It must not be
// called by a gate, whose goroutine Toxiproxy stops meanwhile.
func (k *conn) put(w fault.Weather) error {
	quiet()
	dir := stream.Downstream
	if w.Upstream {
		dir = stream.Upstream
	}
	k.mu.Lock()
	name := w.Type + "-" + strconv.Itoa(len(k.toxics)+1)
	k.toxics = append(k.toxics, name)
	k.mu.Unlock()
	text, err := json.Marshal(map[string]any{
		"type": w.Type, "name": name, "stream": dir.String(), "toxicity": 1, "attributes": w.Attributes,
	})
	if err != nil {
		return err
	}
	// From here on the gate sends through its link; the toxic comes into it while the gate stands still.
	h := k.halves[dir]
	h.weather.on.Store(true)
	if _, err = k.tox.Toxics.AddToxicJson(bytes.NewReader(text)); err != nil {
		return fmt.Errorf("toxic %s: %w", w.Type, err)
	}
	if w.Type == "timeout" {
		h.weather.swallows.Store(true)
	}
	return nil
}

// clear takes the stock toxics off again, so that none waits on.
func (k *conn) clear() {
	k.mu.Lock()
	names := k.toxics
	k.toxics = nil
	k.mu.Unlock()
	for i := len(names) - 1; i >= 0; i-- {
		_ = k.tox.Toxics.RemoveToxic(context.Background(), names[i]) // it is gone when its link is
	}
}
