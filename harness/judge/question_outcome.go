package judge

import "slices"

// outcomes are what an attempt may have come to, as far as the agent can know.
type outcomes uint8

const (
	succeeded outcomes = 1 << iota
	transient
	permanent
)

// may tells whether one of them is possible.
func (o outcomes) may(one outcomes) bool { return o&one != 0 }

// outcome is what the attempt may have come to for its worker.
func (p *replay) outcome(c *call) outcomes {
	switch p.took(c) {
	case undelivered:
		return transient
	case ambiguous:
		return transient | c.class()
	default:
		return c.class()
	}
}

// took tells whether the reply of a tool or a model was taken by its client. Of one that was
// cut, or that flows, the part that was written may do.
func (p *replay) took(c *call) delivery {
	how := p.index.classify(c)
	if how != undelivered || c.replied == nil {
		if how == delivered && c.spoilt() {
			return ambiguous
		}
		return how
	}
	part := c.passed != nil && c.passed.Wire.Size > 0 || c.passing != nil && !c.passing.Wire.Gone && c.passing.Wire.Size > 0
	long := c.passing != nil && c.passing.Wire.Size > oneRead && (c.conn.client == nil || c.conn.client.N > c.passing.N) // only its end may be unread
	if part && (c.spoilt() || c.flows() || long) {
		return ambiguous
	}
	return how
}

// flows tells whether the reply comes in events.
func (c *call) flows() bool { return c.stated().Chat != nil && c.stated().Chat.Stream }

// class is what the reply is, to one that has read it. A code that no rule names
// may be taken for anything.
func (c *call) class() outcomes {
	switch status := c.status(); {
	case status >= 200 && status < 300 && c.said().Malformed:
		return transient
	case status >= 200 && status < 300 && c.said().Chat != nil:
		return c.spoken()
	case status >= 200 && status < 300 && c.said().Code != "":
		return byCode(c.said().Code)
	case status >= 200 && status < 300:
		return succeeded
	case slices.Contains([]int{429, 500, 502, 503, 504}, status):
		return transient
	case slices.Contains([]int{400, 401, 403, 404, 405, 409, 410, 422}, status):
		return permanent
	}
	return transient | permanent
}

// spoken is what an answer of the model is: one without content and without a
// call is no answer, and one that breaks off may be taken for none.
func (c *call) spoken() outcomes {
	chat := c.said().Chat
	switch {
	case len(chat.Messages) == 0, chat.Messages[0].Empty && len(chat.Messages[0].Calls) == 0:
		return transient
	case chat.Finish == "" && c.flows(), chat.Finish == "length":
		return succeeded | transient
	}
	return succeeded
}

// byCode is what an error inside a reply of success is.
func byCode(code string) outcomes {
	switch code {
	case "timeout", "rate_limited", "server_error", "unavailable", "internal":
		return transient
	case "permission_denied", "forbidden", "not_found", "bad_arguments", "invalid_arguments", "invalid":
		return permanent
	}
	return succeeded | transient | permanent
}
