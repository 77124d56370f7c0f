package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	protobufType = "application/vnd.kubernetes.protobuf"
	firstVersion = 1000000000
	// Placeholders in the template for the version (10 digits) and two timestamps (19 digits). Only patched objects have the second timestamp.
	versionMark = "1234567890"
	sentMark    = "1234567890123456789"
	seenMark    = "9876543210987654321"
	nameMark    = "x7k2p"
	noTime      = "0000000000000000000"
)

// An event in one encoding, with the offsets of the version and the timestamps.
type frame struct {
	bytes   []byte
	version int
	sent    int
	seen    int
	// Offsets of the object.
	from, to int
}

// The values that differ between versions of an object.
type stamp struct {
	version string
	sent    string
	seen    string
}

type encoding struct {
	contentType string
	items       [][]byte // as items of a list
	added       []frame
	modified    []frame
	bookmark    frame
	list        func(items [][]byte, resourceVersion, next string) [][]byte
}

func objectText(template string, index int) string {
	digits := fmt.Sprintf("%05x", index)
	text := strings.ReplaceAll(template, nameMark, digits)
	text = strings.Replace(text, "4c1d9e02-7a35", "4c1"+digits+"-7a35", 1)
	return strings.ReplaceAll(text, "10.244.3.17", fmt.Sprintf("10.244.%d.%d", index>>8&255, index&255))
}

// Parses the index from a name that objectText wrote.
func indexOf(name string) (int, error) {
	index, err := strconv.ParseInt(name[max(0, len(name)-len(nameMark)):], 16, 32)
	return int(index), err
}

func versionOf(index int) string { return strconv.Itoa(firstVersion + index) }

func frameOf(data []byte, from, to int) frame {
	// The longer mark begins with the shorter one.
	sent := bytes.Index(data, []byte(sentMark))
	version := bytes.Index(data, []byte(`"`+versionMark+`"`)) + 1
	if version == 0 {
		version = bytes.Index(data, []byte(versionMark))
		if version == sent {
			version = sent + len(sentMark) + bytes.Index(data[sent+len(sentMark):], []byte(versionMark))
		}
	}
	return frame{data, version, sent, bytes.Index(data, []byte(seenMark)), from, to}
}

func (f frame) write(buffer []byte, now stamp) []byte {
	start := len(buffer)
	buffer = append(buffer, f.bytes...)
	copy(buffer[start+f.version:], now.version)
	if f.sent >= 0 {
		copy(buffer[start+f.sent:], now.sent)
	}
	if f.seen >= 0 {
		copy(buffer[start+f.seen:], now.seen)
	}
	return buffer
}

// Returns the object alone, as the response to a request.
func (f frame) object(now stamp) []byte { return f.write(nil, now)[f.from:f.to] }

func encodeJSON(template string, gvk schema.GroupVersionKind, count int) encoding {
	result := encoding{contentType: "application/json"}
	event := func(kind, text string) frame {
		head := `{"type":"` + kind + `","object":`
		return frameOf([]byte(head+text+"}\n"), len(head), len(head)+len(text))
	}
	typeMeta := fmt.Sprintf(`"kind":"%s","apiVersion":"%s",`, gvk.Kind, gvk.GroupVersion())
	for index := range count {
		text := objectText(template, index)
		result.added = append(result.added, event("ADDED", text))
		result.modified = append(result.modified, event("MODIFIED", text))
		item := frameOf([]byte(strings.Replace(text, typeMeta, "", 1)), 0, 0)
		result.items = append(result.items, item.write(nil, stamp{versionOf(index), noTime, noTime}))
	}
	result.bookmark = event("BOOKMARK", `{`+typeMeta+`"metadata":{"resourceVersion":"`+versionMark+`","creationTimestamp":null,"annotations":{"`+metav1.InitialEventsAnnotationKey+`":"true"}}}`)
	result.list = func(items [][]byte, resourceVersion, next string) [][]byte {
		head := fmt.Sprintf(`{"kind":"%sList","apiVersion":"%s","metadata":{"resourceVersion":"%s"`, gvk.Kind, gvk.GroupVersion(), resourceVersion)
		if next != "" {
			head += `,"continue":"` + next + `"`
		}
		parts := [][]byte{[]byte(head + `},"items":[`)}
		for index, item := range items {
			if index > 0 {
				parts = append(parts, []byte(","))
			}
			parts = append(parts, item)
		}
		return append(parts, []byte("]}\n"))
	}
	return result
}

func newObject(gvk schema.GroupVersionKind) (runtime.Object, metav1.Object) {
	object, err := scheme.Scheme.New(gvk)
	check(err)
	object.GetObjectKind().SetGroupVersionKind(gvk)
	accessor, err := meta.Accessor(object)
	check(err)
	return object, accessor
}

func encodeProtobuf(template string, gvk schema.GroupVersionKind, count int) encoding {
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	encode := func(object runtime.Object) []byte {
		var buffer bytes.Buffer
		check(serializer.Encode(object, &buffer))
		return buffer.Bytes()
	}
	event := func(kind string, object []byte) frame {
		data, err := (&metav1.WatchEvent{Type: kind, Object: runtime.RawExtension{Raw: object}}).Marshal()
		check(err)
		framed := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...)
		// The object is the last field of the last field.
		return frameOf(framed, len(framed)-len(object), len(framed))
	}
	result := encoding{contentType: protobufType}
	typed := make([]runtime.Object, count)
	for index := range count {
		object, accessor := newObject(gvk)
		check(json.Unmarshal([]byte(objectText(template, index)), object))
		data := encode(object)
		result.added = append(result.added, event("ADDED", data))
		result.modified = append(result.modified, event("MODIFIED", data))
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		accessor.SetResourceVersion(versionOf(index))
		for name, value := range accessor.GetAnnotations() {
			if value == sentMark || value == seenMark {
				accessor.GetAnnotations()[name] = noTime
			}
		}
		typed[index] = object
	}
	end, accessor := newObject(gvk)
	accessor.SetResourceVersion(versionMark)
	accessor.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
	result.bookmark = event("BOOKMARK", encode(end))
	// Each requested page of protobuf is encoded once and cached.
	var mutex sync.Mutex
	pages := map[string][]byte{}
	result.items = make([][]byte, count)
	for index := range count {
		result.items[index] = binary.BigEndian.AppendUint32(nil, uint32(index))
	}
	result.list = func(items [][]byte, resourceVersion, next string) [][]byte {
		mutex.Lock()
		defer mutex.Unlock()
		from := 0
		if len(items) > 0 {
			from = int(binary.BigEndian.Uint32(items[0]))
		}
		key := fmt.Sprint(from, "/", len(items))
		if pages[key] == nil {
			pages[key] = encode(listOf(gvk, typed[from:from+len(items)], resourceVersion, next))
		}
		return [][]byte{pages[key]}
	}
	return result
}

func listOf(gvk schema.GroupVersionKind, objects []runtime.Object, resourceVersion, next string) runtime.Object {
	listKind := gvk.GroupVersion().WithKind(gvk.Kind + "List")
	list, err := scheme.Scheme.New(listKind)
	check(err)
	list.GetObjectKind().SetGroupVersionKind(listKind)
	check(meta.SetList(list, objects))
	accessor, err := meta.ListAccessor(list)
	check(err)
	accessor.SetResourceVersion(resourceVersion)
	accessor.SetContinue(next)
	return list
}
