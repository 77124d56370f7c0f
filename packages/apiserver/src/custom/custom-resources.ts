/**
 * The controllers of definitions: they give names, establish, serve, and clean up behind definitions that go.
 *
 *     a write to a definition → settle → status written, resources served
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { assert, compareBytes, deepCopy, newForbidden, semanticEqual } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import { hasCondition } from "./crd-conditions.ts";
import { endCrdDeletion, isBeingCleanedUp, markCleanup } from "./crd-deletion.ts";
import { customResource, customResources, storageVersionOf } from "./crd-resources.ts";
import { settleCrdStatus } from "./crd-status.ts";
import type { CustomHost } from "./custom-host.ts";

export interface CustomResourcesOptions {
  /** For the times of conditions. */
  readonly clock: Clock;
}

/** Guarantees: when `settle` resolves, everything follows from the definitions that were stored when it was called. */
export class CustomResources {
  readonly #host: CustomHost;
  readonly #clock: Clock;
  /** What each definition was like when it was last served, by name. */
  readonly #served = new Map<string, string>();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(host: CustomHost, { clock }: CustomResourcesOptions) {
    this.#host = host;
    this.#clock = clock;
  }

  /** Brings everything up to date. Whoever calls while that is under way shares one more round after it. */
  settle(): Promise<void> {
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#round().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  /** One write at a time, and everything is looked at again after each: names that one definition gives up another may be waiting for. */
  async #round(): Promise<void> {
    for (let writes = 0; ; writes++) {
      const crds = (await this.#host.readCrds()).toSorted(byAge);
      assert(writes <= 10 * (crds.length + 1), "the definitions of custom resources do not come to rest");
      this.#serve(crds);
      if (!(await this.#advance(crds))) return;
    }
  }

  /** Takes the first step there is to take; false when there is none. */
  async #advance(crds: readonly CustomResourceDefinition[]): Promise<boolean> {
    for (const crd of crds) {
      if (await this.#update(crd, (draft) => settleCrdStatus(draft, crds, this.#clock.now()))) return true;
      if (!isBeingCleanedUp(crd)) continue;
      if (await this.#update(crd, (draft) => markCleanup(draft, this.#clock.now()))) return true;
      if ((await this.#deleteInstances(crd)) === 0) return this.#update(crd, (draft) => endCrdDeletion(draft, this.#clock.now()));
    }
    return false;
  }

  async #deleteInstances(crd: CustomResourceDefinition): Promise<number> {
    if (!hasCondition(crd, "Established")) return 0;
    const { remaining } = await this.#host.deleteInstances(customResource(crd, storageVersionOf(crd)));
    return remaining;
  }

  /** Writes the change if it is one. */
  async #update(crd: CustomResourceDefinition, change: (crd: CustomResourceDefinition) => void): Promise<boolean> {
    const draft = deepCopy(crd);
    change(draft);
    if (semanticEqual(draft, crd)) return false;
    await this.#host.updateCrd(crd.metadata.name ?? "", change);
    return true;
  }

  #serve(crds: readonly CustomResourceDefinition[]): void {
    const names = new Set(crds.map(({ metadata: { name = "" } }) => name));
    for (const name of this.#served.keys()) {
      if (names.has(name)) continue;
      this.#served.delete(name);
      this.#host.serve(name, []);
    }
    for (const crd of crds) this.#serveOne(crd);
  }

  #serveOne(crd: CustomResourceDefinition): void {
    const { name = "", uid, generation } = crd.metadata;
    const isServed = hasCondition(crd, "NamesAccepted") || hasCondition(crd, "Established");
    const isTerminating = hasCondition(crd, "Terminating");
    const looks = JSON.stringify([isServed, isTerminating, uid, Number(generation), crd.status?.acceptedNames]);
    const before = this.#served.get(name);
    if (before === looks || (before === undefined && !isServed)) return;
    this.#served.set(name, looks);
    const resources = isServed ? customResources(crd) : [];
    this.#host.serve(name, isTerminating ? resources.map((resource) => this.#terminating(resource)) : resources);
  }

  /** Objects may still be read, changed and deleted, and with the last of them the definition goes. */
  #terminating(resource: Resource): Resource {
    const { group, plural } = resource.kind;
    return {
      ...resource,
      admitCreate: (name) => {
        throw new StatusError(
          newForbidden({ group, resource: plural }, name, "create not allowed while custom resource definition is terminating"),
        );
      },
      afterWrite: () => this.settle(),
    };
  }
}

/** Names go to who asked first. */
function byAge({ metadata: a }: CustomResourceDefinition, { metadata: b }: CustomResourceDefinition): number {
  return compareBytes(a.creationTimestamp ?? "", b.creationTimestamp ?? "") || compareBytes(a.name ?? "", b.name ?? "");
}
