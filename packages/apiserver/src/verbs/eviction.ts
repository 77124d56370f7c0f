/** POST of a pod's `eviction`: a deletion that PodDisruptionBudgets can refuse. */
import { Pod } from "@drover/api/core/v1";
import { PodDisruptionBudget } from "@drover/api/policy/v1";
import type { Eviction } from "@drover/api/policy/v1";
import { deepCopy, newBadRequest, newConflict, newNotFound, validateDeleteOptions } from "@drover/machinery";
import type { DeleteOptions, JsonObject } from "@drover/machinery";
import {
  budgetStillProcessed,
  canEvictWithoutBudget,
  checkDisruptionBudgets,
  countDisruption,
  disrupted,
  mustEvictUnchanged,
} from "../builtin/strategies/pod/pod-eviction.ts";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf, prefixOf } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import type { Answer } from "../negotiation/answer.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { jsonOf, typedBody, typedObject } from "../typed-object.ts";
import { admitCreation } from "./admit-creation.ts";
import { deleteNamed } from "./delete-object.ts";
import { settleNamespace } from "./names.ts";
import { readObject } from "./read-object.ts";
import { updateObject } from "./update-pipeline.ts";
import { createOptions, refuseInvalidOptions } from "./write-options.ts";
import type { CheckedWriteOptions } from "./write-options.ts";

const kind = { group: "policy", version: "v1", kind: "Eviction" } as const;

export async function createEviction(backend: Backend, context: RequestContext): Promise<Answer> {
  const { info, resource, now } = context;
  const written = createOptions(context);
  const { fieldValidation, dryRun } = written;
  const codec = backend.bodyCodec(kind);
  const body = await readObject(backend, context, fieldValidation, { codec, kind });
  settleNamespace(context, body);
  const validate = await admitCreation(backend, context, { object: body, name: info.name, dryRun, codec });
  const { metadata, deleteOptions } = typedBody<Eviction>(kind, body);
  if (metadata.name !== undefined && metadata.name !== info.name)
    throw new StatusError(newBadRequest("name in URL does not match name in Eviction object"));
  const found = await backend.objects.get(resource, keyOf(resource, info.namespace, info.name));
  if (found === undefined) throw new StatusError(newNotFound({ group: "", resource: "pods" }, info.name));
  await validate();
  const pod = typedObject(Pod, found.object);
  const asked: DeleteOptions = { ...deleteOptions, ...(dryRun ? { dryRun: ["All"] } : {}) };
  const unchanged = canEvictWithoutBudget(pod)
    ? mustEvictUnchanged(pod)
    : await askBudgets(backend, context, pod, (asked.dryRun ?? []).length > 0);
  const looked: DeleteOptions = unchanged
    ? {
        ...asked,
        preconditions: {
          ...asked.preconditions,
          resourceVersion: asked.preconditions?.resourceVersion ?? pod.metadata.resourceVersion ?? "",
        },
      }
    : asked;
  const options = (asked.dryRun ?? []).length > 0 ? looked : await markDisrupted(backend, context, written, looked);
  refuseInvalidOptions("DeleteOptions", validateDeleteOptions(options));
  if ((await deleteNamed(backend, { ...context, now }, info.name, options, { isAdmitted: false })) === undefined)
    throw new StatusError(newNotFound({ group: "", resource: "pods" }, info.name));
  return { kind: "value", code: 201, value: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 } };
}

/** Sets the pod's DisruptionTarget condition and returns delete options whose precondition is the pod's new version. */
async function markDisrupted(
  backend: Backend,
  context: RequestContext,
  options: CheckedWriteOptions,
  deletion: DeleteOptions,
): Promise<DeleteOptions> {
  const { name } = context.info;
  const { uid, resourceVersion } = deletion.preconditions ?? {};
  const build = (current: JsonObject | undefined): JsonObject => {
    const found = typedObject(Pod, deepCopy(current ?? {}));
    const { metadata } = found;
    if (uid !== undefined && uid !== metadata.uid)
      throw changed(
        name,
        `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ""}). The object might have been deleted and then recreated`,
      );
    if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
      throw changed(
        name,
        `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ""}). The object might have been modified`,
      );
    return jsonOf(disrupted(found, context.now));
  };
  const answer = await updateObject(backend, context, { name, subresource: "status", options, build, isAdmitted: false });
  if (resourceVersion === undefined || answer.kind !== "object") return deletion;
  return { ...deletion, preconditions: { ...deletion.preconditions, resourceVersion: metaOf(answer.body.object()).resourceVersion ?? "" } };
}

const changed = (name: string, why: string): StatusError => new StatusError(newConflict({ group: "", resource: "Pod" }, name, why));

/**
 * Asks the PodDisruptionBudgets and counts the disruption. Returns whether the deletion must be conditional on the pod's current
 * version. Throws the refusal of a budget.
 */
async function askBudgets(backend: Backend, { info, now }: RequestContext, pod: Pod, dryRun: boolean): Promise<boolean> {
  const resource = backend.registry.find({ group: "policy", version: "v1", resource: "poddisruptionbudgets" });
  if (resource === undefined) return false;
  const { items } = await backend.objects.store.list(prefixOf(resource, info.namespace));
  const budgets = items.map((stored) => typedObject(PodDisruptionBudget, backend.objects.views(resource).object(stored)));
  const verdict = checkDisruptionBudgets(pod, budgets);
  if (verdict.kind === "refused") throw refused(verdict.status);
  if (verdict.kind === "allowed") return verdict.onlyIfUnchanged;
  if (!dryRun) await writeBudget(backend, resource, countDisruption(verdict.budget, info.name, now));
  return false;
}

async function writeBudget({ objects }: Backend, resource: Resource, budget: PodDisruptionBudget): Promise<void> {
  const object = jsonOf(budget);
  const { name = "", namespace = "", resourceVersion = "" } = metaOf(object);
  const written = await objects.put(resource, keyOf(resource, namespace, name), object, { expected: Number(resourceVersion) });
  if (written === undefined) throw refused(budgetStillProcessed(name));
}

function refused(status: ConstructorParameters<typeof StatusError>[0]): StatusError {
  const { retryAfterSeconds } = status.details ?? {};
  return new StatusError(status, retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) });
}
