package main

import (
	"encoding/json"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	clocktesting "k8s.io/utils/clock/testing"
)

// A backoff without jitter, its durations in nanoseconds, and what happens between the steps: how far the clock moves.
// The delays of the steps, in nanoseconds. With a reset interval, those of DelayWithReset.
func init() {
	subjects["backoff"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Duration, Cap int64
			Factor        float64
			Steps         int
			ResetInterval *int64
			Advances      []int64
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		backoff := wait.Backoff{Duration: time.Duration(question.Duration), Cap: time.Duration(question.Cap), Factor: question.Factor, Steps: question.Steps}
		clock := clocktesting.NewFakeClock(time.Unix(0, 0))
		delay := backoff.DelayFunc()
		if question.ResetInterval != nil {
			delay = backoff.DelayWithReset(clock, time.Duration(*question.ResetInterval))
		}
		delays := []int64{}
		for _, advance := range question.Advances {
			clock.Step(time.Duration(advance))
			delays = append(delays, int64(delay()))
		}
		return delays, nil
	}
}
