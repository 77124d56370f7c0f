package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Bytes per write at full speed.
const chunkBytes = 64 * 1024

// One open watch. Only the watch's own goroutine writes to the network, so a PATCH request does not wait for a client that reads slowly.
type stream struct {
	w       http.ResponseWriter
	encoded *encoding
	history *history
	// Signals that another goroutine has added an event.
	wake chan struct{}
	// Events that wait; guarded by the mutex of the history.
	buffer []byte
	spare  []byte
}

func newStream(w http.ResponseWriter, encoded *encoding, history *history) *stream {
	return &stream{w: w, encoded: encoded, history: history, wake: make(chan struct{}, 1)}
}

// Sends the current state if requested, and from then on what has changed since.
func (s *stream) open(initial bool, now []stamp, version int) error {
	if initial {
		var buffer []byte
		for index := range now {
			buffer = s.encoded.added[index].write(buffer, now[index])
			if len(buffer) >= chunkBytes {
				if err := s.write(buffer); err != nil {
					return err
				}
				buffer = buffer[:0]
			}
		}
		if err := s.write(s.encoded.bookmark.write(buffer, stamp{version: versionOf(version)})); err != nil {
			return err
		}
	}
	return s.send(0)
}

// Changes objects for all watches of the history.
func (s *stream) replay(ctx context.Context, events, rate int) error {
	// The others send what is left as well.
	defer s.history.awaken()
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
		sent := func(now *stamp) { now.sent = fmt.Sprintf("%019d", time.Now().UnixNano()) }
		s.history.change(index%len(s.history.stamps), sent, least, s)
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

func (s *stream) awaken() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Writes the pending events if they have at least this many bytes.
func (s *stream) send(least int) error {
	waiting := s.take(least)
	if len(waiting) < least {
		return nil
	}
	return s.write(waiting)
}

func (s *stream) take(least int) (waiting []byte) {
	s.history.mutex.Lock()
	defer s.history.mutex.Unlock()
	if len(s.buffer) >= least {
		waiting = s.buffer
		s.buffer, s.spare = s.spare[:0], waiting
	}
	return waiting
}

func (s *stream) write(events []byte) error {
	_, err := s.w.Write(events)
	s.w.(http.Flusher).Flush()
	return err
}
