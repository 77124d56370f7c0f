package main

import (
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	kjson "sigs.k8s.io/json"
)

// What the API server decodes each operation into before it hands the patch to the library.
type jsonPatchOp struct {
	Op    string      `json:"op"`
	Path  string      `json:"path"`
	From  string      `json:"from"`
	Value interface{} `json:"value"`
}

// {"document": …, "patch": …} → {"result": …, "strict": […]}, by the steps the server takes with fieldValidation=Warn.
func init() {
	jsonpatch.AccumulatedCopySizeLimit = 3 * 1024 * 1024
	subjects["json-patch"] = func(input json.RawMessage) (any, error) {
		var question struct{ Document, Patch json.RawMessage }
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		var operations []jsonPatchOp
		strictErrors, err := kjson.UnmarshalStrict(question.Patch, &operations)
		if err != nil {
			return nil, fmt.Errorf("error decoding patch: %s", strings.ReplaceAll(err.Error(), "main.", "handlers."))
		}
		strict := []string{}
		for _, e := range strictErrors {
			strict = append(strict, fmt.Sprintf("json patch %v", e))
		}
		patch, err := jsonpatch.DecodePatch(question.Patch)
		if err != nil {
			return nil, err
		}
		result, err := patch.Apply(question.Document)
		if err != nil {
			return nil, err
		}
		return map[string]any{"result": json.RawMessage(result), "strict": strict}, nil
	}
}
