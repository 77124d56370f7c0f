package main

import (
	"net/http"
	"sync"
	"time"
)

// Counts successful reconciles, and requests by method without the watches of the caches, and records when the last of them ended.
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

// Signals `reached` after this many more runs.
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

// Waits until there was no activity for the given time; returns the time of the last activity.
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

// Returns the runs and requests since the last call.
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
