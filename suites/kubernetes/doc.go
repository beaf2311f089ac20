// Package kubernetes shows that job.yaml, the manifest for a run on more than one
// machine, is what Kubernetes takes. It is a module of its own, so that the
// harness does not depend on the types of Kubernetes.
package kubernetes
