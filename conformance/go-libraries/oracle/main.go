// The oracle answers questions about Kubernetes semantics with Kubernetes' own libraries, so that ours can be compared with them.
//
// One JSON object per line on standard input, {"subject": "...", "input": ...}; one per line on standard output,
// {"output": ...} or {"error": "..."}. Each subject stands in a file of its own and registers itself in subjects.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type answer struct {
	Output any    `json:"output,omitempty"`
	Error  string `json:"error,omitempty"`
}

var subjects = map[string]func(input json.RawMessage) (any, error){}

func ask(line []byte) (result answer) {
	defer func() {
		if p := recover(); p != nil {
			result = answer{Error: fmt.Sprintf("panic: %v", p)}
		}
	}()
	var question struct {
		Subject string
		Input   json.RawMessage
	}
	if err := json.Unmarshal(line, &question); err != nil {
		return answer{Error: "question: " + err.Error()}
	}
	subject, known := subjects[question.Subject]
	if !known {
		return answer{Error: "unknown subject " + question.Subject}
	}
	output, err := subject(question.Input)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Output: output}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		if err := encoder.Encode(ask(in.Bytes())); err != nil {
			panic(err)
		}
	}
}
