//go:build !openapi

package control_test

import (
	"net/http"
	"testing"
)

func conforms(*testing.T, *http.Request, string, *http.Response, []byte) {}
