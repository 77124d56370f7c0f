package main

import (
	"encoding/json"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	kjson "sigs.k8s.io/json"
)

func init() {
	// {"document": …, "patch": …} → the patched document, by the steps the server takes with fieldValidation=Warn.
	subjects["merge-patch"] = func(input json.RawMessage) (any, error) {
		var question struct{ Document, Patch json.RawMessage }
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		decoded := map[string]interface{}{}
		if _, err := kjson.UnmarshalStrict(question.Patch, &decoded); err != nil {
			return nil, fmt.Errorf("error decoding patch: %v", err)
		}
		result, err := jsonpatch.MergePatch(question.Document, question.Patch)
		return json.RawMessage(result), err
	}
	// {"from": …, "to": …} → a merge patch.
	subjects["merge-patch-diff"] = func(input json.RawMessage) (any, error) {
		var question struct{ From, To json.RawMessage }
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		result, err := jsonpatch.CreateMergePatch(question.From, question.To)
		return json.RawMessage(result), err
	}
	// {"original": …, "modified": …, "current": …, "unchanged": […]} → a merge patch.
	subjects["merge-patch-three-way"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Original, Modified, Current json.RawMessage
			Unchanged                   []string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		var preconditions []mergepatch.PreconditionFunc
		for _, key := range question.Unchanged {
			preconditions = append(preconditions, mergepatch.RequireKeyUnchanged(key), mergepatch.RequireMetadataKeyUnchanged(key))
		}
		result, err := jsonmergepatch.CreateThreeWayJSONMergePatch(question.Original, question.Modified, question.Current, preconditions...)
		return json.RawMessage(result), err
	}
	// {"left": …, "right": …} → whether they conflict.
	subjects["merge-patch-conflicts"] = func(input json.RawMessage) (any, error) {
		var question struct{ Left, Right any }
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		conflict, err := mergepatch.HasConflicts(question.Left, question.Right)
		return map[string]bool{"conflict": conflict}, err
	}
}
