package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// One request of a sequence. Updates are merge patches on the live object, or whole objects that keep its uid.
type applyStep struct {
	Op          string          `json:"op"`
	Manager     string          `json:"manager"`
	Subresource string          `json:"subresource"`
	Version     string          `json:"version"`
	Force       bool            `json:"force"`
	Config      map[string]any  `json:"config"`
	Patch       json.RawMessage `json:"patch"`
	Object      map[string]any  `json:"object"`
}

// A sequence of requests on one object of a built-in kind, of a kind whose types are deduced, or of the custom kind whose schemas, by
// version, an earlier question has defined.
type applyQuestion struct {
	Group   string                     `json:"group"`
	Kind    string                     `json:"kind"`
	Define  map[string]json.RawMessage `json:"define"`
	Custom  bool                       `json:"custom"`
	Deduced bool                       `json:"deduced"`
	Empty   map[string]any             `json:"empty"`
	Reset   map[string][][]string      `json:"reset"`
	Steps   []applyStep                `json:"steps"`
}

// What came of one request. The library's unstructured objects lose the order of FieldsV1, so that is told apart.
type applyAnswer struct {
	Object any      `json:"object,omitempty"`
	Error  string   `json:"error,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Causes []string `json:"causes,omitempty"`
	Fields []string `json:"fields,omitempty"`
}

// Conversion changes nothing but the version, among the versions that are served.
type applyConverter struct {
	served map[string]bool
}

func (c applyConverter) Convert(in, out, context any) error { return errors.New("not implemented") }
func (c applyConverter) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", errors.New("not implemented")
}
func (c applyConverter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	gv, ok := target.(schema.GroupVersion)
	if !ok {
		return nil, fmt.Errorf("unexpected target %T", target)
	}
	kind := in.GetObjectKind().GroupVersionKind().Kind
	if !c.served[gv.String()] {
		return nil, runtime.NewNotRegisteredErrForKind("oracle", gv.WithKind(kind))
	}
	if in.GetObjectKind().GroupVersionKind().GroupVersion() == gv {
		return in, nil
	}
	out := in.DeepCopyObject()
	out.GetObjectKind().SetGroupVersionKind(gv.WithKind(kind))
	return out, nil
}

type applyDefaulter struct{}

func (applyDefaulter) Default(runtime.Object) {}

type applyCreater struct {
	empty map[string]any
}

func (c applyCreater) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(c.empty)}
	object.SetGroupVersionKind(gvk)
	return object, nil
}

// How the real server builds the models of a custom kind for apply.
func applyModels(question applyQuestion) (map[string]*spec.Schema, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: question.Group, Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: question.Kind, ListKind: question.Kind + "List", Plural: strings.ToLower(question.Kind) + "s"},
	}}
	models := map[string]*spec.Schema{}
	for version, raw := range question.Define {
		props := &apiextensionsv1.JSONSchemaProps{}
		if err := json.Unmarshal(raw, props); err != nil {
			return nil, err
		}
		crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: version, Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: props}}}
		document, err := builder.BuildOpenAPIV3(crd, version, builder.Options{})
		if err != nil {
			return nil, err
		}
		for name, model := range document.Components.Schemas {
			models[name] = model
		}
	}
	return models, nil
}

func (question applyQuestion) typeConverter() (managedfields.TypeConverter, map[string]bool, error) {
	served := map[string]bool{}
	if question.Deduced {
		for _, version := range []string{"v1", "v2"} {
			served[schema.GroupVersion{Group: question.Group, Version: version}.String()] = true
		}
		return managedfields.NewDeducedTypeConverter(), served, nil
	}
	if !question.Custom {
		served[schema.GroupVersion{Group: question.Group, Version: "v1"}.String()] = true
		return builtInConverter, served, nil
	}
	for version := range definedSchemas.Define {
		served[schema.GroupVersion{Group: question.Group, Version: version}.String()] = true
	}
	return definedConverter, served, nil
}

func (question applyQuestion) define() error {
	models, err := applyModels(question)
	if err != nil {
		return err
	}
	definedSchemas = question
	definedConverter, err = managedfields.NewTypeConverter(models, false)
	return err
}

var definedSchemas applyQuestion
var definedConverter managedfields.TypeConverter
var builtInConverter = applyconfigurations.NewTypeConverter(scheme.Scheme)

// The clock of the library cannot be set; what it wrote is replaced by one second per step, which is long ago.
func setApplyTimes(object *unstructured.Unstructured, step int) {
	entries := object.GetManagedFields()
	now := metav1.NewTime(time.Date(2020, 1, 1, 0, 0, step, 0, time.UTC))
	for i := range entries {
		if entries[i].Time != nil && entries[i].Time.Year() > 2020 {
			entries[i].Time = &now
		}
	}
	if entries != nil {
		object.SetManagedFields(entries)
	}
}

func (question applyQuestion) run() ([]applyAnswer, error) {
	converter, served, err := question.typeConverter()
	if err != nil {
		return nil, err
	}
	creater := applyCreater{question.Empty}
	var live *unstructured.Unstructured
	answers := []applyAnswer{}
	for index, step := range question.Steps {
		version := step.Version
		if version == "" {
			version = "v1"
		}
		gvk := schema.GroupVersionKind{Group: question.Group, Version: version, Kind: question.Kind}
		reset := map[fieldpath.APIVersion]*fieldpath.Set{}
		for key, paths := range question.Reset {
			if key != step.Subresource {
				continue
			}
			set := fieldpath.NewSet()
			for _, path := range paths {
				parts := []any{}
				for _, part := range path {
					parts = append(parts, part)
				}
				set.Insert(fieldpath.MakePathOrDie(parts...))
			}
			for gv := range served {
				reset[fieldpath.APIVersion(gv)] = set
			}
		}
		manager, err := managedfields.NewDefaultCRDFieldManager(converter, applyConverter{served}, applyDefaulter{}, creater, gvk, gvk.GroupVersion(), step.Subresource, fieldpath.NewExcludeFilterSetMap(reset))
		if err != nil {
			return nil, err
		}
		if live == nil {
			object, _ := creater.New(gvk)
			live = object.(*unstructured.Unstructured)
		} else {
			live.SetGroupVersionKind(gvk)
		}
		result, err := step.run(manager, live)
		if err != nil {
			answers = append(answers, refusedApply(err))
			continue
		}
		setApplyTimes(result, index)
		if result.GetUID() == "" {
			result.SetUID("u")
		}
		live = result
		answer := applyAnswer{Object: live.DeepCopy().Object}
		for _, entry := range live.GetManagedFields() {
			text, err := canonicalFields(entry.FieldsV1.Raw)
			if err != nil {
				return nil, err
			}
			answer.Fields = append(answer.Fields, text)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

func (step applyStep) run(manager *managedfields.FieldManager, live *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if step.Op == "apply" {
		result, err := manager.Apply(live.DeepCopy(), &unstructured.Unstructured{Object: step.Config}, step.Manager, step.Force)
		if err != nil {
			return nil, err
		}
		return result.(*unstructured.Unstructured), nil
	}
	object := step.Object
	if object != nil {
		object = runtime.DeepCopyJSON(object)
		if live.GetUID() != "" {
			unstructured.SetNestedField(object, string(live.GetUID()), "metadata", "uid")
		}
	} else {
		before, err := json.Marshal(live.Object)
		if err != nil {
			return nil, err
		}
		after, err := jsonpatch.MergePatch(before, step.Patch)
		if err != nil {
			return nil, err
		}
		if err := utiljson.Unmarshal(after, &object); err != nil {
			return nil, err
		}
	}
	return manager.UpdateNoErrors(live.DeepCopy(), &unstructured.Unstructured{Object: object}, step.Manager).(*unstructured.Unstructured), nil
}

func refusedApply(err error) applyAnswer {
	answer := applyAnswer{Error: err.Error()}
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		answer.Reason = string(status.ErrStatus.Reason)
		if status.ErrStatus.Details != nil {
			for _, cause := range status.ErrStatus.Details.Causes {
				answer.Causes = append(answer.Causes, fmt.Sprintf("%s %s %s", cause.Type, cause.Message, cause.Field))
			}
			// They come in the order of a map.
			sort.Strings(answer.Causes)
		}
	}
	return answer
}

func canonicalFields(raw []byte) (string, error) {
	set := fieldpath.NewSet()
	if err := set.FromJSON(strings.NewReader(string(raw))); err != nil {
		return "", err
	}
	text, err := set.ToJSON()
	return string(text), err
}

func includeFilter(patterns [][]string) fieldpath.Filter {
	matchers := []*fieldpath.SetMatcher{}
	for _, pattern := range patterns {
		parts := []any{}
		for _, part := range pattern {
			if part == "*" {
				parts = append(parts, fieldpath.MatchAnyPathElement())
				continue
			}
			element, err := fieldpath.DeserializePathElement(part)
			if err != nil {
				panic(err)
			}
			parts = append(parts, element)
		}
		matchers = append(matchers, fieldpath.MakePrefixMatcherOrDie(parts...))
	}
	return fieldpath.NewIncludeMatcherFilter(matchers...)
}

func init() {
	// A sequence of requests → what came of each.
	subjects["apply"] = func(input json.RawMessage) (any, error) {
		var question applyQuestion
		if err := utiljson.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		if question.Define != nil {
			return "defined", question.define()
		}
		return question.run()
	}
	// FieldsV1 → the same in canonical form.
	subjects["apply-fields"] = func(input json.RawMessage) (any, error) {
		return canonicalFields(input)
	}
	// {"op", "a", "b"}: two FieldsV1 → what an operation makes of them.
	subjects["apply-sets"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Op       string
			A, B     json.RawMessage
			Patterns [][]string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		a, b := fieldpath.NewSet(), fieldpath.NewSet()
		if err := errors.Join(a.FromJSON(strings.NewReader(string(question.A))), b.FromJSON(strings.NewReader(string(question.B)))); err != nil {
			return nil, err
		}
		operations := map[string]func() *fieldpath.Set{
			"union": func() *fieldpath.Set { return a.Union(b) }, "intersection": func() *fieldpath.Set { return a.Intersection(b) },
			"difference": func() *fieldpath.Set { return a.Difference(b) }, "recursive": func() *fieldpath.Set { return a.RecursiveDifference(b) },
			"leaves": func() *fieldpath.Set { return a.Union(b).Leaves() }, "include": func() *fieldpath.Set { return includeFilter(question.Patterns).Filter(a) },
		}
		set := operations[question.Op]()
		text, err := set.ToJSON()
		paths := []string{}
		set.Iterate(func(path fieldpath.Path) { paths = append(paths, path.String()) })
		return map[string]any{"set": string(text), "paths": paths}, err
	}
	// {"group", "kind"} → what an object of a built-in kind is before anybody has set a field.
	subjects["apply-empty"] = func(input json.RawMessage) (any, error) {
		var question struct{ Group, Version, Kind string }
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		object, err := scheme.Scheme.New(schema.GroupVersionKind(question))
		if err != nil {
			return nil, err
		}
		reflected, err := value.NewValueReflect(object)
		if err != nil {
			return nil, err
		}
		return reflected.Unstructured(), nil
	}
	// {"schema"} defines the kind; {"value", "fields", "keys"} → what is left without these fields, and only with them.
	subjects["apply-items"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Schema json.RawMessage `json:"schema"`
			Value  map[string]any  `json:"value"`
			Fields json.RawMessage `json:"fields"`
			Keys   bool            `json:"keys"`
		}
		if err := utiljson.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		if question.Schema != nil {
			return "defined", applyQuestion{Group: "example.com", Kind: "Sample", Define: map[string]json.RawMessage{"v1": question.Schema}}.define()
		}
		object, err := definedConverter.ObjectToTyped(&unstructured.Unstructured{Object: question.Value}, typed.AllowDuplicates)
		if err != nil {
			return nil, err
		}
		set := fieldpath.NewSet()
		if err := set.FromJSON(strings.NewReader(string(question.Fields))); err != nil {
			return nil, err
		}
		options := []typed.ExtractItemsOption{}
		if question.Keys {
			options = append(options, typed.WithAppendKeyFields())
		}
		return map[string]any{"removed": object.RemoveItems(set).AsValue().Unstructured(), "extracted": object.ExtractItems(set, options...).AsValue().Unstructured()}, nil
	}
	// {"parent", "scale", "apiVersion", "paths"} → the entries of the Scale, and those of the object after the Scale has these.
	subjects["apply-scale"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Parent, Scale []metav1.ManagedFieldsEntry
			APIVersion    string `json:"apiVersion"`
			Paths         map[string][]string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		mappings := managedfields.ResourcePathMappings{}
		for version, path := range question.Paths {
			mappings[version] = nil
			for _, name := range path {
				mappings[version] = append(mappings[version], fieldpath.FieldNameElement(name))
			}
		}
		gv, err := schema.ParseGroupVersion(question.APIVersion)
		if err != nil {
			return nil, err
		}
		handler := managedfields.NewScaleHandler(question.Parent, gv, mappings)
		scale, err := handler.ToSubresource()
		if err != nil {
			return nil, err
		}
		parent, err := handler.ToParent(question.Scale)
		return map[string]any{"scale": scale, "parent": parent}, err
	}
}
