package main

import (
	"encoding/json"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func init() {
	// Any JSON value, as the field of an object would hold it: the moment it stands for and the JSON it is written back as.
	subjects["time"] = func(input json.RawMessage) (any, error) {
		var t metav1.Time
		if err := json.Unmarshal(input, &t); err != nil {
			return nil, err
		}
		return map[string]any{"json": t, "ms": strconv.FormatInt(t.UnixMilli(), 10)}, nil
	}
	subjects["micro-time"] = func(input json.RawMessage) (any, error) {
		var t metav1.MicroTime
		if err := json.Unmarshal(input, &t); err != nil {
			return nil, err
		}
		return map[string]any{"json": t, "micros": strconv.FormatInt(t.UnixMicro(), 10)}, nil
	}
	// Two times: which is first.
	subjects["time-order"] = func(input json.RawMessage) (any, error) {
		var pair [2]metav1.Time
		if err := json.Unmarshal(input, &pair); err != nil {
			return nil, err
		}
		return pair[0].Compare(pair[1].Time), nil
	}
}
