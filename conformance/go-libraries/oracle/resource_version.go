package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// resource-version: [a, b] → -1, 0 or 1, or an error when one of them cannot be compared.
func init() {
	subjects["resource-version"] = func(input json.RawMessage) (any, error) {
		var versions [2]string
		if err := json.Unmarshal(input, &versions); err != nil {
			return nil, err
		}
		return resourceversion.CompareResourceVersion(versions[0], versions[1])
	}
}
