package dialect

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// The bounds that keep one message's facts far below the length that a record
// may have (1 MiB), whatever an agent writes into it.
const (
	maxText  = 512 // bytes of one text
	maxItems = 128 // elements of one list
)

func bound(f *history.Facts) {
	for _, text := range []*string{
		&f.Ref, &f.Key, &f.Tenant, &f.Object, &f.Confirmation, &f.Digest, &f.Supersedes,
		&f.Status, &f.Queue, &f.Code, &f.Notification, &f.Approval, &f.AsOf,
	} {
		*text = clip(*text)
	}
	f.Items = f.Items[:min(len(f.Items), maxItems)]
	for i := range f.Items {
		bound(&f.Items[i])
	}
	if f.Tool != nil {
		f.Tool.Name = clip(f.Tool.Name)
	}
	if f.Chat != nil {
		f.Chat.Model = clip(f.Chat.Model)
	}
	if b := f.Escalation; b != nil {
		for _, text := range []*string{&b.Task, &b.Confirmation, &b.Key, &b.FirstSentAt, &b.Basis, &b.Checked, &b.LastError} {
			*text = clip(*text)
		}
		b.Queries = b.Queries[:min(len(b.Queries), maxItems)]
		for i := range b.Queries {
			b.Queries[i].Operation, b.Queries[i].Outcome = clip(b.Queries[i].Operation), clip(b.Queries[i].Outcome)
		}
		b.Unknowns, b.EntryPoints = clipAll(b.Unknowns), clipAll(b.EntryPoints)
	}
}

// clip shortens a long text and appends its digest, so that texts that differ
// stay different.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return strings.ToValidUTF8(text[:maxText], "") + "...sha256:" + hex.EncodeToString(sum[:])
}

func clipAll(texts []string) []string {
	texts = texts[:min(len(texts), maxItems)]
	for i := range texts {
		texts[i] = clip(texts[i])
	}
	return texts
}
