package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

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
	// Marks in the template, all of a fixed width: the version, a time that begins like it, the end of names, and a part of the uid.
	versionMark = "1234567890"
	sentMark    = "1234567890123456789"
	nameMark    = "x7k2p"
	uidMark     = "d9e02-7a35"
)

// A template in one encoding, with the offsets of what differs between objects. All differences have the same width.
type frame struct {
	bytes   []byte
	version int
	names   []int
}

type encoding struct {
	contentType                     string
	item, added, modified, bookmark frame
	initialEnd                      frame
	gone                            []byte
	list                            func(from, to int, versionOf func(int) int, resourceVersion int, next string) []byte
}

func frameOf(data []byte) frame {
	result := frame{bytes: data, version: -1}
	for at := 0; ; {
		found := bytes.Index(data[at:], []byte(versionMark))
		if found < 0 {
			break
		}
		at += found
		if !bytes.HasPrefix(data[at:], []byte(sentMark)) {
			result.version = at
			break
		}
		at += len(sentMark)
	}
	for _, mark := range []string{nameMark, uidMark} {
		for at := 0; ; at += len(mark) {
			found := bytes.Index(data[at:], []byte(mark))
			if found < 0 {
				break
			}
			at += found
			result.names = append(result.names, at)
		}
	}
	return result
}

const hexDigits = "0123456789abcdef"

// Appends the object of an index at a version.
func (f *frame) write(buffer []byte, index, version int) []byte {
	start := len(buffer)
	buffer = append(buffer, f.bytes...)
	for digit, at := version, start+f.version+len(versionMark)-1; f.version >= 0 && at >= start+f.version; at-- {
		buffer[at] = byte('0' + digit%10)
		digit /= 10
	}
	for _, name := range f.names {
		for place := range len(nameMark) {
			buffer[start+name+place] = hexDigits[index>>(4*(len(nameMark)-1-place))&15]
		}
	}
	return buffer
}

var goneStatus = metav1.Status{
	TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
	Status:   metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired, Message: "too old resource version",
}

func encodeJSON(template string, gvk schema.GroupVersionKind) *encoding {
	event := func(kind, text string) frame {
		return frameOf([]byte(`{"type":"` + kind + `","object":` + text + "}\n"))
	}
	typeMeta := fmt.Sprintf(`"kind":"%s","apiVersion":"%s",`, gvk.Kind, gvk.GroupVersion())
	bookmark := func(more string) frame {
		return event("BOOKMARK", `{`+typeMeta+`"metadata":{"resourceVersion":"`+versionMark+`","creationTimestamp":null`+more+`}}`)
	}
	status, err := json.Marshal(goneStatus)
	check(err)
	gone := event("ERROR", string(status))
	result := &encoding{
		contentType: "application/json",
		item:        frameOf([]byte(strings.Replace(template, typeMeta, "", 1))),
		added:       event("ADDED", template),
		modified:    event("MODIFIED", template),
		bookmark:    bookmark(""),
		initialEnd:  bookmark(`,"annotations":{"` + metav1.InitialEventsAnnotationKey + `":"true"}`),
		gone:        gone.bytes,
	}
	result.list = func(from, to int, versionOf func(int) int, resourceVersion int, next string) []byte {
		head := fmt.Sprintf(`{"kind":"%sList","apiVersion":"%s","metadata":{"resourceVersion":"%d"`, gvk.Kind, gvk.GroupVersion(), resourceVersion)
		if next != "" {
			head += `,"continue":"` + next + `"`
		}
		buffer := []byte(head + `},"items":[`)
		for index := from; index < to; index++ {
			if index > from {
				buffer = append(buffer, ',')
			}
			buffer = result.item.write(buffer, index, versionOf(index))
		}
		return append(buffer, "]}\n"...)
	}
	return result
}

func encodeProtobuf(template string, gvk schema.GroupVersionKind) *encoding {
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	encode := func(object runtime.Object) []byte {
		var buffer bytes.Buffer
		check(serializer.Encode(object, &buffer))
		return buffer.Bytes()
	}
	event := func(kind string, object runtime.Object) frame {
		data, err := (&metav1.WatchEvent{Type: kind, Object: runtime.RawExtension{Raw: encode(object)}}).Marshal()
		check(err)
		return frameOf(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	}
	newObject := func() (runtime.Object, metav1.Object) {
		object, err := scheme.Scheme.New(gvk)
		check(err)
		object.GetObjectKind().SetGroupVersionKind(gvk)
		accessor, err := meta.Accessor(object)
		check(err)
		return object, accessor
	}
	object, _ := newObject()
	check(json.Unmarshal([]byte(template), object))
	item, err := object.(interface{ Marshal() ([]byte, error) }).Marshal()
	check(err)
	mark, accessor := newObject()
	accessor.SetResourceVersion(versionMark)
	bookmark := event("BOOKMARK", mark)
	accessor.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
	gone := event("ERROR", &goneStatus)
	result := &encoding{
		contentType: protobufType,
		item:        frameOf(item),
		added:       event("ADDED", object),
		modified:    event("MODIFIED", object),
		bookmark:    bookmark,
		initialEnd:  event("BOOKMARK", mark),
		gone:        gone.bytes,
	}
	result.list = func(from, to int, versionOf func(int) int, resourceVersion int, next string) []byte {
		metadata, err := (&metav1.ListMeta{ResourceVersion: strconv.Itoa(resourceVersion), Continue: next}).Marshal()
		check(err)
		// Field 1 is the metadata, field 2 the items.
		raw := append(binary.AppendUvarint([]byte{1<<3 | 2}, uint64(len(metadata))), metadata...)
		for index := from; index < to; index++ {
			raw = binary.AppendUvarint(append(raw, 2<<3|2), uint64(len(result.item.bytes)))
			raw = result.item.write(raw, index, versionOf(index))
		}
		unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind + "List"}, Raw: raw}
		data, err := unknown.Marshal()
		check(err)
		return append([]byte("k8s\x00"), data...)
	}
	return result
}
