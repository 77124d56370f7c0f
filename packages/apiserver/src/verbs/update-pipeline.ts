/**
 * Changes one object, for every verb that updates: reads it, builds the new one, validates, and writes if the object has not
 * changed in between; otherwise starts over.
 *
 *     current → build → mutating admission → grants → version check → strategy → validation → admission → store, or finishDeletion
 */
import { newConflict, newInvalid, newNotFound, fieldInvalid } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Live } from "../registry/object-store.ts";
import { markedVersion } from "../registry/stored-text.ts";
import type { UpdateStrategy, WriteResult } from "../registry/strategy.ts";
import type { Answer } from "../negotiation/answer.ts";
import { pauseFor } from "../request/pause.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { storeNew } from "./create-object.ts";
import { finishDeletion } from "./finish-deletion.ts";
import { isSameBesideVersion, withOldTimes } from "./managed-times.ts";
import { namespaceOf, settleNamespace } from "./names.ts";
import { objectAnswer, unstoredAnswer } from "./object-answer.ts";
import { prepareCreate } from "./prepare-create.ts";
import { prepareUpdate } from "./prepare-update.ts";
import { writtenVersion } from "./resource-version.ts";
import { asKubeObject, checkChangedObject } from "./validation.ts";
import { WriteAdmission } from "./write-admission.ts";
import type { AdmittedWrite } from "./write-admission.ts";
import type { CheckedWriteOptions } from "./write-options.ts";

/** One change to one object. */
export interface Change {
  readonly name: string;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly options: CheckedWriteOptions;
  /** Builds the new object from the current one, managed fields recorded. Called again after a conflicting write. */
  readonly build: (current: JsonObject | undefined) => Promise<JsonObject> | JsonObject;
  /** Whether to create a missing object even if the kind's PUT does not. @default false */
  readonly forceCreate?: boolean;
  /** Whether admission plug-ins see the change; kube-apiserver hides what a binding or an eviction writes. @default true */
  readonly isAdmitted?: boolean;
  /**
   * Returns the objects that validating plug-ins see instead, such as Scales; `build` then runs the mutating plug-ins.
   * @default the objects themselves
   */
  readonly shownAs?: (object: JsonObject, old: JsonObject) => Pick<AdmittedWrite, "object" | "old" | "codec">;
  /** Precondition on the uid. @default any */
  readonly uid?: string;
}

export async function updateObject(backend: Backend, context: RequestContext, change: Change): Promise<Answer> {
  const key = keyOf(context.resource, namespaceOf(context), change.name);
  const answer = await attempt(backend, context, change, key);
  if (answer !== undefined) return answer;
  const leave = await backend.objects.retries.enter(key, backend.runtime.clock);
  try {
    // A hundred writers in a row would be one long turn.
    await context.request.pause?.();
    for (;;) {
      const again = await attempt(backend, context, change, key);
      if (again !== undefined) return again;
    }
  } finally {
    leave();
  }
}

/** Creates or changes the object; undefined when another write came first. */
async function attempt(backend: Backend, context: RequestContext, change: Change, key: string): Promise<Answer | undefined> {
  const { resource } = context;
  const current = await backend.objects.get(resource, key);
  if (current === undefined) {
    const mayCreate = change.subresource === "" && (change.forceCreate === true || resource.rules.createOnUpdate);
    if (!mayCreate) throw new StatusError(newNotFound({ group: resource.kind.group, resource: resource.kind.plural }, change.name));
    checkUid(key, "", change, context);
    const ready = await prepareCreate(backend, context, await change.build(undefined), change.options);
    return await storeNew(backend, context, ready, change.options);
  }
  checkUid(key, metaOf(current.object).uid ?? "", change, context);
  return await changeLive(backend, context, change, key, current);
}

/** Throws a 409 when the uid precondition fails. A missing object has the uid "". */
function checkUid(key: string, found: string, { uid, name, options }: Change, { resource: { kind } }: RequestContext): void {
  if (uid === undefined || uid === found) return;
  // A dry run compares before the key gets its prefix.
  const shown = options.dryRun ? key.replace(/^\/registry/, "") : key;
  const why = `StorageError: invalid object, Code: 4, Key: ${shown}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`;
  throw new StatusError(newConflict({ group: kind.group, resource: kind.plural }, name, why));
}

/** Changes an existing object; undefined when another write came first. */
async function changeLive(
  backend: Backend,
  context: RequestContext,
  change: Change,
  key: string,
  { stored, object: old }: Live,
): Promise<Answer | undefined> {
  const { resource, user, now, warnings } = context;
  const {
    subresource,
    options: { dryRun },
  } = change;
  const pause = (): Promise<void> | undefined => pauseFor(context, stored.value.length);
  const built = await change.build(old);
  await pause();
  const strategy = strategyAt(context, subresource);
  const { isAdmitted = true, shownAs } = change;
  const write: AdmittedWrite = { operation: "UPDATE", subresource, name: change.name, object: built, old, dryRun };
  const request = shownAs === undefined ? new WriteAdmission(context, write) : undefined;
  if (isAdmitted && request !== undefined) {
    await backend.admission.mutate(request);
    settleNamespace(context, built);
  }
  await backend.guardGrants?.(context, built, old);
  checkVersion(context, change, built, stored.modRevision);
  prepareUpdate(resource, strategy, subresource, built, old, { now, user, dryRun });
  const finish =
    subresource === "" ? await resource.strategy.begin?.(asKubeObject(built), asKubeObject(old), { now, user, dryRun }) : undefined;
  let result: WriteResult = "failed";
  try {
    await pause();
    checkChangedObject(resource, strategy, built, old, backend.runtime.metrics);
    await pause();
    for (const warning of strategy.warningsOnUpdate?.(asKubeObject(built), asKubeObject(old)) ?? []) warnings.add(warning);
    resource.strategy.canonicalize?.(asKubeObject(built));
    if (isAdmitted) await backend.admission.validate(request ?? new WriteAdmission(context, { ...write, ...shownAs?.(built, old) }));
    const object = withOldTimes(resource.codec.reshape(built), old);
    await pause();
    if (isToBeDeleted(context, object)) return await finishDeletion(backend, context, { key, stored, object, dryRun });
    const encoded = backend.objects.views(resource).encode(object);
    const text = typeof encoded === "string" ? encoded : await encoded;
    // Reordered JSON has equal length, so only then compare deeply. An object in another version than the storage version is written.
    const mayBeSame = text.length === stored.value.length && markedVersion(text) === markedVersion(stored.value);
    const isSame = text === stored.value || (mayBeSame && isSameBesideVersion(object, old));
    if (isSame && (dryRun || stored.isStale !== true)) return objectAnswer(backend, resource, 200, stored);
    if (dryRun) return unstoredAnswer(resource, 200, object);
    await pause();
    const { ttlMs } = resource.rules;
    result = "unknown";
    const written = await backend.objects.put(resource, key, object, {
      expected: stored.modRevision,
      text,
      ...(ttlMs === undefined ? {} : { ttlMs }),
    });
    result = written === undefined ? "failed" : "written";
    if (written === undefined) return undefined;
    await resource.afterWrite?.(context.request.pause);
    await pause();
    return objectAnswer(backend, resource, 200, written);
  } finally {
    await finish?.(result);
  }
}

function strategyAt({ resource: { strategy } }: RequestContext, subresource: string): UpdateStrategy {
  // A Scale shows the whole object.
  return subresource === "" || subresource === "scale" ? strategy : (strategy.subresources?.[subresource] ?? {});
}

/** Compares the object's resourceVersion with the stored one; sets it where the kind allows unconditional updates. */
function checkVersion({ resource: { kind, rules } }: RequestContext, { name }: Change, object: JsonObject, revision: number): void {
  const meta = metaOf(object);
  const { resourceVersion = "" } = meta;
  const groupResource = { group: kind.group, resource: kind.plural };
  const version = resourceVersion === "" ? 0n : writtenVersion(resourceVersion);
  if (version === 0n && rules.unconditionalUpdate) {
    meta.resourceVersion = String(revision);
  } else if (version === 0n) {
    const error = fieldInvalid("metadata.resourceVersion", 0, "must be specified for an update");
    throw new StatusError(newInvalid({ group: kind.group, kind: kind.plural }, name, [error]));
  } else if (version !== BigInt(revision)) {
    throw new StatusError(
      newConflict(groupResource, name, "the object has been modified; please apply your changes to the latest version and try again"),
    );
  }
}

/** Whether a terminating object has lost its last finalizer. */
function isToBeDeleted({ resource }: RequestContext, object: JsonObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = metaOf(object);
  if (deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds !== 0) return false;
  return resource.strategy.isHeldBack?.(asKubeObject(object)) !== true;
}
