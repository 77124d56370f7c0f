import { kinds } from "@drover/api";
import { exampleOf } from "@drover/api/testing";
import { createRandom, deepFreeze, encodeJson, jsonEqual } from "@drover/machinery";
import type { GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonOf } from "../typed-object.ts";
import { builtInCodec } from "./built-in-codec.ts";
import { DecodeError } from "./codec.ts";
import type { Decoded } from "./codec.ts";

const core = (kind: string): GroupVersionKind => ({ group: "", version: "v1", kind });
const decode = (kind: GroupVersionKind, body: string, mediaType: "application/json" | "application/yaml" = "application/json"): Decoded =>
  builtInCodec(kind, () => undefined).decodeBody(body, mediaType);
const configMap = (body: string): Decoded => decode(core("ConfigMap"), body);
const pod = (container: string): Decoded =>
  decode(core("Pod"), `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c",${container}}]}}`);

/** Returns the error message, with a star before one that stands alone. */
function failure(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DecodeError) return `${error.bare ? "*" : ""}${error.message}`;
    throw error;
  }
  return "nothing";
}

describe("the codec of a built-in kind", () => {
  it("fills in a missing apiVersion and kind, which come first", () => {
    const { object } = configMap('{"data":{"a":"b"},"metadata":{"name":"a"}}');
    expect(object).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "b" } });
    expect(Object.keys(object)).toEqual(["apiVersion", "kind", "metadata", "data"]);
    expect(configMap('{"kind":null,"apiVersion":"","metadata":{}}').object).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: {} });
    expect(configMap("null").object).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: {} });
    expect(configMap('{"apiVersion":"/v1"}').object).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: {} });
  });
  it("writes objects as the Go type does: empty fields omitted or kept, pointers kept", () => {
    expect(
      decode(
        { group: "apps", version: "v1", kind: "Deployment" },
        '{"metadata":{"labels":{}},"spec":{"replicas":0,"paused":false,"minReadySeconds":0,"template":{"spec":{"containers":[]}}}}',
      ).object,
    ).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: {},
      spec: { replicas: 0, selector: null, template: { metadata: {}, spec: { containers: [] } }, strategy: {} },
      status: {},
    });
    expect(decode({ group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" }, "{}").object).toEqual({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: {},
      rules: null,
    });
    expect(pod('"image":null,"stdin":false,"args":[null],"resources":null').object["spec"]).toEqual({
      containers: [{ name: "c", args: [""], resources: {} }],
    });
  });
  it("writes values in canonical form", () => {
    const { object } = pod(
      '"resources":{"limits":{"cpu":"1000m","memory":1.50,"a/b":" 2 ","c/d":null}},"livenessProbe":{"httpGet":{"port":null}}',
    );
    const [container] = (object["spec"] as { readonly containers: JsonObject[] }).containers;
    expect(container).toEqual({
      name: "c",
      resources: { limits: { cpu: "1", memory: "1500m", "a/b": "2", "c/d": "0" } },
      livenessProbe: { httpGet: { port: 0 } },
    });
    const times = configMap('{"metadata":{"creationTimestamp":"2020-01-01T01:00:00.7+01:00","deletionTimestamp":"0001-01-01T00:00:00Z"}}');
    expect(times.object["metadata"]).toEqual({ creationTimestamp: "2020-01-01T00:00:00Z" });
    expect(configMap('{"binaryData":{"a":[1,2,30],"b":null,"c":"","d":"YR==\\n"}}').object["binaryData"]).toEqual({
      a: "AQIe",
      b: null,
      c: "",
      d: "YQ==",
    });
  });
  it("keeps keys of maps, sorted", () => {
    const { object } = configMap('{"data":{"__proto__":"p","constructor":"c","":"e"}}');
    expect(Object.entries(object["data"] as JsonObject)).toEqual([
      ["", "e"],
      ["__proto__", "p"],
      ["constructor", "c"],
    ]);
    expect(({} as { readonly p?: string }).p).toBeUndefined();
  });
  it("keeps 64-bit integers exactly", () => {
    expect(configMap('{"metadata":{"generation":9223372036854775807}}').object["metadata"]).toEqual({ generation: 9223372036854775807n });
  });
});

describe("unknown and duplicate fields of a body", () => {
  it("are dropped and reported once, in order", () => {
    const { object, problems } = configMap(
      '{"metadata":{"name":"a"},"foo":1,"metadata":{"bar":{"x":1}},"data":{"a":"1","a":"2"},"foo":2,"zoo":{"a":1,"a":2},"Data":{}}',
    );
    expect(object).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "2" } });
    expect(problems).toEqual([
      'unknown field "foo"',
      'duplicate field "metadata"',
      'unknown field "metadata.bar"',
      'duplicate field "data.a"',
      'unknown field "zoo"',
      'unknown field "Data"',
    ]);
  });
  it("are reported with the index of their item", () => {
    expect(pod('"bogus":1,"ports":[{},{"x":1}]').problems).toEqual([
      'unknown field "spec.containers[0].bogus"',
      'unknown field "spec.containers[0].ports[1].x"',
    ]);
  });
  it("are merged if they are duplicate objects", () => {
    expect(configMap('{"data":{"a":"1"},"data":{"b":"3"}}')).toMatchObject({
      object: { data: { a: "1", b: "3" } },
      problems: ['duplicate field "data"'],
    });
    expect(configMap('{"data":{"a":"1"},"data":null}').object).not.toHaveProperty("data");
  });
  it("are reported up to a hundred", () => {
    expect(configMap(`{${Array.from({ length: 150 }, (_, index) => `"x${index}":1`).join()}}`).problems).toHaveLength(100);
  });
  it("are found even if a string looks like a key", () => {
    expect(pod('"image":":8080","args":[":1"]').problems).toEqual([]);
    expect(pod('"image":":8080","image":"b"').problems).toEqual(['duplicate field "spec.containers[0].image"']);
  });
});

describe("a value of the wrong type in a body", () => {
  it.each([
    ['{"data":{"a":1}}', "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"],
    ['{"metadata":{"name":true}}', "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.name of type string"],
    [
      '{"metadata":{"finalizers":"x"}}',
      "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string",
    ],
    [
      '{"metadata":{"labels":["x"]}}',
      "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string",
    ],
    [
      '{"metadata":{"ownerReferences":[{"uid":5}]}}',
      "json: cannot unmarshal number into Go struct field OwnerReference.metadata.ownerReferences.uid of type types.UID",
    ],
    [
      '{"metadata":{"generation":1.0}}',
      "json: cannot unmarshal number 1.0 into Go struct field ObjectMeta.metadata.generation of type int64",
    ],
    [
      '{"metadata":{"generation":1e0}}',
      "json: cannot unmarshal number 1e0 into Go struct field ObjectMeta.metadata.generation of type int64",
    ],
    [
      '{"metadata":{"generation":99999999999999999999}}',
      "json: cannot unmarshal number 99999999999999999999 into Go struct field ObjectMeta.metadata.generation of type int64",
    ],
    [
      '{"metadata":{"creationTimestamp":5}}',
      "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string",
    ],
    [
      '{"metadata":{"creationTimestamp":"yesterday"}}',
      'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    ],
    ['{"binaryData":{"a":"!!!"}}', "illegal base64 data at input byte 0"],
    ['{"binaryData":{"a":[1,2,300]}}', "json: cannot unmarshal number 300 into Go struct field ConfigMap.binaryData of type uint8"],
    ['{"immutable":"true"}', "json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool"],
  ])("is refused in Go's words: %s", (body, message) => {
    expect(failure(() => configMap(body))).toBe(message);
  });
  it.each([
    ['"resources":{"limits":{"cpu":"x"}}', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    [
      '"resources":{"limits":{"cpu":{"a":1}}}',
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      '"resources":{"limits":5}',
      "json: cannot unmarshal number into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList",
    ],
    [
      '"livenessProbe":{"httpGet":{"port":1.5}}',
      "json: cannot unmarshal number 1.5 into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32",
    ],
    [
      '"livenessProbe":{"httpGet":{"port":3000000000}}',
      "json: cannot unmarshal number 3000000000 into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32",
    ],
    [
      '"livenessProbe":{"exec":5}',
      "json: cannot unmarshal number into Go struct field Probe.spec.containers.livenessProbe.ProbeHandler.exec of type v1.ExecAction",
    ],
    [
      '"ports":[{"containerPort":"80"}]',
      "json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32",
    ],
    ['"ports":{}', "json: cannot unmarshal object into Go struct field Container.spec.containers.ports of type []v1.ContainerPort"],
    [
      '"imagePullPolicy":5',
      "json: cannot unmarshal number into Go struct field Container.spec.containers.imagePullPolicy of type v1.PullPolicy",
    ],
    [
      '"env":[{"valueFrom":{"configMapKeyRef":{"name":5}}}]',
      "json: cannot unmarshal number into Go struct field ConfigMapKeySelector.spec.containers.env.valueFrom.configMapKeyRef.LocalObjectReference.name of type string",
    ],
  ])("is reported with its enclosing structs: %s", (container, message) => {
    expect(failure(() => pod(container))).toBe(message);
  });
  it("is reported after a failure of a type with its own unmarshaller", () => {
    expect(failure(() => decode(core("Pod"), '{"metadata":{"name":5},"spec":{"overhead":{"cpu":"x"}}}'))).toMatch(/^quantities must match/);
  });
});

describe("text that parsing would change", () => {
  it("is decoded exactly: numbers in lists, escaped digits, lone surrogates", () => {
    expect(failure(() => decode(core("Pod"), '{"spec":{"securityContext":{"supplementalGroups":[1.0]}}}'))).toBe(
      "json: cannot unmarshal number 1.0 into Go struct field PodSecurityContext.spec.securityContext.supplementalGroups of type int64",
    );
    expect(failure(() => pod(String.raw`"resources":{"limits":{"cpu":"\u0031"}}`))).toMatch(/^quantities must match/);
    expect(pod(String.raw`"image":"\u0031","resources":{"limits":{"cpu":"1"}}`).problems).toEqual([]);
    expect(failure(() => decode({ group: "apps", version: "v1", kind: "ControllerRevision" }, '{"data":[1e400]}'))).toBe(
      "json: cannot unmarshal number 1e400 into Go value of type float64",
    );
    expect(configMap(String.raw`{"data":{"a":"\ud800x","b":"\ud83d\ude00"}}`).object["data"]).toEqual({ a: "\ufffdx", b: "\u{1f600}" });
  });
});

describe("a body of another kind than its endpoint's", () => {
  const metadata = '"metadata":{"name":"a"}';
  const tag = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
  it.each([
    [
      "",
      "*the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ],
    [
      "{bad",
      "*the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string ({bad)",
    ],
    [
      "[]",
      `*the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${tag} (5b5d)`,
    ],
    [
      '{"kind":5}',
      `*the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})`,
    ],
    [
      '{"apiVersion":"a/b/c"}',
      '*the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})',
    ],
    [
      `{"apiVersion":"v2",${metadata}}`,
      '*ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"kind":"Foo"}',
      '*Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"kind":"Secret"}',
      '*Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"Kind":"Secret"}',
      '*Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"kind":"Secret","data":5}',
      '*Secret in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field Secret.data of type map[string][]uint8',
    ],
    [
      '{"kind":"ConfigMapList","data":5}',
      '*ConfigMapList in version "v1" cannot be handled as a ConfigMap: converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"apiVersion":"apps/"}',
      `*ConfigMap in version "" cannot be handled as a ConfigMap: Object 'apiVersion' is missing in '{"apiVersion":"apps/"}'`,
    ],
  ])("is refused in kube-apiserver's words: %s", (body, message) => {
    expect(failure(() => configMap(body))).toBe(message);
  });
  it("is refused for its version alone if the stored kind is the same", () => {
    const autoscaler = { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" };
    expect(failure(() => decode(autoscaler, '{"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler"}'))).toBe(
      "*the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)",
    );
    expect(failure(() => decode({ group: "events.k8s.io", version: "v1", kind: "Event" }, '{"apiVersion":"v1"}'))).toBe(
      "*the API version in the data (v1) does not match the expected API version (events.k8s.io/v1)",
    );
  });
  it("is unknown to apiextensions and apiregistration, which have separate schemes", () => {
    const definition = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
    expect(failure(() => decode(definition, '{"apiVersion":"v1","kind":"Secret"}'))).toBe(
      '*Secret in version "v1" cannot be handled as a CustomResourceDefinition: no kind "Secret" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    );
    expect(failure(() => decode(definition, '{"kind":"CustomResourceDefinitionList"}'))).toBe(
      '*CustomResourceDefinitionList in version "v1" cannot be handled as a CustomResourceDefinition: converting (v1.CustomResourceDefinitionList) to (apiextensions.CustomResourceDefinition): unknown conversion',
    );
  });
});

describe("DeleteOptions as a body", () => {
  const options = (body: string): Decoded => decode({ group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" }, body);
  it("may have any group version and never cause warnings", () => {
    const expected = { object: { apiVersion: "meta.k8s.io/v1", kind: "DeleteOptions", dryRun: ["All"] }, problems: [] };
    for (const type of [
      "",
      '"kind":"DeleteOptions",',
      '"kind":"DeleteOptions","apiVersion":"v1",',
      '"kind":"DeleteOptions","apiVersion":"foo/v7",',
    ])
      expect(options(`{${type}"dryRun":["All"],"bogus":1}`)).toEqual(expected);
    expect(
      decode({ group: "meta.k8s.io", version: "v1", kind: "DeleteOptions" }, "dryRun: []\ndryRun: [All]\n", "application/yaml"),
    ).toEqual(expected);
  });
  it("fail with Go's message alone", () => {
    expect(failure(() => options('{"gracePeriodSeconds":"x"}'))).toBe(
      "*json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
    );
    expect(failure(() => options('{"preconditions":{"uid":5}}'))).toBe(
      "*json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID",
    );
    expect(failure(() => options('{"kind":"Foo"}'))).toBe(
      '*no kind "Foo" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    );
    expect(failure(() => options("{bad"))).toBe(
      "*couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string",
    );
  });
});

describe("a YAML body", () => {
  const yaml = (body: string): Decoded => decode(core("ConfigMap"), body, "application/yaml");
  it("is its first document, and may be JSON", () => {
    expect(yaml("metadata:\n  name: a\n---\nmetadata: [").object["metadata"]).toEqual({ name: "a" });
    expect(yaml('{"metadata":{"name":"a","generation":1.0}}').object["metadata"]).toEqual({ name: "a", generation: 1 });
    expect(yaml("").object).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: {} });
    expect(failure(() => configMap("metadata: {}"))).toMatch(/invalid character 'm' looking for beginning of value/);
  });
  it("contains YAML 1.1 booleans", () => {
    expect(failure(() => yaml("metadata:\n  name: y\n"))).toBe(
      "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.name of type string",
    );
  });
  it("reports the lines of duplicate keys first", () => {
    expect(yaml("metadata:\n  name: a\nfoo: 1\ndata:\n  a: b\n  a: c\n  e: d\n  e: f\n")).toMatchObject({
      object: { data: { a: "c", e: "f" } },
      problems: [
        'yaml: unmarshal errors:\n  line 6: key "a" already set in map\n  line 8: key "e" already set in map',
        'unknown field "foo"',
      ],
    });
  });
  it("reports problems in key order, not line order", () => {
    expect(yaml("zoo: 1\nbar: 2\n").problems).toEqual(['unknown field "bar"', 'unknown field "zoo"']);
  });
  it("that is malformed is quoted in the error", () => {
    expect(failure(() => yaml("a: b: c"))).toMatch(
      /^\*the object provided is unrecognized \(must be of type ConfigMap\): yaml: .*mapping values are not allowed in this context \(613a20623a2063\)$/,
    );
  });
});

describe("a decoded built-in object", () => {
  const codecs = kinds.map((kind) => ({ kind, codec: builtInCodec(kind, () => undefined) }));
  // Generating a whole object takes milliseconds.
  const numRuns = Math.max(process.env["DROVER_LONG"] === "1" ? 100 : 30, (fc.readConfigureGlobal()?.numRuns ?? 200) / 100);
  const example = fc.tuple(fc.nat(codecs.length - 1), fc.nat());

  it("has its defaults set", () => {
    const codec = builtInCodec(core("ConfigMap"), (object) => {
      object["immutable"] = true;
    });
    for (const { object } of [
      codec.decodeBody("{}", "application/json"),
      codec.decodeBody('{"x":1}', "application/json"),
      codec.decodeValue({}),
    ])
      expect(object["immutable"]).toBe(true);
  });
  it("is unchanged when decoded again, and shares nothing with its input", () => {
    fc.assert(
      fc.property(example, ([index, seed]) => {
        const { kind, codec } = codecs[index] as (typeof codecs)[number];
        const value = deepFreeze(jsonOf(exampleOf(kind, createRandom(seed)))) as JsonValue;
        const once = codec.decodeValue(value);
        expect(once.problems).toEqual([]);
        expect(jsonEqual(codec.decodeValue(once.object).object, once.object)).toBe(true);
        expect(sharesObjects(once.object, value)).toBe(false);
      }),
      { numRuns },
    );
  });
  it("is equal whether decoded from text or from a value", () => {
    const codec = builtInCodec(core("Pod"), () => undefined);
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const kind = kinds.find(({ kind: name }) => name === "Pod") as (typeof kinds)[number];
        const value = jsonOf(exampleOf(kind, createRandom(seed)));
        expect(codec.decodeBody(encodeJson(value), "application/json")).toEqual(codec.decodeValue(value));
      }),
      { numRuns },
    );
  });
});

function sharesObjects(a: JsonValue, b: JsonValue): boolean {
  const seen = new Set<JsonValue>();
  const visit = (value: JsonValue, see: (inner: JsonValue) => boolean): boolean => {
    if (typeof value !== "object" || value === null) return false;
    return see(value) || Object.values(value).some((inner) => visit(inner, see));
  };
  visit(b, (inner) => !seen.add(inner));
  return visit(a, (inner) => seen.has(inner));
}
