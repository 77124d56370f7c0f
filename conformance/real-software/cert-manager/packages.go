//go:build tools

// Package real names the programs of cert-manager, so that go.mod and go.sum pin what `npm run assets` builds. 1.11 is
// the last version whose programs are part of its main module.
package real

import (
	_ "github.com/cert-manager/cert-manager/cmd/cainjector"
	_ "github.com/cert-manager/cert-manager/cmd/controller"
	_ "github.com/cert-manager/cert-manager/cmd/webhook"
)
