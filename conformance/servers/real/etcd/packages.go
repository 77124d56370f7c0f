//go:build tools

// Package real names the real etcd, so that go.mod and go.sum pin what `npm run assets` builds.
package real

import _ "go.etcd.io/etcd/server/v3"
