package kubernetes_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/json"
	text "sigs.k8s.io/yaml"
)

// strictly decodes a document as the API server does that validates fields:
// names are exact, and none is unknown or there twice.
func strictly(document []byte, into any) error {
	plain, err := text.YAMLToJSONStrict(document)
	if err != nil {
		return err
	}
	problems, err := json.UnmarshalStrict(plain, into)
	return errors.Join(append(problems, err)...)
}

// read decodes the manifest into the types of the API: a field that there is
// none of is an error.
func read(t *testing.T) (claim core.PersistentVolumeClaim, job batch.Job) {
	t.Helper()
	manifest, err := os.ReadFile("job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(manifest)))
	for _, into := range []any{&claim, &job} {
		document, err := documents.Read()
		if err != nil {
			t.Fatal(err)
		}
		if err := strictly(document, into); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := documents.Read(); !errors.Is(err, io.EOF) {
		t.Fatal("there is a third document")
	}
	return claim, job
}

func TestTheManifestIsAnIndexedJobWhosePartsAreOneRun(t *testing.T) {
	claim, job := read(t)
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || claim.Kind != "PersistentVolumeClaim" {
		t.Fatalf("%s %s and %s", job.APIVersion, job.Kind, claim.Kind)
	}
	if job.Spec.CompletionMode == nil || *job.Spec.CompletionMode != batch.IndexedCompletion {
		t.Error("the job is not indexed")
	}
	parts := *job.Spec.Completions
	if *job.Spec.Parallelism != parts {
		t.Errorf("%d of %d parts at once", *job.Spec.Parallelism, parts)
	}
	pod := job.Spec.Template.Spec
	c := pod.Containers[0]
	if c.Env[0].Name != "INDEX" || !strings.Contains(c.Env[0].ValueFrom.FieldRef.FieldPath, batch.JobCompletionIndexAnnotation) {
		t.Errorf("INDEX is not the index of the part: %+v", c.Env[0])
	}
	for _, want := range []string{"--seed", fmt.Sprintf("index:$(INDEX)/%d", parts), "/out/$(INDEX)"} {
		if !slices.Contains(c.Args, want) {
			t.Errorf("the arguments lack %s: %q", want, c.Args)
		}
	}
	if pod.RestartPolicy != core.RestartPolicyNever || job.Spec.BackoffLimitPerIndex == nil || *job.Spec.BackoffLimitPerIndex != 0 {
		t.Error("a part that found a violation would run again, or end the others")
	}
	var mounted []string
	for _, m := range c.VolumeMounts {
		mounted = append(mounted, m.MountPath)
		if !slices.ContainsFunc(pod.Volumes, func(v core.Volume) bool { return v.Name == m.Name }) {
			t.Errorf("there is no volume %s", m.Name)
		}
	}
	if !slices.Equal(mounted, []string{"/out", "/tmp"}) {
		t.Errorf("mounted: %q", mounted)
	}
	if pod.Volumes[0].PersistentVolumeClaim.ClaimName != claim.Name {
		t.Errorf("the volume is %s, the claim %s", pod.Volumes[0].PersistentVolumeClaim.ClaimName, claim.Name)
	}
	if claim.Spec.AccessModes[0] != core.ReadWriteMany {
		t.Error("the parts, on several machines, write to one volume")
	}
}

func TestAFieldThatKubernetesDoesNotKnowIsRefused(t *testing.T) {
	var job batch.Job
	err := strictly([]byte("kind: Job\nspec: {completionmode: Indexed}"), &job)
	if err == nil || !strings.Contains(err.Error(), "completionmode") {
		t.Errorf("error %v", err)
	}
}
