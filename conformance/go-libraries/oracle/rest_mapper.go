package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/restmapper"
)

type restMapperRow struct {
	Group, Version, Kind, Plural, Singular, Scope string
	ShortNames, Categories                        []string
}

// restMapperDiscovery answers the one question the mappers ask.
type restMapperDiscovery struct {
	discovery.DiscoveryInterface
	groups    []*metav1.APIGroup
	resources []*metav1.APIResourceList
}

func (d restMapperDiscovery) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return d.groups, d.resources, nil
}

func newRestMapperDiscovery(rows []restMapperRow, preferred map[string]string) restMapperDiscovery {
	d := restMapperDiscovery{}
	groups := map[string]*metav1.APIGroup{}
	lists := map[schema.GroupVersion]*metav1.APIResourceList{}
	for _, row := range rows {
		gv := schema.GroupVersion{Group: row.Group, Version: row.Version}
		group := groups[row.Group]
		if group == nil {
			group = &metav1.APIGroup{Name: row.Group, PreferredVersion: metav1.GroupVersionForDiscovery{Version: preferred[row.Group]}}
			groups[row.Group] = group
			d.groups = append(d.groups, group)
		}
		list := lists[gv]
		if list == nil {
			list = &metav1.APIResourceList{GroupVersion: gv.String()}
			lists[gv] = list
			group.Versions = append(group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: row.Version})
		}
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: row.Plural, SingularName: row.Singular, Kind: row.Kind, Namespaced: row.Scope == "Namespaced", ShortNames: row.ShortNames, Categories: row.Categories,
		})
	}
	for _, group := range d.groups {
		for _, version := range group.Versions {
			d.resources = append(d.resources, lists[schema.GroupVersion{Group: group.Name, Version: version.Version}])
		}
	}
	return d
}

// rest-mapper: {"rows", "preferred", "ask": [method, group, version or versions, name]…} → one answer or error text for each,
// with the warnings it caused.
func init() {
	type question struct {
		Rows      []restMapperRow
		Preferred map[string]string
		Ask       [][]string
	}
	subjects["rest-mapper"] = func(input json.RawMessage) (any, error) {
		var q question
		if err := json.Unmarshal(input, &q); err != nil {
			return nil, err
		}
		d := newRestMapperDiscovery(q.Rows, q.Preferred)
		groupResources, err := restmapper.GetAPIGroupResources(d)
		if err != nil {
			return nil, err
		}
		warnings := []string{}
		mapper := restmapper.NewShortcutExpander(restmapper.NewDiscoveryRESTMapper(groupResources), d, func(text string) { warnings = append(warnings, text) })
		answers := []any{}
		for _, ask := range q.Ask {
			warnings = []string{}
			answer, err := askRestMapper(mapper, d, ask)
			if err != nil {
				answer = "error: " + err.Error()
			}
			answers = append(answers, map[string]any{"answer": answer, "warnings": warnings})
		}
		return answers, nil
	}
}

func askRestMapper(mapper meta.RESTMapper, d restMapperDiscovery, ask []string) (any, error) {
	gvr := schema.GroupVersionResource{Group: ask[1], Version: ask[2], Resource: ask[3]}
	gk := schema.GroupKind{Group: ask[1], Kind: ask[3]}
	versions := strings.FieldsFunc(ask[2], func(r rune) bool { return r == ',' })
	switch ask[0] {
	case "kindFor":
		gvk, err := mapper.KindFor(gvr)
		return gvk.String(), err
	case "kindsFor":
		gvks, err := mapper.KindsFor(gvr)
		return printAll(gvks), err
	case "resourceFor":
		resource, err := mapper.ResourceFor(gvr)
		return resource.String(), err
	case "resourcesFor":
		resources, err := mapper.ResourcesFor(gvr)
		return printAll(resources), err
	case "restMapping":
		mapping, err := mapper.RESTMapping(gk, versions...)
		if err != nil {
			return nil, err
		}
		return printMapping(mapping), nil
	case "restMappings":
		mappings, err := mapper.RESTMappings(gk, versions...)
		texts := []string{}
		for _, mapping := range mappings {
			texts = append(texts, printMapping(mapping))
		}
		return texts, err
	case "singularFor":
		return mapper.ResourceSingularizer(ask[3])
	case "expandCategory":
		resources, _ := restmapper.NewDiscoveryCategoryExpander(d).Expand(ask[3])
		return printAll(resources), nil
	}
	return nil, fmt.Errorf("unknown method %s", ask[0])
}

func printMapping(mapping *meta.RESTMapping) string {
	return fmt.Sprintf("%v %v %s", mapping.Resource, mapping.GroupVersionKind, mapping.Scope.Name())
}

func printAll[T fmt.Stringer](values []T) []string {
	texts := []string{}
	for _, value := range values {
		texts = append(texts, value.String())
	}
	return texts
}
