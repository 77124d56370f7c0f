package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "shop.drover.dev/farewell"

// siteReconciler keeps a Deployment for each Site, and a ConfigMap that outlives it.
type siteReconciler struct {
	client.Client
	recorder events.EventRecorder
}

func (r *siteReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	site := &Site{}
	if err := r.Get(ctx, request.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.sayFarewell(ctx, site)
	}
	if controllerutil.AddFinalizer(site, finalizer) {
		return ctrl.Result{}, r.Update(ctx, site)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	outcome, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		labels := map[string]string{"site": site.Name}
		deployment.Spec.Replicas = site.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web"}}
		}
		deployment.Spec.Template.Spec.Containers[0].Image = site.Spec.Image
		return controllerutil.SetControllerReference(site, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if outcome == controllerutil.OperationResultCreated {
		r.recorder.Eventf(site, deployment, corev1.EventTypeNormal, "Created", "Create", "created Deployment %s", deployment.Name)
	}
	return ctrl.Result{}, r.report(ctx, site, deployment)
}

func (r *siteReconciler) report(ctx context.Context, site *Site, deployment *appsv1.Deployment) error {
	before := site.DeepCopyObject().(*Site)
	site.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Waiting", ObservedGeneration: site.Generation}
	if deployment.Status.ReadyReplicas == *site.Spec.Replicas {
		ready.Status, ready.Reason = metav1.ConditionTrue, "AllReady"
	}
	meta.SetStatusCondition(&site.Status.Conditions, ready)
	return r.Status().Patch(ctx, site, client.MergeFrom(before))
}

func (r *siteReconciler) sayFarewell(ctx context.Context, site *Site) error {
	if !controllerutil.ContainsFinalizer(site, finalizer) {
		return nil
	}
	farewell := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: site.Name + "-farewell", Namespace: site.Namespace}}
	if err := r.Create(ctx, farewell); client.IgnoreAlreadyExists(err) != nil {
		return err
	}
	controllerutil.RemoveFinalizer(site, finalizer)
	return r.Update(ctx, site)
}
