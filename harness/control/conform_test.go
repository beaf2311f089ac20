package control_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/control"
)

// router reads the document once.
var router = sync.OnceValues(func() (routers.Router, error) {
	doc, err := openapi3.NewLoader().LoadFromData(control.OpenAPI())
	if err != nil {
		return nil, err
	}
	doc.Servers = nil
	if err := doc.Validate(openapi3.NewLoader().Context); err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

// conforms checks a real exchange against the document: every reply is one
// that it describes, what was taken was allowed, and what was refused as
// malformed was not.
func conforms(t *testing.T, request *http.Request, sent string, response *http.Response, got []byte) {
	t.Helper()
	g := NewWithT(t)
	routes, err := router()
	g.Expect(err).NotTo(HaveOccurred())
	route, params, err := routes.FindRoute(request)
	if err != nil {
		g.Expect(response.StatusCode).To(BeElementOf(http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed))
		return
	}
	input := &openapi3filter.RequestValidationInput{
		Request: request.Clone(t.Context()), PathParams: params, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
		},
	}
	input.Request.Body = io.NopCloser(strings.NewReader(sent))
	err = openapi3filter.ValidateRequest(t.Context(), input)
	switch {
	case response.StatusCode == http.StatusBadRequest:
		g.Expect(err).To(HaveOccurred(), "the document allows what was refused with %s", got)
	case response.StatusCode < 300:
		g.Expect(err).NotTo(HaveOccurred(), "the document forbids what was taken")
	}
	g.Expect(openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.StatusCode, Header: response.Header, Options: input.Options,
		Body: io.NopCloser(bytes.NewReader(got)),
	})).To(Succeed(), "%s %s: %s", request.Method, request.URL.Path, got)
}
