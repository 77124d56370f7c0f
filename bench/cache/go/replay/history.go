package main

import (
	"slices"
	"sync"
)

// The objects of a scenario and their changes since the first of its open watches opened. All open watches get the same events, as from an
// API server: a program may have several watches, one in each of its threads.
type history struct {
	mutex   sync.Mutex
	version int
	stamps  []stamp
	// Open watches, the oldest first.
	streams []*stream
}

func newHistory(objects int) *history {
	stamps := make([]stamp, objects)
	for index := range stamps {
		stamps[index] = stamp{versionOf(index), noTime, noTime}
	}
	return &history{version: objects, stamps: stamps}
}

// Adds a watch, which gets all events from now on. Returns the current state and its version.
func (h *history) add(watch *stream) (now []stamp, version int) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.streams = append(h.streams, watch)
	return slices.Clone(h.stamps), h.version
}

// Returns whether no watch is left.
func (h *history) remove(watch *stream) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.streams = slices.DeleteFunc(h.streams, func(each *stream) bool { return each == watch })
	return len(h.streams) == 0
}

// Whether this watch is the one whose client decides how fast events are made.
func (h *history) isOldest(watch *stream) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return len(h.streams) > 0 && h.streams[0] == watch
}

// Creates a new version of an object, and its event. Wakes watches with at least this many bytes to send, except the one that sends anyway.
func (h *history) change(index int, edit func(now *stamp), least int, sends *stream) stamp {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.version++
	now := &h.stamps[index]
	edit(now)
	now.version = versionOf(h.version)
	for _, each := range h.streams {
		each.buffer = each.encoded.modified[index].write(each.buffer, *now)
		if each != sends && len(each.buffer) >= least {
			each.awaken()
		}
	}
	return *now
}

// Stores the time that the reconciler has seen; returns the new values of the object.
func (h *history) seen(index int, seen string) stamp {
	return h.change(index, func(now *stamp) { now.seen = seen }, 1, nil)
}

// Wakes every watch.
func (h *history) awaken() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, each := range h.streams {
		each.awaken()
	}
}
