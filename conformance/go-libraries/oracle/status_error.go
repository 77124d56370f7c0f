package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

type statusErrorQuestion struct {
	Make            string
	Group, Resource string
	Name, Text      string
	Seconds, Code   int
	Unexpected      bool
	Causes          []metav1.StatusCause
	Texts           []string
}

func makeStatusError(q statusErrorQuestion) (error, bool) {
	resource := schema.GroupResource{Group: q.Group, Resource: q.Resource}
	switch q.Make {
	case "newNotFound":
		return apierrors.NewNotFound(resource, q.Name), true
	case "newAlreadyExists":
		return apierrors.NewAlreadyExists(resource, q.Name), true
	case "newGenerateNameConflict":
		return apierrors.NewGenerateNameConflict(resource, q.Name, q.Seconds), true
	case "newUnauthorized":
		return apierrors.NewUnauthorized(q.Text), true
	case "newForbidden":
		return apierrors.NewForbidden(resource, q.Name, errors.New(q.Text)), true
	case "newConflict":
		return apierrors.NewConflict(resource, q.Name, errors.New(q.Text)), true
	case "newApplyConflict":
		return apierrors.NewApplyConflict(q.Causes, q.Text), true
	case "newGone":
		return apierrors.NewGone(q.Text), true
	case "newResourceExpired":
		return apierrors.NewResourceExpired(q.Text), true
	case "newBadRequest":
		return apierrors.NewBadRequest(q.Text), true
	case "newTooManyRequests":
		return apierrors.NewTooManyRequests(q.Text, q.Seconds), true
	case "newServiceUnavailable":
		return apierrors.NewServiceUnavailable(q.Text), true
	case "newMethodNotSupported":
		return apierrors.NewMethodNotSupported(resource, q.Text), true
	case "newNotAcceptable":
		return negotiation.NewNotAcceptableError(q.Texts), true
	case "newUnsupportedMediaType":
		return negotiation.NewUnsupportedMediaTypeError(q.Texts), true
	case "newServerTimeout":
		return apierrors.NewServerTimeout(resource, q.Text, q.Seconds), true
	case "newTimeoutError":
		return apierrors.NewTimeoutError(q.Text, q.Seconds), true
	case "newTooLargeResourceVersion":
		return storage.NewTooLargeResourceVersionError(uint64(q.Code), 342, q.Seconds), true
	case "newInternalError":
		return apierrors.NewInternalError(errors.New(q.Text)), true
	case "newRequestEntityTooLarge":
		return apierrors.NewRequestEntityTooLargeError(q.Text), true
	case "newGenericServerResponse":
		return apierrors.NewGenericServerResponse(q.Code, q.Texts[0], resource, q.Name, q.Text, q.Seconds, q.Unexpected), true
	}
	return nil, false
}

var predicates = map[string]func(error) bool{
	"isNotFound": apierrors.IsNotFound, "isAlreadyExists": apierrors.IsAlreadyExists, "isConflict": apierrors.IsConflict, "isInvalid": apierrors.IsInvalid,
	"isGone": apierrors.IsGone, "isNotAcceptable": apierrors.IsNotAcceptable, "isUnsupportedMediaType": apierrors.IsUnsupportedMediaType,
	"isExpired":          func(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) },
	"isMethodNotAllowed": apierrors.IsMethodNotSupported, "isServiceUnavailable": apierrors.IsServiceUnavailable, "isBadRequest": apierrors.IsBadRequest,
	"isUnauthorized": apierrors.IsUnauthorized, "isForbidden": apierrors.IsForbidden, "isTimeout": apierrors.IsTimeout, "isServerTimeout": apierrors.IsServerTimeout,
	"isInternalError": apierrors.IsInternalError, "isTooManyRequests": apierrors.IsTooManyRequests, "isRequestEntityTooLarge": apierrors.IsRequestEntityTooLargeError,
	"isUnexpectedServerError": apierrors.IsUnexpectedServerError, "isStoreReadError": apierrors.IsStoreReadError,
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

type responseQuestion struct {
	Code                                  int
	ContentType, Body, Method, RetryAfter string
	Group, Resource, Name                 string
}

func askResponse(q responseQuestion) error {
	transport := roundTripper(func(request *http.Request) (*http.Response, error) {
		header := http.Header{}
		if q.ContentType != "" {
			header.Set("Content-Type", q.ContentType)
		}
		if q.RetryAfter != "" {
			header.Set("Retry-After", q.RetryAfter)
		}
		return &http.Response{Request: request, StatusCode: q.Code, Header: header, Body: io.NopCloser(bytes.NewReader([]byte(q.Body)))}, nil
	})
	config := &rest.Config{Host: "http://oracle", APIPath: "/apis", Transport: transport, ContentConfig: rest.ContentConfig{
		GroupVersion: &schema.GroupVersion{Group: q.Group, Version: "v1"}, NegotiatedSerializer: scheme.Codecs.WithoutConversion(), ContentType: "application/json",
	}}
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return err
	}
	request := client.Verb(q.Method).MaxRetries(0)
	if q.Resource != "" {
		request = request.Resource(q.Resource)
	}
	if q.Name != "" {
		request = request.Name(q.Name)
	}
	return request.Do(context.Background()).Error()
}

func init() {
	subjects["status-error"] = func(input json.RawMessage) (any, error) {
		var question statusErrorQuestion
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		made, known := makeStatusError(question)
		if !known {
			return nil, fmt.Errorf("cannot make %q", question.Make)
		}
		return made.(apierrors.APIStatus).Status(), nil
	}
	subjects["error-reason"] = func(input json.RawMessage) (any, error) {
		var status metav1.Status
		if err := json.Unmarshal(input, &status); err != nil {
			return nil, err
		}
		err := fmt.Errorf("wrapped: %w", &apierrors.StatusError{ErrStatus: status})
		holds := []string{}
		for name, predicate := range predicates {
			if predicate(err) {
				holds = append(holds, name)
			}
		}
		slices.Sort(holds)
		result := map[string]any{"holds": holds, "reason": apierrors.ReasonForError(err)}
		if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
			result["delay"] = seconds
		}
		return result, nil
	}
	subjects["response-error"] = func(input json.RawMessage) (any, error) {
		var question responseQuestion
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		err := askResponse(question)
		var status apierrors.APIStatus
		if !errors.As(err, &status) {
			return nil, err
		}
		return status.Status(), nil
	}
}
