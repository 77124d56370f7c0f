/**
 * Applies one desired object: compares it with the live object and sends at most one request, or two to recreate it.
 *
 *     WantedObject, the live object as listed or cached → MemberStep
 */
import { findApiError, isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import type { DeepReadonly, JsonObject, KubeObject } from "@drover/machinery";
import type { AppliedChange } from "./apply-set.ts";
import { ForeignOwnerError } from "./foreign-owner-error.ts";
import { fieldDifferences } from "./field-differences.ts";
import type { FieldDifference } from "./field-differences.ts";
import { ImmutableFieldError } from "./immutable-field-error.ts";
import { immutableFields, isOtherObject } from "./immutable-fields.ts";
import { memberOwner } from "./member-owner.ts";
import { isSecretPath } from "./secret-data.ts";
import type { WantedObject } from "./wanted-object.ts";
import { changeMember, createMember, deleteMember, placeOf } from "./write-member.ts";
import type { MemberWriter } from "./write-member.ts";

/** What was done to one object, with its state before and after. */
export interface MemberStep {
  readonly type: AppliedChange["type"];
  readonly why?: string;
  readonly before?: DeepReadonly<KubeObject>;
  readonly after?: DeepReadonly<KubeObject>;
}

type Live = DeepReadonly<KubeObject>;

/** How often an object is read again because it changed between the read and the write. */
const readsMax = 3;

/**
 * Applies one object. `seen` may be stale: then the request fails, and the object is read and compared again. An
 * object that is missing is created, never overwritten. Throws `ForeignOwnerError` before any write if the object
 * belongs to another owner.
 */
export async function applyMember(writer: MemberWriter, wanted: WantedObject, seen: Live | undefined): Promise<MemberStep> {
  if (seen !== undefined) {
    try {
      return await settle(writer, wanted, seen);
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  } else {
    try {
      return created(writer, wanted, await createMember(writer, wanted));
    } catch (error) {
      if (!isStale(error) && !(writer.isDryRun && isNotFound(error))) throw error;
      // In a dry run the namespace or definition that it needs was not created either.
      if (isNotFound(error)) return { type: "created", after: wanted.body };
    }
  }
  for (let reads = 1; ; reads++) {
    const live = await readMember(writer, wanted);
    try {
      return live === undefined ? created(writer, wanted, await createMember(writer, wanted)) : await settle(writer, wanted, live);
    } catch (error) {
      if (reads === readsMax || !isStale(error) || isFieldConflict(error)) throw error;
    }
  }
}

/** Other managers own some of the fields, and the apply is not forced: a newer version does not change that. */
const isFieldConflict = (error: unknown): boolean =>
  findApiError(error)?.details?.causes?.some((cause) => cause.reason === "FieldManagerConflict") === true;

const isStale = (error: unknown): boolean => isConflict(error) || isAlreadyExists(error) || isOtherObject(error);

async function readMember(
  { context: { client, signal } }: MemberWriter,
  { kind, namespace, name }: WantedObject,
): Promise<Live | undefined> {
  try {
    return await client.dynamic(kind).get(name, { signal, ...placeOf(namespace) });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function created(writer: MemberWriter, wanted: WantedObject, after: Live): MemberStep {
  remember(writer, wanted, after);
  return { type: "created", after };
}

/** Decides what to do with an existing object. */
async function settle(writer: MemberWriter, wanted: WantedObject, live: Live): Promise<MemberStep> {
  refuseForeign(writer, wanted, live);
  if (live.metadata.deletionTimestamp !== undefined)
    return { type: "waiting", why: `is being deleted${heldBy(live)}; it will be created again afterwards`, before: live };
  if (wanted.isOnce) return { type: "unchanged", before: live, after: live };
  const { memory } = writer;
  const { uid = "", resourceVersion = "" } = live.metadata;
  // The hash annotation differs when a field was removed from the desired object.
  const found = differences(writer, wanted, live);
  if (found.length === 0) return { type: "unchanged", before: live, after: live };
  if (wanted.onImmutable === "leave" && memory.wasRefused(uid, wanted.hash, resourceVersion, printedAll(found)))
    return { type: "left", why: "the server rejected this change before, and neither side has changed since", before: live, after: live };
  try {
    const after = await changeMember(writer, wanted, live);
    remember(writer, wanted, after);
    // An equal version means that the server found nothing to change.
    if (after.metadata.resourceVersion === resourceVersion && !writer.isDryRun) return { type: "unchanged", before: live, after };
    return { type: "patched", why: reason(wanted, found), before: live, after };
  } catch (error) {
    const fields = immutableFields(error);
    if (fields === undefined) throw error;
    return onImmutable(writer, wanted, live, { fields, found, cause: error });
  }
}

function refuseForeign({ set, identity, owner }: MemberWriter, { words }: WantedObject, live: Live): void {
  const whose = memberOwner(live, identity, owner);
  if (whose.type === "ours" || (whose.type === "unowned" && set.adopt === "unowned")) return;
  throw new ForeignOwnerError({
    object: words,
    set: identity.name,
    owner: identity.owner,
    ...(whose.type === "other" ? { otherOwner: whose.owner } : {}),
  });
}

async function onImmutable(
  writer: MemberWriter,
  wanted: WantedObject,
  live: Live,
  { fields, found, cause }: { readonly fields: readonly string[]; readonly found: readonly FieldDifference[]; readonly cause: unknown },
): Promise<MemberStep> {
  const names = fields.join(", ");
  if (wanted.onImmutable === "fail") throw new ImmutableFieldError(fields, { cause });
  if (wanted.onImmutable === "leave") {
    writer.memory.rememberRefusal(live.metadata.uid ?? "", wanted.hash, live.metadata.resourceVersion ?? "", printedAll(found));
    return { type: "left", why: `${names} cannot be changed`, before: live, after: live };
  }
  const why = `${names} cannot be changed`;
  const answer = await deleteMember(writer, wanted.kind, live);
  if (writer.isDryRun) return { type: "recreated", why, before: live, after: wanted.body };
  const isHeld = "deletionTimestamp" in answer.metadata;
  if (isHeld)
    return { type: "waiting", why: `${why}; it is being deleted${heldBy(answer)} and will be created again afterwards`, before: live };
  const after = await createMember(writer, wanted);
  remember(writer, wanted, after);
  return { type: "recreated", why, before: live, after };
}

/** ", held by the finalizers a, b". */
export function heldBy({ metadata: { finalizers = [] } }: Live): string {
  return finalizers.length === 0 ? "" : `, held by the ${finalizers.length === 1 ? "finalizer" : "finalizers"} ${finalizers.join(", ")}`;
}

/** Differences between desired and live object, without those that the server made itself (defaults, other spellings). */
function differences({ memory }: MemberWriter, wanted: WantedObject, live: Live): readonly FieldDifference[] {
  const found = fieldDifferences(wanted.body, live as Live & JsonObject, memory.shape(wanted.kind));
  const rendering = found.length === 0 ? undefined : memory.rendering(live.metadata.uid ?? "", wanted.hash);
  return rendering === undefined ? found : found.filter(({ path, live: value }) => rendering.values.get(path) !== printed(value));
}

/** Whatever differs right after an apply is the server's own form of what we sent. */
function remember({ memory, isDryRun }: MemberWriter, wanted: WantedObject, after: Live): void {
  if (isDryRun) return;
  const found = fieldDifferences(wanted.body, after as Live & JsonObject, memory.shape(wanted.kind));
  memory.remember(after.metadata.uid ?? "", { hash: wanted.hash, values: new Map(found.map(({ path, live }) => [path, printed(live)])) });
}

const printed = (value: FieldDifference["live"]): string => (value === undefined ? "" : JSON.stringify(value));
const printedAll = (found: readonly FieldDifference[]): string => found.map(({ path, live }) => `${path}=${printed(live)}`).join(" ");
const shownMax = 3;

/** "spec.replicas was 3; data.colour is new; and 2 more". */
function reason({ kind }: WantedObject, found: readonly FieldDifference[]): string {
  const shown = found.filter(({ path }) => !path.startsWith('metadata.annotations["drover.dev/'));
  if (shown.length === 0) return "the desired object has changed: a field was removed or has another form";
  const words = shown.slice(0, shownMax).map(({ path, live, wanted }) => {
    if (live === undefined) return `${path} is new`;
    if (wanted === undefined) return `${path} is not desired`;
    return isSecretPath(kind, path) ? `${path} changed` : `${path} was ${cut(printed(live))}`;
  });
  return [...words, ...(shown.length > shownMax ? [`and ${shown.length - shownMax} more`] : [])].join("; ");
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
