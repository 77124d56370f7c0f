package main

import (
	"encoding/json"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

func init() {
	// A text, or {"nanos": "1500000"}.
	subjects["duration"] = func(input json.RawMessage) (any, error) {
		var text string
		if json.Unmarshal(input, &text) == nil {
			parsed, err := time.ParseDuration(text)
			if err != nil {
				return nil, err
			}
			return map[string]string{"nanos": strconv.FormatInt(int64(parsed), 10), "text": parsed.String()}, nil
		}
		var question struct {
			Nanos int64 `json:",string"`
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		d := time.Duration(question.Nanos)
		return map[string]string{"text": d.String(), "human": duration.HumanDuration(d), "short": duration.ShortHumanDuration(d)}, nil
	}
}
