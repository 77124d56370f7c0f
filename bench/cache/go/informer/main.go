// client-go's side of `npm run bench -- cache`: a shared informer on Pods, typed with protobuf, typed with JSON, or dynamic.
//
//	informer <protobuf | json | dynamic> <settings as JSON>  →  measurements as JSON
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync/atomic"
	"time"

	"drover/bench/cache/process"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type settings struct {
	URL       string  `json:"url"`
	StartedMs float64 `json:"startedMs"`
	Pods      int     `json:"pods"`
	Events    int     `json:"events"`
	Mode      string  `json:"mode"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func used[T int | float64](amount T, err error) T {
	check(err)
	return amount
}

func nowMs() float64 { return float64(time.Now().UnixNano()) / 1e6 }

func main() {
	var given settings
	check(json.Unmarshal([]byte(os.Args[2]), &given))
	base := heap()
	informer := newInformer(os.Args[1], given.URL)
	var handled atomic.Int64
	done := make(chan struct{})
	queue := workqueue.NewTyped[string]()
	sum := 0
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, object any) {
			switch given.Mode {
			case "read":
				sum += read(object)
			case "fields":
				sum += readFields(object)
			case "latency":
				key, err := cache.MetaNamespaceKeyFunc(object)
				check(err)
				queue.Add(key)
			default:
				key, err := cache.MetaNamespaceKeyFunc(object)
				check(err)
				sum += len(key)
			}
			if handled.Add(1) == int64(given.Events) {
				close(done)
			}
		},
	})
	check(err)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		panic("not synced")
	}
	result := map[string]any{"syncMs": nowMs() - given.StartedMs, "objects": len(informer.GetStore().ListKeys()), "peakRssBytes": used(process.MemoryBytes("VmHWM"))}
	switch given.Mode {
	case "keep":
		result["keptBytes"] = float64(heap()-base) / float64(given.Pods)
		result["lookedBytes"] = result["keptBytes"]
		runtime.KeepAlive(informer)
	case "latency":
		result["latencies"] = latencies(queue, informer, given)
	case "key", "read", "fields":
		cpu := used(process.CPUSeconds())
		began := time.Now()
		start(given.URL)
		<-done
		result["eventsPerSecond"] = float64(given.Events) / time.Since(began).Seconds()
		result["cpuSeconds"] = used(process.CPUSeconds()) - cpu
	}
	check(json.NewEncoder(os.Stdout).Encode(result))
}

func newInformer(kind, url string) cache.SharedIndexInformer {
	config := &rest.Config{Host: url, QPS: -1}
	if kind == "dynamic" {
		client, err := dynamic.NewForConfig(config)
		check(err)
		return dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Informer()
	}
	config.ContentType = "application/json"
	if kind == "protobuf" {
		config.ContentType = "application/vnd.kubernetes.protobuf"
		config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	}
	client, err := kubernetes.NewForConfig(config)
	check(err)
	return informers.NewSharedInformerFactory(client, 0).Core().V1().Pods().Informer()
}

// Reads a field of the spec and one of the status, as a reconciler would.
func read(object any) int {
	switch pod := object.(type) {
	case *corev1.Pod:
		return len(pod.Spec.Containers) + len(pod.Status.Conditions)
	case *unstructured.Unstructured:
		containers, _, _ := unstructured.NestedFieldNoCopy(pod.Object, "spec", "containers")
		conditions, _, _ := unstructured.NestedFieldNoCopy(pod.Object, "status", "conditions")
		return len(containers.([]any)) + len(conditions.([]any))
	}
	panic("neither a Pod nor unstructured")
}

// Reads the three fields that Drover's side declares.
func readFields(object any) int {
	switch pod := object.(type) {
	case *corev1.Pod:
		return len(pod.Spec.NodeName) + len(pod.Status.Phase) + len(pod.Status.PodIP)
	case *unstructured.Unstructured:
		node, _, _ := unstructured.NestedString(pod.Object, "spec", "nodeName")
		phase, _, _ := unstructured.NestedString(pod.Object, "status", "phase")
		address, _, _ := unstructured.NestedString(pod.Object, "status", "podIP")
		return len(node) + len(phase) + len(address)
	}
	panic("neither a Pod nor unstructured")
}

func latencies(queue workqueue.TypedInterface[string], informer cache.SharedIndexInformer, given settings) []float64 {
	found := make([]float64, 0, given.Events)
	go start(given.URL)
	for len(found) < given.Events {
		key, _ := queue.Get()
		object, _, _ := informer.GetStore().GetByKey(key)
		sent, _ := strconv.ParseInt(object.(metav1.Object).GetAnnotations()["bench.drover.dev/sent"], 10, 64)
		found = append(found, float64(time.Now().UnixNano()-sent)/1000)
		queue.Done(key)
	}
	sort.Float64s(found)
	return []float64{found[len(found)/2], found[len(found)*99/100]}
}

func start(url string) {
	response, err := http.Get(url + "/start")
	check(err)
	check(response.Body.Close())
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
