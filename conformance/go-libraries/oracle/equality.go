package main

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// equalitySample has every shape a field can have; scalars are pointers, because JSON cannot tell a zero from an absent one otherwise.
type equalitySample struct {
	Text   *string                      `json:"text,omitempty"`
	Number *int64                       `json:"number,omitempty"`
	Flag   *bool                        `json:"flag,omitempty"`
	Name   string                       `json:"name"`
	Size   *resource.Quantity           `json:"size,omitempty"`
	At     *metav1.Time                 `json:"at,omitempty"`
	Exact  *metav1.MicroTime            `json:"exact,omitempty"`
	Labels map[string]string            `json:"labels,omitempty"`
	Limits map[string]resource.Quantity `json:"limits,omitempty"`
	Extra  map[string][]string          `json:"extra,omitempty"`
	Items  []equalitySample             `json:"items,omitempty"`
	Words  []string                     `json:"words,omitempty"`
	Inner  equalityInner                `json:"inner"`
	Choice *equalityInner               `json:"choice,omitempty"`
	ByKey  map[string]equalityInner     `json:"byKey,omitempty"`
}

type equalityInner struct {
	Words  []string           `json:"words,omitempty"`
	Size   *resource.Quantity `json:"size,omitempty"`
	Choice *equalityInner     `json:"choice,omitempty"`
}

// equality: {"a", "b"} → whether they mean the same, and whether b says all that a says.
func init() {
	subjects["equality"] = func(input json.RawMessage) (any, error) {
		var q struct{ A, B equalitySample }
		if err := json.Unmarshal(input, &q); err != nil {
			return nil, err
		}
		return map[string]bool{"equal": equality.Semantic.DeepEqual(q.A, q.B), "derivative": equality.Semantic.DeepDerivative(q.A, q.B)}, nil
	}
}
