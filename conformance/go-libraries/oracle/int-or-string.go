package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/intstr"
)

func init() {
	// {"parse": "80"} reads a text; {"value": "25%", "total": 10, "roundUp": true} scales.
	subjects["int-or-string"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Parse   *string
			Value   *intstr.IntOrString
			Total   int
			RoundUp bool
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		if question.Parse != nil {
			return intstr.Parse(*question.Parse), nil
		}
		return intstr.GetScaledValueFromIntOrPercent(question.Value, question.Total, question.RoundUp)
	}
}
