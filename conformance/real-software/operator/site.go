package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"
)

const group = "shop.drover.dev"

var (
	v1      = schema.GroupVersion{Group: group, Version: "v1"}
	v1beta1 = schema.GroupVersion{Group: group, Version: "v1beta1"}
)

// Site is the stored version.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SiteSpec   `json:"spec,omitempty"`
	Status            SiteStatus `json:"status,omitempty"`
}

type SiteSpec struct {
	Image    string `json:"image,omitempty"`
	Replicas *int32 `json:"replicas,omitempty"`
}

type SiteStatus struct {
	ReadyReplicas int32              `json:"readyReplicas,omitempty"`
	Conditions    []metav1.Condition `json:"conditions,omitempty"`
}

// SiteList is a list of Sites.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Site `json:"items"`
}

// OldSite is version v1beta1, which has a size in words.
type OldSite struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OldSiteSpec `json:"spec,omitempty"`
	Status            SiteStatus  `json:"status,omitempty"`
}

type OldSiteSpec struct {
	Image string `json:"image,omitempty"`
	Size  string `json:"size,omitempty"`
}

var sizes = map[string]int32{"small": 1, "medium": 2, "large": 5}

func toHub(_ context.Context, old *OldSite, site *Site) error {
	site.ObjectMeta = *old.ObjectMeta.DeepCopy()
	site.Spec = SiteSpec{Image: old.Spec.Image}
	site.Status = *old.Status.DeepCopy()
	if old.Spec.Size == "" {
		return nil
	}
	replicas, known := sizes[old.Spec.Size]
	if !known {
		return fmt.Errorf("there is no size %q", old.Spec.Size)
	}
	site.Spec.Replicas = &replicas
	return nil
}

func fromHub(_ context.Context, site *Site, old *OldSite) error {
	old.ObjectMeta = *site.ObjectMeta.DeepCopy()
	old.Spec = OldSiteSpec{Image: site.Spec.Image}
	old.Status = *site.Status.DeepCopy()
	if site.Spec.Replicas == nil {
		return nil
	}
	for size, replicas := range sizes {
		if replicas == *site.Spec.Replicas {
			old.Spec.Size = size
		}
	}
	return nil
}

var converter = conversion.NewHubSpokeConverter(&Site{}, conversion.NewSpokeConverter(&OldSite{}, fromHub, toHub))

func addSites(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(v1, &Site{}, &SiteList{})
	scheme.AddKnownTypeWithName(v1beta1.WithKind("Site"), &OldSite{})
	metav1.AddToGroupVersion(scheme, v1)
	metav1.AddToGroupVersion(scheme, v1beta1)
}

func (s *SiteStatus) DeepCopy() *SiteStatus {
	copied := *s
	copied.Conditions = nil
	for _, condition := range s.Conditions {
		copied.Conditions = append(copied.Conditions, *condition.DeepCopy())
	}
	return &copied
}

func (s *Site) DeepCopyObject() runtime.Object {
	copied := *s
	copied.ObjectMeta = *s.ObjectMeta.DeepCopy()
	if s.Spec.Replicas != nil {
		replicas := *s.Spec.Replicas
		copied.Spec.Replicas = &replicas
	}
	copied.Status = *s.Status.DeepCopy()
	return &copied
}

func (s *OldSite) DeepCopyObject() runtime.Object {
	copied := *s
	copied.ObjectMeta = *s.ObjectMeta.DeepCopy()
	copied.Status = *s.Status.DeepCopy()
	return &copied
}

func (l *SiteList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.Items = nil
	for index := range l.Items {
		copied.Items = append(copied.Items, *l.Items[index].DeepCopyObject().(*Site))
	}
	return &copied
}
