/** The sequences of requests of apply.test.ts. Sample is the custom kind of apply-sample.ts. */
import { kinds } from "@drover/api";
import type { GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";

import { builtInEmpty } from "./apply-sequence.ts";
import type { ApplyQuestion, ApplyStep } from "./apply-sequence.ts";

const identity = (group: string, kind: string, version = "v1"): JsonObject => ({
  apiVersion: group === "" ? version : `${group}/${version}`,
  kind,
});
const named: JsonObject = { name: "x", namespace: "ns" };
type Build = (body: JsonObject, version?: string) => JsonObject;
const objectOf =
  (group: string, kind: string): Build =>
  ({ metadata = {}, ...body }, version = "v1") => ({
    ...identity(group, kind, version),
    metadata: { ...named, ...(metadata as JsonObject) },
    ...body,
  });

const sampleObject = objectOf("example.com", "Sample");
const spec = (fields: JsonObject, version?: string): JsonObject => sampleObject({ spec: fields }, version);
const apply = (manager: string, config: JsonObject, more: Partial<ApplyStep> = {}): ApplyStep => ({
  op: "apply",
  manager,
  config,
  ...more,
});
const force = (manager: string, config: JsonObject, more: Partial<ApplyStep> = {}): ApplyStep =>
  apply(manager, config, { force: true, ...more });
const create = (manager: string, object: JsonObject, more: Partial<ApplyStep> = {}): ApplyStep => ({
  op: "update",
  manager,
  object,
  ...more,
});
const patch = (manager: string, body: JsonObject, more: Partial<ApplyStep> = {}): ApplyStep => ({
  op: "update",
  manager,
  patch: body,
  ...more,
});
const v2 = { version: "v2" };

const sample = (...steps: readonly ApplyStep[]): ApplyQuestion => ({
  group: "example.com",
  kind: "Sample",
  custom: true,
  empty: identity("example.com", "Sample"),
  steps,
});
const deduced = (...steps: readonly ApplyStep[]): ApplyQuestion => ({
  group: "example.com",
  kind: "Sample",
  deduced: true,
  empty: identity("example.com", "Sample"),
  steps,
});
const builtIn = (group: string, kind: string, ...steps: readonly ApplyStep[]): ApplyQuestion => ({
  group,
  kind,
  empty: builtInEmpty(group, kind),
  steps,
});
const configMap = (...steps: readonly ApplyStep[]): ApplyQuestion => builtIn("", "ConfigMap", ...steps);
const map = objectOf("", "ConfigMap");
const data = (values: JsonObject): JsonObject => map({ data: values });
const deployment = objectOf("apps", "Deployment");
const service = objectOf("", "Service");
const withReset = (question: ApplyQuestion): ApplyQuestion => ({
  ...question,
  reset: { "": [["status"]], status: [["spec"], ["metadata", "labels"]] },
});

const web: JsonObject = { name: "web", image: "web:1", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] };
const podTemplate = (container: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [container], ...more },
});
const web1 = deployment({ spec: { replicas: 1, selector: { matchLabels: { app: "web" } }, template: podTemplate(web) } });
const lastApplied = (config: JsonObject): JsonObject => ({
  "kubectl.kubernetes.io/last-applied-configuration": `${JSON.stringify(config)}\n`,
});
const clientSide = (config: JsonObject): JsonObject => ({
  ...config,
  metadata: { ...(config["metadata"] as JsonObject), annotations: lastApplied(config) },
});
const entry = (fields: JsonObject, more: JsonObject = {}): JsonObject => ({
  manager: "p",
  operation: "Update",
  apiVersion: "example.com/v1",
  fieldsType: "FieldsV1",
  fieldsV1: fields,
  time: "2020-01-01T00:00:00Z",
  ...more,
});
const entries = (...list: readonly JsonValue[]): JsonObject => ({ metadata: { managedFields: [...list] } });
const many = (count: number, version = "v1"): ApplyStep[] =>
  Array.from({ length: count }, (_, index) => patch(`m${index}`, { data: { [`k${index}`]: "1" } }, version === "v1" ? {} : { version }));

const ownership: readonly ApplyQuestion[] = [
  configMap(
    apply("a", data({ a: "1" })),
    apply("a", data({ a: "1" })),
    apply("b", data({ a: "1", b: "1" })),
    apply("b", data({ a: "2" })),
    apply("c", data({ a: "3", b: "3" })),
    force("c", data({ a: "3", b: "3" })),
    apply("a", data({})),
    apply("b", data({ a: "1" })),
  ),
  configMap(
    apply("a", data({ a: "1", b: "2" })),
    apply("a", data({ a: "1" })),
    apply("a", map({})),
    apply("a", map({ data: null })),
    apply("a", data({})),
  ),
  configMap(
    create("u", data({ a: "1" })),
    apply("a", data({ a: "1" })),
    apply("a", data({ b: "1" })),
    apply("b", data({ a: "2" })),
    patch("u", { data: { a: null } }),
    apply("b", data({ a: "2" })),
  ),
  configMap(
    create("u", data({ a: "1" })),
    create("w", data({ a: "1", b: "2" })),
    create("w", data({ a: "2", b: "2" })),
    create("u", data({})),
    create("u", data({})),
  ),
  configMap(
    create("u", data({ a: "1", b: "1" })),
    apply('x y"', data({ a: "2", b: "2" })),
    apply("", data({ c: "2" })),
    patch("", { data: { c: "3" } }),
    apply("a", data({ c: "1", a: "3" })),
  ),
  configMap(
    create(
      "u",
      map({
        metadata: {
          labels: { l: "1" },
          annotations: { a: "1" },
          finalizers: ["f"],
          ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "1" }],
        },
      }),
    ),
    apply("a", map({ metadata: { labels: { l: "2", m: "1" }, finalizers: ["g"] } })),
    force(
      "a",
      map({
        metadata: {
          labels: { l: "2", m: "1" },
          finalizers: ["g"],
          ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "o", uid: "1" }],
        },
      }),
    ),
    apply("a", map({})),
    patch("u", {
      metadata: {
        generateName: "g",
        resourceVersion: "7",
        generation: 3,
        creationTimestamp: "2020-01-01T00:00:00Z",
        selfLink: "s",
        deletionGracePeriodSeconds: 0,
      },
    }),
  ),
  configMap(
    apply("a", data({ a: "1" }), { subresource: "status" }),
    patch("u", { data: { a: "2" } }, { subresource: "status" }),
    apply("b", data({ a: "3" })),
    patch("u", { data: { a: "4" } }),
    apply("b", data({ a: "3" })),
  ),
  configMap(
    create("u", data({ a: "1" })),
    patch("w", { data: null }),
    apply("a", data({ a: "1" })),
    patch("w", { data: null }),
    apply("a", data({ a: "1" })),
  ),
  configMap(
    apply("a", map({ data: { a: "1" }, immutable: true, binaryData: { x: "eA==" } })),
    apply("b", map({ immutable: false })),
    patch("u", { immutable: null }),
    apply("b", map({ immutable: false })),
    apply("a", map({})),
  ),
];

const errors: readonly ApplyQuestion[] = [
  configMap(
    apply("a", { ...data({}), kind: "Secret" }),
    apply("a", { ...data({}), apiVersion: "apps/v1" }),
    apply("a", { metadata: named }),
    apply("a", map({ metadata: { managedFields: [] } })),
    apply("a", map({ metadata: { managedFields: [{}] } })),
    apply("a", map({ metadata: { managedFields: null }, data: { a: "1" } })),
  ),
  configMap(
    apply("a", map({ zzz: 1 })),
    apply("a", map({ data: { a: 1 } })),
    apply("a", map({ data: { a: { b: 1 } } })),
    apply("a", map({ data: "x" })),
    apply("a", map({ data: ["x"] })),
    apply("a", map({ immutable: "yes" })),
    apply("a", map({ metadata: { labels: { a: true } } })),
    apply("a", map({ metadata: { finalizers: ["a", "a"] } })),
    apply("a", map({ metadata: { finalizers: [{ a: 1 }] } })),
    apply("a", map({ metadata: { finalizers: [["a"]] } })),
    apply("a", map({ metadata: { finalizers: [null] } })),
    apply("a", map({ metadata: { finalizers: "a" } })),
    apply("a", map({ metadata: { generation: "1" } })),
    apply("a", map({ metadata: { ownerReferences: [null] } })),
    apply("a", map({ metadata: { ownerReferences: ["x"] } })),
    apply("a", map({ metadata: { creationTimestamp: [] } })),
    apply("a", map({ metadata: { creationTimestamp: { a: [1, "b", null, true] } } })),
    apply("a", map({ data: { a: 1.5 } })),
    apply("a", map({ data: { a: [1, { b: "c" }, null] } })),
  ),
  sample(
    apply("a", spec({ items: [{ name: "a" }, { name: "a" }] })),
    apply("a", spec({ items: [{ value: "a" }] })),
    apply("a", spec({ ports: [{ port: 1 }, { port: 1, protocol: "TCP" }] })),
    apply("a", spec({ ports: [{ port: 1 }, { port: 1, protocol: "UDP" }] })),
    apply("a", spec({ ports: [{}] })),
    apply("a", spec({ numbers: [1, 2, 1] })),
    apply("a", spec({ numbers: [1_000_000, 1_000_000] })),
    apply("a", spec({ atomicWords: ["a", 1] })),
    apply("a", spec({ atomicItems: [{ name: "a", words: ["x", "x"] }] })),
    apply("a", spec({ items: [{ name: "a", zzz: 1 }] })),
    apply("a", spec({ mapOfObjects: { k: { zzz: 1 } } })),
    apply("a", spec({ items: "x" })),
    apply("a", spec({ amount: [] })),
    apply("a", spec({ template: { metadata: { zzz: 1 } } })),
  ),
  sample(
    create("u", spec({ items: [{ name: "a" }, { value: "x" }] })),
    patch("u", { spec: { items: [{ name: "a" }] } }),
    apply("a", spec({ text: "a" })),
  ),
  sample(
    create("u", spec({ text: "a" })),
    create("u", spec({ zzz: 1 })),
    create("u", spec({ text: "b" })),
    apply("a", spec({ text: "b" })),
  ),
];

const lists: readonly ApplyQuestion[] = [
  sample(
    apply("a", spec({ words: ["a", "b"] })),
    apply("b", spec({ words: ["b", "c"] })),
    apply("a", spec({ words: ["b"] })),
    apply("b", spec({ words: [] })),
    apply("a", spec({})),
  ),
  sample(
    apply("a", spec({ words: ["a", "b", "c"] })),
    apply("b", spec({ words: ["c", "d", "a"] })),
    apply("c", spec({ words: ["e", "b", "f"] })),
    apply("c", spec({ words: ["f", "e", "b"] })),
    apply("a", spec({ words: ["c", "b", "a"] })),
    patch("u", { spec: { words: ["b", "a", "z"] } }),
    apply("a", spec({ words: ["z", "a"] })),
  ),
  sample(
    apply("a", spec({ words: ["<c>", 'é"', "a&b", "\t", "\u2028", ""] })),
    apply("b", spec({ words: ["", "\b\f\u0001", "😀", "\uffff"] })),
    force("b", spec({ words: ['é"'] })),
  ),
  sample(
    create("u", spec({ words: ["a", "a", "b"] })),
    apply("a", spec({ words: ["a"] })),
    apply("a", spec({ words: ["b", "a"] })),
    patch("u", { spec: { words: ["a"] } }),
    patch("u", { spec: { words: ["a", "a"] } }),
    patch("u", { spec: { words: ["a", "a", "a"] } }),
    apply("a", spec({})),
  ),
  sample(
    create("u", spec({ items: [{ name: "a", value: "1" }, { name: "a", value: "2" }, { name: "b" }] })),
    apply("a", spec({ items: [{ name: "a", value: "3" }] })),
    force("a", spec({ items: [{ name: "a", value: "3" }] })),
    apply("a", spec({ items: [{ name: "b", value: "1" }] })),
    patch("u", {
      spec: {
        items: [
          { name: "a", value: "1" },
          { name: "a", value: "1" },
        ],
      },
    }),
    patch("w", { spec: { items: [{ name: "a", value: "1" }] } }),
  ),
  sample(
    apply("a", spec({ items: [{ name: "a", value: "1" }, { name: "b" }] })),
    apply("b", spec({ items: [{ name: "c" }, { name: "a", words: ["x"] }] })),
    apply("a", spec({ items: [{ name: "b" }] })),
    apply("b", spec({ items: [] })),
    apply("b", spec({ items: null })),
    apply("a", spec({})),
  ),
  sample(
    apply("a", spec({ items: [{ name: "c" }] })),
    apply("b", spec({ items: [{ name: "side" }, { name: "c" }] })),
    apply("c", spec({ items: [{ name: "c" }, { name: "side" }, { name: "new" }] })),
  ),
  sample(
    apply("a", spec({ ports: [{ port: 80 }, { port: 80, protocol: "UDP", name: "u" }] })),
    apply("b", spec({ ports: [{ port: 80, protocol: "TCP", name: "t" }] })),
    apply("c", spec({ ports: [{ port: 80, name: "other" }] })),
    apply("a", spec({ ports: [{ port: 80, protocol: "UDP" }] })),
    patch("u", { spec: { ports: [{ protocol: "TCP" }, { port: 10 }, { port: 9 }, { port: 80 }] } }),
    apply("a", spec({ ports: [{ port: 10 }] })),
  ),
  sample(
    apply(
      "a",
      spec({
        ports: [
          {
            port: 1,
            inner: [
              { name: "a", value: "1" },
              { name: "b", words: ["x", "y"] },
            ],
          },
        ],
      }),
    ),
    apply("b", spec({ ports: [{ port: 1, inner: [{ name: "b", words: ["z"] }] }] })),
    apply("a", spec({ ports: [{ port: 1, inner: [{ name: "b" }] }] })),
    apply("a", spec({ ports: [{ port: 1 }] })),
    apply("a", spec({})),
  ),
  sample(
    apply("a", spec({ atomicWords: ["a", "b"], atomicItems: [{ name: "a" }], atomicMap: { a: "1" }, atomicPart: { a: "1" } })),
    apply("b", spec({ atomicWords: ["a", "b"], atomicMap: { a: "1" } })),
    apply("b", spec({ atomicWords: ["a"], atomicMap: { a: "1", b: "2" }, atomicPart: { b: 1 } })),
    force("b", spec({ atomicWords: ["a"], atomicItems: [] })),
    apply("a", spec({ atomicPart: {} })),
    patch("u", { spec: { atomicMap: { b: "1" } } }),
    apply("a", spec({})),
  ),
  sample(
    apply("a", spec({ numbers: [1, 20, 3] })),
    apply("b", spec({ numbers: [100, 20] })),
    apply("c", spec({ numbers: [1_000_000, -1] })),
    apply("c", spec({ numbers: [] })),
  ),
  sample(
    create("u", spec({ numbers: [1_000_000], ports: [{ port: 2_000_000, name: "a" }] })),
    apply("a", spec({ ports: [{ port: 2_000_000, name: "b" }] })),
    apply("a", spec({ ports: [{ port: 1 }] })),
  ),
  sample(
    create("u", spec({ ports: [{ port: 2_000_000, name: "a" }] })),
    patch("u", entries()),
    apply("a", spec({ ports: [{ port: 2_000_000, name: "b" }] })),
    force("a", spec({ ports: [{ port: 2_000_000, name: "b" }] })),
  ),
];

const maps: readonly ApplyQuestion[] = [
  sample(
    apply("a", spec({ map: { a: "1" }, mapOfObjects: { x: { a: "1" } }, mapOfLists: { x: ["a"] } })),
    apply("b", spec({ map: { b: "1" }, mapOfObjects: { x: { b: 1 }, y: {} }, mapOfLists: { x: ["b"] } })),
    apply("a", spec({ mapOfObjects: { x: {} } })),
    apply("b", spec({})),
    apply("a", spec({ map: {} })),
  ),
  sample(
    apply("a", spec({ map: { __proto__x: "1", constructor: "2", "": "3", "a.b": "4" } })),
    apply("b", spec({ map: { constructor: "3", "": "4" } })),
    apply("a", spec({ map: { "": "3" } })),
  ),
  sample(
    apply("a", spec({ part: { a: "1", b: { a: 1 } } })),
    apply("b", spec({ part: { b: { c: "1" } } })),
    apply("a", spec({ part: {} })),
    apply("a", spec({ part: null })),
    apply("b", spec({ part: { b: null } })),
    apply("b", spec({ part: { b: {} } })),
    apply("b", spec({})),
  ),
  sample(
    apply("a", spec({ open: { a: "1", b: { c: 1, d: [1] } }, free: { x: { y: [{ name: "a" }] } }, anything: { a: 1 } })),
    apply("b", spec({ open: { b: { c: 2 } }, free: { x: { z: 1 } }, anything: "x" })),
    force("b", spec({ open: { b: { d: [2] } }, anything: ["x"] })),
    apply("a", spec({ free: { x: 1 } })),
    patch("u", { spec: { anything: null, free: { x: ["a"] } } }),
    apply("a", spec({ free: { x: {} }, anything: 1 })),
    apply("a", spec({ anything: null })),
  ),
  sample(
    apply(
      "a",
      spec({ template: { apiVersion: "v1", kind: "Pod", metadata: { labels: { a: "1" }, finalizers: ["f"] }, a: "1", other: { b: 1 } } }),
    ),
    apply("b", spec({ template: { metadata: { labels: { b: "1" }, finalizers: ["g"] }, other: { c: 1 } } })),
    apply("a", spec({ template: {} })),
  ),
  sample(
    apply("a", spec({ amount: 1, flag: false, whole: 0, text: "" })),
    apply("b", spec({ amount: "1" })),
    apply("b", spec({ amount: 1, flag: false })),
    apply("c", spec({ whole: 0.5, text: "" })),
    patch("u", { spec: { flag: null, text: null } }),
    apply("a", spec({ amount: null, flag: null })),
  ),
  deduced(
    apply("a", spec({ list: [1], map: { a: { b: 1 } }, items: [{ name: "a" }] })),
    apply("b", spec({ list: [2] })),
    apply("b", spec({ map: { a: { c: 1 } }, items: [{ name: "a" }] })),
    apply("a", spec({ map: { a: 1 } })),
    force("a", spec({ map: { a: [1] } })),
    apply("a", spec({ map: {} })),
    patch("u", { spec: { map: null } }),
    apply("a", sampleObject({ spec: "x" })),
    apply("a", sampleObject({ spec: { x: 1 } })),
  ),
  sample(
    create("u", spec({})),
    apply("a", sampleObject({})),
    apply("a", sampleObject({ spec: null })),
    apply("a", spec({ map: null })),
    apply("a", sampleObject({ status: {} })),
  ),
];

const builtIns: readonly ApplyQuestion[] = [
  builtIn(
    "apps",
    "Deployment",
    create("u", web1),
    apply("a", deployment({ spec: { replicas: 2 } })),
    force(
      "a",
      deployment({
        spec: { replicas: 2, template: podTemplate({ name: "web", image: "web:2", ports: [{ containerPort: 80, name: "http" }] }) },
      }),
    ),
    apply("b", deployment({ spec: { template: podTemplate({ name: "side", image: "s" }) } })),
    patch("s", { status: { replicas: 1, conditions: [{ type: "Available", status: "True" }] } }, { subresource: "status" }),
    apply("b", deployment({ spec: { selector: { matchLabels: { app: "other" } } } })),
    apply("a", deployment({ spec: {} })),
  ),
  builtIn(
    "apps",
    "Deployment",
    apply("a", web1),
    apply(
      "b",
      deployment({
        spec: {
          template: podTemplate(
            { name: "web", env: [{ name: "B", value: "2" }], resources: { limits: { cpu: "1" } } },
            {
              volumes: [{ name: "v", emptyDir: {} }],
              tolerations: [{ key: "k" }],
              nodeSelector: { a: "b" },
              topologySpreadConstraints: [{ topologyKey: "t", whenUnsatisfiable: "DoNotSchedule", maxSkew: 1 }],
            },
          ),
        },
      }),
    ),
    apply("a", deployment({ spec: { template: podTemplate({ image: "x" }) } })),
    apply(
      "b",
      deployment({
        spec: { template: { spec: { volumes: [{ name: "v", configMap: { name: "c" } }], tolerations: [], nodeSelector: {} } } },
      }),
    ),
    apply("b", deployment({})),
  ),
  builtIn(
    "",
    "Service",
    create(
      "u",
      service({
        spec: {
          ports: [
            { port: 80, targetPort: 8080 },
            { port: 80, protocol: "UDP" },
          ],
          selector: { a: "1" },
          clusterIPs: ["1"],
        },
      }),
    ),
    apply("a", service({ spec: { ports: [{ port: 80, targetPort: "http" }], selector: { b: "1" } } })),
    force("a", service({ spec: { ports: [{ port: 80, targetPort: "http" }], selector: { b: "1" } } })),
    apply("a", service({ spec: { ports: [{ port: 443 }] } })),
    apply("b", service({ spec: { ports: [{}] } })),
    patch(
      "s",
      {
        status: {
          loadBalancer: { ingress: [{ ip: "1.1.1.1" }] },
          conditions: [{ type: "a", status: "True", reason: "r", message: "", lastTransitionTime: null }],
        },
      },
      { subresource: "status" },
    ),
  ),
  builtIn(
    "",
    "Pod",
    create(
      "u",
      objectOf(
        "",
        "Pod",
      )({
        spec: {
          containers: [web, { name: "log", image: "l", resources: {} }],
          imagePullSecrets: [{ name: "s" }],
          hostAliases: [{ ip: "1.1.1.1", hostnames: ["a"] }],
          volumes: [{ name: "d", projected: { sources: [{ secret: { name: "s" } }] } }],
        },
      }),
    ),
    patch(
      "k",
      { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }], podIPs: [{ ip: "1.1.1.1" }], hostIP: "h" } },
      { subresource: "status" },
    ),
    apply("a", objectOf("", "Pod")({ spec: { containers: [{ name: "log", image: "m" }], volumes: [{ name: "d", emptyDir: {} }] } })),
  ),
  builtIn(
    "apps",
    "ControllerRevision",
    create("u", objectOf("apps", "ControllerRevision")({ revision: 1, data: { spec: { a: 1 } } })),
    apply("a", objectOf("apps", "ControllerRevision")({ revision: 1, data: { spec: { a: 1 } } })),
    apply("a", objectOf("apps", "ControllerRevision")({ revision: 1, data: { spec: { b: 1 } } })),
  ),
];

const versions: readonly ApplyQuestion[] = [
  sample(
    apply("a", spec({ text: "a", words: ["a"] })),
    apply("a", spec({ text: "b", words: ["a", "b"] }, "v2"), v2),
    apply("a", spec({ text: "b" })),
    apply("b", spec({ words: ["c"] }, "v2"), v2),
    apply("b", spec({ words: ["c"] })),
  ),
  sample(
    apply("a", spec({ map: { a: "1", b: "1" }, part: { a: "1", b: { a: 1 } }, items: [{ name: "a" }], atomicMap: { a: "1" } })),
    patch("u", { spec: { flag: true } }, v2),
    apply("b", spec({ map: { a: "2" } }, "v2"), v2),
    force("b", spec({ map: { a: "2" }, part: { a: "2" } }, "v2"), v2),
    apply("a", spec({ map: { a: "1" } }, "v2"), v2),
    apply("a", spec({ atomicMap: { b: "2" } })),
  ),
  sample(
    create("u", spec({ text: "a" })),
    patch("u", { spec: { text: "b" } }, v2),
    patch("u", { spec: { whole: 1 } }),
    apply("a", spec({ text: "c", whole: 2 }, "v2"), v2),
  ),
  sample(
    create("u", spec({ text: "a", whole: 1 })),
    patch("p", entries(entry({ "f:spec": { "f:text": {} } }, { apiVersion: "example.com/v9" }), entry({ "f:spec": { "f:whole": {} } }))),
    apply("a", spec({ text: "b" })),
    apply("a", spec({ whole: 2 })),
  ),
  sample(
    create("u", spec({ text: "a" })),
    patch(
      "p",
      entries(entry({ "f:spec": { "f:text": {}, "f:gone": {} } }, { operation: "Apply", apiVersion: "example.com/v9", manager: "a" })),
    ),
    apply("a", spec({ whole: 1 })),
  ),
  sample(
    create("u", spec({ items: [{ name: "a", value: "1" }], words: ["a"] })),
    patch(
      "p",
      entries(
        entry(
          {
            "f:spec": {
              "f:items": {},
              "f:words": {},
              "f:atomicMap": { "f:a": {} },
              "f:atomicItems": { 'k:{"name":"a"}': { ".": {}, "f:name": {} } },
              "f:atomicPart": { ".": {}, "f:a": {} },
            },
          },
          { operation: "Apply", manager: "a" },
        ),
      ),
    ),
    apply("a", spec({ items: [{ name: "b" }] })),
    apply("b", spec({ items: [{ name: "a", value: "2" }] })),
  ),
];

const records: readonly ApplyQuestion[] = [
  sample(
    create("u", { ...spec({ text: "a" }), metadata: { ...named, managedFields: [entry({ "f:spec": { "f:text": {}, "f:whole": {} } })] } }),
    apply("a", spec({ text: "b", whole: 1 })),
  ),
  configMap(
    create("u", data({ a: "1" })),
    patch("u", { metadata: { managedFields: [] } }),
    patch("u", { data: { b: "1" } }),
    apply("a", data({ a: "2" })),
    force("a", data({ a: "2" })),
    patch("u", { data: { b: "2" } }),
  ),
  configMap(
    create("u", data({ a: "1" })),
    patch("u", { metadata: { managedFields: [{}] }, data: { b: "2" } }),
    apply("a", data({ a: "1" })),
    apply("a", data({})),
  ),
  configMap(
    create("u", data({ a: "1" })),
    patch("u", { metadata: { managedFields: null } }),
    patch("w", { metadata: { managedFields: [{ manager: "" }] } }),
    patch("w", { data: { a: "2" } }),
  ),
  sample(
    create("u", spec({ text: "a", map: { a: "1" } })),
    patch("w", {
      spec: { whole: 1 },
      ...entries(entry({ "f:spec": { "f:text": {}, "x:what": {}, "f:map": { "f:a": { "q:": {} }, ".": {} } } })),
    }),
    patch("w", entries({ manager: "q", operation: "Guess" })),
    patch("w", entries({ manager: "q", operation: "Update", apiVersion: "v1" })),
    patch("w", entries(entry({ "f:spec": { broken: {} } }))),
    patch("w", entries(entry({}))),
    apply("a", spec({ text: "b", map: { a: "2" } })),
  ),
  sample(
    create("u", spec({ items: [{ name: "a" }, { name: "b" }] })),
    patch(
      "w",
      entries(
        entry({
          "f:spec": {
            "f:items": {
              'k:{ "name" : "b" }': { "f:name": {}, ".": {} },
              'k:{"name":"a"}': { ".": {}, "f:value": {} },
              "v:1.0": {},
              "i:03": {},
              'v:"\\u0061"': {},
            },
            "f:flag": {},
          },
        }),
      ),
    ),
    patch("u", { spec: { flag: true, items: [{ name: "b" }] } }),
  ),
  configMap(
    create("u", data({ a: "1" })),
    ...many(9),
    ...many(4).map((step, index) => ({ ...step, manager: `n${index}` })),
    patch("z", { data: { k0: "2", k1: null, z: "1" } }),
    apply("a", data({ k2: "2", k5: "2" })),
    patch("m3", { data: { k3: "7" } }),
  ),
  sample(
    create("u", spec({})),
    ...Array.from({ length: 14 }, (_, index) => patch(`m${index}`, { spec: { map: { [`k${index}`]: "1" } } }, index % 3 === 0 ? v2 : {})),
    patch("m1", { spec: { map: { k1: "2" } } }, { subresource: "status" }),
  ),
  configMap(
    create("kubectl-client-side-apply", clientSide(data({ a: "1", b: "1" }))),
    apply("kubectl", data({ a: "2" })),
    apply("kubectl", data({ a: "2" })),
    apply("a", data({ b: "2" })),
    apply("kubectl", data({ b: "2" })),
  ),
  configMap(
    create("kubectl-client-side-apply", clientSide(data({ a: "1", b: "1" }))),
    patch("u", { data: { a: "3" } }),
    apply("kubectl", data({ a: "2", b: "2" })),
    apply("other", data({ b: "2" })),
    force("kubectl", data({ a: "2", b: "2" })),
  ),
  configMap(
    create("kubectl-client-side-apply", { ...clientSide(data({ a: "1" })) }),
    patch("u", { metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{broken" } } }),
    apply("kubectl", data({ a: "2" })),
    patch("u", { metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "" } } }),
    apply("kubectl", data({ a: "2" })),
    force("kubectl", map({ data: { a: "2<" }, metadata: { annotations: { x: "1" } } })),
  ),
  configMap(
    create("kubectl-client-side-apply", clientSide(data({ a: "1" }))),
    force("kubectl", clientSide(data({ a: "2" }))),
    patch("u", { metadata: { managedFields: [] } }),
    apply("kubectl", data({ a: "3" })),
  ),
  configMap(
    create("kubectl-client-side-apply", clientSide(data({ a: "1" }))),
    force("kubectl", map({ metadata: { annotations: { c: null } }, data: { a: "2" } })),
    apply("kubectl", map({ metadata: { annotations: null }, data: { a: "2" } })),
    apply("kubectl", map({ metadata: { annotations: {} }, data: { a: "2" } })),
    apply("kubectl", map({ metadata: { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "mine" } } })),
    apply("kubectl", data({ a: "3" })),
  ),
  builtIn(
    "apps",
    "Deployment",
    create("kubectl-client-side-apply", clientSide(web1)),
    patch("hpa", { spec: { replicas: 5 } }, { subresource: "scale" }),
    apply("kubectl", { ...web1, spec: { ...(web1["spec"] as JsonObject), template: podTemplate({ ...web, image: "web:2" }) } }),
    apply("kubectl", deployment({ spec: { template: podTemplate({ ...web, image: "web:2" }) } })),
  ),
  withReset(
    sample(
      create("u", sampleObject({ spec: { text: "a" }, status: { text: "s" } })),
      apply("a", sampleObject({ spec: { text: "a" }, status: { text: "t" } })),
      apply("c", sampleObject({ spec: { text: "b" }, status: { text: "t", conditions: [{ name: "x" }] } }), { subresource: "status" }),
      patch(
        "c",
        { spec: { text: "z" }, status: { text: "z" }, metadata: { labels: { a: "1" }, annotations: { a: "1" } } },
        { subresource: "status" },
      ),
      apply("a", sampleObject({ spec: { text: "q" } })),
      force("a", sampleObject({ spec: {} })),
    ),
  ),
];

/** All sequences. */
export const applyTable: readonly ApplyQuestion[] = [...ownership, ...errors, ...lists, ...maps, ...builtIns, ...versions, ...records];

/** Sets of fields, in canonical form and not. */
export const fieldsTable: readonly JsonValue[] = [
  {},
  { "f:a": {} },
  { ".": {}, "f:a": {} },
  { ".": {} },
  { "f:a": { ".": {} } },
  { "f:b": {}, "f:a": {} },
  { "f:a": { "f:b": {}, ".": {} } },
  { "f:a": null },
  { "f:a": { "f:b": null } },
  { "x:a": {}, "f:a": {} },
  { "f:a": { "x:b": {} } },
  { "f:a": { ".": null, "f:b": {} } },
  { "f:": {}, "f:.": {} },
  { 'k:{"name":"b"}': {}, 'k:{"name":"a"}': {} },
  { 'k:{"b":1,"a":2}': { "f:x": {} } },
  { 'k:{ "a" : 1 }': {} },
  { 'k:{"a":10}': {}, 'k:{"a":9}': {}, 'k:{"a":"9"}': {}, 'k:{"a":true}': {}, 'k:{"a":null}': {}, "k:{}": {} },
  { 'k:{"a":1.0}': {}, 'k:{"a":1e3}': {} },
  { "k:null": {} },
  { 'k:{"a":[1,2],"b":{"d":1,"c":2}}': {} },
  { 'k:{"a":1}': {}, 'k:{"a":1,"b":1}': {}, 'k:{"b":0}': {} },
  { 'k:{"name":"a b"}': {}, 'k:{"name":"a"}': {}, 'k:{"name":"a-b"}': {}, 'k:{"name":"ab"}': {}, 'k:{"name":"a!"}': {} },
  { 'v:"b"': {}, 'v:"a"': {}, "v:2": {}, "v:10": {}, "v:true": {}, "v:false": {}, "v:1.5": {}, "v:-1": {} },
  { "v:1.0": {} },
  { 'v:"\\u003c"': {}, 'v:"<"': {} },
  { 'v:"\\u0008"': {} },
  { "v:null": {}, "v:[1]": {}, "v:{}": {}, "v:[]": {} },
  { "v:1e21": {}, "v:1e-7": {}, "v:123456789012345678": {} },
  { "i:1": {}, "i:0": {}, "i:10": {}, "i:9": {}, "i:-1": {} },
  { "i:01": {} },
  { "i:+1": {} },
  { "i:1": {}, "v:1": {}, 'k:{"a":1}': {}, "f:1": {} },
  { "f:é": {}, "f:z": {}, "f:😀": {}, "f:\uffff": {} },
  { "f:a": 1 },
  { "f:a": [] },
  { f: {} },
  { "": {} },
  { a: {} },
  { "i:x": {} },
  { "v:": {} },
  { "v:x": {} },
  { "k:5": {} },
  { "k:[]": {} },
  { "k:": {} },
  [],
  "x",
  1,
  null,
];

// Kinds of these groups are not in the library's scheme.
const unregistered: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/** Kinds that are compared before any field is set. */
export const emptyKinds: readonly GroupVersionKind[] = kinds
  .filter(({ group }) => !unregistered.has(group))
  .map(({ group, version, kind }) => ({ group, version, kind }));

/** The entries of an object and of its Scale. */
export interface ScaleQuestion {
  readonly parent: JsonObject[];
  readonly scale: JsonObject[];
  readonly apiVersion: string;
  /** Names of fields down to the number of replicas, by version. */
  readonly paths: Readonly<Record<string, readonly string[] | null>>;
}

const replicasEntry = (manager: string, operation: string, apiVersion: string, fields: JsonObject, more: JsonObject = {}): JsonObject => ({
  manager,
  operation,
  apiVersion,
  time: "2020-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: fields,
  ...more,
});
const replicas: JsonObject = { "f:spec": { "f:replicas": {} } };
const inScale = (manager: string, operation = "Update", more: JsonObject = {}): JsonObject =>
  replicasEntry(manager, operation, "autoscaling/v1", replicas, more);
const scalePaths = { "apps/v1": ["spec", "replicas"], "apps/v1beta1": ["spec", "the-replicas"], "apps/v0": null };
const ofScale = (parent: JsonObject[], scale: JsonObject[]): ScaleQuestion => ({ parent, scale, apiVersion: "apps/v1", paths: scalePaths });

/** Writes through the scale subresource. */
export const scaleTable: readonly ScaleQuestion[] = [
  ofScale([], []),
  ofScale([], [inScale("hpa", "Update", { subresource: "scale" })]),
  ofScale([replicasEntry("a", "Apply", "apps/v1", { "f:spec": { "f:replicas": {}, "f:selector": {} } })], [inScale("a", "Apply")]),
  ofScale(
    [replicasEntry("a", "Apply", "apps/v1", { "f:spec": { "f:replicas": {}, "f:selector": {} } })],
    [inScale("hpa", "Update", { subresource: "scale" })],
  ),
  ofScale([replicasEntry("a", "Apply", "apps/v1", replicas)], [inScale("hpa", "Apply", { subresource: "scale" })]),
  ofScale(
    [replicasEntry("u", "Update", "apps/v1", replicas), replicasEntry("w", "Update", "apps/v1", { "f:spec": { "f:selector": {} } })],
    [inScale("u")],
  ),
  ofScale(
    [
      replicasEntry("a", "Apply", "apps/v1beta1", { "f:spec": { "f:the-replicas": {} } }),
      replicasEntry("b", "Apply", "apps/v0", replicas),
      replicasEntry("c", "Apply", "apps/v9", replicas),
    ],
    [inScale("a", "Apply"), inScale("d", "Apply")],
  ),
  ofScale(
    [replicasEntry("a", "Apply", "apps/v1", replicas, { subresource: "scale" })],
    [inScale("a", "Apply", { subresource: "scale" }), replicasEntry("e", "Update", "autoscaling/v1", { "f:status": {} })],
  ),
];
