package main

import (
	"encoding/json"
	"regexp"
)

func init() {
	// {"pattern": "a+", "texts": ["baa", ""]}: for each text the first match as byte offsets, or null.
	subjects["re2"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Pattern string
			Texts   []string
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		compiled, err := regexp.Compile(question.Pattern)
		if err != nil {
			return nil, err
		}
		found := make([][]int, len(question.Texts))
		for i, text := range question.Texts {
			found[i] = compiled.FindStringIndex(text)
		}
		return found, nil
	}
}
