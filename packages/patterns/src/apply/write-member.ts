/**
 * The three requests that write a member: create if missing, change if different, delete exactly the observed object.
 *
 *     WantedObject (, live) → client.dynamic(kind)
 */
import type { Unstructured } from "@drover/client";
import { definedOnly, threeWayMergePatch, threeWayStrategicMergePatch } from "@drover/machinery";
import type { DeepReadonly, JsonObject, Kind, KubeObject, ObjectMeta, Status } from "@drover/machinery";
import type { ApplyContext, ApplySet, SetOwner } from "./apply-set.ts";
import type { ApplyMemory } from "./apply-memory.ts";
import { lastApplied, printLastApplied, withoutMarks } from "./last-applied.ts";
import { lastAppliedAnnotation } from "./set-identity.ts";
import type { SetIdentity } from "./set-identity.ts";
import type { WantedObject } from "./wanted-object.ts";

/** Dependencies of a write. */
export interface MemberWriter {
  readonly set: ApplySet;
  readonly owner: SetOwner;
  readonly identity: SetIdentity;
  readonly context: ApplyContext;
  readonly memory: ApplyMemory;
  /** Whether requests are dry runs. */
  readonly isDryRun: boolean;
}

/** No object has this version: the store counts from 1 and has passed it before it stores the first object. */
const noVersion = "1";

/**
 * Creates the member. Rejects with a conflict (`isConflict`) or `isAlreadyExists` if it exists: an object that we have
 * not read is never changed.
 */
export async function createMember(writer: MemberWriter, { kind, body, namespace }: WantedObject): Promise<Unstructured> {
  const {
    set,
    context: { client },
  } = writer;
  const options = { ...writeOptions(writer), ...placeOf(namespace) };
  if (set.method === "three-way") return client.dynamic(kind).create(withLastApplied(kind, body), options);
  return client
    .dynamic(kind)
    .apply({ ...body, metadata: { ...body.metadata, resourceVersion: noVersion } }, { ...options, force: isForced(set) });
}

/**
 * Changes the observed object. Rejects with a conflict or `isOtherObject` if it no longer exists or has changed: a forced apply that was
 * delayed until another leader had written must not undo that.
 */
export async function changeMember(
  writer: MemberWriter,
  { kind, body, namespace, name }: WantedObject,
  live: DeepReadonly<KubeObject>,
): Promise<Unstructured> {
  const {
    set,
    context: { client },
    memory,
  } = writer;
  const options = { ...writeOptions(writer), ...placeOf(namespace) };
  const { uid = "", resourceVersion = "" } = live.metadata;
  if (set.method !== "three-way")
    return client
      .dynamic(kind)
      .apply({ ...body, metadata: { ...body.metadata, uid, ...seenVersion(resourceVersion) } }, { ...options, force: isForced(set) });
  const { schema, isBuiltIn } = memory.shape(kind);
  const states = {
    original: withoutMarks(await lastApplied(live, writer.context)),
    modified: withLastApplied(kind, body),
    current: live as DeepReadonly<KubeObject> & JsonObject,
  };
  const patch = isBuiltIn && schema !== undefined ? threeWayStrategicMergePatch(states, schema) : threeWayMergePatch(states);
  const metadata = { ...(patch["metadata"] as JsonObject | undefined), resourceVersion };
  return client.dynamic(kind).patch(name, { type: isBuiltIn ? "strategic" : "merge", body: { ...patch, metadata } }, options);
}

/** The server takes an empty version for any. */
const seenVersion = (resourceVersion: string): { readonly resourceVersion?: string } => (resourceVersion === "" ? {} : { resourceVersion });

/** Deletes the object in the observed version, else rejects with a conflict. Dependents are deleted in the background. */
export async function deleteMember(
  { context: { client, signal }, isDryRun }: MemberWriter,
  kind: Parameters<ApplyContext["client"]["dynamic"]>[0],
  live: DeepReadonly<KubeObject>,
): Promise<Unstructured | Status> {
  const { name = "", namespace = "", uid = "", resourceVersion } = live.metadata;
  const preconditions = definedOnly({ uid, resourceVersion });
  return client.dynamic(kind).delete(name, {
    preconditions,
    propagationPolicy: "Background",
    signal,
    ...placeOf(namespace),
    ...(isDryRun ? { dryRun: "All" as const } : {}),
  });
}

/** Request option for the namespace; empty for cluster-scoped objects. */
export const placeOf = (namespace: string): { readonly namespace?: string } => (namespace === "" ? {} : { namespace });

function withLastApplied(kind: Kind, body: WantedObject["body"]): WantedObject["body"] {
  const annotations = { ...body.metadata.annotations, [lastAppliedAnnotation]: printLastApplied(kind, withoutMarks(body)) };
  const marked: ObjectMeta = { ...body.metadata, annotations };
  const metadata = marked as ObjectMeta & JsonObject;
  return { ...body, metadata };
}

const isForced = ({ onConflict = "force" }: ApplySet): boolean => onConflict === "force";

const writeOptions = ({
  identity,
  context: { signal },
  isDryRun,
}: MemberWriter): { readonly fieldManager: string; readonly signal: AbortSignal; readonly dryRun?: "All" } => ({
  fieldManager: identity.fieldManager,
  signal,
  ...(isDryRun ? { dryRun: "All" } : {}),
});
