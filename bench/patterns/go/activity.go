package main

import (
	"net/http"
	"sync"
	"time"
)

// What has happened in this process: reconciles that succeeded and requests by method but for the watches of the caches, and when the
// last of them ended.
type activity struct {
	mutex    sync.Mutex
	runs     int
	wanted   int
	reached  chan struct{}
	requests map[string]int
	last     time.Time
}

func (a *activity) ran() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.runs++
	a.last = time.Now()
	if a.runs == a.wanted {
		a.reached <- struct{}{}
	}
}

// Says so on `reached` after so many runs from now on.
func (a *activity) expect(runs int) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.wanted = a.runs + runs
}

func (a *activity) RoundTrip(next http.RoundTripper, request *http.Request) (*http.Response, error) {
	if request.URL.Query().Has("watch") {
		return next.RoundTrip(request)
	}
	a.mutex.Lock()
	a.requests[request.Method]++
	a.mutex.Unlock()
	response, err := next.RoundTrip(request)
	a.mutex.Lock()
	a.last = time.Now()
	a.mutex.Unlock()
	return response, err
}

// Waits until nothing has happened for a while, and says when the last thing did.
func (a *activity) rest(quiet time.Duration) time.Time {
	for {
		a.mutex.Lock()
		last := a.last
		a.mutex.Unlock()
		if time.Since(last) >= quiet {
			return last
		}
		time.Sleep(quiet - time.Since(last))
	}
}

// The runs and requests since it was asked last.
func (a *activity) take() (int, map[string]int) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	runs, requests := a.runs, a.requests
	a.runs, a.requests = 0, map[string]int{}
	return runs, requests
}

type counted struct {
	next     http.RoundTripper
	activity *activity
}

func (c counted) RoundTrip(request *http.Request) (*http.Response, error) {
	return c.activity.RoundTrip(c.next, request)
}
