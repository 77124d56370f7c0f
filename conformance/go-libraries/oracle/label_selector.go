package main

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type selectorAnswer struct {
	Text         string              `json:"text"`
	Requirements []requirementAnswer `json:"requirements"`
	Everything   bool                `json:"everything"`
	Nothing      bool                `json:"nothing"`
	Matches      []bool              `json:"matches"`
	Exact        *string             `json:"exact"`
}

type requirementAnswer struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

func describeSelector(selector labels.Selector, sets []map[string]string, key string) selectorAnswer {
	requirements, _ := selector.Requirements()
	result := selectorAnswer{Text: selector.String(), Requirements: []requirementAnswer{}, Everything: selector.Empty(), Nothing: labels.MatchesNothing(selector), Matches: []bool{}}
	for i := range requirements {
		result.Requirements = append(result.Requirements, requirementAnswer{requirements[i].Key(), string(requirements[i].Operator()), requirements[i].ValuesUnsorted()})
	}
	for _, set := range sets {
		result.Matches = append(result.Matches, selector.Matches(labels.Set(set)))
	}
	if value, found := selector.RequiresExactMatch(key); found {
		result.Exact = &value
	}
	return result
}

func init() {
	subjects["label-selector"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Text   string
			Labels []map[string]string
			Key    string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		selector, err := labels.Parse(question.Text)
		if err != nil {
			return nil, err
		}
		return describeSelector(selector, question.Labels, question.Key), nil
	}
	subjects["label-selector-requirement"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Key, Operator string
			Values        []string
			Path          string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		var options []field.PathOption
		if question.Path != "" {
			options = append(options, field.WithPath(field.NewPath(question.Path)))
		}
		requirement, err := labels.NewRequirement(question.Key, selection.Operator(question.Operator), question.Values, options...)
		if err != nil {
			return nil, err
		}
		return requirement.String(), nil
	}
	subjects["label-selector-object"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Selector *metav1.LabelSelector
			Labels   []map[string]string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		errors := v1validation.ValidateLabelSelector(question.Selector, v1validation.LabelSelectorValidationOptions{}, field.NewPath("spec", "selector"))
		result := map[string]any{"format": metav1.FormatLabelSelector(question.Selector), "errors": printErrors(errors)}
		if selector, err := metav1.LabelSelectorAsSelector(question.Selector); err != nil {
			result["error"] = err.Error()
		} else {
			result["selector"] = describeSelector(selector, question.Labels, "")
		}
		return result, nil
	}
	subjects["label-selector-text"] = func(input json.RawMessage) (any, error) {
		var text string
		if err := json.Unmarshal(input, &text); err != nil {
			return nil, err
		}
		return metav1.ParseToLabelSelector(text)
	}
}

func printErrors(errors field.ErrorList) []string {
	printed := []string{}
	for _, err := range errors {
		printed = append(printed, err.Error())
	}
	return printed
}
