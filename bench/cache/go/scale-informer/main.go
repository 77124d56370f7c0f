// client-go's side of `npm run bench -- scale`: a shared informer with protobuf, from its start to synced, and through a relist after 410.
//
//	scale-informer <settings as JSON>  →  measurements as JSON
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"drover/bench/cache/process"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

type settings struct {
	URL      string `json:"url"`
	Resource string `json:"resource"`
	Changes  int64  `json:"changes"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func used(amount int, err error) int {
	check(err)
	return amount
}

func main() {
	var given settings
	check(json.Unmarshal([]byte(os.Args[1]), &given))
	config := &rest.Config{Host: given.URL, QPS: -1}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	client, err := kubernetes.NewForConfig(config)
	check(err)
	generic, err := informers.NewSharedInformerFactory(client, 0).ForResource(schema.GroupVersionResource{Version: "v1", Resource: given.Resource})
	check(err)
	informer := generic.Informer()
	var updates atomic.Int64
	relisted := make(chan struct{})
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, _ any) {
		if updates.Add(1) == given.Changes {
			close(relisted)
		}
	}})
	check(err)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	began := time.Now()
	go informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		panic("not synced")
	}
	result := map[string]any{
		"syncMs":   float64(time.Since(began).Microseconds()) / 1000,
		"objects":  len(informer.GetStore().ListKeys()),
		"rssBytes": used(process.MemoryBytes("VmRSS")),
	}
	began = time.Now()
	response, err := http.Get(fmt.Sprintf("%s/change?count=%d&expire=true", given.URL, given.Changes))
	check(err)
	check(response.Body.Close())
	<-relisted
	result["relistMs"] = float64(time.Since(began).Microseconds()) / 1000
	result["peakRssBytes"] = used(process.MemoryBytes("VmHWM"))
	check(json.NewEncoder(os.Stdout).Encode(result))
}
