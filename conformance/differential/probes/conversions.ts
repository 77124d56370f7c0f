/** Probes of custom resources whose versions a webhook converts; the webhook runs in this process and is called by either server. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { webhookEndpoint } from "../../servers/webhook-endpoint.ts";
import type { Hook, WebhookEndpoint } from "../../servers/webhook-endpoint.ts";
import { probe } from "../probe.ts";
import type { Chapter, Probe } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const schema = (properties: JsonObject): JsonObject => ({
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties }, status: { type: "object" } } },
});

function definition(group: string, { url, caBundle }: { readonly url: string; readonly caBundle: string }): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `boxes.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "boxes", kind: "Box" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: schema({ size: { type: "integer" }, color: { type: "string", default: "red" } }),
        },
        { name: "v2", served: true, storage: false, schema: schema({ width: { type: "string" }, shade: { type: "string" } }) },
      ],
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { url, caBundle } },
      },
    },
  };
}

/** size 3, color red ↔ width "3", shade red */
function converted(object: JsonObject, apiVersion: JsonValue): JsonObject {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const { size = "" } = spec;
  const changed = JSON.stringify(apiVersion).endsWith('/v2"')
    ? { width: typeof size === "number" ? String(size) : "", shade: spec["color"] ?? "" }
    : { size: Number(spec["width"] ?? 0), color: spec["shade"] ?? "" };
  return { ...object, apiVersion, spec: changed };
}

const objectsOf = ({ objects }: JsonObject): JsonObject[] => (Array.isArray(objects) ? objects.filter(isJsonObject) : []);
const converts: Hook = (request) => ({
  response: {
    result: { status: "Success" },
    convertedObjects: objectsOf(request).map((object) => converted(object, request["desiredAPIVersion"] ?? "")),
  },
});

interface Boxes {
  readonly v1: (...names: readonly string[]) => string;
  readonly v2: (...names: readonly string[]) => string;
  readonly body: (version: "v1" | "v2", name: string, spec: JsonObject) => JsonObject;
  readonly endpoint: WebhookEndpoint;
}

/** Defines boxes in the probe's group and runs it. */
const boxProbe = (name: string, run: (s: ProbeSession, boxes: Boxes) => Promise<void>): Probe =>
  probe(name, async (s) => {
    const endpoint = await webhookEndpoint();
    endpoint.set("convert", converts);
    const crds = s.all("apiextensions.k8s.io/v1/customresourcedefinitions");
    try {
      await s.quietly("POST", crds, definition(s.group, { url: endpoint.url("convert"), caBundle: endpoint.caBundle }));
      const at =
        (version: string) =>
        (...names: readonly string[]): string =>
          s.in(`${s.group}/${version}/boxes`, ...names);
      const [v1, v2] = [at("v1"), at("v2")];
      for (const path of [v1(), v2()]) await s.settle({ path }, ({ status }) => status === 200);
      const body: Boxes["body"] = (version, boxName, spec) => ({
        apiVersion: `${s.group}/${version}`,
        kind: "Box",
        metadata: { name: boxName },
        spec,
      });
      await run(s, { v1, v2, body, endpoint });
      endpoint.set("convert", converts);
    } finally {
      await s.quietly("DELETE", `${crds}/boxes.${s.group}`);
      await endpoint.close();
    }
  });

/** A GET in v2 of an object in v1, with an odd webhook. */
const oddly = (name: string, answer: Hook): Probe =>
  boxProbe(name, async (s, { v1, v2, body, endpoint }) => {
    await s.quietly("POST", v1(), body("v1", "a", { size: 3 }));
    endpoint.set("convert", answer);
    await s.get(v2("a"));
  });

const changing =
  (change: (object: JsonObject) => JsonValue): Hook =>
  (request) => ({
    response: {
      result: { status: "Success" },
      convertedObjects: objectsOf(request).map((object) => change(converted(object, request["desiredAPIVersion"] ?? ""))),
    },
  });
const withMeta = (change: (meta: JsonObject) => JsonValue | undefined): Hook =>
  changing((object) => {
    const metadata = change(isJsonObject(object["metadata"]) ? object["metadata"] : {});
    const { metadata: _old, ...rest } = object;
    return metadata === undefined ? rest : { ...rest, metadata };
  });
const responded =
  (response: JsonObject): Hook =>
  () => ({ response });

export const conversions: Chapter = {
  name: "conversions",
  probes: [
    boxProbe("P450 an object in two versions", async (s, { v1, v2, body }) => {
      await s.post(v1(), body("v1", "a", { size: 3 }));
      await s.get(v2("a"));
      await s.post(v2(), body("v2", "b", { width: "4", shade: "blue" }));
      await s.get(v1("b"));
      await s.get(v2(), { view: (list) => (isJsonObject(list) ? (list["items"] ?? null) : null) });
      await s.patch("merge", v2("a"), { spec: { width: "5" } });
      await s.get(v1("a"));
      await s.put(v2("b"), { ...body("v2", "b", { width: "6" }) });
      await s.delete(v2("a"));
      await s.post(`${v2()}?dryRun=All`, body("v2", "c", { width: "7", shade: "" }));
    }),
    boxProbe("P451 the review", async (s, { v1, v2, body, endpoint }) => {
      endpoint.taken();
      await s.quietly("POST", v2(), body("v2", "a", { width: "4" }));
      const [first] = endpoint.taken();
      const { uid: _uid, ...request } = first?.request ?? {};
      s.fact(
        "the request",
        JSON.parse(JSON.stringify(request, (key, value: JsonValue) => (key === "managedFields" ? undefined : value))) as JsonValue,
      );
      await s.quietly("GET", v1("a"));
      s.fact("calls for a read in the storage version", endpoint.taken().length > 100);
    }),
    boxProbe("P452 a watch in the other version", async (s, { v1, v2, body }) => {
      await s.watch(v2(), {
        count: 3,
        during: async () => {
          await s.quietly("POST", v1(), body("v1", "a", { size: 3 }));
          await s.quietly("PATCH", v1("a"), { spec: { size: 4 } });
          await s.quietly("DELETE", v1("a"));
        },
      });
    }),
    boxProbe("P453 a webhook that is gone", async (s, { v1, v2, body, endpoint }) => {
      await s.quietly("POST", v1(), body("v1", "a", { size: 3 }));
      endpoint.set("convert", () => "hang up");
      await s.get(v1("a"));
      await s.get(v2("a"));
      await s.post(v2(), body("v2", "b", { width: "4" }));
      await s.get(v1("b"));
      await s.post(v1(), body("v1", "c", { size: 4 }));
      await s.patch("merge", v2("a"), { spec: { width: "4" } });
    }),
    boxProbe("P453a a webhook that answers 500", async (s, { v1, v2, body, endpoint }) => {
      await s.quietly("POST", v1(), body("v1", "a", { size: 3 }));
      endpoint.set("convert", () => ({ status: 500, body: "boom", headers: { "content-type": "text/plain" } }));
      await s.get(v2("a"));
      await s.delete(v2("a"));
    }),
    oddly("P454 a failure with a message", responded({ result: { status: "Failure", message: "cannot convert" } })),
    oddly("P454a a failure without a message", responded({ result: { status: "Failure" } })),
    oddly("P454b no result", responded({})),
    oddly("P454c no response", () => ({ status: 200, body: '{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}' })),
    oddly("P454d another uid", (request) => ({
      response: { uid: "other", result: { status: "Success" }, convertedObjects: objectsOf(request) },
    })),
    oddly("P454e another version of the review", (request) => ({
      status: 200,
      body: JSON.stringify({
        kind: "ConversionReview",
        apiVersion: "apiextensions.k8s.io/v1beta1",
        response: { uid: request["uid"] ?? "", result: { status: "Success" }, convertedObjects: [] },
      }),
    })),
    oddly("P455 too few objects", responded({ result: { status: "Success" }, convertedObjects: [] })),
    oddly("P455a objects that are not converted", (request) => ({
      response: { result: { status: "Success" }, convertedObjects: objectsOf(request) },
    })),
    oddly(
      "P455b another kind",
      changing((object) => ({ ...object, kind: "Crate" })),
    ),
    oddly(
      "P455c null instead of an object",
      changing(() => null),
    ),
    oddly(
      "P455d another name",
      withMeta((meta) => ({ ...meta, name: "b" })),
    ),
    oddly(
      "P455e another uid",
      withMeta(({ uid: _uid, ...meta }) => meta),
    ),
    oddly(
      "P455f no metadata",
      withMeta(() => undefined),
    ),
    oddly(
      "P456 labels, annotations and other metadata that change",
      withMeta((meta) => ({ ...meta, labels: { a: "b" }, annotations: { c: "d" }, finalizers: ["ex.io/f"], generation: 7 })),
    ),
    oddly(
      "P456a labels that are invalid",
      withMeta((meta) => ({ ...meta, labels: { a: "not valid!" } })),
    ),
    oddly(
      "P456b annotations that are no texts",
      withMeta((meta) => ({ ...meta, annotations: { a: 1 } })),
    ),
    oddly(
      "P456c labels that are a list",
      withMeta((meta) => ({ ...meta, labels: ["a"] })),
    ),
    oddly(
      "P457 fields that the schema does not know, and wrong types",
      changing((object) => ({ ...object, spec: { width: 5, nope: true } })),
    ),
  ],
};
