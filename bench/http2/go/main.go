// What bench/http2.ts measures, done with client-go over HTTP/1.1 or HTTP/2. Prints one line of JSON for each measurement.
//
//	http2 URL CA-FILE TOKEN SERVER-PID http/1.1|h2 REQUESTS
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const (
	objects  = 20
	watchers = 20
	starts   = 20
)

type measurement struct {
	Name                   string  `json:"name"`
	PerSecond              float64 `json:"perSecond"`
	ServerCPUMicroseconds  float64 `json:"serverCpuMicroseconds"`
	ElapsedMicrosecondsPer float64 `json:"microseconds"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 6 {
		return fmt.Errorf("usage: http2 URL CA-FILE TOKEN SERVER-PID http/1.1|h2 REQUESTS")
	}
	requests, err := strconv.Atoi(args[5])
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	config := &rest.Config{
		Host:            args[0],
		BearerToken:     args[2],
		QPS:             -1,
		TLSClientConfig: rest.TLSClientConfig{CAData: ca, NextProtos: []string{args[4]}},
	}
	if args[4] == "h2" {
		// client-go's own default.
		config.NextProtos = nil
	}
	bench := &bench{config: config, pid: args[3], ctx: context.Background()}
	if bench.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	return bench.all(requests)
}

type bench struct {
	ctx    context.Context
	config *rest.Config
	client kubernetes.Interface
	pid    string
}

func (b *bench) all(requests int) error {
	maps := b.client.CoreV1().ConfigMaps("default")
	for i := range objects {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name(i)}, Data: map[string]string{"a": strings.Repeat("x", 500)}}
		if _, err := maps.Create(b.ctx, object, metav1.CreateOptions{}); err != nil && !errors.IsAlreadyExists(err) {
			return err
		}
	}
	get := func(i int) error {
		_, err := maps.Get(b.ctx, name(i), metav1.GetOptions{})
		return err
	}
	patch := func(i int) error {
		text := fmt.Sprintf(`{"data":{"b":"%d"}}`, time.Now().UnixNano())
		_, err := maps.Patch(b.ctx, name(i), types.MergePatchType, []byte(text), metav1.PatchOptions{})
		return err
	}
	warmUp := func(do func(int) error) error { return inParallel(requests/4, 32, do) }
	if err := warmUp(get); err != nil {
		return err
	}
	if err := b.measure("GET, 32 at once", requests, func() error { return inParallel(requests, 32, get) }); err != nil {
		return err
	}
	if err := b.measure("GET, one after the other", requests/4, func() error { return inParallel(requests/4, 1, get) }); err != nil {
		return err
	}
	if err := warmUp(patch); err != nil {
		return err
	}
	if err := b.measure("PATCH, 32 at once", requests/2, func() error { return inParallel(requests/2, 32, patch) }); err != nil {
		return err
	}
	if err := b.watches(requests/4, patch); err != nil {
		return err
	}
	return b.measure("ten informers of a new client", starts, b.startInformers)
}

// watches counts events: each write goes to all watchers.
func (b *bench) watches(writes int, patch func(int) error) error {
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	var events atomic.Int64
	for range watchers {
		watch, err := b.client.CoreV1().ConfigMaps("default").Watch(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		go func() {
			for event := range watch.ResultChan() {
				if event.Type == "MODIFIED" {
					events.Add(1)
				}
			}
		}()
	}
	wanted := int64(writes * watchers)
	return b.measure(fmt.Sprintf("events to %d watches", watchers), int(wanted), func() error {
		if err := inParallel(writes, 8, patch); err != nil {
			return err
		}
		for end := time.Now().Add(time.Minute); events.Load() < wanted; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				return fmt.Errorf("%d of %d events arrived", events.Load(), wanted)
			}
		}
		return nil
	})
}

// startInformers uses a new connection each time: client-go shares transports of equal configurations.
func (b *bench) startInformers() error {
	for start := range starts {
		config := rest.CopyConfig(b.config)
		config.CAData = fmt.Appendf(nil, "%s\n# %d\n", b.config.CAData, start)
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(b.ctx)
		factory := informers.NewSharedInformerFactory(client, 0)
		core, apps := factory.Core().V1(), factory.Apps().V1()
		core.ConfigMaps().Informer()
		core.Pods().Informer()
		core.Services().Informer()
		core.Nodes().Informer()
		core.Secrets().Informer()
		core.Namespaces().Informer()
		apps.Deployments().Informer()
		apps.ReplicaSets().Informer()
		apps.DaemonSets().Informer()
		apps.StatefulSets().Informer()
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		cancel()
		factory.Shutdown()
	}
	return nil
}

func (b *bench) measure(name string, count int, do func() error) error {
	cpu, err := cpuSeconds(b.pid)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := do(); err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	after, err := cpuSeconds(b.pid)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(measurement{
		Name:                   name,
		PerSecond:              float64(count) / seconds,
		ServerCPUMicroseconds:  (after - cpu) * 1e6 / float64(count),
		ElapsedMicrosecondsPer: seconds * 1e6 / float64(count),
	})
}

func name(i int) string { return fmt.Sprintf("bench-%d", i%objects) }

func inParallel(count, workers int, do func(int) error) error {
	var next atomic.Int64
	var group sync.WaitGroup
	failures := make(chan error, workers)
	for range workers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(failures)
	return <-failures
}

// cpuSeconds returns the CPU time of a process, user and system.
func cpuSeconds(pid string) (float64, error) {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var ticks float64
	for _, field := range fields[11:13] {
		number, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, err
		}
		ticks += number
	}
	return ticks / 100, nil
}
