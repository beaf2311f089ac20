//go:build !linux

package wire

import "net"

// leaving tells how the other side of c, which has ended its direction with FIN,
// left. Only Linux tells.
func leaving(*net.TCPConn) took { return tookUnknown }

// unread is how many bytes the other side of c has been sent and its process has
// not read. Only Linux tells.
func unread(*net.TCPConn) (bytes int, known bool) { return 0, false }
