package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Bytes per write at full speed.
const chunkBytes = 64 * 1024

// One open watch, and the changes of the objects since it opened. Only the watch's own goroutine writes to the network, so a PATCH request
// does not wait for a client that reads slowly.
type stream struct {
	w       http.ResponseWriter
	encoded *encoding
	// Signals that another goroutine has added an event.
	wake chan struct{}

	mutex   sync.Mutex
	buffer  []byte
	spare   []byte
	version int
	stamps  []stamp
}

func newStream(w http.ResponseWriter, encoded *encoding, objects int) *stream {
	stamps := make([]stamp, objects)
	for index := range stamps {
		stamps[index] = stamp{versionOf(index), noTime, noTime}
	}
	return &stream{w: w, encoded: encoded, wake: make(chan struct{}, 1), version: objects, stamps: stamps}
}

// Sends the current state if requested.
func (s *stream) open(initial bool) error {
	if initial {
		for index := range s.stamps {
			s.locked(func() { s.buffer = s.encoded.added[index].write(s.buffer, s.stamps[index]) })
			if err := s.send(chunkBytes); err != nil {
				return err
			}
		}
		s.locked(func() { s.buffer = s.encoded.bookmark.write(s.buffer, stamp{version: versionOf(len(s.stamps))}) })
	}
	return s.send(0)
}

func (s *stream) replay(ctx context.Context, events, rate int) error {
	began := time.Now()
	least := chunkBytes
	if rate > 0 {
		least = 1
	}
	for index := range events {
		if rate > 0 {
			if err := s.until(ctx, began.Add(time.Duration(index)*time.Second/time.Duration(rate))); err != nil {
				return err
			}
		}
		s.change(index%len(s.stamps), func(now *stamp) { now.sent = fmt.Sprintf("%019d", time.Now().UnixNano()) })
		if err := s.send(least); err != nil {
			return err
		}
	}
	return s.send(1)
}

// Sends the events of other goroutines until the given time.
func (s *stream) until(ctx context.Context, due time.Time) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return nil
		case <-s.wake:
			if err := s.send(1); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stores the time that the reconciler has seen; returns the new values of the object.
func (s *stream) seen(index int, seen string) stamp {
	now := s.change(index, func(now *stamp) { now.seen = seen })
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return now
}

// Creates a new version of an object, and its event.
func (s *stream) change(index int, edit func(now *stamp)) (now stamp) {
	s.locked(func() {
		s.version++
		edit(&s.stamps[index])
		s.stamps[index].version = versionOf(s.version)
		now = s.stamps[index]
		s.buffer = s.encoded.modified[index].write(s.buffer, now)
	})
	return now
}

func (s *stream) locked(work func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	work()
}

// Writes the pending events if they have at least this many bytes.
func (s *stream) send(least int) error {
	var waiting []byte
	s.locked(func() {
		if len(s.buffer) >= least {
			waiting = s.buffer
			s.buffer, s.spare = s.spare[:0], waiting
		}
	})
	if len(waiting) < least {
		return nil
	}
	_, err := s.w.Write(waiting)
	s.w.(http.Flusher).Flush()
	return err
}
