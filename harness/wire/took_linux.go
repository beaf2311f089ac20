package wire

import (
	"encoding/binary"
	"net"
	"net/netip"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// leaving tells how the other side of c, which has ended its direction with FIN,
// left.
//
// Linux closes a socket over unread bytes with RST, never with FIN, and answers
// bytes that reach a closed socket with RST. So when a FIN came, every byte
// written is acknowledged, no RST has come since, and the other socket belongs
// to nobody any more, then all bytes had reached the socket before it was closed,
// and none was left unread in it. A client that has only shut down its sending
// direction still owns its socket. Of one behind another network stack, a
// container's, say, nothing is known.
//
// It says what the process took from its socket, not that it acted on it: a
// library can read a reply that its caller has given up waiting for.
//
// A process that closes its socket sends the FIN a moment before it gives it up,
// and can be held up in between; an acknowledgement can be on its way.
func leaving(c *net.TCPConn) took {
	here, ok1 := addrPort(c.LocalAddr())
	there, ok2 := addrPort(c.RemoteAddr())
	if !ok1 || !ok2 || !there.Addr().IsLoopback() {
		return tookUnknown
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return tookUnknown
	}
	const tries, apart = 10, 200 * time.Microsecond
	is := tookUnknown
	for n := range tries {
		if n > 0 {
			time.Sleep(apart)
		}
		if is = now(raw, there, here); is == tookAll || is == tookLess {
			break
		}
	}
	return is
}

// now is how it looks at the moment.
func now(raw syscall.RawConn, there, here netip.AddrPort) took {
	if s := look(raw); s != settled {
		return s.took()
	}
	owned, known := owned(there, here)
	switch {
	case !known:
		return tookUnknown
	case owned:
		return tookHalf
	}
	return look(raw).took() // looked at again: an RST may have come meanwhile
}

// sight is what the kernel shows of a connection whose other side has sent FIN.
type sight uint8

const (
	unclear sight = iota
	settled       // no RST has come since, and every byte that was written is acknowledged
	torn          // an RST has come since
)

func (s sight) took() took {
	return [...]took{unclear: tookUnknown, settled: tookAll, torn: tookLess}[s]
}

func look(raw syscall.RawConn) (is sight) {
	const closed, closeWait = 7, 8 // TCP_CLOSE, TCP_CLOSE_WAIT
	_ = raw.Control(func(fd uintptr) {
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			return
		}
		switch info.State {
		case closeWait:
			if left, err := unix.IoctlGetInt(int(fd), unix.SIOCOUTQ); err == nil && left == 0 {
				is = settled
			}
		case closed:
			// After two FINs in order there is no error either.
			if code, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_ERROR); err == nil && code != 0 {
				is = torn
			}
		}
	})
	return is
}

func addrPort(a net.Addr) (netip.AddrPort, bool) {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}, false
	}
	ap := tcp.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port()), true
}

// The parts of linux/sock_diag.h and linux/inet_diag.h that are needed.
const (
	sockDiagByFamily = 20
	noCookie         = 0xffffffff
	requestSize      = 56 // struct inet_diag_req_v2
	unreadAt         = 56 // of struct inet_diag_msg
	inodeAt          = 68 // of the same
)

// unread is how many bytes the other side of c has been sent and its process has
// not read, while it has the connection. known is false where the kernel does not
// tell, or where nobody has it any more.
func unread(c *net.TCPConn) (bytes int, known bool) {
	here, ok1 := addrPort(c.LocalAddr())
	there, ok2 := addrPort(c.RemoteAddr())
	if !ok1 || !ok2 || !there.Addr().IsLoopback() {
		return 0, false
	}
	about, _ := diagnose(there, here)
	if about == nil || binary.NativeEndian.Uint32(about[inodeAt:]) == 0 {
		return 0, false
	}
	return int(binary.NativeEndian.Uint32(about[unreadAt:])), true
}

// owned asks the kernel whether a process has the TCP socket at one end of a
// connection of this machine. A socket that does not exist is owned by nobody.
// known is false when the kernel does not tell.
func owned(socket, peer netip.AddrPort) (owned, known bool) {
	about, known := diagnose(socket, peer)
	return about != nil && binary.NativeEndian.Uint32(about[inodeAt:]) != 0, known
}

// diagnose is what the kernel tells of the TCP socket at one end of a connection
// of this machine, a struct inet_diag_msg; nil for a socket that does not exist.
// known is false when it tells nothing.
func diagnose(socket, peer netip.AddrPort) (about []byte, known bool) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, false
	}
	defer unix.Close(fd)
	// The kernel answers within the call that asks; a second is for one that does not.
	_ = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1})
	msg := make([]byte, unix.SizeofNlMsghdr, unix.SizeofNlMsghdr+requestSize)
	binary.NativeEndian.PutUint32(msg, unix.SizeofNlMsghdr+requestSize)
	binary.NativeEndian.PutUint16(msg[4:], sockDiagByFamily)
	binary.NativeEndian.PutUint16(msg[6:], unix.NLM_F_REQUEST)
	family := byte(unix.AF_INET)
	if socket.Addr().Is6() {
		family = unix.AF_INET6
	}
	msg = append(msg, family, unix.IPPROTO_TCP, 0, 0)
	msg = binary.NativeEndian.AppendUint32(msg, ^uint32(0)) // in any state
	msg = binary.BigEndian.AppendUint16(msg, socket.Port())
	msg = binary.BigEndian.AppendUint16(msg, peer.Port())
	for _, a := range []netip.Addr{socket.Addr(), peer.Addr()} {
		var room [16]byte
		copy(room[:], a.AsSlice())
		msg = append(msg, room[:]...)
	}
	msg = binary.NativeEndian.AppendUint32(msg, 0) // on any interface
	msg = binary.NativeEndian.AppendUint32(msg, noCookie)
	msg = binary.NativeEndian.AppendUint32(msg, noCookie)
	if err := unix.Sendto(fd, msg, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, false
	}
	var buf [1024]byte
	n, _, err := unix.Recvfrom(fd, buf[:], 0)
	if err != nil || n < unix.SizeofNlMsghdr+4 {
		return nil, false
	}
	body := buf[unix.SizeofNlMsghdr:n]
	switch binary.NativeEndian.Uint16(buf[4:]) {
	case unix.NLMSG_ERROR:
		return nil, -int32(binary.NativeEndian.Uint32(body)) == int32(unix.ENOENT)
	case sockDiagByFamily:
		if len(body) < inodeAt+4 {
			return nil, false
		}
		return body, true
	}
	return nil, false
}
