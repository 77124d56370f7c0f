package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// unstructured: {"object", "path", "read" | "set" | "remove"} → {"found", "value"}, {"error"} or the object afterwards.
func init() {
	type question struct {
		Object json.RawMessage
		Path   []string
		Read   string
		Set    json.RawMessage
		Remove bool
	}
	subjects["unstructured"] = func(input json.RawMessage) (any, error) {
		var q question
		if err := json.Unmarshal(input, &q); err != nil {
			return nil, err
		}
		object := map[string]any{}
		if err := utiljson.Unmarshal(q.Object, &object); err != nil {
			return nil, err
		}
		if q.Remove {
			unstructured.RemoveNestedField(object, q.Path...)
			return map[string]any{"object": object}, nil
		}
		if q.Set != nil {
			var value any
			if err := utiljson.Unmarshal(q.Set, &value); err != nil {
				return nil, err
			}
			if err := unstructured.SetNestedField(object, value, q.Path...); err != nil {
				return map[string]any{"error": err.Error()}, nil
			}
			return map[string]any{"object": object}, nil
		}
		value, found, err := unstructuredRead(q.Read, object, q.Path)
		if err != nil {
			return map[string]any{"error": err.Error()}, nil
		}
		if !found {
			return map[string]any{"found": false}, nil
		}
		return map[string]any{"found": true, "value": value}, nil
	}
}

func unstructuredRead(kind string, object map[string]any, path []string) (any, bool, error) {
	switch kind {
	case "string":
		return asAny(unstructured.NestedString(object, path...))
	case "bool":
		return asAny(unstructured.NestedBool(object, path...))
	case "int64":
		return asAny(unstructured.NestedInt64(object, path...))
	case "number":
		return asAny(unstructured.NestedNumberAsFloat64(object, path...))
	case "slice":
		return asAny(unstructured.NestedSlice(object, path...))
	case "stringSlice":
		return asAny(unstructured.NestedStringSlice(object, path...))
	case "map":
		return asAny(unstructured.NestedMap(object, path...))
	case "stringMap":
		return asAny(unstructured.NestedStringMap(object, path...))
	default:
		return asAny(unstructured.NestedFieldCopy(object, path...))
	}
}

func asAny[T any](value T, found bool, err error) (any, bool, error) {
	return value, found, err
}
