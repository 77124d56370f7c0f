/** Bodies that are hard to read, each for a reason of its own. */
import type { GroupVersionKind } from "@drover/machinery";

export interface Question extends GroupVersionKind {
  readonly text: string;
  readonly yaml?: boolean;
}

const core = (kind: string) => (text: string): Question => ({ group: "", version: "v1", kind, text });
const definition = (schema: string): Question => ({
  group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", text: `{"spec":{"versions":[{"name":"v1","schema":{"openAPIV3Schema":${schema}}}]}}`,
});
const yaml = (text: string): Question => ({ ...core("ConfigMap")(text), yaml: true });
const container = (text: string): Question => core("Pod")(`{"spec":{"containers":[{${text}}]}}`);

const quantities = ['"010"', '"1.500"', '"+5"', '"1000m"', '"1024Ki"', '"1e3"', '" 1 "', '"\\t1"', '"\\u0031"', '""', "1.50", "1e3", "-0", "0", "12345678901234567890", "true", "null", "{}", "[]", '"0.0000000001"', '"100"', '"1000"', '"999Mi"', '"5G"'];
const binary = ['"YWJjY"', '"YWJjYQ"', '"YQ"', '"YQ="', '"YQ=a"', '"Y==="', '"="', '"YQ==x"', '"YR=="', '"YWL="', '"Y\\nQ=\\n="', '"YW é"', '"!!!"', "[]", "[1,2]", "[-1]", "[null]", "null", '""', "5", "{}"];
const ports = ["80", '"80"', "1.0", "1e2", "2147483648", "-1", "true", "null", "{}", "[]", '""'];
const times = ['"2020-01-01T00:00:00Z"', '"2020-01-01T00:00:00.999Z"', '"2020-01-01T23:00:00-02:00"', '"2020-01-01"', '""', "5", "true", "null", "{}", "[]"];

const brokenYaml = [
  "{bad", "a: b: c", "a:\n\t- b", "data: {a: .inf}", "a: [", "a: [b", "a: {b", "a: 'b", 'a: "b', String.raw`a: "\q"`, "- a\nb: c", "a: b\n c: d", "a:\n  - b\n c", "a: *x", "a: &x", "%YAML 3.0\n---\na: b", "a: !!int x", "@a", "a: @b", "a: %b", "a: b\n}", "]", "{a: b]", "a: b\n- c",
  "a:\n- b\n  c: d\n e: f", "a: !!binary x", "key: [a, b\nother: c", "a: \u0001b", "a: b #c\nd", "a: b\nfoo bar\nc: d", '"a" b', "a: - b", "<<: b", "a: !<x", "a: 1\nb: 2\n  c: 3", "a: 1\nb:\n\tc: 3", "foo\nbar: x", "metadata:\n name: a\n  labels: b\n", "a: 'b'c", "a: b\n\tc: d",
];

export const questions: readonly Question[] = [
  ...["", " ", "null", "[]", "5", '"x"', "true", "{bad", "{} x", '{"kind":5}', '{"kind":{},"apiVersion":[]}', '{"kind":"","apiVersion":""}', '{"KIND":"ConfigMap"}', '{"kind":"Foo"}', '{"apiVersion":"v2"}', '{"apiVersion":"a/b/c"}', '{"apiVersion":"apps/"}', '{"apiVersion":"/v1"}',
    '{"data":{"a":"1","a":"2"},"data":{"b":"3"}}', '{"data":{"a":"1"},"data":null}', '{"foo":1,"metadata":{"bar":{"x":1}},"data":{"a":"1","a":"2"},"foo":2,"metadata":{},"zoo":{"a":1,"a":2}}', '{"metadata":{"finalizers":["a","b"],"finalizers":["c"]}}',
    '{"metadata":{"ownerReferences":[{"name":"a","uid":"u"},{"name":"b"}],"ownerReferences":[{"name":"c"}]}}', '{"metadata":{"labels":{"a":null,"__proto__":"p"},"annotations":{}}}', '{"metadata":{"managedFields":[{"fieldsV1":5},{"fieldsV1":{"f:a":{}}},{"fieldsV1":null}]}}',
    '{"metadata":{"generation":9223372036854775807}}', '{"metadata":{"generation":9223372036854775808}}', '{"metadata":{"generation":-0}}', '{"metadata":{"generation":1.0}}', '{"metadata":{"name":"a\\u0000b","namespace":"é"}}', '{"metadata":[],"data":"x","immutable":"y"}', String.raw`{"data":{"a\udc00":"\ud800x","b":"\ud83d\ude00"}}`,
  ].map(core("ConfigMap")),
  ...times.map((time) => core("ConfigMap")(`{"metadata":{"creationTimestamp":${time}}}`)),
  ...binary.map((bytes) => core("ConfigMap")(`{"binaryData":{"a":${bytes}}}`)),
  ...quantities.map((quantity) => container(`"resources":{"limits":{"cpu":${quantity}}}`)),
  ...ports.map((port) => container(`"livenessProbe":{"httpGet":{"port":${port}}}`)),
  ...ports.map((port) => container(`"ports":[{"containerPort":${port}}]`)),
  container('"livenessProbe":{"httpGet":{"port":"http","port":null,"port":5},"exec":5}'), container('"env":[{"valueFrom":{"configMapKeyRef":{"name":5}}}]'), container('"name":5,"resources":{"limits":{"cpu":"x"}}'), container('"args":[null,1]'),
  ...times.map((time): Question => ({ group: "coordination.k8s.io", version: "v1", kind: "Lease", text: `{"spec":{"renewTime":${time.replace("00Z", "00.123456Z")}}}` })),
  ...["5", "{}", '{"items":{"type":5}}', '{"items":[{"type":"a","x":1},null]}', '{"items":[5]}', '{"items":[]}', '{"items":5}', '{"additionalProperties":true}', '{"additionalProperties":{"x":1,"nullable":"a"}}', '{"additionalProperties":5}', '{"additionalProperties":null}',
    '{"dependencies":{"a":["b"],"c":{"type":"d"},"e":null,"f":[],"g":5}}', '{"dependencies":{"a":[5]}}', '{"default":{"a":1,"b":null},"enum":[null,1,"x",{"a":1}],"example":null}', '{"properties":{"a":{"properties":{"b":{"x":1}}}},"x":1}', '{"maximum":1.50,"minimum":1e2,"multipleOf":9007199254740993}', '{"maximum":"x"}', '{"maxLength":1.5}',
    '{"not":{"items":{"additionalProperties":{"type":5}}}}'].map(definition),
  ...["{}", '{"gracePeriodSeconds":1.5}', '{"preconditions":{"uid":5}}', '{"dryRun":"All"}', '{"orphanDependents":null,"propagationPolicy":""}'].map((text): Question => ({ group: "meta.k8s.io", version: "v1", kind: "DeleteOptions", text })),
  ...brokenYaml.map(yaml),
  ...["", "metadata:\n  name: y\n", "metadata:\n  name: a\n---\nmetadata: [", "data:\n  a: b\n  a: c\n  e: d\n  e:\n    f\n", "data: {1: a, 1: b, yes: c}", '{"data":{"a":"1","a":"2"},"foo":1}', "metadata:\n  generation: 1.0", "metadata:\n  generation: 1e3", "- a", "hello", "data: &a {x: y}\nbinaryData: *a"].map(yaml),
];
