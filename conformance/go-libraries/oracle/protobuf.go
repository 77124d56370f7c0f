package main

import (
	"bytes"
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// protobuf reads what is given in one form into the Go type of a kind and writes it in the other, envelope included.
// Input: {"group", "version", "kind", "json"} or {"group", "version", "kind", "message"}, the message as base64.
// Output: {"message": "..."} or {"json": "..."}.
func init() {
	types := builtInTypes()
	subjects["protobuf"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Group, Version, Kind, Json string
			Message                    []byte
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		kind := schema.GroupVersionKind{Group: question.Group, Version: question.Version, Kind: question.Kind}
		messages := protobuf.NewSerializer(types, types)
		if question.Json == "" {
			object, err := decodeAs(messages, question.Message, kind)
			if err != nil {
				return nil, err
			}
			written, err := json.Marshal(object)
			return map[string]any{"json": string(written)}, err
		}
		texts := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, types, types, serializer.SerializerOptions{})
		object, err := decodeAs(texts, []byte(question.Json), kind)
		if err != nil {
			return nil, err
		}
		var written bytes.Buffer
		err = messages.Encode(object, &written)
		return map[string]any{"message": written.Bytes()}, err
	}
}

func decodeAs(decoder runtime.Decoder, data []byte, kind schema.GroupVersionKind) (runtime.Object, error) {
	object, actual, err := decoder.Decode(data, &kind, nil)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(*actual)
	return object, nil
}
