// controller-runtime's side of `npm run bench -- controller`: a manager with its defaults and one controller of ConfigMaps, with protobuf as
// for every built-in kind, or with JSON as for custom resources.
//
//	controller <protobuf | json> <settings as JSON>  →  measurements as JSON
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"drover/bench/cache/process"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type settings struct {
	URL       string  `json:"url"`
	StartedMs float64 `json:"startedMs"`
	Objects   int     `json:"objects"`
	Mode      string  `json:"mode"`
	Workers   int     `json:"workers"`
	Parts     []part  `json:"parts"`
}

// Number of events, events per second (0 for full speed), and number of rounds.
type part struct {
	Events  int `json:"events"`
	Rate    int `json:"rate"`
	Repeats int `json:"repeats"`
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
	ctrl.SetLogger(logr.Discard())
	config := &rest.Config{Host: given.URL, QPS: -1}
	if os.Args[1] == "json" {
		config.ContentType = "application/json"
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: "0"}, MapperProvider: configMapsOnly})
	check(err)
	counted := &counter{client: manager.GetClient(), isPatching: given.Mode == "patch", reached: make(chan struct{}, 1)}
	counted.expect(given.Objects)
	check(ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).WithOptions(controller.Options{MaxConcurrentReconciles: given.Workers}).Complete(counted))
	go func() { check(manager.Start(context.Background())) }()
	<-counted.reached

	result := map[string]any{"syncMs": nowMs() - given.StartedMs, "rssBytes": used(process.MemoryBytes("VmRSS"))}
	counted.measure(given.URL, part{Events: given.Objects, Repeats: 1})
	measured := make([]map[string]any, len(given.Parts))
	for index, each := range given.Parts {
		measured[index] = counted.measure(given.URL, each)
	}
	result["parts"] = measured
	result["rssAfterBytes"] = used(process.MemoryBytes("VmRSS"))
	check(json.NewEncoder(os.Stdout).Encode(result))
}

// Avoids discovery requests: Drover's side sends none either.
func configMapsOnly(*rest.Config, *http.Client) (meta.RESTMapper, error) {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	return mapper, nil
}
