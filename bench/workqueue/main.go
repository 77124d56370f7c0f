// What bench/workqueue.ts measures, done with client-go's queue. Takes commands, one a line, and answers each with one line of JSON:
//
//	cycle 500000        add, get and done, one key after the other          → {"seconds": …}
//	duplicates 500000   adds of keys that are queued already
//	channel 500000      one goroutine adds, another gets and is done
//	retry 500000        addRateLimited and forget
//	delay 100000        addAfter with random delays up to a second           → {"seconds": …, "p50": …, "p99": …, "max": …} (lateness in ms)
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"time"

	"k8s.io/client-go/util/workqueue"
)

const keyCount = 1000

func main() {
	keys := make([]string, keyCount)
	for i := range keys {
		keys[i] = fmt.Sprintf("namespace-%d/object-%d", i%10, i)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var verb string
		var n int
		if _, err := fmt.Sscan(in.Text(), &verb, &n); err != nil {
			panic(err)
		}
		answer, err := json.Marshal(measure(verb, n, keys))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(answer))
	}
}

func measure(verb string, n int, keys []string) map[string]float64 {
	switch verb {
	case "cycle":
		q := workqueue.NewTyped[string]()
		defer q.ShutDown()
		return timed(func() {
			for i := range n {
				q.Add(keys[i%keyCount])
				key, _ := q.Get()
				q.Done(key)
			}
		})
	case "duplicates":
		q := workqueue.NewTyped[string]()
		defer q.ShutDown()
		for _, key := range keys {
			q.Add(key)
		}
		return timed(func() {
			for i := range n {
				q.Add(keys[i%keyCount])
			}
		})
	case "channel":
		q := workqueue.NewTyped[int]()
		return timed(func() {
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					key, shutdown := q.Get()
					if shutdown {
						return
					}
					q.Done(key)
				}
			}()
			for i := range n {
				q.Add(i)
			}
			q.ShutDown()
			<-done
		})
	case "retry":
		q := workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Hour, 2*time.Hour))
		defer q.ShutDown()
		return timed(func() {
			for i := range n {
				q.AddRateLimited(keys[i%keyCount])
				q.Forget(keys[i%keyCount])
			}
		})
	case "delay":
		return delay(n)
	}
	panic("unknown " + verb)
}

func timed(work func()) map[string]float64 {
	start := time.Now()
	work()
	return map[string]float64{"seconds": time.Since(start).Seconds()}
}

func delay(n int) map[string]float64 {
	q := workqueue.NewTypedDelayingQueue[int]()
	defer q.ShutDown()
	due := make([]time.Time, n)
	late := make([]float64, 0, n)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range n {
			key, _ := q.Get()
			late = append(late, time.Since(due[key]).Seconds()*1000)
			q.Done(key)
		}
	}()
	start := time.Now()
	for i := range n {
		after := time.Duration(rand.Float64() * float64(time.Second))
		due[i] = time.Now().Add(after)
		q.AddAfter(i, after)
	}
	added := time.Since(start).Seconds()
	<-done
	slices.Sort(late)
	return map[string]float64{"seconds": added, "p50": late[n/2], "p99": late[n*99/100], "max": late[n-1]}
}
