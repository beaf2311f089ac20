package agent

import (
	"context"
	"errors"
	"testing"

	. "github.com/onsi/gomega"
)

func TestAFailureIsClassifiedByWhatItIs(t *testing.T) {
	g := NewWithT(t)
	for status, want := range map[int]diagnosis{
		200: {}, 201: {}, 204: {},
		429: {class: transient, name: "RateLimited"}, 500: {class: transient, name: "ServerError"}, 502: {class: transient, name: "ServerError"},
		503: {class: transient, name: "ServerError"}, 504: {class: transient, name: "ServerError"}, 501: {class: permanent, name: "ServerError"},
		400: {class: permanent, name: "BadArguments"}, 422: {class: permanent, name: "BadArguments"}, 401: {class: permanent, name: "PermissionDenied"},
		403: {class: permanent, name: "PermissionDenied"}, 404: {class: permanent, name: "NotFound"}, 410: {class: permanent, name: "NotFound"},
		405: {class: permanent, name: "Refused"}, 409: {class: permanent, name: "Conflict"}, 302: {class: permanent, name: "Refused"},
	} {
		body := `{"error": "Timeout, please retry"}`
		if status == 204 {
			body = ""
		}
		got := diagnose(reply{status: status, body: []byte(body)}, anyJSON)
		got.text = ""
		g.Expect(got).To(Equal(want), "%d", status)
	}
	g.Expect(string(content(nil))).To(Equal(`{"result":null}`))
	g.Expect(string(content([]byte(`{"error": "of old"}`)))).To(Equal(`{"result":{"error":"of old"}}`))
	g.Expect(string(content([]byte(`[1]`)))).To(Equal(`[1]`))
	g.Expect(diagnose(reply{status: 200, body: []byte(`{"items": [`)}, anyJSON)).To(Equal(diagnosis{transient, "Unreadable", "the reply is no JSON"}))
	g.Expect(diagnose(reply{status: 200, err: context.DeadlineExceeded, timeout: true}, anyJSON).name).To(Equal("Timeout"))
	g.Expect(diagnose(reply{status: 403, err: errors.New("cut")}, anyJSON)).To(Equal(diagnosis{transient, "Unreachable", "cut"}))
}
