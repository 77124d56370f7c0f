/** The kinds of the scripts, the fields that limited informers declare, and random bodies with values that formats like to get wrong. */
import { ConfigMap, Pod } from "@drover/api/core/v1";
import { ControllerRevision, Deployment } from "@drover/api/apps/v1";
import { Lease } from "@drover/api/coordination/v1";
import { decodeJson, pick } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind, Random } from "@drover/machinery";
import { kindFromCrd } from "@drover/patterns";

export const gadgetDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.invisible.example.com" },
  spec: {
    group: "invisible.example.com",
    scope: "Namespaced",
    names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

export const Gadget = kindFromCrd(gadgetDefinition) as unknown as Kind;

/** What scripts know of a kind. */
export interface ScriptKind {
  readonly kind: Kind;
  /** Where the server stores its objects. */
  readonly prefix: string;
  /** Declared by informers with field limits. */
  readonly fields: readonly string[];
  readonly hasStatus: boolean;
  /** Whether the controller of the scripts writes when an object of this kind changes. */
  readonly isControlled: boolean;
  readonly spec: (random: Random) => JsonObject;
  readonly status: (random: Random) => JsonObject;
}

const texts = ["", "é\u2028<&>", "x".repeat(200), '{"a":"\\n"}', "__proto__"] as const;
const quantities = ["100m", "1.5Gi", "0.1", "1e3", "2", "128974848", "12E"] as const;
const none = (): JsonObject => ({});
const often = (random: Random): boolean => random.next() < 0.5;

export const scriptKinds: Readonly<Record<string, ScriptKind>> = {
  ConfigMap: {
    kind: ConfigMap,
    prefix: "/registry/configmaps/",
    fields: ["data", "immutable"],
    hasStatus: false,
    isControlled: false,
    spec: (random) => ({
      data: { text: pick(random, texts), [pick(random, ["a", "b.c", "d_e"])]: pick(random, texts) },
      ...(often(random) ? { binaryData: { bytes: pick(random, ["", "AAEC/w==", "AA=="]) } } : {}),
    }),
    status: none,
  },
  Pod: {
    kind: Pod,
    prefix: "/registry/pods/",
    fields: ["spec.nodeName", "spec.containers.image", "spec.containers.resources", "status.phase", "status.startTime"],
    hasStatus: true,
    isControlled: false,
    spec: (random) => ({
      spec: {
        ...(often(random) ? { nodeName: pick(random, ["n1", "n2"]) } : {}),
        containers: [
          {
            name: "main",
            image: pick(random, ["web:1", "web:2"]),
            resources: { limits: { memory: pick(random, quantities), "example.com/gpu": "1" } },
            ports: often(random) ? [{ containerPort: 80 }] : [],
            env: [{ name: "TEXT", value: pick(random, texts) }],
          },
        ],
      },
    }),
    status: (random) => ({
      phase: pick(random, ["Pending", "Running", ""]),
      startTime: pick(random, ["2026-01-01T00:00:00Z", null]),
      conditions: [{ type: "Ready", status: pick(random, ["True", "False"]), lastTransitionTime: null, observedGeneration: random.int(9) }],
    }),
  },
  Deployment: {
    kind: Deployment,
    prefix: "/registry/deployments/",
    fields: ["spec.replicas", "spec.strategy", "status"],
    hasStatus: true,
    isControlled: false,
    spec: (random) => ({
      spec: {
        replicas: random.int(4),
        selector: { matchLabels: { app: "web" } },
        strategy: { rollingUpdate: { maxSurge: pick<JsonValue>(random, [1, "25%"]), maxUnavailable: pick<JsonValue>(random, ["0%", 1]) } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: { containers: [{ name: "main", image: pick(random, ["web:1", "web:2"]) }] },
        },
      },
    }),
    status: (random) => ({ replicas: random.int(3), observedGeneration: random.int(3) }),
  },
  Lease: {
    kind: Lease,
    prefix: "/registry/leases/",
    fields: ["spec.renewTime", "spec.holderIdentity"],
    hasStatus: false,
    isControlled: false,
    spec: (random) => ({
      spec: {
        holderIdentity: pick(random, ["a", "b"]),
        leaseDurationSeconds: 1 + random.int(30),
        renewTime: pick(random, ["2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00.120000Z", "2026-01-01T00:00:00.000000Z"]),
      },
    }),
    status: none,
  },
  ControllerRevision: {
    kind: ControllerRevision,
    prefix: "/registry/controllerrevisions/",
    fields: ["revision", "data"],
    hasStatus: false,
    isControlled: false,
    spec: (random) => ({
      revision: number(random),
      data: { number: number(random), list: [1.5, 1e21, -0.0000001, null], "": pick(random, texts) },
    }),
    status: none,
  },
  Gadget: {
    kind: Gadget,
    prefix: "/registry/invisible.example.com/gadgets/",
    fields: ["spec.size", "spec.list.name", "status"],
    hasStatus: true,
    isControlled: true,
    spec: (random) => ({
      spec: { size: random.int(5), number: number(random), text: pick(random, texts), list: [{ name: "a", other: 1 }, { name: "b" }] },
    }),
    status: (random) => ({ phase: pick(random, ["", "Ready"]) }),
  },
};

/** Integers beyond 2^53 included. */
const number = (random: Random): JsonValue =>
  decodeJson(pick(random, ["0", "-1", "9007199254740993", "-9223372036854775808", "4294967296"]));
