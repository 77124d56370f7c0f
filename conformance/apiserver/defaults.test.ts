/** Defaults of minimal objects, and of some larger ones: a real server compared with our codec and defaults. */
import { kinds } from "@drover/api";
import { deepCopy, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { autoscalerFromStored, autoscalerToStored } from "../../packages/apiserver/src/builtin/conversion/autoscaler-conversion.ts";
import { eventFromStored, eventToStored } from "../../packages/apiserver/src/builtin/conversion/event-conversion.ts";
import { setDefaultsOf } from "../../packages/apiserver/src/builtin/defaults/defaults.ts";
import { builtInCodec } from "../../packages/apiserver/src/codec/built-in-codec.ts";
import { fullObjects } from "./full-objects.ts";
import { bodyOf, keyOf, kindOf, pathOf, sendObject } from "./kind-requests.ts";
import { minimalObjects } from "./minimal-objects.ts";
import { realServer, realServerMissing } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

let server: RealServer;
beforeAll(async () => {
  if (realServerMissing === undefined) server = await realServer();
}, 90_000);
afterAll(() => (realServerMissing === undefined ? server.stop() : undefined), 30_000);

/** Fields that are not defaults, by "group/version/Kind": the server's own metadata, and what strategies, admission and allocation add. */
const always: readonly string[] = [
  "metadata.managedFields",
  "metadata.uid",
  "metadata.creationTimestamp",
  "metadata.resourceVersion",
  "metadata.generation",
  "metadata.namespace",
  "status",
];
const besides: Readonly<Record<string, readonly string[]>> = {
  "/v1/Namespace": ["spec"],
  "/v1/Node": ["spec"],
  "/v1/PersistentVolume": ["metadata.finalizers"],
  "/v1/PersistentVolumeClaim": ["metadata.finalizers"],
  "/v1/Pod": ["spec.priority", "spec.preemptionPolicy", "spec.tolerations"],
  "/v1/Service": ["spec.clusterIP", "spec.clusterIPs", "spec.ipFamilies", "spec.ipFamilyPolicy", "spec.ports.0.nodePort"],
  "apps/v1/DaemonSet": ["metadata.annotations"],
  "batch/v1/Job": ["spec.selector", "metadata.labels", "spec.template.metadata.labels"],
  "certificates.k8s.io/v1/CertificateSigningRequest": ["spec.username", "spec.groups", "spec.uid", "spec.extra"],
  "networking.k8s.io/v1/ServiceCIDR": ["metadata.finalizers"],
  // A default, but its time is the server's.
  "resource.k8s.io/v1/ResourceSlice": ["spec.devices.0.taints.0.timeAdded"],
  "storage.k8s.io/v1/VolumeAttributesClass": ["metadata.finalizers"],
};

function without(object: JsonObject, paths: readonly string[]): JsonObject {
  const copy = deepCopy(object);
  for (const path of paths) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let value: JsonValue | undefined = copy;
    for (const name of names)
      value = isJsonObject(value) || Array.isArray(value) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
    if (isJsonObject(value)) delete value[last];
  }
  return copy;
}

async function compare(key: string, object: JsonObject): Promise<void> {
  const kind = kindOf(key);
  const body = bodyOf(kind, object, "minimal");
  const answer = await sendObject(server, "POST", `${pathOf(kind)}?dryRun=All`, body);
  const codec = builtInCodec(kind, setDefaultsOf(kind, { clock: new ManualClock() }));
  const decoded = codec.decodeBody(JSON.stringify(body), "application/json");
  const ignored = [...always, ...(besides[key] ?? [])];
  expect(decoded.problems).toEqual([]);
  expect(without(decoded.object, ignored)).toEqual(without(answer, ignored));
}

describe.skipIf(realServerMissing !== undefined)("defaults, compared with a real server's", () => {
  it("are compared for every kind that can be created and stored", () => {
    const stored = kinds.filter(({ verbs }) => verbs.includes("create") && verbs.includes("get")).map(keyOf);
    expect(Object.keys(minimalObjects).toSorted()).toEqual(stored.toSorted());
  });

  describe("of minimal objects", () => {
    it.each(Object.entries(minimalObjects))("are the same for %s", async (key, object) => compare(key, object));
  });

  describe("of objects with optional fields", () => {
    it.each(fullObjects)("are the same for $kind: $title", async ({ kind, object }) => compare(kind, object));
  });
});

/** Objects of one store in the other version it serves. */
const pairs: readonly {
  readonly from: string;
  readonly to: string;
  readonly convert: (object: JsonObject) => JsonObject;
  readonly objects: readonly JsonObject[];
}[] = [
  {
    from: "autoscaling/v1/HorizontalPodAutoscaler",
    to: "autoscaling/v2/HorizontalPodAutoscaler",
    convert: autoscalerToStored,
    objects: objectsOf("autoscaling/v1/HorizontalPodAutoscaler"),
  },
  {
    from: "autoscaling/v2/HorizontalPodAutoscaler",
    to: "autoscaling/v1/HorizontalPodAutoscaler",
    convert: autoscalerFromStored,
    objects: objectsOf("autoscaling/v2/HorizontalPodAutoscaler"),
  },
  { from: "events.k8s.io/v1/Event", to: "/v1/Event", convert: eventToStored, objects: objectsOf("events.k8s.io/v1/Event") },
  { from: "/v1/Event", to: "events.k8s.io/v1/Event", convert: eventFromStored, objects: objectsOf("/v1/Event") },
];

function objectsOf(key: string): JsonObject[] {
  return [minimalObjects[key] ?? {}, ...fullObjects.filter(({ kind }) => kind === key).map(({ object }) => object)];
}

describe.skipIf(realServerMissing !== undefined)("conversion between versions, compared with a real server's", () => {
  it.each(pairs)("from $from to $to gives the same object", async ({ from, to, convert, objects }) => {
    for (const [index, object] of objects.entries()) {
      const name = `converted-${index}`;
      const made = await sendObject(server, "POST", pathOf(kindOf(from)), bodyOf(kindOf(from), object, name));
      const read = await sendObject(server, "GET", `${pathOf(kindOf(to))}/${name}`);
      await sendObject(server, "DELETE", `${pathOf(kindOf(from))}/${name}`);
      const ignored = ["metadata.managedFields"];
      expect(without(convert(made), ignored)).toEqual(without(read, ignored));
    }
  });
});
