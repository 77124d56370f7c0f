// The replay server of `npm run bench -- scale`: serves any number of copies of one object without keeping them, in JSON and in protobuf.
//
//	GET /<objects>/api/v1/<resource>                list, in pages if requested
//	GET …?watch=true[&sendInitialEvents=true]       watch, from any version that has not expired; the current state first if requested
//	GET /<objects>/change?count=<n>                 changes the next n objects; open watches get the events
//	GET /<objects>/change?count=<n>&expire=true     the same, but all versions before expire, and open watches end with 410
//
// Each number of objects has its own history, which is one number: change j is of object (j-1) modulo the number of objects. So the state
// at any version can be computed, and an object costs the server one copy of its template.
package main

import (
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

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Bytes per write at full speed.
const chunkBytes = 64 * 1024

// A watch with bookmarks gets the last one this long before its timeout, as from a real server.
const lastBookmark = 2 * time.Second

func main() {
	template := flag.String("template", "", "an object as JSON, with marks")
	flag.Parse()
	text, err := os.ReadFile(*template)
	check(err)
	var kind metav1.TypeMeta
	check(json.Unmarshal(text, &kind))
	gvk := kind.GroupVersionKind()
	server := &replay{json: encodeJSON(string(text), gvk), protobuf: encodeProtobuf(string(text), gvk), histories: map[int]*history{}}
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

type replay struct {
	json, protobuf *encoding
	mutex          sync.Mutex
	histories      map[int]*history
}

// The changes of one number of objects.
type history struct {
	objects int
	mutex   sync.Mutex
	changes int
	// Changes before this one have expired.
	expired int
	// Closed and replaced at each change.
	moved chan struct{}
}

func (s *replay) history(objects int) *history {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.histories[objects] == nil {
		s.histories[objects] = &history{objects: objects, moved: make(chan struct{})}
	}
	return s.histories[objects]
}

func (h *history) change(count int, expire bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.changes += count
	if expire {
		h.expired = h.changes
	}
	close(h.moved)
	h.moved = make(chan struct{})
}

func (h *history) now() (changes, expired int, moved <-chan struct{}) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.changes, h.expired, h.moved
}

// The version of an object after a number of changes.
func (h *history) version(index, changes int) int {
	if changes <= index {
		return firstVersion + index
	}
	last := changes - (changes-index-1)%h.objects
	return h.listVersion(last)
}

func (h *history) listVersion(changes int) int { return firstVersion + h.objects + changes }

func (s *replay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	objects, err := strconv.Atoi(parts[0])
	if len(parts) < 2 || err != nil {
		http.NotFound(w, r)
		return
	}
	state := s.history(objects)
	query := r.URL.Query()
	encoded := s.json
	if strings.HasPrefix(r.Header.Get("Accept"), protobufType) {
		encoded = s.protobuf
	}
	switch {
	case parts[1] == "version":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"major":"1","minor":"36"}`))
	case parts[1] == "change":
		count, _ := strconv.Atoi(query.Get("count"))
		state.change(count, query.Get("expire") == "true")
	case parts[len(parts)-1] == "kube-system":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"kube-system","uid":"5b1f0a6f-0000-4c0e-9d0b-4c1d9e027a35"}}`))
	case query.Get("watch") == "true" || query.Get("watch") == "1":
		watch(w, r, encoded, state)
	default:
		list(w, r, encoded, state)
	}
}

func list(w http.ResponseWriter, r *http.Request, encoded *encoding, state *history) {
	query := r.URL.Query()
	changes, _, _ := state.now()
	from, _ := strconv.Atoi(query.Get("continue"))
	to := state.objects
	next := ""
	if limit, _ := strconv.Atoi(query.Get("limit")); limit > 0 && from+limit < state.objects {
		to = from + limit
		next = strconv.Itoa(to)
	}
	w.Header().Set("Content-Type", encoded.contentType)
	_, _ = w.Write(encoded.list(from, to, func(index int) int { return state.version(index, changes) }, state.listVersion(changes), next))
}

func watch(w http.ResponseWriter, r *http.Request, encoded *encoding, state *history) {
	query := r.URL.Query()
	contentType := encoded.contentType
	if contentType == protobufType {
		contentType += ";stream=watch"
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	sent, _, _ := state.now()
	to := &sender{w: w}
	if query.Get("sendInitialEvents") == "true" {
		for index := range state.objects {
			if to.add(encoded.added.write, index, state.version(index, sent)) != nil {
				return
			}
		}
		_ = to.add(encoded.initialEnd.write, 0, state.listVersion(sent))
	} else if version, err := strconv.Atoi(query.Get("resourceVersion")); err == nil && version > 0 {
		sent = max(0, version-state.listVersion(0))
	}
	var bookmark, end <-chan time.Time
	if seconds, _ := strconv.Atoi(query.Get("timeoutSeconds")); seconds > 0 {
		timeout := time.Duration(seconds) * time.Second
		end = time.After(timeout)
		bookmark = time.After(timeout - lastBookmark)
	}
	for {
		changes, expired, moved := state.now()
		if sent < expired {
			to.buffer = append(to.buffer, encoded.gone...)
			_ = to.send()
			return
		}
		for ; sent < changes; sent++ {
			if to.add(encoded.modified.write, sent%state.objects, state.listVersion(sent+1)) != nil {
				return
			}
		}
		if to.send() != nil {
			return
		}
		select {
		case <-moved:
		case <-bookmark:
			_ = to.add(encoded.bookmark.write, 0, state.listVersion(sent))
		case <-end:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// Writes events in chunks.
type sender struct {
	w      http.ResponseWriter
	buffer []byte
}

func (s *sender) add(write func(buffer []byte, index, version int) []byte, index, version int) error {
	s.buffer = write(s.buffer, index, version)
	if len(s.buffer) < chunkBytes {
		return nil
	}
	return s.send()
}

func (s *sender) send() error {
	_, err := s.w.Write(s.buffer)
	s.buffer = s.buffer[:0]
	s.w.(http.Flusher).Flush()
	return err
}
