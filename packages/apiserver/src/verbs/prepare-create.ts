/**
 * Prepares a decoded object for its first write, for every verb that creates.
 *
 *     decoded object → managed fields → mutating admission → grants → name, uid, timestamp → strategy → validation → validating admission
 */
import { deepCopy, formatTime, recordUpdate } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { beginGeneration } from "../registry/generation.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { EndWrite, StrategyContext } from "../registry/strategy.ts";
import { pauseFor } from "../request/pause.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { generateName } from "../registry/name-generator.ts";
import { settleNamespace } from "./names.ts";
import { asKubeObject, checkNewObject } from "./validation.ts";
import { WriteAdmission } from "./write-admission.ts";
import type { CheckedWriteOptions } from "./write-options.ts";

/** Records the writer as manager of every field of a new object. Managed fields sent by the client are ignored. */
export function recordCreate(
  { scopes, runtime }: Pick<Backend, "scopes" | "runtime">,
  { resource, now }: Pick<RequestContext, "resource" | "now">,
  object: JsonObject,
  manager: string,
): JsonObject {
  delete metaOf(object).managedFields;
  const { object: recorded, problem } = recordUpdate({
    scope: scopes.of(resource, ""),
    live: undefined,
    object,
    manager,
    now,
  });
  if (problem !== undefined) runtime.log.warn("managed fields are not recorded", { kind: resource.kind.kind, problem });
  return recorded;
}

/** An object ready to be stored; `finish` must be called once with what became of that. */
export interface ReadyObject {
  readonly object: JsonObject;
  /** @default the kind allocates nothing */
  readonly finish: EndWrite | undefined;
}

/** Makes an object ready to be stored. Assumes recorded managed fields. Throws a `StatusError`. */
export async function prepareCreate(
  backend: Backend,
  context: RequestContext,
  object: JsonObject,
  options: CheckedWriteOptions,
): Promise<ReadyObject> {
  const { resource, user, now, warnings } = context;
  const { dryRun } = options;
  const strategyContext: StrategyContext = { now, user, dryRun };
  const { name = "" } = metaOf(object);
  const request = new WriteAdmission(context, { operation: "CREATE", subresource: "", name, object, old: undefined, dryRun });
  resource.admitCreate?.(name);
  await backend.admission.mutate(request);
  settleNamespace(context, object);
  await backend.guardGrants?.(context, object, undefined);
  settleMetadata(backend, context, object, dryRun);
  settleStatus(context, object);
  beginGeneration(resource.rules.generation, object);
  resource.strategy.prepareForCreate?.(asKubeObject(object), strategyContext);
  await pauseFor(context);
  const finish = await resource.strategy.begin?.(asKubeObject(object), undefined, strategyContext);
  try {
    checkNewObject(resource, object, backend.runtime.metrics);
    await pauseFor(context);
    for (const warning of resource.strategy.warningsOnCreate?.(asKubeObject(object)) ?? []) warnings.add(warning);
    resource.strategy.canonicalize?.(asKubeObject(object));
    request.name = metaOf(object).name ?? "";
    await backend.admission.validate(request);
    await pauseFor(context);
    return { object: resource.codec.reshape(object), finish };
  } catch (error) {
    await finish?.("failed");
    throw error;
  }
}

/** Removes the metadata that only the server sets. */
export function wipeSystemMetadata(object: JsonObject): void {
  const meta = metaOf(object);
  for (const field of ["creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "selfLink", "uid"] as const)
    delete meta[field];
}

function settleMetadata({ runtime }: Backend, { now }: RequestContext, object: JsonObject, dryRun: boolean): void {
  wipeSystemMetadata(object);
  const meta = metaOf(object);
  // A dry run never gets a version, so it shows the one that was sent.
  if (!dryRun || meta.resourceVersion === "") delete meta.resourceVersion;
  meta.uid = runtime.uid();
  meta.creationTimestamp = formatTime(now);
  if (!meta.name && meta.generateName) meta.name = generateName(meta.generateName, runtime.random);
}

/** Resets the status of kinds that have a `status` subresource. */
function settleStatus({ resource }: RequestContext, object: JsonObject): void {
  if (!Object.hasOwn(resource.kind.subresources, "status") || resource.rules.keepsStatusOnCreate === true) return;
  const { status } = resource.emptyObject;
  if (status === undefined) delete object["status"];
  else object["status"] = deepCopy(status);
}
