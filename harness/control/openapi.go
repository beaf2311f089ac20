package control

import _ "embed"

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI is the agent protocol as an OpenAPI 3.1 document, in YAML.
func OpenAPI() []byte { return append([]byte(nil), openAPI...) }
