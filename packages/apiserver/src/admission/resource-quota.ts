/**
 * ResourceQuota: refuses writes that exceed a quota of their namespace, and reserves what others use.
 *
 *     NamespacedObjects → checkQuotas → status.used, compare-and-swap → again if another server was faster
 *
 * As in kube-apiserver nothing is given back when the write fails later: the controller counts again.
 */
import type { ResourceQuota } from "@drover/api/core/v1";
import { quotaEvaluators, resourceListOf } from "@drover/api/quota";
import type { Amounts, QuotaEvaluator, QuotaWrite } from "@drover/api/quota";
import { isJsonObject, newConflict, newForbidden, recordUpdate } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import type { ApplyScopes } from "../registry/apply-scopes.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { RetryQueue } from "../registry/retry-queue.ts";
import { StatusError } from "../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { NamespacedObjects } from "./namespaced-objects.ts";
import type { NamespacedObject } from "./namespaced-objects.ts";
import { checkQuotas } from "./quota-check.ts";

type StoredQuota = NamespacedObject<ResourceQuota>;

/** What reservations use. */
export interface QuotaServices {
  readonly runtime: Runtime;
  readonly objects: ObjectStore;
  readonly scopes: ApplyScopes;
}

/** How often a reservation is repeated after another server has written the quota. */
const retriesMax = 3;

/** `quotas` is the resource of quotas. */
export function resourceQuota(services: QuotaServices, quotas: Resource): AdmissionPlugin {
  const evaluators = quotaEvaluators(() => services.runtime.clock.now());
  const reservations = new QuotaReservations(services, quotas);
  const validate = (request: AdmissionRequest): Promise<void> | void => {
    const { operation, namespace, resource, subresource, object, old } = request;
    if (namespace === "" || object === undefined || (operation !== "CREATE" && operation !== "UPDATE")) return undefined;
    if (resource.kind.scope === "Cluster" || !reservations.mayHaveQuotas(namespace)) return undefined;
    const write: QuotaWrite = { operation, subresource, object, old };
    const evaluator = evaluators.of({ group: resource.kind.group, resource: resource.kind.plural });
    return evaluator?.handles(write) === true ? reservations.reserve(request, write, evaluator) : undefined;
  };
  return { name: "ResourceQuota", validate };
}

class QuotaReservations {
  readonly #services: QuotaServices;
  readonly #resource: Resource;
  readonly #stored: NamespacedObjects<ResourceQuota>;
  /** Writers of one namespace take turns, so that they do not conflict with each other. */
  readonly #turns = new RetryQueue();

  constructor(services: QuotaServices, resource: Resource) {
    this.#services = services;
    this.#resource = resource;
    this.#stored = new NamespacedObjects(services.objects, resource);
  }

  /** Whether the namespace has quotas, or they must be listed first. */
  mayHaveQuotas(namespace: string): boolean {
    const found = this.#stored.in(namespace);
    if (!(found instanceof Promise)) return found.length > 0;
    // `reserve` meets the same failure.
    found.catch(() => undefined);
    return true;
  }

  async reserve(request: AdmissionRequest, write: QuotaWrite, evaluator: QuotaEvaluator): Promise<void> {
    const leave = await this.#turns.enter(request.namespace, this.#services.runtime.clock);
    try {
      await this.#reserve(request, write, evaluator);
    } finally {
      leave();
    }
  }

  async #reserve(request: AdmissionRequest, write: QuotaWrite, evaluator: QuotaEvaluator): Promise<void> {
    const { resource, namespace, name, dryRun } = request;
    let quotas = await this.#stored.in(namespace);
    for (let retries = 0; ; retries++) {
      const outcome = checkQuotas(
        quotas.map(({ object }) => object),
        write,
        evaluator,
      );
      if ("refused" in outcome)
        throw new StatusError(newForbidden({ group: resource.kind.group, resource: resource.kind.plural }, name, outcome.refused));
      if (dryRun) return;
      const lost: string[] = [];
      for (const quota of quotas) {
        const used = outcome.used.get(quota.object);
        if (used !== undefined && !(await this.#write(quota, used))) lost.push(quota.name);
      }
      const [first] = lost;
      if (first === undefined) return;
      if (retries === retriesMax) throw conflict(first);
      quotas = (await this.#stored.in(namespace)).filter((quota) => lost.includes(quota.name));
    }
  }

  /** Returns false if the quota has changed since it was read. */
  async #write({ stored }: StoredQuota, used: Amounts): Promise<boolean> {
    const {
      objects,
      scopes,
      runtime: { clock, log },
    } = this.#services;
    const views = objects.views(this.#resource);
    const live = views.object(stored);
    const status = isJsonObject(live["status"]) ? live["status"] : {};
    const { object, problem } = recordUpdate({
      scope: scopes.of(this.#resource, "status"),
      live,
      object: { ...live, status: { ...status, used: resourceListOf(used) } },
      manager: "kube-apiserver",
      now: clock.now(),
    });
    if (problem !== undefined) log.warn("managed fields are not recorded", { kind: this.#resource.kind.kind, problem });
    const written = await objects.put(this.#resource, stored.key, this.#resource.codec.reshape(object), { expected: stored.modRevision });
    if (written === undefined) return false;
    this.#stored.remember(written);
    return true;
  }
}

function conflict(name: string): StatusError {
  const why = "the object has been modified; please apply your changes to the latest version and try again";
  return new StatusError(newConflict({ group: "", resource: "resourcequotas" }, name, why));
}
