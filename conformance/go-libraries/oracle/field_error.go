package main

import (
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type fieldErrorQuestion struct {
	Make   string
	Path   string
	Value  json.RawMessage
	Detail string
	Valid  []string
	Limit  int
	Actual int
}

func makeFieldError(question fieldErrorQuestion) (*field.Error, error) {
	var path *field.Path
	if question.Path != "" {
		path = field.NewPath(question.Path)
	}
	var value any
	if len(question.Value) > 0 {
		if err := utiljson.Unmarshal(question.Value, &value); err != nil {
			return nil, err
		}
	}
	switch question.Make {
	case "Required":
		return field.Required(path, question.Detail), nil
	case "Invalid":
		return field.Invalid(path, value, question.Detail), nil
	case "TypeInvalid":
		return field.TypeInvalid(path, value, question.Detail), nil
	case "NotSupported":
		return field.NotSupported(path, value, question.Valid), nil
	case "Duplicate":
		return field.Duplicate(path, value), nil
	case "Forbidden":
		return field.Forbidden(path, question.Detail), nil
	case "NotFound":
		return field.NotFound(path, value), nil
	case "TooLong":
		return field.TooLong(path, value, question.Limit), nil
	case "TooLongCharacters":
		return field.TooLongCharacters(path, "", question.Limit), nil
	case "TooShort":
		return field.TooShort(path, "x", question.Limit), nil
	case "TooMany":
		return field.TooMany(path, question.Actual, question.Limit), nil
	case "TooFew":
		return field.TooFew(path, question.Actual, question.Limit), nil
	case "Internal":
		return field.InternalError(path, errors.New(question.Detail)), nil
	}
	return nil, fmt.Errorf("cannot make %q", question.Make)
}

func init() {
	subjects["field-error"] = func(input json.RawMessage) (any, error) {
		var questions []fieldErrorQuestion
		if err := json.Unmarshal(input, &questions); err != nil {
			return nil, err
		}
		list := field.ErrorList{}
		for _, question := range questions {
			made, err := makeFieldError(question)
			if err != nil {
				return nil, err
			}
			list = append(list, made)
		}
		return apierrors.NewInvalid(schema.GroupKind{Group: "apps", Kind: "Deployment"}, "web", list).ErrStatus, nil
	}
}
