package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	apipath "k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func named(check func(string, bool) []string, prefix bool) func(string) []string {
	return func(value string) []string { return check(value, prefix) }
}

func numbered(check func(int) []string) func(string) []string {
	return func(value string) []string {
		number, err := strconv.Atoi(value)
		if err != nil {
			return []string{err.Error()}
		}
		return check(number)
	}
}

var textChecks = map[string]func(string) []string{
	"checkDns1123Label": validation.IsDNS1123Label, "checkDns1123Subdomain": validation.IsDNS1123Subdomain, "checkDns1035Label": validation.IsDNS1035Label,
	"checkDns1123SubdomainWithUnderscore": validation.IsDNS1123SubdomainWithUnderscore, "checkWildcardDns1123Subdomain": validation.IsWildcardDNS1123Subdomain,
	"checkQualifiedName": validation.IsQualifiedName, "checkLabelValue": validation.IsValidLabelValue, "checkConfigMapKey": validation.IsConfigMapKey,
	"checkEnvVarName": validation.IsEnvVarName, "checkRelaxedEnvVarName": validation.IsRelaxedEnvVarName, "checkHttpHeaderName": validation.IsHTTPHeaderName,
	"checkCIdentifier": validation.IsCIdentifier, "checkPercent": validation.IsValidPercent, "checkPortName": validation.IsValidPortName,
	"checkPortNumber": numbered(validation.IsValidPortNum), "checkUnixId": numbered(func(id int) []string { return validation.IsValidUserID(int64(id)) }),
	"checkSubdomainName": named(apivalidation.NameIsDNSSubdomain, false), "checkSubdomainName prefix": named(apivalidation.NameIsDNSSubdomain, true),
	"checkLabelName": named(apivalidation.NameIsDNSLabel, false), "checkLabelName prefix": named(apivalidation.NameIsDNSLabel, true),
	"checkLabel1035Name": named(apivalidation.NameIsDNS1035Label, false), "checkLabel1035Name prefix": named(apivalidation.NameIsDNS1035Label, true),
	"checkPathSegmentName": named(apipath.ValidatePathSegmentName, false), "checkPathSegmentName prefix": named(apipath.ValidatePathSegmentName, true),
}

var spot = field.NewPath("spec", "spot")

func at(check func(*field.Path, string) field.ErrorList) func(string) []string {
	return func(value string) []string { return printErrors(check(spot, value)) }
}

var fieldChecks = map[string]func(string) []string{
	"validateFullyQualifiedName": at(validation.IsFullyQualifiedName), "validateFullyQualifiedDomainName": at(validation.IsFullyQualifiedDomainName),
	"validateDomainPrefixedPath": at(validation.IsDomainPrefixedPath), "validateDomainPrefixedKey": at(validation.IsDomainPrefixedKey),
	"validateIp": at(validation.IsValidIP), "validateCidr": at(validation.IsValidCIDR), "validateInterfaceAddress": at(validation.IsValidInterfaceAddress),
	"validateLegacyIp": func(value string) []string {
		return printErrors(validation.IsValidIPForLegacyField(spot, value, true, nil))
	},
	"validateLegacyIp lax": func(value string) []string {
		return printErrors(validation.IsValidIPForLegacyField(spot, value, false, nil))
	},
	"validateLegacyCidr": func(value string) []string {
		return printErrors(validation.IsValidCIDRForLegacyField(spot, value, true, nil))
	},
	"validateLegacyCidr lax": func(value string) []string {
		return printErrors(validation.IsValidCIDRForLegacyField(spot, value, false, nil))
	},
	"ipWarnings":            func(value string) []string { return validation.GetWarningsForIP(spot, value) },
	"cidrWarnings":          func(value string) []string { return validation.GetWarningsForCIDR(spot, value) },
	"validateFieldManager":  func(value string) []string { return printErrors(v1validation.ValidateFieldManager(value, spot)) },
	"validateFinalizerName": func(value string) []string { return printErrors(apivalidation.ValidateFinalizerName(value, spot)) },
}

func init() {
	subjects["validation"] = func(input json.RawMessage) (any, error) {
		var question struct{ Check, Value string }
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		check, known := textChecks[question.Check]
		if !known {
			check, known = fieldChecks[question.Check]
		}
		if !known {
			return nil, fmt.Errorf("unknown check %q", question.Check)
		}
		return append([]string{}, check(question.Value)...), nil
	}
	subjects["object-meta-validation"] = func(input json.RawMessage) (any, error) {
		var question struct {
			Meta       metav1.ObjectMeta
			Old        *metav1.ObjectMeta
			Namespaced bool
			Subdomain  bool
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		path := field.NewPath("metadata")
		if question.Old != nil {
			return printErrors(apivalidation.ValidateObjectMetaUpdate(&question.Meta, question.Old, path)), nil
		}
		check := apivalidation.ValidateNameFunc(apipath.ValidatePathSegmentName)
		if question.Subdomain {
			check = apivalidation.NameIsDNSSubdomain
		}
		return printErrors(apivalidation.ValidateObjectMeta(&question.Meta, question.Namespaced, check, path)), nil
	}
}
