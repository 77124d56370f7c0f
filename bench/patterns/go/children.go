package main

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The mutate functions. Each sets the fields that the operator owns and keeps the defaults of the server, so that an up-to-date object
// stays equal. Inside lists they set the defaults explicitly.

func labelsOf(app *WebApp) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "web-app", "app.kubernetes.io/instance": app.Name, "app.kubernetes.io/managed-by": "web-apps"}
}

func setLabels(meta *metav1.ObjectMeta, labels map[string]string) {
	if meta.Labels == nil {
		meta.Labels = map[string]string{}
	}
	for key, value := range labels {
		meta.Labels[key] = value
	}
}

func setConfig(config *corev1.ConfigMap, app *WebApp) {
	setLabels(&config.ObjectMeta, labelsOf(app))
	config.Data = map[string]string{
		"host": app.Spec.Host, "log-level": "info", "request-timeout": "30s",
		"features.yaml": "search: true\ncheckout:\n  retries: 3\n  currency: EUR\n",
	}
}

func setService(service *corev1.Service, app *WebApp) {
	labels := labelsOf(app)
	setLabels(&service.ObjectMeta, labels)
	service.Spec.Selector = map[string]string{"app.kubernetes.io/instance": app.Name}
	if len(service.Spec.Ports) != 1 {
		service.Spec.Ports = make([]corev1.ServicePort, 1)
	}
	port := &service.Spec.Ports[0]
	port.Name, port.Port, port.TargetPort, port.Protocol = "http", 80, intstr.FromString("http"), corev1.ProtocolTCP
}

func setDeployment(deployment *appsv1.Deployment, app *WebApp) {
	labels := labelsOf(app)
	setLabels(&deployment.ObjectMeta, labels)
	spec := &deployment.Spec
	spec.Replicas = &app.Spec.Replicas
	spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/instance": app.Name}}
	setLabels(&spec.Template.ObjectMeta, labels)
	if len(spec.Template.Spec.Containers) != 1 {
		spec.Template.Spec.Containers = make([]corev1.Container, 1)
	}
	container := &spec.Template.Spec.Containers[0]
	container.Name, container.Image = "web", app.Spec.Image
	container.Ports = []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}, {Name: "metrics", ContainerPort: 9090, Protocol: corev1.ProtocolTCP}}
	container.Env = []corev1.EnvVar{
		{Name: "HOST", Value: app.Spec.Host},
		{Name: "LOG_LEVEL", ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: app.Name}, Key: "log-level"}}},
	}
	container.Resources = corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m"), corev1.ResourceMemory: resource.MustParse("128Mi")},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")},
	}
	if container.ReadinessProbe == nil {
		container.ReadinessProbe = &corev1.Probe{}
	}
	probe := container.ReadinessProbe
	probe.PeriodSeconds = 5
	if probe.HTTPGet == nil {
		probe.HTTPGet = &corev1.HTTPGetAction{}
	}
	probe.HTTPGet.Path, probe.HTTPGet.Port = "/healthz", intstr.FromString("http")
}
