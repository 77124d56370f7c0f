import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Secret, Service } from "@drover/api/core/v1";
import { NetworkPolicy } from "@drover/api/networking/v1";
import type { JsonObject, JsonValue, Kind } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldDifferences, fieldPath } from "./field-differences.ts";
import { kindShape } from "./kind-shape.ts";

const paths = (kind: Kind, wanted: JsonObject, live: JsonObject): readonly string[] =>
  fieldDifferences(wanted, live, kindShape(kind)).map(({ path }) => path);
const container = (fields: JsonObject): JsonObject => ({ spec: { template: { spec: { containers: [{ name: "web", ...fields }] } } } });

describe("fieldDifferences", () => {
  it("reports different and missing fields, but not additions of others", () => {
    expect(paths(ConfigMap, { data: { a: "1", b: "2" } }, { data: { a: "1", b: "3", c: "4" } })).toEqual(["data.b"]);
    expect(paths(ConfigMap, { data: { "a.b": "1" }, metadata: { labels: { "x.io/y": "z" } } }, { data: {}, metadata: {} })).toEqual([
      'data["a.b"]',
      "metadata.labels",
    ]);
  });

  it("matches list items by key, in any order", () => {
    const live = {
      spec: {
        template: {
          spec: {
            containers: [
              { name: "sidecar", image: "s" },
              {
                name: "web",
                image: "w",
                env: [
                  { name: "B", value: "2" },
                  { name: "A", value: "1" },
                ],
              },
            ],
          },
        },
      },
    };
    expect(paths(Deployment, container({ image: "w", env: [{ name: "A", value: "1" }] }), live)).toEqual([]);
    expect(
      paths(
        Deployment,
        container({
          image: "w",
          env: [
            { name: "A", value: "9" },
            { name: "C", value: "3" },
          ],
        }),
        live,
      ),
    ).toEqual(["spec.template.spec.containers[name=web].env[name=A].value", "spec.template.spec.containers[name=web].env[name=C]"]);
  });

  it("uses the default of a missing key", () => {
    const live = {
      spec: {
        ports: [
          { port: 80, protocol: "UDP", targetPort: 1 },
          { port: 80, protocol: "TCP", targetPort: 8080 },
        ],
      },
    };
    expect(paths(Service, { spec: { ports: [{ port: 80, targetPort: 8080 }] } }, live)).toEqual([]);
    expect(paths(Service, { spec: { ports: [{ port: 80, targetPort: "http" }] } }, live)).toEqual([
      "spec.ports[port=80,protocol=TCP].targetPort",
    ]);
  });

  it("compares quantities and times by value, and numbers with strings where the schema allows", () => {
    const resources = (cpu: JsonValue, memory: JsonValue): JsonObject => container({ resources: { limits: { cpu, memory } } });
    expect(paths(Deployment, resources(1, "1024Mi"), resources("1000m", "1Gi"))).toEqual([]);
    expect(paths(Deployment, resources("1001m", "1Gi"), resources("1", "1Gi"))).toEqual([
      "spec.template.spec.containers[name=web].resources.limits.cpu",
    ]);
  });

  it("compares atomic lists and maps as a whole, except the server's defaults", () => {
    const policy = (peers: JsonValue): JsonObject => ({
      spec: { podSelector: { matchLabels: { app: "web" } }, ingress: [{ from: peers }] },
    });
    expect(paths(NetworkPolicy, policy([{ podSelector: {} }]), policy([{ podSelector: {}, namespaceSelector: {} }]))).toEqual([
      "spec.ingress[0].from[0].namespaceSelector",
    ]);
    expect(paths(NetworkPolicy, policy([{ podSelector: {} }]), policy([{ podSelector: {} }, { podSelector: {} }]))).toEqual([
      "spec.ingress[0].from",
    ]);
    const selector = (matchLabels: JsonObject): JsonObject => ({ spec: { selector: { matchLabels } } });
    expect(paths(Deployment, selector({ app: "web" }), selector({ app: "web", more: "x" }))).toEqual(["spec.selector.matchLabels.more"]);
    const env = (fieldRef: JsonObject): JsonObject => container({ env: [{ name: "IP", valueFrom: { fieldRef } }] });
    expect(paths(Deployment, env({ fieldPath: "status.podIP" }), env({ fieldPath: "status.podIP", apiVersion: "v1" }))).toEqual([]);
  });

  it("treats empty lists and maps as absent, but not entries of a map", () => {
    expect(
      paths(
        Deployment,
        { metadata: { labels: {} }, spec: { template: { spec: { tolerations: [] } } } },
        { metadata: {}, spec: { template: { spec: {} } } },
      ),
    ).toEqual([]);
    expect(paths(Secret, { data: { empty: "" } }, { data: {} })).toEqual(["data.empty"]);
    expect(paths(ConfigMap, { data: null }, {})).toEqual([]);
  });

  it("treats lists as atomic for a kind without a schema", () => {
    const unknown: Kind = { ...ConfigMap, group: "example.com", kind: "Thing" };
    expect(paths(unknown, { spec: { a: { b: 1 }, list: [1, 2] } }, { spec: { a: { b: 1, c: 2 }, list: [1, 2] }, more: true })).toEqual([]);
    expect(paths(unknown, { spec: { list: [1, 2] } }, { spec: { list: [1, 2, 3] } })).toEqual(["spec.list"]);
  });

  it("handles hostile keys", () => {
    const data = JSON.parse('{"__proto__": "x", "constructor": "y", "": "z"}') as JsonObject;
    expect(paths(ConfigMap, { data }, { data: {} })).toEqual(["data.__proto__", "data.constructor", 'data[""]']);
    expect(paths(ConfigMap, { data }, { data })).toEqual([]);
  });

  it("finds nothing when fields were only added, and something as soon as a leaf differs", () => {
    const value = fc.dictionary(fc.constantFrom("a", "b", "c.d"), fc.string({ minLength: 1 }), { minKeys: 1 });
    fc.assert(
      fc.property(value, value, (ours, theirs) => {
        const live = { data: { ...theirs, ...ours } };
        expect(paths(ConfigMap, { data: ours }, live)).toEqual([]);
        const [key = ""] = Object.keys(ours);
        expect(paths(ConfigMap, { data: ours }, { data: { ...live.data, [key]: `${ours[key] ?? ""}!` } })).toEqual([
          fieldPath("data", key),
        ]);
      }),
    );
  });
});
