package main

import (
	"context"
	"encoding/json"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

type schemaQuestion struct {
	Schema json.RawMessage
	Value  json.RawMessage
	Old    json.RawMessage
	Path   string
	Root   bool
	Drop   bool
	Status bool
	// Raw is the value as text, for numbers that the asker cannot write as a value.
	Raw string
}

type schemaFieldError struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Value  any    `json:"value"`
	Detail string `json:"detail"`
	Text   string `json:"text"`
}

func schemaErrors(list field.ErrorList) []schemaFieldError {
	out := []schemaFieldError{}
	for _, e := range list {
		var value any
		if raw, err := json.Marshal(e.BadValue); err == nil {
			value = json.RawMessage(raw)
		}
		out = append(out, schemaFieldError{Type: string(e.Type), Field: e.Field, Value: value, Detail: e.Detail, Text: e.Error()})
	}
	// The server goes through maps in random order; an answer must be the same every time.
	sort.SliceStable(out, func(i, j int) bool { return out[i].Text < out[j].Text })
	return out
}

func schemaInternal(raw json.RawMessage) (*apiextensions.JSONSchemaProps, error) {
	v1 := &apiextensionsv1.JSONSchemaProps{}
	if err := utiljson.Unmarshal(raw, v1); err != nil {
		return nil, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, internal, nil)
	return internal, err
}

func schemaStructural(raw json.RawMessage) (*schema.Structural, *apiextensions.JSONSchemaProps, error) {
	internal, err := schemaInternal(raw)
	if err != nil {
		return nil, nil, err
	}
	structural, err := schema.NewStructural(internal)
	return structural, internal, err
}

func schemaSubject(name string, answer func(q schemaQuestion, value any) (any, error)) {
	subjects[name] = func(input json.RawMessage) (any, error) {
		var q schemaQuestion
		if err := json.Unmarshal(input, &q); err != nil {
			return nil, err
		}
		if q.Raw != "" {
			q.Value = json.RawMessage(q.Raw)
		}
		var value any
		if len(q.Value) > 0 {
			if err := utiljson.Unmarshal(q.Value, &value); err != nil {
				return nil, err
			}
		}
		return answer(q, value)
	}
}

func schemaPath(path string) *field.Path {
	if path == "" {
		return nil
	}
	return field.NewPath(path)
}

func init() {
	defer func() { subjects["schema-validate-int64"] = subjects["schema-validate"] }()
	schemaSubject("schema-structural", func(q schemaQuestion, _ any) (any, error) {
		internal, err := schemaInternal(q.Schema)
		if err != nil {
			return nil, err
		}
		preserve := false
		crd := &apiextensions.CustomResourceDefinition{
			ObjectMeta: metav1.ObjectMeta{Name: "things.example.com"},
			Spec: apiextensions.CustomResourceDefinitionSpec{
				Group: "example.com", Scope: apiextensions.NamespaceScoped,
				Names:                 apiextensions.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
				Versions:              []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
				Validation:            &apiextensions.CustomResourceValidation{OpenAPIV3Schema: internal},
				PreserveUnknownFields: &preserve,
				Conversion:            &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter},
			},
			Status: apiextensions.CustomResourceDefinitionStatus{StoredVersions: []string{"v1"}},
		}
		if q.Status {
			crd.Spec.Subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
		}
		return schemaErrors(crdvalidation.ValidateCustomResourceDefinition(context.Background(), crd)), nil
	})
	schemaSubject("schema-validate", func(q schemaQuestion, value any) (any, error) {
		structural, internal, err := schemaStructural(q.Schema)
		if err != nil {
			return nil, err
		}
		validator, _, err := validation.NewSchemaValidator(internal)
		if err != nil {
			return nil, err
		}
		object, _ := value.(map[string]any)
		out := map[string]any{}
		if len(q.Old) == 0 {
			out["value"] = schemaErrors(validation.ValidateCustomResource(schemaPath(q.Path), value, validator))
			out["lists"] = schemaErrors(listtype.ValidateListSetsAndMaps(schemaPath(q.Path), structural, object))
		} else {
			var old any
			if err := utiljson.Unmarshal(q.Old, &old); err != nil {
				return nil, err
			}
			correlated := common.NewCorrelatedObject(value, old, &model.Structural{Structural: structural})
			out["value"] = schemaErrors(validation.ValidateCustomResourceUpdate(schemaPath(q.Path), value, old, validator, validation.WithRatcheting(correlated)))
			out["lists"] = []schemaFieldError{}
			oldObject, _ := old.(map[string]any)
			if len(listtype.ValidateListSetsAndMaps(schemaPath(q.Path), structural, oldObject)) == 0 {
				out["lists"] = schemaErrors(listtype.ValidateListSetsAndMaps(schemaPath(q.Path), structural, object))
			}
		}
		out["embedded"] = schemaErrors(objectmeta.Validate(schemaPath(q.Path), value, structural, q.Root))
		return out, nil
	})
	schemaSubject("schema-default", func(q schemaQuestion, value any) (any, error) {
		structural, _, err := schemaStructural(q.Schema)
		if err != nil {
			return nil, err
		}
		defaulting.PruneNonNullableNullsWithoutDefaults(value, structural)
		pruned, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		defaulting.Default(value, structural)
		return map[string]any{"withoutNulls": json.RawMessage(pruned), "defaulted": value}, nil
	})
	schemaSubject("schema-prune", func(q schemaQuestion, value any) (any, error) {
		structural, _, err := schemaStructural(q.Schema)
		if err != nil {
			return nil, err
		}
		paths := pruning.PruneWithOptions(value, structural, q.Root, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		sort.Strings(paths)
		return map[string]any{"value": value, "pruned": append([]string{}, paths...)}, nil
	})
	schemaSubject("schema-meta", func(q schemaQuestion, value any) (any, error) {
		structural, _, err := schemaStructural(q.Schema)
		if err != nil {
			return nil, err
		}
		fieldError, unknown := objectmeta.CoerceWithOptions(schemaPath(q.Path), value, structural, q.Root, objectmeta.CoerceOptions{DropInvalidFields: q.Drop, ReturnUnknownFieldPaths: true})
		if fieldError != nil {
			return map[string]any{"error": schemaErrors(field.ErrorList{fieldError})[0]}, nil
		}
		return map[string]any{"value": value, "unknown": append([]string{}, unknown...)}, nil
	})
	subjects["schema-format"] = func(input json.RawMessage) (any, error) {
		var q struct{ Format, Text string }
		if err := json.Unmarshal(input, &q); err != nil {
			return nil, err
		}
		return strfmt.Default.Validates(q.Format, q.Text), nil
	}
}
