package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/fields"
)

func init() {
	subjects["field-selector"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Text   string
			Fields []map[string]string
			Field  string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		selector, err := fields.ParseSelector(question.Text)
		if err != nil {
			return nil, err
		}
		terms := []map[string]string{}
		for _, requirement := range selector.Requirements() {
			terms = append(terms, map[string]string{"field": requirement.Field, "operator": string(requirement.Operator), "value": requirement.Value})
		}
		matches := []bool{}
		for _, set := range question.Fields {
			matches = append(matches, selector.Matches(fields.Set(set)))
		}
		result := map[string]any{"text": selector.String(), "terms": terms, "everything": selector.Empty(), "matches": matches}
		if value, found := selector.RequiresExactMatch(question.Field); found {
			result["exact"] = value
		}
		return result, nil
	}
}
