//go:build tools

// Package real names kwok, which plays the nodes, so that go.mod and go.sum pin what `npm run assets` builds.
package real

import _ "sigs.k8s.io/kwok/cmd/kwok"
