/**
 * The controllers of CustomResourceDefinitions: accept names, establish, serve, and delete the objects of terminating
 * definitions.
 *
 *     write to a definition → settle → status written, resources served
 */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { assert, compareBytes, deepCopy, newForbidden, semanticEqual } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { Pause, Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import { hasCondition } from "./crd-conditions.ts";
import { endCrdDeletion, isBeingCleanedUp, markCleanup } from "./crd-deletion.ts";
import { customResource, customResources, storageVersionOf } from "./crd-resources.ts";
import type { CustomResourceOptions } from "./crd-resources.ts";
import { settleCrdStatus, structureViolations } from "./crd-status.ts";
import type { OnExceeded } from "./jsonpath/first-value.ts";
import type { CustomHost } from "./custom-host.ts";
import type { ConversionCaller } from "./webhook-conversion.ts";

export interface CustomResourcesOptions {
  /** For the timestamps of conditions. */
  readonly clock: Clock;
  /** Called when a value of a custom object is left out because of a budget. @default no callback */
  readonly onExceeded?: OnExceeded;
  /** Calls conversion webhooks. @default objects are converted as without a webhook */
  readonly conversions?: ConversionCaller;
}

/** Guarantees: when `settle` resolves, status and served resources reflect every definition stored when it was called. */
export class CustomResources {
  readonly #host: CustomHost;
  readonly #clock: Clock;
  readonly #options: CustomResourceOptions;
  /** A digest of each definition as it was last served, by name. */
  readonly #served = new Map<string, string>();
  /** What is wrong with the schemas of a definition, by name; with uid and generation. */
  readonly #violations = new Map<string, { readonly version: string; readonly text: string }>();
  /** Versions that need no step until they or, for those that wait for a name, others change; by name. */
  readonly #settled = new Map<string, CustomResourceDefinition["metadata"]>();
  /** Names of the definitions whose objects are being deleted. */
  readonly #terminating = new Set<string>();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(host: CustomHost, { clock, ...options }: CustomResourcesOptions) {
    this.#host = host;
    this.#options = options;
    this.#clock = clock;
  }

  /** Syncs all definitions, with pauses between the steps. Calls during a run share one more run after it. */
  settle(pause: Pause = noPause): Promise<void> {
    if (this.#running === undefined) return this.#begin(pause);
    this.#next ??= this.#running.then(
      () => this.#begin(pause),
      () => this.#begin(pause),
    );
    return this.#next;
  }

  #begin(pause: Pause): Promise<void> {
    this.#next = undefined;
    const running = this.#round(pause).finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  /** Writes one change at a time and relists after each, because one definition may free a name that another waits for. */
  async #round(pause: Pause): Promise<void> {
    for (let writes = 0; ; writes++) {
      const crds = await this.#host.readCrds();
      assert(writes <= 10 * (crds.length + 1), "CustomResourceDefinitions do not settle: each round writes a status again");
      this.#forgetAllBut(crds);
      const changed = crds.filter((crd) => !this.#isSettled(crd.metadata) || isWaiting(crd)).toSorted(byAge);
      for (const crd of changed) {
        await pause();
        this.#serveOne(crd);
      }
      await pause();
      if (!(await this.#advance(changed, crds))) return await this.#host.published();
    }
  }

  #isSettled({ name = "", uid, resourceVersion }: CustomResourceDefinition["metadata"]): boolean {
    const settled = this.#settled.get(name);
    return settled !== undefined && settled.uid === uid && settled.resourceVersion === resourceVersion;
  }

  /** Takes the first pending step; returns false if no step is pending. */
  async #advance(changed: readonly CustomResourceDefinition[], all: readonly CustomResourceDefinition[]): Promise<boolean> {
    for (const crd of changed) {
      if (await this.#update(crd, (draft) => settleCrdStatus(draft, all, this.#clock.now(), (of) => this.#violationsOf(of)))) return true;
      if (!isBeingCleanedUp(crd)) {
        this.#settled.set(crd.metadata.name ?? "", crd.metadata);
        continue;
      }
      if (await this.#update(crd, (draft) => markCleanup(draft, this.#clock.now()))) return true;
      if ((await this.#deleteInstances(crd)) === 0) return this.#update(crd, (draft) => endCrdDeletion(draft, this.#clock.now()));
    }
    return false;
  }

  /** A schema is checked once, not in each round after a write of any definition. */
  #violationsOf(crd: CustomResourceDefinition): string {
    const { name = "", uid, generation } = crd.metadata;
    const version = `${uid ?? ""}/${String(generation)}`;
    const known = this.#violations.get(name);
    if (known?.version === version) return known.text;
    const text = structureViolations(crd);
    this.#violations.set(name, { version, text });
    return text;
  }

  async #deleteInstances(crd: CustomResourceDefinition): Promise<number> {
    if (!hasCondition(crd, "Established")) return 0;
    const { remaining } = await this.#host.deleteInstances(customResource(crd, storageVersionOf(crd), this.#options));
    return remaining;
  }

  /** Writes the change unless it is a no-op. Changes never touch the spec, which may be large. */
  async #update(crd: CustomResourceDefinition, change: (crd: CustomResourceDefinition) => void): Promise<boolean> {
    const { metadata, status } = crd;
    const draft: CustomResourceDefinition = {
      ...crd,
      metadata: deepCopy(metadata),
      ...(status === undefined ? {} : { status: deepCopy(status) }),
    };
    change(draft);
    if (semanticEqual(draft.metadata, metadata) && semanticEqual(draft.status, status)) return false;
    await this.#host.updateCrd(crd.metadata.name ?? "", change);
    return true;
  }

  #forgetAllBut(crds: readonly CustomResourceDefinition[]): void {
    const names = new Set(crds.map(({ metadata: { name = "" } }) => name));
    for (const known of [this.#violations, this.#settled]) for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    for (const name of this.#served.keys()) {
      if (names.has(name)) continue;
      this.#served.delete(name);
      this.#terminating.delete(name);
      this.#host.serve(name, []);
    }
  }

  #serveOne(crd: CustomResourceDefinition): void {
    const { name = "", uid, generation } = crd.metadata;
    const isServed = hasCondition(crd, "NamesAccepted") || hasCondition(crd, "Established");
    if (hasCondition(crd, "Terminating")) this.#terminating.add(name);
    else this.#terminating.delete(name);
    const looks = JSON.stringify([isServed, uid, Number(generation), crd.status?.acceptedNames]);
    const before = this.#served.get(name);
    if (before === looks || (before === undefined && !isServed)) return;
    this.#served.set(name, looks);
    const resources = isServed ? customResources(crd, this.#options) : [];
    this.#host.serve(
      name,
      resources.map((resource) => this.#whileTerminating(name, resource)),
    );
  }

  /**
   * Of a terminating definition, objects can still be read, changed and deleted; the definition is removed with the last of them. The
   * resource stays the same one, so that its watches see the deletions.
   */
  #whileTerminating(crdName: string, resource: Resource): Resource {
    const { group, plural } = resource.kind;
    return {
      ...resource,
      admitCreate: (name) => {
        if (!this.#terminating.has(crdName)) return;
        throw new StatusError(
          newForbidden({ group, resource: plural }, name, "create not allowed while custom resource definition is terminating"),
        );
      },
      afterWrite: async (pause) => {
        if (this.#terminating.has(crdName)) await this.settle(pause);
      },
    };
  }
}

const noPause: Pause = () => undefined;

/** Whether it may go on when another definition changes. */
const isWaiting = (crd: CustomResourceDefinition): boolean => !hasCondition(crd, "NamesAccepted");

/** The oldest definition gets a contested name. */
function byAge({ metadata: a }: CustomResourceDefinition, { metadata: b }: CustomResourceDefinition): number {
  return compareBytes(a.creationTimestamp ?? "", b.creationTimestamp ?? "") || compareBytes(a.name ?? "", b.name ?? "");
}
