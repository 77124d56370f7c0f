package main

import (
	"context"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"sync"
	"time"

	"drover/bench/cache/process"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The reconciler: reads the object and, when it patches, records once per event that it has seen it. The patch causes another event, which
// it reads and ignores.
type counter struct {
	client     client.Client
	isPatching bool
	reached    chan struct{}

	mutex     sync.Mutex
	runs      int
	wanted    int
	patches   int
	latencies []float64
}

func (c *counter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var object corev1.ConfigMap
	if err := c.client.Get(ctx, request.NamespacedName, &object); err != nil {
		return ctrl.Result{}, err
	}
	sent, seen := object.Annotations["bench.drover.dev/sent"], object.Annotations["bench.drover.dev/seen"]
	sentNanos, err := strconv.ParseInt(sent, 10, 64)
	if err != nil {
		return ctrl.Result{}, err
	}
	latency := float64(time.Now().UnixNano()-sentNanos) / 1000
	isPatch := c.isPatching && sent != seen
	if isPatch {
		patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"bench.drover.dev/seen":"`+sent+`"}}}`))
		if err := c.client.Patch(ctx, &object, patch); err != nil {
			return ctrl.Result{}, err
		}
	}
	c.count(latency, isPatch)
	return ctrl.Result{}, nil
}

func (c *counter) count(latency float64, isPatch bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs++
	if isPatch {
		c.patches++
	}
	if isPatch || !c.isPatching {
		c.latencies = append(c.latencies, latency)
	}
	if c.runs == c.wanted {
		c.reached <- struct{}{}
	}
}

// Signals `reached` after this many more runs.
func (c *counter) expect(runs int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.wanted = c.runs + runs
}

func (c *counter) forget() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs, c.patches, c.latencies = 0, 0, c.latencies[:0]
}

func (c *counter) measure(url string, asked part) map[string]any {
	c.forget()
	cpu := used(process.CPUSeconds())
	began := time.Now()
	for range asked.Repeats {
		c.replay(url, asked)
	}
	seconds := time.Since(began).Seconds()
	cpu = used(process.CPUSeconds()) - cpu
	c.mutex.Lock()
	defer c.mutex.Unlock()
	sort.Float64s(c.latencies)
	latencies := []float64{c.latencies[len(c.latencies)/2], c.latencies[len(c.latencies)*99/100]}
	return map[string]any{"seconds": seconds, "cpuSeconds": cpu, "runs": c.runs, "patches": c.patches, "latencies": latencies}
}

// Sends all events once and waits until all resulting reconciles are done.
func (c *counter) replay(url string, asked part) {
	runs := asked.Events
	if c.isPatching {
		runs *= 2
	}
	c.expect(runs)
	response, err := http.Get(fmt.Sprintf("%s/start?events=%d&rate=%d", url, asked.Events, asked.Rate))
	check(err)
	check(response.Body.Close())
	<-c.reached
}
