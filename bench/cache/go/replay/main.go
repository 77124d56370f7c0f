// The replay server of `npm run bench -- cache` and `npm run bench -- controller`: serves many copies of one object, in JSON and in
// protobuf, encoded in advance.
//
//	GET /s/<objects>/<events>/<rate>/api/v1/<resource>      list, in pages if requested
//	GET …?watch=true[&sendInitialEvents=true]               watch; the current state first if requested
//	PATCH …/<resource>/<name>                               stores the time of `bench.drover.dev/seen`; the newest watch gets an event
//	GET /s/<objects>/<events>/<rate>/start                  sends every watch of that scenario its events; each call repeats that
//	GET …/start?events=<events>&rate=<rate>                 with another number of events and another rate
//
// Each watch gets <events> MODIFIED events, <rate> per second or at full speed (0). The resource version and the two timestamps have a fixed
// width in both encodings, so an event costs the server one copy.
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
		starts: map[string]*start{}, streams: map[string]*stream{},
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
	// The newest watch of each scenario.
	streams map[string]*stream
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
	if len(parts) < 5 || parts[0] != "s" {
		http.NotFound(w, r)
		return
	}
	asked := scenario{name: strings.Join(parts[1:4], "/")}
	asked.objects, _ = strconv.Atoi(parts[1])
	asked.events, _ = strconv.Atoi(parts[2])
	asked.rate, _ = strconv.Atoi(parts[3])
	query := r.URL.Query()
	encoded := &s.json
	if strings.HasPrefix(r.Header.Get("Accept"), protobufType) {
		encoded = &s.protobuf
	}
	switch {
	case parts[4] == "version":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"major":"1","minor":"36"}`))
	case parts[4] == "start":
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
	watching := s.streams[asked.name]
	s.mutex.Unlock()
	body, err := io.ReadAll(r.Body)
	index, unknown := indexOf(name)
	_, after, found := strings.Cut(string(body), `"bench.drover.dev/seen":"`)
	if err != nil || unknown != nil || index >= asked.objects || !found || len(after) < len(noTime) || watching == nil {
		http.Error(w, "a patch of bench.drover.dev/seen to an object that is watched is all that is known here", http.StatusBadRequest)
		return
	}
	now := watching.seen(index, after[:len(noTime)])
	w.Header().Set("Content-Type", encoded.contentType)
	_, _ = w.Write(encoded.modified[index].object(now))
}

func (s *replay) watch(w http.ResponseWriter, r *http.Request, encoded *encoding, asked scenario, initial bool) {
	contentType := encoded.contentType
	if contentType == protobufType {
		contentType += ";stream=watch"
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	next := s.starting(asked.name)
	to := newStream(w, encoded, asked.objects)
	s.mutex.Lock()
	s.streams[asked.name] = to
	s.mutex.Unlock()
	if to.open(initial) != nil {
		return
	}
	for {
		var err error
		select {
		case <-next.given:
			now := next
			next = s.starting(asked.name)
			err = to.replay(r.Context(), now.events, now.rate)
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
