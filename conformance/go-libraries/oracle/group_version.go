package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// group-version: {"text"} → every reading of the text; {"versions": [a, b]} → how the two compare.
func init() {
	type question struct {
		Text     string
		Versions []string
	}
	subjects["group-version"] = func(input json.RawMessage) (any, error) {
		var q question
		if err := json.Unmarshal(input, &q); err != nil {
			return nil, err
		}
		if len(q.Versions) == 2 {
			return version.CompareKubeAwareVersionStrings(q.Versions[0], q.Versions[1]), nil
		}
		gvr, gr := schema.ParseResourceArg(q.Text)
		gvk, gk := schema.ParseKindArg(q.Text)
		from := schema.FromAPIVersionAndKind(q.Text, "Pod")
		answer := map[string]any{
			"groupResource": gr.String(), "groupKind": gk.String(), "from": from.String(),
			"resource": gr.Resource, "group": gr.Group, "kind": gk.Kind,
		}
		if gv, err := schema.ParseGroupVersion(q.Text); err != nil {
			answer["error"] = err.Error()
		} else {
			answer["groupVersion"] = []string{gv.Group, gv.Version, gv.String()}
		}
		if gvr != nil {
			answer["versionedResource"] = gvr.String()
			answer["versionedKind"] = gvk.String()
		}
		return answer, nil
	}
}
