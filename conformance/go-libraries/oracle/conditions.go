package main

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conditions: {"conditions", "set" | "remove", "now"} → whether they changed, and what they are then. The library reads the clock where
// no time is given, so a time of today is answered as "now".
func init() {
	type question struct {
		Conditions []metav1.Condition
		Set        *metav1.Condition
		Remove     string
		Now        metav1.Time
	}
	subjects["conditions"] = func(input json.RawMessage) (any, error) {
		var q question
		if err := json.Unmarshal(input, &q); err != nil {
			return nil, err
		}
		started := time.Now().Add(-time.Minute)
		changed := false
		if q.Set != nil {
			changed = meta.SetStatusCondition(&q.Conditions, *q.Set)
		} else {
			changed = meta.RemoveStatusCondition(&q.Conditions, q.Remove)
		}
		for i := range q.Conditions {
			if q.Conditions[i].LastTransitionTime.After(started) {
				q.Conditions[i].LastTransitionTime = q.Now
			}
		}
		return map[string]any{
			"changed": changed, "conditions": q.Conditions,
			"isTrue": meta.IsStatusConditionTrue(q.Conditions, "Ready"), "isFalse": meta.IsStatusConditionFalse(q.Conditions, "Ready"),
		}, nil
	}
}
