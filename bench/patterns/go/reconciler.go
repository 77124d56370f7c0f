package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// The reconciler as the Kubebuilder book writes it: CreateOrUpdate for three children, then the status if it changed.
type reconciler struct {
	client client.Client
	ended  func()
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	err := r.reconcile(ctx, request)
	if err == nil {
		r.ended()
	} else if !errors.IsConflict(err) && !errors.IsAlreadyExists(err) {
		// Only bugs fail here, or a cache that lags behind the writes of the previous reconcile.
		check(err)
	}
	return ctrl.Result{}, err
}

func (r *reconciler) reconcile(ctx context.Context, request ctrl.Request) error {
	var app WebApp
	if err := r.client.Get(ctx, request.NamespacedName, &app); err != nil {
		return client.IgnoreNotFound(err)
	}
	place := metav1.ObjectMeta{Namespace: app.Namespace, Name: app.Name}
	config := &corev1.ConfigMap{ObjectMeta: place}
	if err := r.bring(ctx, &app, config, func() { setConfig(config, &app) }); err != nil {
		return err
	}
	service := &corev1.Service{ObjectMeta: place}
	if err := r.bring(ctx, &app, service, func() { setService(service, &app) }); err != nil {
		return err
	}
	deployment := &appsv1.Deployment{ObjectMeta: place}
	if err := r.bring(ctx, &app, deployment, func() { setDeployment(deployment, &app) }); err != nil {
		return err
	}
	return r.tell(ctx, &app, deployment)
}

func (r *reconciler) bring(ctx context.Context, app *WebApp, child client.Object, set func()) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.client, child, func() error {
		set()
		return controllerutil.SetControllerReference(app, child, r.client.Scheme())
	})
	return err
}

func (r *reconciler) tell(ctx context.Context, app *WebApp, deployment *appsv1.Deployment) error {
	before := app.DeepCopyObject().(*WebApp).Status
	ready := deployment.Status.ReadyReplicas
	status := metav1.ConditionFalse
	if ready >= app.Spec.Replicas {
		status = metav1.ConditionTrue
	}
	app.Status.Ready, app.Status.ObservedGeneration = ready, app.Generation
	meta.SetStatusCondition(&app.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: status, Reason: "Replicas", Message: fmt.Sprintf("%d of %d ready", ready, app.Spec.Replicas), ObservedGeneration: app.Generation,
	})
	if equality.Semantic.DeepEqual(before, app.Status) {
		return nil
	}
	return r.client.Status().Update(ctx, app)
}
