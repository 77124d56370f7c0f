// Command operator is a small operator on controller-runtime, as kubebuilder lays one out: a reconciler with leader
// election, a defaulting, a validating and a conversion webhook. Tests run it on our cluster.
package main

import (
	"flag"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

func main() {
	certificates := flag.String("certificates", "", "folder with tls.crt and tls.key of the webhook server")
	port := flag.Int("port", 0, "port of the webhook server")
	health := flag.String("health", "0", "address of the health probes")
	namespace := flag.String("namespace", "", "namespace of the lease")
	// The flag --kubeconfig is controller-runtime's own.
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(*certificates, *port, *health, *namespace); err != nil {
		ctrl.Log.Error(err, "ended")
		panic(err)
	}
}

func run(certificates string, port int, health, namespace string) error {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addSites(scheme)
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                        scheme,
		LeaderElection:                true,
		LeaderElectionID:              "site-operator",
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		HealthProbeBindAddress:        health,
		Metrics:                       server.Options{BindAddress: "0"},
		WebhookServer:                 webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: certificates}),
	})
	if err != nil {
		return err
	}
	reconciler := &siteReconciler{Client: manager.GetClient(), recorder: manager.GetEventRecorder("site-operator")}
	if err := ctrl.NewControllerManagedBy(manager).For(&Site{}).Owns(&appsv1.Deployment{}).Complete(reconciler); err != nil {
		return err
	}
	hook := siteWebhook{}
	if err := ctrl.NewWebhookManagedBy(manager, &Site{}).WithDefaulter(hook).WithValidator(hook).WithConverter(converter).Complete(); err != nil {
		return err
	}
	if err := manager.AddReadyzCheck("webhook", manager.GetWebhookServer().StartedChecker()); err != nil {
		return err
	}
	if err := manager.AddHealthzCheck("ping", healthz.Ping); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
