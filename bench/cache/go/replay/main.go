// The replay server of `npm run bench -- cache`: one Pod many times, in JSON and in protobuf, encoded before anybody asks.
//
//	GET /s/<pods>/<events>/<rate>/api/v1/pods               list, in pages when asked for
//	GET …?watch=true[&sendInitialEvents=true]               watch; the present state first when asked for
//	GET /s/<pods>/<events>/<rate>/start                     from now on every watch of that scenario gets its events
//
// Each watch gets <events> MODIFIED events, <rate> a second or as fast as they go (0). The place of the resource version and the time of
// sending have a fixed width in both encodings, so an event costs the server a copy.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

const (
	protobufType = "application/vnd.kubernetes.protobuf"
	firstVersion = 1000000000
	// What stands in the template where a version and a time go: ten and nineteen digits.
	versionMark = "1234567890"
	sentMark    = "1234567890123456789"
	nameMark    = "x7k2p"
)

// One Pod in one encoding, cut where the version and the time of sending go.
type frame struct {
	bytes   []byte
	version int
	sent    int
}

type encoding struct {
	contentType string
	items       [][]byte // as items of a list
	added       []frame
	modified    []frame
	bookmark    frame
	list        func(items [][]byte, resourceVersion, next string) [][]byte
}

func main() {
	template := flag.String("template", "", "a Pod as JSON, with marks")
	count := flag.Int("pods", 0, "how many Pods to encode")
	flag.Parse()
	text, err := os.ReadFile(*template)
	check(err)
	server := &replay{json: encodeJSON(string(text), *count), protobuf: encodeProtobuf(string(text), *count), started: map[string]chan struct{}{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Printf("http://%s\n", listener.Addr())
	check(http.Serve(listener, server))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func podText(template string, index int) string {
	digits := fmt.Sprintf("%05x", index)
	text := strings.ReplaceAll(template, nameMark, digits)
	text = strings.Replace(text, "4c1d9e02-7a35", "4c1"+digits+"-7a35", 1)
	return strings.ReplaceAll(text, "10.244.3.17", fmt.Sprintf("10.244.%d.%d", index>>8&255, index&255))
}

func versionOf(index int) string { return strconv.Itoa(firstVersion + index) }

func frameOf(data []byte) frame {
	// The longer mark begins with the shorter one.
	sent := bytes.Index(data, []byte(sentMark))
	version := bytes.Index(data, []byte(`"`+versionMark+`"`)) + 1
	if version == 0 {
		version = bytes.Index(data, []byte(versionMark))
		if version == sent {
			version = sent + len(sentMark) + bytes.Index(data[sent+len(sentMark):], []byte(versionMark))
		}
	}
	return frame{data, version, sent}
}

func (f frame) write(buffer []byte, version string, sent string) []byte {
	start := len(buffer)
	buffer = append(buffer, f.bytes...)
	copy(buffer[start+f.version:], version)
	if f.sent >= 0 {
		copy(buffer[start+f.sent:], sent)
	}
	return buffer
}

func encodeJSON(template string, count int) encoding {
	result := encoding{contentType: "application/json"}
	for index := range count {
		text := podText(template, index)
		result.added = append(result.added, frameOf([]byte(`{"type":"ADDED","object":`+text+"}\n")))
		result.modified = append(result.modified, frameOf([]byte(`{"type":"MODIFIED","object":`+text+"}\n")))
		item := frameOf([]byte(strings.Replace(text, `"kind":"Pod","apiVersion":"v1",`, "", 1)))
		result.items = append(result.items, item.write(nil, versionOf(index), "0000000000000000000"))
	}
	result.bookmark = frameOf([]byte(`{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"` + versionMark + `","creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}},"spec":{"containers":null},"status":{}}}` + "\n"))
	result.list = func(items [][]byte, resourceVersion, next string) [][]byte {
		head := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + resourceVersion + `"`
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

func encodeProtobuf(template string, count int) encoding {
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	encode := func(object runtime.Object) []byte {
		var buffer bytes.Buffer
		check(serializer.Encode(object, &buffer))
		return buffer.Bytes()
	}
	event := func(kind string, object []byte) []byte {
		data, err := (&metav1.WatchEvent{Type: kind, Object: runtime.RawExtension{Raw: object}}).Marshal()
		check(err)
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...)
	}
	result := encoding{contentType: protobufType}
	typed := make([]corev1.Pod, count)
	for index := range count {
		pod := &typed[index]
		check(json.Unmarshal([]byte(podText(template, index)), pod))
		pod.Kind, pod.APIVersion = "Pod", "v1"
		data := encode(pod)
		result.added = append(result.added, frameOf(event("ADDED", data)))
		result.modified = append(result.modified, frameOf(event("MODIFIED", data)))
		pod.Kind, pod.APIVersion = "", ""
		pod.ResourceVersion = versionOf(index)
	}
	end := &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}, ObjectMeta: metav1.ObjectMeta{ResourceVersion: versionMark, Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}
	result.bookmark = frameOf(event("BOOKMARK", encode(end)))
	// Pages of protobuf are encoded once per page asked for, and kept.
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
			pages[key] = encode(&corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}, ListMeta: metav1.ListMeta{ResourceVersion: resourceVersion, Continue: next}, Items: typed[from : from+len(items)]})
		}
		return [][]byte{pages[key]}
	}
	return result
}

type replay struct {
	json, protobuf encoding
	mutex          sync.Mutex
	started        map[string]chan struct{}
}

func (s *replay) starting(scenario string, fresh bool) chan struct{} {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.started[scenario] == nil || fresh {
		s.started[scenario] = make(chan struct{})
	}
	return s.started[scenario]
}

func (s *replay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if len(parts) < 5 || parts[0] != "s" {
		http.NotFound(w, r)
		return
	}
	pods, _ := strconv.Atoi(parts[1])
	events, _ := strconv.Atoi(parts[2])
	rate, _ := strconv.Atoi(parts[3])
	scenario := strings.Join(parts[1:4], "/")
	query := r.URL.Query()
	encoded := &s.json
	if strings.HasPrefix(r.Header.Get("Accept"), protobufType) {
		encoded = &s.protobuf
	}
	switch {
	case parts[4] == "start":
		close(s.starting(scenario, false))
		s.starting(scenario, true)
	case query.Get("watch") == "true" || query.Get("watch") == "1":
		s.watch(w, r, encoded, pods, events, rate, scenario, query.Get("sendInitialEvents") == "true")
	default:
		from, _ := strconv.Atoi(query.Get("continue"))
		to := pods
		next := ""
		if limit, _ := strconv.Atoi(query.Get("limit")); limit > 0 && from+limit < pods {
			to = from + limit
			next = strconv.Itoa(to)
		}
		w.Header().Set("Content-Type", encoded.contentType)
		for _, part := range encoded.list(encoded.items[from:to], versionOf(pods), next) {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}
}

func (s *replay) watch(w http.ResponseWriter, r *http.Request, encoded *encoding, pods, events, rate int, scenario string, initial bool) {
	contentType := encoded.contentType
	if contentType == protobufType {
		contentType += ";stream=watch"
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	flusher := w.(http.Flusher)
	start := s.starting(scenario, false)
	buffer := make([]byte, 0, 256*1024)
	send := func(always bool) bool {
		if len(buffer) < 64*1024 && !always {
			return true
		}
		_, err := w.Write(buffer)
		buffer = buffer[:0]
		return err == nil
	}
	if initial {
		for index := range pods {
			buffer = encoded.added[index].write(buffer, versionOf(index), "0000000000000000000")
			if !send(false) {
				return
			}
		}
		buffer = encoded.bookmark.write(buffer, versionOf(pods), "")
	}
	send(true)
	flusher.Flush()
	select {
	case <-start:
	case <-r.Context().Done():
		return
	}
	began := time.Now()
	for index := range events {
		if rate > 0 {
			time.Sleep(time.Until(began.Add(time.Duration(index) * time.Second / time.Duration(rate))))
		}
		buffer = encoded.modified[index%pods].write(buffer, versionOf(pods+1+index), fmt.Sprintf("%019d", time.Now().UnixNano()))
		if !send(rate > 0) {
			return
		}
		if rate > 0 {
			flusher.Flush()
		}
	}
	send(true)
	flusher.Flush()
	<-r.Context().Done()
}
