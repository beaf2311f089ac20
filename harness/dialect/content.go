package dialect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
)

// ContentDigest is the digest of a content's canonical JSON, or "" when there is
// none: nothing, null, or no JSON. Contents that differ only in the order of
// their names, in white space or in the way strings are escaped have equal
// digests. Numbers keep their written text: 1200.00 is not 1200.
func ContentDigest(content json.RawMessage) string {
	in := json.NewDecoder(bytes.NewReader(content))
	in.UseNumber()
	var value any
	if err := in.Decode(&value); err != nil || value == nil {
		return ""
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return ""
	}
	canonical, err := json.Marshal(value) // sorts the names of objects
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}
