package main

import (
	"encoding/json"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
)

// api-object reads an object into its Go type, strictly, and writes it again.
// Input: JSON text, as a string. Output: {"json": "...", "strict": ["unknown field ...", ...]}.
func init() {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme} {
		if err := add(types); err != nil {
			panic(err)
		}
	}
	codec := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, types, types, serializer.SerializerOptions{Strict: true})
	subjects["api-object"] = func(input json.RawMessage) (any, error) {
		var text string
		if err := json.Unmarshal(input, &text); err != nil {
			return nil, err
		}
		object, _, err := codec.Decode([]byte(text), nil, nil)
		complaints := []string{}
		if strict, ok := runtime.AsStrictDecodingError(err); ok {
			for _, complaint := range strict.Errors() {
				complaints = append(complaints, complaint.Error())
			}
		} else if err != nil {
			return nil, err
		}
		written, err := json.Marshal(object)
		return map[string]any{"json": string(written), "strict": complaints}, err
	}
}
