import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@drover/machinery";
import { decodeAggregatedDiscovery, isAggregatedDiscovery } from "./aggregated-discovery.ts";
import { DiscoveryDocumentError, StaleGroupVersionError } from "./discovery-error.ts";
import { kindFromResource } from "./discovered-kind.ts";

const list = (...items: JsonValue[]): JsonValue => ({
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items,
});
const pods = {
  resource: "pods",
  responseKind: { group: "", version: "", kind: "Pod" },
  scope: "Namespaced",
  singularResource: "pod",
  verbs: ["get", "list"],
  shortNames: ["po"],
  categories: ["all"],
};
const group = (name: string, ...versions: JsonValue[]): JsonValue => ({ metadata: { name }, versions });
const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

describe("isAggregatedDiscovery", () => {
  it.each([
    [aggregatedType, true],
    ["application/json; as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io", true],
    ["application/json; as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.k8s.io;charset=utf-8", true],
    ["application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer", true],
    ["application/json", false],
    ["application/json; charset=UTF-8", false],
    ["application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList", false],
    ["application/cbor;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", false],
    ["malformed content type string", false],
    ["", false],
  ])("recognises the content type %s", (contentType, isAggregated) => {
    expect(isAggregatedDiscovery(contentType, { kind: "APIGroupList" })).toBe(isAggregated);
  });

  it("recognises the document if a proxy has dropped the parameters", () => {
    expect(isAggregatedDiscovery("application/json", list())).toBe(true);
    expect(isAggregatedDiscovery("application/json", { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v9" })).toBe(false);
    expect(isAggregatedDiscovery("application/json", null)).toBe(false);
  });
});

describe("decodeAggregatedDiscovery", () => {
  it("returns groups, resources and subresources, each with its full kind", () => {
    const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
    const subresources = [
      { subresource: "status", responseKind: { group: "", version: "", kind: "Pod" }, verbs: ["get"] },
      { subresource: "scale", responseKind: scale, verbs: ["get", "update"] },
    ];
    const found = decodeAggregatedDiscovery(list(group("", { version: "v1", resources: [{ ...pods, subresources }] })));
    expect(found).toEqual({
      groups: [{ name: "", versions: ["v1"], preferredVersion: "v1" }],
      failures: [],
      resources: [
        {
          groupVersion: "v1",
          resources: [
            {
              group: "",
              version: "v1",
              kind: "Pod",
              plural: "pods",
              singular: "pod",
              scope: "Namespaced",
              shortNames: ["po"],
              categories: ["all"],
              verbs: ["get", "list"],
              responseKind: { group: "", version: "v1", kind: "Pod" },
              subresources: {
                status: { group: "", version: "v1", kind: "Pod", verbs: ["get"] },
                scale: { ...scale, verbs: ["get", "update"] },
              },
            },
          ],
        },
      ],
    });
  });

  it("reports a stale version beside the others, and prefers the first that is not stale", () => {
    const found = decodeAggregatedDiscovery(
      list(group("apps", { version: "v2", freshness: "Stale" }, { version: "v1", freshness: "Current", resources: [] })),
    );
    expect(found.groups).toEqual([{ name: "apps", versions: ["v1"], preferredVersion: "v1" }]);
    expect(found.resources.map(({ groupVersion }) => groupVersion)).toEqual(["v1"].map((version) => `apps/${version}`));
    expect(found.failures).toEqual([{ groupVersion: "apps/v2", error: new StaleGroupVersionError("apps/v2") }]);
    expect(found.failures[0]?.error).toHaveProperty("message", "stale GroupVersion discovery: apps/v2");
  });

  it("keeps a group whose versions are all stale, without a preferred version", () => {
    expect(decodeAggregatedDiscovery(list(group("dead", { version: "v1", freshness: "Stale" }))).groups).toEqual([
      { name: "dead", versions: [], preferredVersion: "" },
    ]);
  });

  it("omits a resource without a kind, unless it has a subresource with one", () => {
    const metric = { subresource: "requests", responseKind: { group: "", version: "", kind: "MetricValueList" }, verbs: ["get"] };
    const nameless = { resource: "pods", scope: "Namespaced", singularResource: "", verbs: [] };
    const found = decodeAggregatedDiscovery(
      list(
        group("m", {
          version: "v1",
          resources: [nameless, { ...nameless, resource: "nodes", subresources: [metric, { subresource: "x", verbs: [] }] }],
        }),
      ),
    );
    expect(
      found.resources[0]?.resources.map(({ plural, kind, subresources }) => ({ plural, kind, subresources: Object.keys(subresources) })),
    ).toEqual([{ plural: "nodes", kind: "", subresources: ["requests"] }]);
  });

  it("reports a version it cannot decode, and only that one", () => {
    const found = decodeAggregatedDiscovery(
      list(group("odd", { version: "v1", resources: [{ ...pods, verbs: "get" }] }, { version: "v2", resources: [pods] })),
    );
    expect(found.groups[0]?.versions).toEqual(["v2"]);
    expect(String(found.failures[0]?.error)).toBe("DiscoveryDocumentError: verbs of pods of odd/v1: expected a list, found string");
  });

  it.each([
    [null],
    [[]],
    ["x"],
    [{ items: {} }],
    [{ items: [7] }],
    [{ items: [{ metadata: { name: 7 } }] }],
    [{ items: [{ versions: [{}] }] }],
  ] as JsonValue[][])("throws a DiscoveryDocumentError for %j", (document) => {
    expect(() => decodeAggregatedDiscovery(document ?? null)).toThrow(DiscoveryDocumentError);
  });

  it("treats names like __proto__ as names", () => {
    const beneath = [{ subresource: "__proto__", responseKind: { group: "", version: "", kind: "X" }, verbs: [] }];
    const found = decodeAggregatedDiscovery(
      list(group("__proto__", { version: "constructor", resources: [{ ...pods, resource: "__proto__", subresources: beneath }] })),
    );
    expect(Object.keys(found.resources[0]?.resources[0]?.subresources ?? {})).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["kind"]).toBeUndefined();
  });

  it("decodes any document or throws a DiscoveryDocumentError", () => {
    const field = fc.constantFrom(
      "items",
      "metadata",
      "name",
      "versions",
      "version",
      "resources",
      "resource",
      "subresources",
      "subresource",
      "responseKind",
      "kind",
      "verbs",
      "freshness",
    );
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom<JsonValue>(null, true, 1, "", "Stale", "v1"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(field, tie("tree"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (document) => {
        try {
          const { groups } = decodeAggregatedDiscovery({ items: [document] });
          return groups.length === 1;
        } catch (error) {
          return error instanceof DiscoveryDocumentError;
        }
      }),
    );
  });
});

describe("kindFromResource", () => {
  it("equals the committed descriptor of a real server's Deployment", () => {
    interface Described {
      readonly group: string;
      readonly version: string;
      readonly resources: readonly ReturnType<typeof kindFromResource>[];
    }
    const described = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../../api/openapi/discovery.json"), "utf8"),
    ) as readonly Described[];
    const wanted = described
      .find(({ group: name, version }) => name === "apps" && version === "v1")
      ?.resources.find(({ kind }) => kind === "Deployment");
    const { plural, singular, scope, verbs, shortNames, categories, subresources } = wanted ?? expect.fail("no Deployment");
    const entry = {
      resource: plural,
      singularResource: singular,
      scope,
      verbs: [...verbs, "impersonate"],
      shortNames,
      categories,
      responseKind: { group: "apps", version: "v1", kind: "Deployment" },
      subresources: Object.entries(subresources).map(([subresource, { verbs: taken, ...responseKind }]) => ({
        subresource,
        responseKind,
        verbs: taken,
      })),
    };
    const served = JSON.parse(JSON.stringify({ version: "v1", resources: [entry] })) as JsonValue;
    const found = decodeAggregatedDiscovery(list(group("apps", served)));
    const [resource] = found.resources[0]?.resources ?? [];
    expect(kindFromResource(resource ?? expect.fail("nothing found"))).toEqual({
      ...wanted,
      group: "apps",
      version: "v1",
      listKind: "DeploymentList",
    });
  });

  it("derives a singular if the server sends none", () => {
    const [resource] =
      decodeAggregatedDiscovery(list(group("", { version: "v1", resources: [{ ...pods, singularResource: "" }] }))).resources[0]
        ?.resources ?? [];
    expect(kindFromResource(resource ?? expect.fail("nothing found"))).toMatchObject({ singular: "pod", listKind: "PodList" });
  });
});
