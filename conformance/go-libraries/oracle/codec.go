package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// codec reads a body into the Go type of a kind, strictly, and writes it again, as the API server does before it sets defaults.
// Input: {"group", "version", "kind", "text", "yaml"}. Output: {"json": "...", "strict": ["unknown field ...", ...]}.
//
// codec-shapes tells what the Go types of served kinds look like: see packages/api/src/shapes/tables.
// Input: the served group versions. A field has its number in the message of its struct behind it (#5) where that is not the next one;
// embedded structs where they have one at all. Output: {"core/v1": {"goName": "v1", "group": "", "version": "v1", "kinds": [...], "types": {...}}}.
func init() {
	types := builtInTypes()
	subjects["codec"] = func(input json.RawMessage) (any, error) { return decodeBody(types, input) }
	subjects["codec-shapes"] = func(input json.RawMessage) (any, error) {
		var served []schema.GroupVersion
		if err := json.Unmarshal(input, &served); err != nil {
			return nil, err
		}
		return shapesOf(types, served), nil
	}
}

// builtInTypes knows every kind that the API server has built in.
func builtInTypes() *runtime.Scheme {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme, metav1.AddMetaToScheme} {
		if err := add(types); err != nil {
			panic(err)
		}
	}
	types.AddKnownTypes(metav1.SchemeGroupVersion, &metav1.DeleteOptions{})
	return types
}

func decodeBody(types *runtime.Scheme, input json.RawMessage) (any, error) {
	var question struct {
		Group, Version, Kind, Text string
		Yaml                       bool
	}
	if err := json.Unmarshal(input, &question); err != nil {
		return nil, err
	}
	codec := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, types, types, serializer.SerializerOptions{Strict: true, Yaml: question.Yaml})
	kind := schema.GroupVersionKind{Group: question.Group, Version: question.Version, Kind: question.Kind}
	object, actual, err := codec.Decode([]byte(question.Text), &kind, nil)
	complaints := []string{}
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, complaint := range strict.Errors() {
			complaints = append(complaints, complaint.Error())
		}
	} else if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(*actual)
	written, err := json.Marshal(object)
	return map[string]any{"json": string(written), "strict": complaints}, err
}

type packageShapes struct {
	Group   string            `json:"group"`
	Version string            `json:"version"`
	GoName  string            `json:"goName"`
	Kinds   []string          `json:"kinds"`
	Types   map[string]string `json:"types"`
}

func shapesOf(types *runtime.Scheme, served []schema.GroupVersion) map[string]*packageShapes {
	found := shapes{}
	for _, version := range served {
		for name, root := range types.KnownTypes(version) {
			// Of the kinds of meta, which are known in every version, only one is ever a body.
			if strings.HasSuffix(root.PkgPath(), "/meta/v1") && (version != metav1.SchemeGroupVersion || name != "DeleteOptions") {
				continue
			}
			table := found.packageOf(root)
			table.Group, table.Version = version.Group, version.Version
			table.Kinds = append(table.Kinds, name)
			// Nor are lists, which have no shape.
			if !strings.HasSuffix(name, "List") {
				found.add(root)
			}
		}
	}
	for _, table := range found {
		slices.Sort(table.Kinds)
	}
	return found
}

type shapes map[string]*packageShapes

// packageKey makes "core/v1" of "k8s.io/api/core/v1", and "types" of "k8s.io/apimachinery/pkg/types".
func packageKey(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(last) > 1 && last[0] == 'v' && last[1] >= '0' && last[1] <= '9' {
		return parts[len(parts)-2] + "/" + last
	}
	return last
}

func (s shapes) packageOf(t reflect.Type) *packageShapes {
	key := packageKey(t.PkgPath())
	if s[key] == nil {
		s[key] = &packageShapes{GoName: strings.SplitN(t.String(), ".", 2)[0], Kinds: []string{}, Types: map[string]string{}}
	}
	return s[key]
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// add puts a named type and everything that it is made of into the tables.
func (s shapes) add(t reflect.Type) {
	table := s.packageOf(t)
	if _, known := table.Types[t.Name()]; known {
		return
	}
	table.Types[t.Name()] = ""
	if t.Kind() != reflect.Struct {
		table.Types[t.Name()] = "=" + s.print(underlying(t), t.PkgPath())
		return
	}
	fields := []string{}
	last := 0
	for i := range t.NumField() {
		field := t.Field(i)
		text := s.printField(field, t.PkgPath())
		if text == "" {
			continue
		}
		number := protobufNumber(field)
		isEmbedded := strings.Contains(text, ">")
		if (isEmbedded && number != 0) || (!isEmbedded && number != last+1) {
			text += fmt.Sprintf("#%d", number)
		}
		if number != 0 {
			last = number
		}
		fields = append(fields, text)
	}
	table.Types[t.Name()] = strings.Join(fields, " ")
}

// printField writes `name:type`, with the mark telling when the field is left out, or `GoName>type` for a struct whose fields are the outer one's.
func (s shapes) printField(field reflect.StructField, home string) string {
	tag, tagged := field.Tag.Lookup("json")
	name, rest, _ := strings.Cut(tag, ",")
	if name == "-" {
		return ""
	}
	if field.Anonymous && name == "" {
		return field.Name + ">" + s.print(field.Type, home)
	}
	if !tagged || name == "" {
		name = field.Name
	}
	options := strings.Split(rest, ",")
	mark := ":"
	switch empty, zero := slices.Contains(options, "omitempty"), slices.Contains(options, "omitzero"); {
	case empty && zero:
		mark = "&"
	case empty:
		mark = "?"
	case zero:
		mark = "!"
	}
	if slices.Contains(options, "string") {
		panic(fmt.Sprintf("%s is a number written as a text", field.Name))
	}
	return name + mark + s.print(field.Type, home)
}

// protobufNumber is the number of a field in the message of its struct; 0 where it is not in there.
func protobufNumber(field reflect.StructField) int {
	_, rest, _ := strings.Cut(field.Tag.Get("protobuf"), ",")
	text, _, _ := strings.Cut(rest, ",")
	number, _ := strconv.Atoi(text)
	return number
}

// print writes a type as Go does, but with the key of its package where that is not the one it is used in, and @ before those that read themselves.
func (s shapes) print(t reflect.Type, home string) string {
	if t.Name() != "" && reflect.PointerTo(t).Implements(unmarshaler) {
		return "@" + t.Name()
	}
	if t.PkgPath() != "" {
		s.add(t)
		if t.PkgPath() == home {
			return t.Name()
		}
		return packageKey(t.PkgPath()) + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + s.print(t.Elem(), home)
	case reflect.Slice:
		return "[]" + s.print(t.Elem(), home)
	case reflect.Map:
		return "map[" + s.print(t.Key(), home) + "]" + s.print(t.Elem(), home)
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Float64:
		return t.Name()
	default:
		panic(fmt.Sprintf("a type that no shape is known for: %v", t))
	}
}

// underlying is what a named type is made of.
func underlying(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(t.Elem())
	case reflect.Map:
		return reflect.MapOf(t.Key(), t.Elem())
	case reflect.String:
		return reflect.TypeFor[string]()
	case reflect.Bool:
		return reflect.TypeFor[bool]()
	case reflect.Int32:
		return reflect.TypeFor[int32]()
	case reflect.Int64:
		return reflect.TypeFor[int64]()
	default:
		panic(fmt.Sprintf("a type that no shape is known for: %v", t))
	}
}
