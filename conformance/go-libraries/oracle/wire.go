package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"

	"github.com/munnerz/goautoneg"
	internal "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	internalscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	internalvalidation "k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/conversion/queryparams"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"
	kjson "sigs.k8s.io/json"
)

func init() {
	subjects["wire-json"] = wireJSON
	subjects["wire-request-info"] = wireRequestInfo
	subjects["wire-list-options"] = wireListOptions
	subjects["wire-write-options"] = wireWriteOptions
	subjects["wire-query"] = wireQuery
	subjects["wire-accept"] = wireAccept
	subjects["wire-content-type"] = wireContentType
	subjects["wire-path"] = wirePath
}

// A JSON text, read as the server reads unstructured objects and written as it writes them.
func wireJSON(input json.RawMessage) (any, error) {
	var text string
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, err
	}
	var value any
	strict, err := kjson.UnmarshalStrict([]byte(text), &value, kjson.DisallowDuplicateFields)
	if err != nil {
		return nil, err
	}
	written, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	duplicates := []string{}
	for _, problem := range strict {
		duplicates = append(duplicates, problem.(kjson.FieldError).FieldPath())
	}
	return map[string]any{"text": string(written), "duplicates": duplicates}, nil
}

func wireRequestInfo(input json.RawMessage) (any, error) {
	var question struct{ Method, Target string }
	if err := json.Unmarshal(input, &question); err != nil {
		return nil, err
	}
	target, err := url.ParseRequestURI(question.Target)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	factory := request.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}
	info, err := factory.NewRequestInfo(&http.Request{Method: question.Method, URL: target})
	if err != nil {
		return nil, err
	}
	return info, nil
}

func printed(list field.ErrorList) string {
	if len(list) == 0 {
		return ""
	}
	return list.ToAggregate().Error()
}

// What the server makes of a query, what it has against it, and how a client would write it again.
func wireListOptions(input json.RawMessage) (any, error) {
	query, err := queryOf(input)
	if err != nil {
		return nil, err
	}
	external := metav1.ListOptions{}
	if err := internalscheme.ParameterCodec.DecodeParameters(query, metav1.SchemeGroupVersion, &external); err != nil {
		return nil, err
	}
	again, err := queryparams.Convert(&external)
	if err != nil {
		return nil, err
	}
	options := internal.ListOptions{
		Watch: external.Watch, ResourceVersion: external.ResourceVersion, ResourceVersionMatch: external.ResourceVersionMatch,
		Continue: external.Continue, SendInitialEvents: external.SendInitialEvents,
	}
	internal.SetListOptionsDefaults(&options, true)
	return map[string]any{
		"query": again.Encode(), "errors": printed(internalvalidation.ValidateListOptions(&options, true)),
		"errorsWithoutWatchList": printed(internalvalidation.ValidateListOptions(&options, false)),
	}, nil
}

func wireWriteOptions(input json.RawMessage) (any, error) {
	var question struct{ Kind, PatchType, Query string }
	if err := json.Unmarshal(input, &question); err != nil {
		return nil, err
	}
	query, _ := url.ParseQuery(question.Query)
	var into runtime.Object
	var validate func() field.ErrorList
	switch question.Kind {
	case "create":
		options := &metav1.CreateOptions{}
		into, validate = options, func() field.ErrorList { return metavalidation.ValidateCreateOptions(options) }
	case "update":
		options := &metav1.UpdateOptions{}
		into, validate = options, func() field.ErrorList { return metavalidation.ValidateUpdateOptions(options) }
	case "patch":
		options := &metav1.PatchOptions{}
		into, validate = options, func() field.ErrorList { return metavalidation.ValidatePatchOptions(options, types.PatchType(question.PatchType)) }
	case "delete":
		options := &metav1.DeleteOptions{}
		into, validate = options, func() field.ErrorList { return metavalidation.ValidateDeleteOptions(options) }
	case "get":
		into, validate = &metav1.GetOptions{}, func() field.ErrorList { return nil }
	default:
		return nil, fmt.Errorf("unknown kind %q", question.Kind)
	}
	if err := internalscheme.ParameterCodec.DecodeParameters(query, metav1.SchemeGroupVersion, into); err != nil {
		return nil, err
	}
	again, err := queryparams.Convert(into)
	if err != nil {
		return nil, err
	}
	return map[string]any{"query": again.Encode(), "errors": printed(validate())}, nil
}

func queryOf(input json.RawMessage) (url.Values, error) {
	var text string
	if err := json.Unmarshal(input, &text); err != nil {
		return nil, err
	}
	query, _ := url.ParseQuery(text)
	return query, nil
}

func wireQuery(input json.RawMessage) (any, error) {
	query, err := queryOf(input)
	if err != nil {
		return nil, err
	}
	return map[string]any{"values": query, "text": query.Encode()}, nil
}

func wireAccept(input json.RawMessage) (any, error) {
	var header string
	if err := json.Unmarshal(input, &header); err != nil {
		return nil, err
	}
	clauses := []map[string]any{}
	for _, clause := range goautoneg.ParseAccept(header) {
		params := clause.Params
		if params == nil {
			params = map[string]string{}
		}
		clauses = append(clauses, map[string]any{"type": clause.Type, "subtype": clause.SubType, "quality": clause.Q, "parameters": params})
	}
	return clauses, nil
}

func wireContentType(input json.RawMessage) (any, error) {
	var header string
	if err := json.Unmarshal(input, &header); err != nil {
		return nil, err
	}
	mediaType, params, err := mime.ParseMediaType(header)
	if err != nil && err != mime.ErrInvalidMediaParameter {
		return nil, err
	}
	return map[string]any{"mediaType": mediaType, "parameters": params}, err
}

func wirePath(input json.RawMessage) (any, error) {
	var path struct {
		Group, Version, Resource string
		Namespace, Name          *string
		Subresource              []string
	}
	if err := json.Unmarshal(input, &path); err != nil {
		return nil, err
	}
	prefix := "/apis/" + path.Group + "/" + path.Version
	if path.Group == "" {
		prefix = "/api/" + path.Version
	}
	builder := rest.NewRequestWithClient(&url.URL{}, "", rest.ClientContentConfig{}, nil).Verb("GET").AbsPath(prefix).Resource(path.Resource)
	if path.Namespace != nil {
		builder = builder.Namespace(*path.Namespace)
	}
	if path.Name != nil {
		builder = builder.Name(*path.Name)
	}
	if len(path.Subresource) > 0 {
		builder = builder.SubResource(path.Subresource...)
	}
	if err := builder.Error(); err != nil {
		return nil, err
	}
	return builder.URL().String(), nil
}
