/**
 * Flow schemas and priority levels of the store, current at every request.
 *
 *     Store.list, Store.watch → StoredFlowSchemas.current → FlowSchemas
 */
import type { FlowSchema, PriorityLevelConfiguration } from "@drover/api/flowcontrol/v1";
import type { GroupVersionResource } from "@drover/machinery";
import { FlowSchemas } from "../flow-control/flow-schemas.ts";
import { FollowedObjects } from "../registry/followed-objects.ts";
import type { FollowedPlace } from "../registry/followed-objects.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";

type Followed = "FlowSchema" | "PriorityLevelConfiguration";

const flowControl = (resource: string): GroupVersionResource => ({ group: "flowcontrol.apiserver.k8s.io", version: "v1", resource });
const kinds: ReadonlyMap<Followed, GroupVersionResource> = new Map([
  ["FlowSchema", flowControl("flowschemas")],
  ["PriorityLevelConfiguration", flowControl("prioritylevelconfigurations")],
]);

/** Guarantees: `current` includes every write acknowledged before it was called, if the store delivers writes without a delay. */
export class StoredFlowSchemas {
  readonly #schemas = new FlowSchemas();
  readonly #followed: FollowedObjects<Followed>;

  constructor(objects: ObjectStore, registry: Pick<Registry, "find">) {
    this.#followed = new FollowedObjects({ objects, registry }, kinds, {
      put: (at, object) => this.#put(at, object),
      remove: (at) => this.#put(at, undefined),
      clear: () => this.#schemas.clear(),
    });
  }

  /** Returns a promise only if the objects must be listed, so that most requests do not wait for one. */
  current(): FlowSchemas | Promise<FlowSchemas> {
    return this.#followed.isCaughtUp() ? this.#schemas : this.#followed.catchUp().then(() => this.#schemas);
  }

  #put({ kind, name }: FollowedPlace<Followed>, object: unknown): void {
    if (kind === "FlowSchema") this.#schemas.putSchema(name, object as FlowSchema | undefined);
    else this.#schemas.putLevel(name, object as PriorityLevelConfiguration | undefined);
  }
}
