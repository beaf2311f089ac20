package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseShard reads "2/5": the second of five parts.
func ParseShard(text string) (Shard, error) {
	before, after, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(before)
	n, err2 := strconv.Atoi(after)
	if err1 != nil || err2 != nil || i < 1 || n < i || n > 1000 {
		return Shard{}, fmt.Errorf("shard %q: want i/n, such as 2/5: the second of five parts", plain(text, 60))
	}
	return Shard{Index: i, Of: n}, nil
}

// Divide gives the ids that a shard is to run, and the shard completed so that
// [Merge] can prove that nothing of the whole is missing. Shards of one
// division get about as many each, and neighbours by name get different ones:
// what is slow tends to be alike by name.
func Divide(shard Shard, ids []string) ([]string, Shard) {
	all := slices.Clone(ids)
	slices.Sort(all)
	all = slices.Compact(all)
	shard.Whole, shard.Digest = len(all), digestOf(all)
	return share(shard, all), shard
}

// share are the ids, sorted, that belong to a shard.
func share(shard Shard, all []string) []string {
	var mine []string
	for i, id := range all {
		if i%shard.Of == shard.Index-1 {
			mine = append(mine, id)
		}
	}
	return mine
}

// digestOf is the digest of a list of ids, sorted.
func digestOf(ids []string) string {
	h := sha256.New()
	for _, id := range ids {
		_, _ = fmt.Fprintf(h, "%d:%s", len(id), id) // a hash takes everything
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }
