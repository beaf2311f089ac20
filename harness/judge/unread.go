package judge

import "sort"

// unread is a request that the gate read so late that its client had given it
// up, see [index.readLate].
type unread struct {
	sent int // the record that tells of it
	// dialled is the earliest record at which it, or one that was read after it, may have left.
	dialled int
}

// readLate tells whether the gate read a request so late that its client had
// given it up: the client's end came when nobody could have lost patience yet.
// Such a request may have left as soon as its connection was open.
func (ix *index) readLate(c *call) bool {
	return c.abandoned() && c.sent.Wire.Seq <= 1 && c.conn.opened != nil && c.conn.client.At-c.first() <= ix.patience/4
}

func (ix *index) findUnread() {
	for _, c := range ix.inOrder {
		if ix.readLate(c) {
			put(&ix.unread, c.sent.Work, append(ix.unread[c.sent.Work], unread{sent: c.sent.N, dialled: c.conn.opened.N}))
		}
	}
	for _, all := range ix.unread {
		for n := len(all) - 2; n >= 0; n-- {
			all[n].dialled = min(all[n].dialled, all[n+1].dialled)
		}
	}
}

// underWay tells whether a worker may have sent, when a record was made, what
// the gate had not read yet.
func (ix *index) underWay(work string, n int) bool {
	all := ix.unread[work]
	next := sort.Search(len(all), func(i int) bool { return all[i].sent > n })
	return next < len(all) && all[next].dialled < n
}
