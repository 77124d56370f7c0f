// The replay server of `npm run bench -- cache` and `npm run bench -- controller`: serves many copies of one object, in JSON and in
// protobuf, encoded in advance.
//
//	GET /s/<session>/<objects>/<events>/<rate>/api/v1/<resource>      list, in pages if requested
//	GET …?watch=true[&sendInitialEvents=true]                         watch; the current state first if requested
//	PATCH …/<resource>/<name>                                         stores the time of `bench.drover.dev/seen`; every watch gets an event
//	GET /s/<session>/<objects>/<events>/<rate>/start                  sends every watch of that scenario its events; each call repeats that
//	GET …/start?events=<events>&rate=<rate>                           with another number of events and another rate
//
// Each watch gets the same <events> MODIFIED events, <rate> per second or at full speed (0), as fast as the oldest watch reads. A session
// is any word: each process has its own, and so objects that no other process has changed. The resource version and the two timestamps have
// a fixed width in both encodings, so an event costs the server one copy.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func main() {
	template := flag.String("template", "", "an object as JSON, with marks")
	count := flag.Int("objects", 0, "how many objects to encode")
	flag.Parse()
	text, err := os.ReadFile(*template)
	check(err)
	var kind metav1.TypeMeta
	check(json.Unmarshal(text, &kind))
	gvk := kind.GroupVersionKind()
	server := &replay{
		json: encodeJSON(string(text), gvk, *count), protobuf: encodeProtobuf(string(text), gvk, *count),
		starts: map[string]*start{}, histories: map[string]*history{},
	}
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
	json, protobuf encoding
	mutex          sync.Mutex
	starts         map[string]*start
	// Of each scenario that is watched.
	histories map[string]*history
}

// The next start of a scenario. `events` and `rate` are valid once `given` is closed.
type start struct {
	given        chan struct{}
	events, rate int
}

func (s *replay) starting(name string) *start {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.starts[name] == nil {
		s.starts[name] = &start{given: make(chan struct{})}
	}
	return s.starts[name]
}

func (s *replay) start(asked scenario) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if next := s.starts[asked.name]; next != nil {
		next.events, next.rate = asked.events, asked.rate
		close(next.given)
	}
	delete(s.starts, asked.name)
}

// The scenario that the first parts of a path name.
type scenario struct {
	name                  string
	objects, events, rate int
}

func (s *replay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if len(parts) < 6 || parts[0] != "s" {
		http.NotFound(w, r)
		return
	}
	asked := scenario{name: strings.Join(parts[1:5], "/")}
	asked.objects, _ = strconv.Atoi(parts[2])
	asked.events, _ = strconv.Atoi(parts[3])
	asked.rate, _ = strconv.Atoi(parts[4])
	query := r.URL.Query()
	encoded := &s.json
	if strings.HasPrefix(r.Header.Get("Accept"), protobufType) {
		encoded = &s.protobuf
	}
	switch {
	case parts[5] == "version":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"major":"1","minor":"36"}`))
	case parts[5] == "start":
		if query.Has("events") {
			asked.events, _ = strconv.Atoi(query.Get("events"))
			asked.rate, _ = strconv.Atoi(query.Get("rate"))
		}
		s.start(asked)
	case r.Method == http.MethodPatch:
		s.patch(w, r, encoded, asked, parts[len(parts)-1])
	case query.Get("watch") == "true" || query.Get("watch") == "1":
		s.watch(w, r, encoded, asked, query.Get("sendInitialEvents") == "true")
	default:
		from, _ := strconv.Atoi(query.Get("continue"))
		to := asked.objects
		next := ""
		if limit, _ := strconv.Atoi(query.Get("limit")); limit > 0 && from+limit < asked.objects {
			to = from + limit
			next = strconv.Itoa(to)
		}
		w.Header().Set("Content-Type", encoded.contentType)
		for _, part := range encoded.list(encoded.items[from:to], versionOf(asked.objects), next) {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	}
}

func (s *replay) patch(w http.ResponseWriter, r *http.Request, encoded *encoding, asked scenario, name string) {
	s.mutex.Lock()
	watched := s.histories[asked.name]
	s.mutex.Unlock()
	body, err := io.ReadAll(r.Body)
	index, unknown := indexOf(name)
	_, after, found := strings.Cut(string(body), `"bench.drover.dev/seen":"`)
	if err != nil || unknown != nil || index >= asked.objects || !found || len(after) < len(noTime) || watched == nil {
		http.Error(w, "a patch of bench.drover.dev/seen to an object that is watched is all that is known here", http.StatusBadRequest)
		return
	}
	now := watched.seen(index, after[:len(noTime)])
	w.Header().Set("Content-Type", encoded.contentType)
	_, _ = w.Write(encoded.modified[index].object(now))
}

func (s *replay) open(w http.ResponseWriter, encoded *encoding, asked scenario) (to *stream, now []stamp, version int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.histories[asked.name] == nil {
		s.histories[asked.name] = newHistory(asked.objects)
	}
	to = newStream(w, encoded, s.histories[asked.name])
	now, version = to.history.add(to)
	return to, now, version
}

func (s *replay) close(asked scenario, ended *stream) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if ended.history.remove(ended) {
		delete(s.histories, asked.name)
	}
}

func (s *replay) watch(w http.ResponseWriter, r *http.Request, encoded *encoding, asked scenario, initial bool) {
	contentType := encoded.contentType
	if contentType == protobufType {
		contentType += ";stream=watch"
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	next := s.starting(asked.name)
	to, now, version := s.open(w, encoded, asked)
	defer s.close(asked, to)
	if to.open(initial, now, version) != nil {
		return
	}
	for {
		var err error
		select {
		case <-next.given:
			given := next
			next = s.starting(asked.name)
			if to.history.isOldest(to) {
				err = to.replay(r.Context(), given.events, given.rate)
			}
		case <-to.wake:
			err = to.send(1)
		case <-r.Context().Done():
			return
		}
		if err != nil {
			return
		}
	}
}
