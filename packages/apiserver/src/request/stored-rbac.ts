/**
 * Roles and bindings of the store, current at every decision.
 *
 *     Store.list, Store.watch → StoredRbac.current → RbacObjects → rbacAuthorizer
 */
import type { ClusterRole } from "@drover/api/rbac/v1";
import type { GroupVersionResource } from "@drover/machinery";
import type { Registry } from "../registry/registry.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import { RbacObjects } from "../access/rbac/rbac-objects.ts";
import type { RbacObject } from "../access/rbac/rbac-objects.ts";
import { FollowedObjects } from "../registry/followed-objects.ts";

const rbac = (resource: string): GroupVersionResource => ({ group: "rbac.authorization.k8s.io", version: "v1", resource });
const kinds: ReadonlyMap<RbacObject["kind"], GroupVersionResource> = new Map([
  ["ClusterRole", rbac("clusterroles")],
  ["Role", rbac("roles")],
  ["ClusterRoleBinding", rbac("clusterrolebindings")],
  ["RoleBinding", rbac("rolebindings")],
]);

/** Guarantees: `current` includes every write acknowledged before it was called, if the store delivers writes without a delay. */
export class StoredRbac {
  readonly #objects = new RbacObjects();
  readonly #followed: FollowedObjects<RbacObject["kind"]>;

  constructor(objects: ObjectStore, registry: Pick<Registry, "find">) {
    this.#followed = new FollowedObjects({ objects, registry }, kinds, {
      put: (at, object) => this.#objects.put(at, object as unknown as ClusterRole),
      remove: (at) => this.#objects.remove(at),
      clear: () => this.#objects.clear(),
    });
  }

  /** The same without waiting; undefined if the objects must be listed. */
  now(): RbacObjects | undefined {
    return this.#followed.isCaughtUp() ? this.#objects : undefined;
  }

  async current(): Promise<RbacObjects> {
    await this.#followed.catchUp();
    return this.#objects;
  }
}
