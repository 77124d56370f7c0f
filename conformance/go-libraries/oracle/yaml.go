package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	goyaml "go.yaml.in/yaml/v2"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// {"read": text}: the JSON text of the first document; whether a strict reader takes it too; how many documents follow each other.
// {"split": text}: the JSON text of each document, as kubectl reads a file.
// {"print": JSON text}: the YAML text.
func init() {
	subjects["yaml"] = func(input json.RawMessage) (any, error) {
		var question struct{ Read, Split, Print *string }
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		switch {
		case question.Read != nil:
			text, err := yaml.YAMLToJSON([]byte(*question.Read))
			if err != nil {
				return nil, err
			}
			_, strict := yaml.YAMLToJSONStrict([]byte(*question.Read))
			return map[string]any{"json": string(text), "strict": strict == nil, "documents": countDocuments(*question.Read)}, nil
		case question.Split != nil:
			return splitYAML(*question.Split)
		case question.Print != nil:
			text, err := yaml.JSONToYAML([]byte(*question.Print))
			return string(text), err
		}
		return nil, errors.New("nothing asked")
	}
}

// How many documents there are, or -1 when one behind the first cannot be read.
func countDocuments(text string) int {
	decoder := goyaml.NewDecoder(bytes.NewBufferString(text))
	for count := 0; ; count++ {
		var document any
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return count
		} else if err != nil {
			return -1
		}
	}
}

func splitYAML(text string) (any, error) {
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewBufferString(text)))
	documents := []string{}
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, err
		}
		asJSON, err := yaml.YAMLToJSON(document)
		if err != nil {
			return nil, err
		}
		if string(asJSON) != "null" {
			documents = append(documents, string(asJSON))
		}
	}
}
