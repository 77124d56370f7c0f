//go:build tools

// Package real names helm, so that go.mod and go.sum pin what `npm run assets` builds.
package real

import _ "helm.sh/helm/v4/cmd/helm"
