/** Definitions of custom resources, valid and invalid, to compare the answers of a real server with ours. */
import type { JsonObject, JsonValue } from "@drover/machinery";

type Parts = Readonly<Record<string, JsonValue>>;

/** An object schema with these properties. */
export const objectSchema = (properties: Parts, rest: Parts = {}): JsonObject => ({
  type: "object",
  properties: { ...properties },
  ...rest,
});

/** One version, served and stored by default. */
export const version = (name: string, schema: JsonValue, rest: Parts = {}): JsonObject => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: schema },
  ...rest,
});

const plain = objectSchema({ spec: objectSchema({ size: { type: "integer" } }) });

/** A definition of the group "ex.io" by default. */
export function definition(
  plural: string,
  kind: string,
  versions: readonly JsonValue[],
  {
    names = {},
    metadata = {},
    ...spec
  }: { readonly names?: Parts; readonly metadata?: Parts; readonly [part: string]: JsonValue | undefined | Parts } = {},
): JsonObject {
  const group = typeof spec["group"] === "string" ? spec["group"] : "ex.io";
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...metadata },
    spec: { group: "ex.io", names: { plural, kind, ...names }, scope: "Namespaced", versions: [...versions], ...spec },
  };
}

const gadget = (versions: readonly JsonValue[], rest?: Parameters<typeof definition>[3]): JsonObject =>
  definition("gadgets", "Gadget", versions, rest);
const withSpec = (rest: Parts): JsonObject => gadget([version("v1", plain)], rest);
const withVersion = (rest: Parts, schema: JsonValue = plain): JsonObject => gadget([version("v1", schema, rest)]);
const withSchema = (properties: Parts, rest: Parts = {}): JsonObject => gadget([version("v1", objectSchema(properties, rest))]);
const withWebhook = (client: JsonValue, versions: JsonValue = ["v1"]): JsonObject =>
  withSpec({ conversion: { strategy: "Webhook", webhook: { clientConfig: client, conversionReviewVersions: versions } } });
const second = (rest: Parts = {}, schema: JsonValue = plain): JsonObject => version("v2", schema, { storage: false, ...rest });
const approved = (value: string): JsonObject =>
  definition("gadgets", "Gadget", [version("v1", plain)], {
    group: "x.k8s.io",
    metadata: { annotations: { "api-approved.kubernetes.io": value } },
  });

const nine = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/** Whether the server accepts it, and if not, why. */
export const definitions: readonly (readonly [what: string, crd: JsonObject])[] = [
  ["a plain one", withSpec({})],
  ["nothing but a name", { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "a" } }],
  ["a cluster scope", withSpec({ scope: "Cluster" })],
  ["an unknown scope", withSpec({ scope: "Galaxy" })],
  ["no scope", withSpec({ scope: "" })],
  ["another name", { ...withSpec({}), metadata: { name: "gadget.ex.io" } }],
  ["a group without a dot", withSpec({ group: "ex" })],
  ["a group in capitals", definition("gadgets", "Gadget", [version("v1", plain)], { group: "Ex.io" })],
  ["a group of the community", definition("gadgets", "Gadget", [version("v1", plain)], { group: "x.k8s.io" })],
  ["the community's own group", definition("gadgets", "Gadget", [version("v1", plain)], { group: "kubernetes.io" })],
  ["an approval that is none", approved("because")],
  ["an approval without a host", approved("https:///x")],
  ["an approval by a link", approved("https://github.com/kubernetes/kubernetes/pull/1")],
  ["an approval passed over", approved("unapproved, experimental")],
  [
    "names that are no labels",
    definition("gad_gets", "9Gadget", [version("v1", plain)], {
      names: { singular: "S_", listKind: "9Gadget", shortNames: ["ok", "No"], categories: ["all", "-"] },
    }),
  ],
  ["a kind in small letters", definition("gadgets", "gadget", [version("v1", plain)])],
  ["a list kind that is the kind", withSpec({ names: { plural: "gadgets", kind: "Gadget", listKind: "Gadget" } })],
  ["no kind", withSpec({ names: { plural: "gadgets", kind: "" } })],
  ["no versions", withSpec({ versions: [] })],
  ["no storage version", withVersion({ storage: false })],
  ["two storage versions", gadget([version("v1", plain), second({ storage: true })])],
  [
    "two storage versions that differ in everything",
    gadget([
      version("v1", plain),
      second(
        {
          storage: true,
          deprecated: true,
          deprecationWarning: "old",
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.b", labelSelectorPath: ".status.c" },
          },
          additionalPrinterColumns: [{ name: "A", type: "string", format: "byte", description: "words", jsonPath: ".a", priority: 1 }],
          selectableFields: [{ jsonPath: ".spec.size" }],
        },
        objectSchema({ spec: objectSchema({ size: { type: "integer", default: 1, minimum: 0 } }) }),
      ),
    ]),
  ],
  ["a version twice", gadget([version("v1", plain), version("v1", plain, { storage: false })])],
  ["a version that is no label", gadget([version("V1", plain)])],
  ["a version that is not served", gadget([version("v1", plain, { served: false })])],
  ["versions of any form", gadget([version("foo", plain), second()])],
  ["no schema", gadget([{ name: "v1", served: true, storage: true }])],
  ["an empty schema part", gadget([{ name: "v1", served: true, storage: true, schema: {} }])],
  ["a schema in one of two versions", gadget([version("v1", plain), { name: "v2", served: true, storage: false }])],
  ["a warning of a version that is not deprecated", withVersion({ deprecationWarning: "x" })],
  ["an empty warning", withVersion({ deprecated: true, deprecationWarning: "" })],
  ["a long warning that does not print", withVersion({ deprecated: true, deprecationWarning: `é\u0007${"x".repeat(256)}` })],
  ["a good warning", withVersion({ deprecated: true, deprecationWarning: "use something else" })],
  ["unknown fields preserved the old way", withSpec({ preserveUnknownFields: true })],
  [
    "unknown fields preserved the old way, with defaults and a webhook",
    gadget([version("v1", objectSchema({ spec: { type: "string", default: "x" } }))], {
      preserveUnknownFields: true,
      conversion: { strategy: "Webhook", webhook: { clientConfig: { url: "https://h/" }, conversionReviewVersions: ["v1"] } },
    }),
  ],
  ["a conversion by nobody knows what", withSpec({ conversion: { strategy: "Magic" } })],
  ["an empty conversion", withSpec({ conversion: { strategy: "" } })],
  ["a conversion by a webhook without a webhook", withSpec({ conversion: { strategy: "Webhook" } })],
  [
    "a webhook for no conversion",
    withSpec({ conversion: { strategy: "None", webhook: { clientConfig: { url: "https://h/" }, conversionReviewVersions: ["v1"] } } }),
  ],
  ["a webhook at a URL", withWebhook({ url: "https://host/path" })],
  ["a webhook at a URL with everything wrong", withWebhook({ url: "http://u:p@host/?a=b#c" })],
  ["a webhook at no URL", withWebhook({ url: "nowhere" })],
  ["a webhook at a URL that is none", withWebhook({ url: "https://host:port/" })],
  ["a webhook at a URL without a scheme", withWebhook({ url: ":x" })],
  ["a webhook at a URL with a colon too early", withWebhook({ url: "1a:b" })],
  ["a webhook at a URL with a bad escape", withWebhook({ url: "https://h/%zz" })],
  ["a webhook at a URL with a space", withWebhook({ url: "https://a b/" })],
  ["a webhook at a URL with a half bracket", withWebhook({ url: "https://[::1" })],
  ["a webhook at two places", withWebhook({ url: "https://h/", service: { name: "a", namespace: "b" } })],
  ["a webhook at a service", withWebhook({ service: { name: "a", namespace: "b", path: "/convert/it/" } })],
  ["a webhook at a service without names", withWebhook({ service: { name: "", namespace: "b", port: 70000, path: "a//B" } })],
  ["a webhook at a service without a namespace", withWebhook({ service: { name: "a", namespace: "", path: "//" } })],
  ["a webhook trusted by rubbish, before it is needed", withWebhook({ url: "https://h/", caBundle: "YWJj" })],
  ["review versions nobody knows", withWebhook({ url: "https://h/" }, ["v9", "v9", "V"])],
  ["no review versions", withWebhook({ url: "https://h/" }, [])],
  [
    "good columns",
    withVersion({
      additionalPrinterColumns: [
        { name: "Size", type: "integer", jsonPath: ".spec.size" },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    }),
  ],
  [
    "bad columns",
    withVersion({
      additionalPrinterColumns: [
        { name: "", type: "text", jsonPath: "spec", format: "odd" },
        { name: "a", type: "", jsonPath: "" },
      ],
    }),
  ],
  [
    "bad columns in one of two versions",
    gadget([version("v1", plain), second({ additionalPrinterColumns: [{ name: "", type: "string", jsonPath: ".a" }] })]),
  ],
  [
    "good paths of replicas",
    withVersion({
      subresources: {
        scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
      },
    }),
  ],
  [
    "bad paths of replicas",
    withVersion({
      subresources: { scale: { specReplicasPath: "spec.replicas", statusReplicasPath: ".spec.replicas", labelSelectorPath: ".selector" } },
    }),
  ],
  ["no paths of replicas", withVersion({ subresources: { scale: { specReplicasPath: "", statusReplicasPath: "" } } })],
  [
    "bad paths of replicas in one of two versions",
    gadget([version("v1", plain), second({ subresources: { scale: { specReplicasPath: ".spec", statusReplicasPath: ".status.x" } } })]),
  ],
  [
    "good selectable fields",
    withVersion(
      { selectableFields: [{ jsonPath: ".spec.a" }, { jsonPath: ".spec.m.any" }, { jsonPath: ".spec.on" }] },
      objectSchema({
        spec: objectSchema({
          a: { type: "string", enum: ["x"] },
          on: { type: "boolean" },
          m: { type: "object", additionalProperties: { type: "string" } },
        }),
      }),
    ),
  ],
  [
    "bad selectable fields",
    withVersion(
      {
        selectableFields: [
          ".spec.a",
          ".spec.n",
          "spec.a",
          ".spec.zz",
          ".metadata.name",
          ".spec.l[0]",
          ".spec['a']",
          ".spec.a",
          "",
          ".spec.",
          ".spec..a",
          ".spec[a]",
          ".",
        ].map((jsonPath) => ({ jsonPath })),
      },
      objectSchema({
        metadata: objectSchema({ name: { type: "string" } }),
        spec: objectSchema({ a: { type: "string" }, n: { type: "number" }, l: { type: "array", items: { type: "string" } } }),
      }),
    ),
  ],
  [
    "nine selectable fields",
    withVersion(
      { selectableFields: nine.map((name) => ({ jsonPath: `.spec.${name}` })) },
      objectSchema({ spec: objectSchema(Object.fromEntries(nine.map((name) => [name, { type: "string" }]))) }),
    ),
  ],
  [
    "selectable fields in one of two versions of one schema",
    gadget([version("v1", plain), second({ selectableFields: [{ jsonPath: ".spec.size" }] })]),
  ],
  ["a schema without a type", gadget([version("v1", {})])],
  ["a property without a type", withSchema({ spec: {} })],
  ["a root that is no object", gadget([version("v1", { type: "string" })])],
  ["a nullable root", withSchema({}, { nullable: true })],
  ["a default of the wrong type", withSchema({ spec: { type: "integer", default: "x" } })],
  ["a default with unknown fields", withSchema({ spec: objectSchema({ a: { type: "string" } }, { default: { b: 1 } }) })],
  ["a good default", withSchema({ spec: objectSchema({ a: { type: "string" } }, { default: { a: "x" } }) })],
  [
    "keywords nobody supports",
    withSchema({ spec: { type: "object", $ref: "#/x", definitions: {}, dependencies: {}, patternProperties: {}, id: "x" } }),
  ],
  ["unique items", withSchema({ spec: { type: "array", uniqueItems: true, items: { type: "string" } } })],
  ["a list without items", withSchema({ spec: { type: "array" } })],
  ["a set of objects", withSchema({ spec: { type: "array", "x-kubernetes-list-type": "set", items: objectSchema({}) } })],
  [
    "a map list without its key",
    withSchema({
      spec: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: objectSchema({ a: { type: "string" } }),
      },
    }),
  ],
  [
    "a good map list",
    withSchema({
      spec: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: objectSchema({ k: { type: "string" } }, { required: ["k"] }),
      },
    }),
  ],
  ["rules for metadata", withSchema({ metadata: objectSchema({ labels: { type: "object" } }) })],
  ["a rule for the name", withSchema({ metadata: objectSchema({ name: { type: "string", pattern: "^a" } }) })],
  ["a pattern that does not compile", withSchema({ spec: { type: "string", pattern: "a(?=b)" } })],
  ["an enum with a status", gadget([version("v1", { type: "object", enum: [{}] }, { subresources: { status: {} } })])],
  ["an int-or-string", withSchema({ spec: { "x-kubernetes-int-or-string": true } })],
  [
    "a resource inside",
    withSchema({ spec: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } }),
  ],
  ["a resource inside without fields", withSchema({ spec: { type: "object", "x-kubernetes-embedded-resource": true } })],
  [
    "unknown formats",
    withSchema({
      spec: objectSchema({
        a: { type: "string", format: "odd" },
        b: { type: "integer", format: "int16" },
        c: { type: "boolean", format: "date" },
        d: { type: "string", format: "k8s-short-name" },
        e: { type: "string", format: "date-time" },
      }),
    }),
  ],
  [
    "types below alternatives",
    withSchema({ spec: objectSchema({ a: { type: "string" } }, { anyOf: [{ properties: { a: { type: "string" } } }] }) }),
  ],
];

/** A definition before and after a change. */
export const updates: readonly (readonly [what: string, before: JsonObject, after: JsonObject])[] = [
  ["another scope", withSpec({}), withSpec({ scope: "Cluster" })],
  ["another kind", withSpec({}), definition("gadgets", "Thing", [version("v1", plain)])],
  ["another group", withSpec({}), { ...withSpec({ group: "other.io" }), metadata: { name: "gadgets.ex.io" } }],
  ["another plural", withSpec({}), withSpec({ names: { plural: "things", kind: "Gadget" } })],
  ["another list kind", withSpec({}), withSpec({ names: { plural: "gadgets", kind: "Gadget", listKind: "Gadgets", shortNames: ["gd"] } })],
  ["a new storage version", withSpec({}), gadget([version("v1", plain, { storage: false }), second({ storage: true })])],
  ["the stored version gone", withSpec({}), gadget([version("v3", plain)])],
  ["a schema that is wrong", withSpec({}), withSchema({ spec: {} })],
  ["a webhook trusted by rubbish", withSpec({}), withWebhook({ url: "https://h/", caBundle: "YWJj" })],
  [
    "a new unknown format",
    withSchema({ spec: objectSchema({ a: { type: "string", format: "odd" } }) }),
    withSchema({ spec: objectSchema({ a: { type: "string", format: "odd" }, b: { type: "string", format: "odder" } }) }),
  ],
  ["unknown fields preserved the old way", withSpec({}), withSpec({ preserveUnknownFields: true })],
];
