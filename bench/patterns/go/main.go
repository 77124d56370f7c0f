// controller-runtime's side of `npm run bench -- patterns`: a manager with its defaults and one controller that creates three
// children for each WebApp with controllerutil.CreateOrUpdate.
//
//	patterns <settings as JSON>  →  a line of JSON when the operator is idle; then one more for each input line, after it has enqueued everything again
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"drover/bench/cache/process"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

type settings struct {
	URL       string  `json:"url"`
	CA        string  `json:"ca"`
	Token     string  `json:"token"`
	StartedMs float64 `json:"startedMs"`
	Objects   int     `json:"objects"`
	Workers   int     `json:"workers"`
	Repeats   int     `json:"repeats"`
	QuietMs   int     `json:"quietMs"`
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

func main() {
	var given settings
	check(json.Unmarshal([]byte(os.Args[1]), &given))
	ctrl.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	check(clientgoscheme.AddToScheme(scheme))
	check(addWebApp(scheme))
	seen := &activity{reached: make(chan struct{}, 1), requests: map[string]int{}, last: time.Now()}
	// The server does not accept protobuf.
	config := &rest.Config{
		Host: given.URL, BearerToken: given.Token, TLSClientConfig: rest.TLSClientConfig{CAData: []byte(given.CA)}, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"},
		WrapTransport: func(next http.RoundTripper) http.RoundTripper { return counted{next, seen} },
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: server.Options{BindAddress: "0"}, MapperProvider: fourKinds})
	check(err)
	again := make(chan event.GenericEvent)
	seen.expect(given.Objects)
	// Ignores changes of the status alone, as Drover's side does.
	check(ctrl.NewControllerManagedBy(manager).
		For(&WebApp{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}).Owns(&corev1.Service{}).Owns(&corev1.ConfigMap{}).
		WatchesRawSource(source.Channel(again, &handler.EnqueueRequestForObject{})).
		WithOptions(controller.Options{MaxConcurrentReconciles: given.Workers}).
		Complete(&reconciler{client: manager.GetClient(), ended: seen.ran}))
	go func() { check(manager.Start(context.Background())) }()

	<-seen.reached
	last := seen.rest(time.Duration(given.QuietMs) * time.Millisecond)
	seconds := float64(last.UnixNano())/1e9 - given.StartedMs/1e3
	tell(seen, seconds, used(process.CPUSeconds()))

	var apps WebAppList
	check(manager.GetClient().List(context.Background(), &apps))
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		seen.take()
		cpu := used(process.CPUSeconds())
		began := time.Now()
		for range given.Repeats {
			seen.expect(given.Objects)
			for index := range apps.Items {
				again <- event.GenericEvent{Object: client.Object(&apps.Items[index])}
			}
			<-seen.reached
		}
		tell(seen, time.Since(began).Seconds(), used(process.CPUSeconds())-cpu)
	}
}

func tell(seen *activity, seconds, cpuSeconds float64) {
	runs, requests := seen.take()
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"seconds": seconds, "cpuSeconds": cpuSeconds, "runs": runs, "requests": requests, "rssBytes": used(process.MemoryBytes("VmRSS")),
	}))
}

// Avoids discovery requests: Drover's side sends none either.
func fourKinds(*rest.Config, *http.Client) (meta.RESTMapper, error) {
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(groupVersion.WithKind("WebApp"), meta.RESTScopeNamespace)
	mapper.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Service"), meta.RESTScopeNamespace)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	return mapper, nil
}
