/** POST to a collection: creates an object. */
import { deepCopy, newAlreadyExists, newFailure, newGenerateNameConflict } from "@drover/machinery";
import type { FieldPath, JsonObject } from "@drover/machinery";
import { keyOf } from "../registry/object-store.ts";
import { metaOf } from "../registry/meta-of.ts";
import type { Answer } from "../negotiation/answer.ts";
import { pauseFor } from "../request/pause.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import type { WriteResult } from "../registry/strategy.ts";
import { StatusError } from "../status-error.ts";
import type { Stored } from "../storage/store.ts";
import { namespaceOf, settleNamespace } from "./names.ts";
import { objectAnswer, unstoredAnswer } from "./object-answer.ts";
import { dropDuplicateOwners } from "./owner-references.ts";
import { prepareCreate, recordCreate, wipeSystemMetadata } from "./prepare-create.ts";
import type { ReadyObject } from "./prepare-create.ts";
import { readObject } from "./read-object.ts";
import { showingEmptyMaps } from "./sent-maps.ts";
import { createOptions } from "./write-options.ts";
import type { CheckedWriteOptions } from "./write-options.ts";

/** How often a generated name is replaced when it is taken. */
const attemptsMax = 8;

export async function createObject(backend: Backend, context: RequestContext): Promise<Answer> {
  const options = createOptions(context);
  const emptyMaps = new Set<FieldPath>();
  const object = await readObject(backend, context, options.fieldValidation, { emptyMaps });
  return await (emptyMaps.size === 0
    ? createSent(backend, context, object, options)
    : showingEmptyMaps(emptyMaps, () => createSent(backend, context, object, options)));
}

async function createSent(backend: Backend, context: RequestContext, object: JsonObject, options: CheckedWriteOptions): Promise<Answer> {
  settleNamespace(context, object);
  dropDuplicateOwners(object, context.warnings);
  wipeSystemMetadata(object);
  const { resourceVersion = "", name = "", generateName = "" } = metaOf(object);
  // Like kube-apiserver, ignores a resourceVersion that is not a number, and any in a dry run.
  if (!options.dryRun && /^[0-9]*[1-9][0-9]*$/.test(resourceVersion))
    throw new StatusError(newFailure(500, "", "resourceVersion should not be set on objects to be created"));
  const isGenerated = name === "" && generateName !== "";
  for (let attempt = 1; ; attempt++) {
    const recorded = recordCreate(backend, context, isGenerated ? deepCopy(object) : object, options.fieldManager);
    await pauseFor(context);
    const ready = await prepareCreate(backend, context, recorded, options);
    await pauseFor(context);
    const answer = await storeNew(backend, context, ready, options);
    if (answer !== undefined) return answer;
    const { name: taken = "" } = metaOf(ready.object);
    if (isGenerated && attempt < attemptsMax) continue;
    throw await alreadyExists(backend, context, taken, generateName !== "");
  }
}

/** Stores a new object; undefined when its name is taken. */
export async function storeNew(
  backend: Backend,
  context: RequestContext,
  { object, finish }: ReadyObject,
  { dryRun }: CheckedWriteOptions,
): Promise<Answer | undefined> {
  const { resource } = context;
  const key = keyOf(resource, namespaceOf(context), metaOf(object).name ?? "");
  let stored: Stored | undefined;
  let result: WriteResult = "failed";
  try {
    if (dryRun) return (await backend.objects.store.get(key)).stored === undefined ? unstoredAnswer(resource, 201, object) : undefined;
    const { ttlMs } = resource.rules;
    const encoded = backend.objects.views(resource).encode(object);
    const text = typeof encoded === "string" ? encoded : await encoded;
    await pauseFor(context);
    result = "unknown";
    stored = await backend.objects.put(resource, key, object, { expected: 0, text, ...(ttlMs === undefined ? {} : { ttlMs }) });
    result = stored === undefined ? "failed" : "written";
  } finally {
    await finish?.(result);
  }
  if (stored === undefined) return undefined;
  await resource.afterWrite?.(context.request.pause);
  await pauseFor(context);
  return objectAnswer(backend, resource, 201, stored);
}

async function alreadyExists(backend: Backend, context: RequestContext, name: string, wantsGenerated: boolean): Promise<StatusError> {
  const { resource } = context;
  const groupResource = { group: resource.kind.group, resource: resource.kind.plural };
  if (wantsGenerated) return new StatusError(newGenerateNameConflict(groupResource, name, 1), { "retry-after": "1" });
  const status = newAlreadyExists(groupResource, name);
  const found = await backend.objects.get(resource, keyOf(resource, namespaceOf(context), name));
  const isBeingDeleted = found !== undefined && metaOf(found.object).deletionTimestamp !== undefined;
  return new StatusError(isBeingDeleted ? { ...status, message: `object is being deleted: ${status.message ?? ""}` } : status);
}
