/** A server's records of addresses and node ports without the rest of the server. Several scenes can share a store. */
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import type { Service } from "@drover/api/core/v1";
import type { JsonObject } from "@drover/machinery";
import { ServiceRepair } from "../allocation/service-repair.ts";
import { StoredServiceRecords } from "../allocation/stored-service-records.ts";
import { builtInResources } from "../builtin/built-in-resources.ts";
import { builtInStrategies } from "../builtin/built-in-strategies.ts";
import { ServiceAllocator } from "../builtin/strategies/service/service-allocator.ts";
import { crdStrategy } from "../custom/definition/crd-strategy.ts";
import { ApplyScopes } from "../registry/apply-scopes.ts";
import { keyOf, ObjectStore } from "../registry/object-store.ts";
import { Registry } from "../registry/registry.ts";
import { MemoryStore } from "../storage/memory-store.ts";
import type { Store } from "../storage/store.ts";
import { printerOf } from "../table/printers.ts";

export interface RecordsScene {
  readonly allocator: ServiceAllocator;
  readonly records: StoredServiceRecords;
  readonly repair: ServiceRepair;
  readonly runtime: TestRuntime;
  readonly store: Store;
  /** Stores an object as it is. */
  readonly put: (group: string, plural: string, object: JsonObject) => Promise<void>;
  /** Stores a Service with an address and ports that were not allocated. */
  readonly putService: (service: Service) => Promise<void>;
  readonly deleteService: (service: Service) => Promise<void>;
  /** The names of the recorded addresses. */
  readonly addresses: () => Promise<readonly string[]>;
}

export interface RecordsSceneOptions {
  /** Ranges of the ServiceCIDR. @default ["10.0.0.0/24"] */
  readonly cidrs?: readonly string[];
  /** The store of another scene. @default a new one, in memory */
  readonly store?: Store;
  readonly clock?: ManualClock;
  /** @default 1 */
  readonly seed?: number;
}

export async function recordsScene({
  cidrs = ["10.0.0.0/24"],
  clock = new ManualClock(),
  store = new MemoryStore({ clock }),
  seed = 1,
}: RecordsSceneOptions = {}): Promise<RecordsScene> {
  const runtime = testRuntime({ clock, seed });
  const registry = new Registry();
  const objects = new ObjectStore(store, { bytesMax: 1_572_864 });
  const backend = { objects, registry, scopes: new ApplyScopes(registry), runtime };
  const records = new StoredServiceRecords(backend);
  const allocator = new ServiceAllocator({ records, cidrs });
  const strategies = builtInStrategies({ allocator, customResourceDefinition: crdStrategy });
  registry.serve("", builtInResources({ clock, strategies, printerOf, afterWrite: new Map() }));
  const resourceOf = (group: string, plural: string) => {
    const resource = registry.find({ group, version: "v1", resource: plural });
    if (resource === undefined) throw new TypeError(`${plural} are not served`);
    return resource;
  };
  const put = async (group: string, plural: string, object: JsonObject): Promise<void> => {
    const resource = resourceOf(group, plural);
    const { namespace = "", name = "" } = object["metadata"] as { readonly namespace?: string; readonly name?: string };
    const key = keyOf(resource, namespace, name);
    const { stored } = await store.get(key);
    await objects.put(resource, key, resource.codec.decodeValue(object).object, { expected: stored?.modRevision ?? 0 });
  };
  const ready = [{ type: "Ready", status: "True", reason: "", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }];
  await put("networking.k8s.io", "servicecidrs", {
    apiVersion: "networking.k8s.io/v1",
    kind: "ServiceCIDR",
    metadata: { name: "kubernetes" },
    spec: { cidrs: [...cidrs] },
    status: { conditions: ready },
  });
  return {
    allocator,
    records,
    repair: new ServiceRepair(records, backend),
    runtime,
    store,
    put,
    putService: (service) => put("", "services", service as unknown as JsonObject),
    deleteService: async ({ metadata: { namespace = "", name = "" } }) => {
      const key = keyOf(resourceOf("", "services"), namespace, name);
      await objects.delete(key, (await store.get(key)).stored?.modRevision ?? 0);
    },
    addresses: async () => {
      const prefix = resourceOf("networking.k8s.io", "ipaddresses").storagePrefix;
      return (await store.list(prefix)).items.map(({ key }) => key.slice(prefix.length));
    },
  };
}
