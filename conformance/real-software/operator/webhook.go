package main

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// siteWebhook fills in what a Site leaves out and refuses images without a tag.
type siteWebhook struct{}

func (siteWebhook) Default(_ context.Context, site *Site) error {
	if site.Spec.Replicas == nil {
		two := int32(2)
		site.Spec.Replicas = &two
	}
	if site.Labels == nil {
		site.Labels = map[string]string{}
	}
	site.Labels["defaulted-by"] = "webhook"
	return nil
}

func (siteWebhook) ValidateCreate(_ context.Context, site *Site) (admission.Warnings, error) {
	return check(site)
}

func (siteWebhook) ValidateUpdate(_ context.Context, old, site *Site) (admission.Warnings, error) {
	if *site.Spec.Replicas < *old.Spec.Replicas-3 {
		return nil, fmt.Errorf("a site may not shrink from %d to %d replicas at once", *old.Spec.Replicas, *site.Spec.Replicas)
	}
	return check(site)
}

func (siteWebhook) ValidateDelete(_ context.Context, site *Site) (admission.Warnings, error) {
	if site.Annotations["protected"] == "true" {
		return nil, fmt.Errorf("this site is protected")
	}
	return nil, nil
}

func check(site *Site) (admission.Warnings, error) {
	var warnings admission.Warnings
	if strings.HasSuffix(site.Spec.Image, ":latest") {
		warnings = append(warnings, "spec.image: latest changes without notice")
	}
	if !strings.Contains(site.Spec.Image, ":") {
		problems := field.ErrorList{field.Invalid(field.NewPath("spec", "image"), site.Spec.Image, "needs a tag")}
		return warnings, apierrors.NewInvalid(v1.WithKind("Site").GroupKind(), site.Name, problems)
	}
	return warnings, nil
}
