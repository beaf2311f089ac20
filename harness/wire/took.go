package wire

// took is what is known of a client that has ended its side with FIN.
type took uint8

const (
	tookUnknown took = iota
	tookAll          // it had read all that it was sent, and closed
	tookHalf         // it has ended its sending alone, and may read on
	tookLess         // it had closed before something reached it
)
