package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// A small kind with every combination of tags, most of which no built-in kind has.
type patchSample struct {
	Name           string            `json:"name,omitempty"`
	Value          string            `json:"value,omitempty"`
	Number         int64             `json:"number,omitempty"`
	Simple         map[string]string `json:"simple,omitempty"`
	Nested         *patchSample      `json:"nested,omitempty"`
	Replaced       *patchSample      `json:"replaced,omitempty" patchStrategy:"replace"`
	Retained       *patchSample      `json:"retained,omitempty" patchStrategy:"retainKeys"`
	Merging        []patchSample     `json:"merging,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	ByNumber       []patchSample     `json:"byNumber,omitempty" patchStrategy:"merge" patchMergeKey:"number"`
	MergingRetain  []patchSample     `json:"mergingRetain,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
	KeylessMerging []patchSample     `json:"keylessMerging,omitempty" patchStrategy:"merge"`
	Atomic         []patchSample     `json:"atomic,omitempty"`
	Words          []string          `json:"words,omitempty" patchStrategy:"merge"`
	Numbers        []int64           `json:"numbers,omitempty" patchStrategy:"merge"`
	AtomicWords    []string          `json:"atomicWords,omitempty"`
}

var patchKinds = map[string]any{
	"Pod": corev1.Pod{}, "Deployment": appsv1.Deployment{}, "Service": corev1.Service{}, "PodDisruptionBudget": policyv1.PodDisruptionBudget{}, "Sample": patchSample{},
}

// Types which JSON does not show as what they are in Go.
var patchLeaves = map[reflect.Type]map[string]any{
	reflect.TypeOf(metav1.Time{}):        {"type": "string", "format": "date-time"},
	reflect.TypeOf(metav1.MicroTime{}):   {"type": "string", "format": "date-time"},
	reflect.TypeOf(resource.Quantity{}):  {"type": "string"},
	reflect.TypeOf(intstr.IntOrString{}): {"x-kubernetes-int-or-string": true},
	reflect.TypeOf(metav1.FieldsV1{}):    {"type": "object"},
}

func patchSchemaOf(t reflect.Type, definitions map[string]any) map[string]any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if leaf, known := patchLeaves[t]; known {
		return leaf
	}
	switch t.Kind() {
	case reflect.Struct:
		if _, known := definitions[t.String()]; !known {
			properties := map[string]any{}
			definitions[t.String()] = map[string]any{"type": "object", "title": t.Name(), "properties": properties}
			addPatchFields(t, properties, definitions)
		}
		return map[string]any{"$ref": t.String()}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": patchSchemaOf(t.Elem(), definitions)}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return map[string]any{"type": "string", "format": "byte"}
		}
		return map[string]any{"type": "array", "items": patchSchemaOf(t.Elem(), definitions)}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer", "format": t.Kind().String()}
	default:
		return map[string]any{"type": "string"}
	}
}

func addPatchFields(t reflect.Type, properties, definitions map[string]any) {
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && (name == "" || strings.Contains(options, "inline")) {
			addPatchFields(field.Type, properties, definitions)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		schema := map[string]any{}
		for key, value := range patchSchemaOf(field.Type, definitions) {
			schema[key] = value
		}
		if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
			schema["x-kubernetes-patch-strategy"] = strategy
		}
		if key := field.Tag.Get("patchMergeKey"); key != "" {
			schema["x-kubernetes-patch-merge-key"] = key
		}
		properties[name] = schema
	}
}

type strategicQuestion struct {
	Kind                               string
	Original, Modified, Current, Patch json.RawMessage
	Overwrite                          bool
	Unchanged                          []string
}

func readStrategicQuestion(input json.RawMessage) (question strategicQuestion, kind any, preconditions []mergepatch.PreconditionFunc, err error) {
	if err = json.Unmarshal(input, &question); err != nil {
		return
	}
	kind, known := patchKinds[question.Kind]
	if !known {
		err = fmt.Errorf("unknown kind %s", question.Kind)
	}
	for _, key := range question.Unchanged {
		preconditions = append(preconditions, mergepatch.RequireKeyUnchanged(key), mergepatch.RequireMetadataKeyUnchanged(key))
	}
	return
}

func init() {
	// "Pod" → {"root": …, "definitions": {…}}, the patch metadata of the Go type as schemas that refer to each other.
	subjects["strategic-patch-schema"] = func(input json.RawMessage) (any, error) {
		var name string
		if err := json.Unmarshal(input, &name); err != nil {
			return nil, err
		}
		definitions := map[string]any{}
		root := patchSchemaOf(reflect.TypeOf(patchKinds[name]), definitions)
		return map[string]any{"root": root["$ref"], "definitions": definitions}, nil
	}
	// {"kind", "original", "patch"} → the patched object.
	subjects["strategic-patch"] = func(input json.RawMessage) (any, error) {
		question, kind, _, err := readStrategicQuestion(input)
		if err != nil {
			return nil, err
		}
		result, err := strategicpatch.StrategicMergePatch(question.Original, question.Patch, kind)
		return json.RawMessage(result), err
	}
	// {"kind", "original", "modified", "unchanged"} → a patch.
	subjects["strategic-patch-diff"] = func(input json.RawMessage) (any, error) {
		question, kind, preconditions, err := readStrategicQuestion(input)
		if err != nil {
			return nil, err
		}
		result, err := strategicpatch.CreateTwoWayMergePatch(question.Original, question.Modified, kind, preconditions...)
		return json.RawMessage(result), err
	}
	// {"kind", "original", "modified", "current", "overwrite", "unchanged"} → a patch.
	subjects["strategic-patch-three-way"] = func(input json.RawMessage) (any, error) {
		question, kind, preconditions, err := readStrategicQuestion(input)
		if err != nil {
			return nil, err
		}
		meta, err := strategicpatch.NewPatchMetaFromStruct(kind)
		if err != nil {
			return nil, err
		}
		result, err := strategicpatch.CreateThreeWayMergePatch(question.Original, question.Modified, question.Current, meta, question.Overwrite, preconditions...)
		return json.RawMessage(result), err
	}
}
