package wire

// Door says what a proxy stands between.
type Door struct {
	Task     string // whose calls these are
	Work     string // the work item, and so the process
	Service  string // approval, purchase, desk, ...
	Upstream string // host:port of the service
	Host     string // the address to listen on; default 127.0.0.1
}

// A Proxy is the only way from one work item to one service.
type Proxy struct{}

// URL is where the agent finds the service: "http://host:port".
func (p *Proxy) URL() string { panic("not yet") }

// Close stops listening, ends the connections, drops what is held on them, and
// waits for their goroutines.
func (p *Proxy) Close() error { panic("not yet") }
