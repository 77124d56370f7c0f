//go:build tools

// Package real names the real API server, so that go.mod and go.sum pin what `npm run assets` builds.
package real

import _ "k8s.io/kubernetes/cmd/kube-apiserver"
