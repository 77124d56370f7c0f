/**
 * Brings one desired object about: looks at what is there, decides, and sends one request or none.
 *
 *     WantedObject, what a list or a cache knows of it → MemberStep
 */
import { isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import type { DeepReadonly, JsonObject, KubeObject } from "@drover/machinery";
import type { AppliedChange } from "./apply-set.ts";
import { ForeignOwnerError } from "./foreign-owner-error.ts";
import { fieldDifferences } from "./field-differences.ts";
import type { FieldDifference } from "./field-differences.ts";
import { immutableFields, isOtherObject } from "./immutable-fields.ts";
import { memberOwner } from "./member-owner.ts";
import { isSecretPath } from "./secret-data.ts";
import type { WantedObject } from "./wanted-object.ts";
import { changeMember, createMember, deleteMember, placeOf } from "./write-member.ts";
import type { MemberWriter } from "./write-member.ts";

/** What was done to one object, and its states around that. */
export interface MemberStep {
  readonly type: AppliedChange["type"];
  readonly why?: string;
  readonly before?: DeepReadonly<KubeObject>;
  readonly after?: DeepReadonly<KubeObject>;
}

type Live = DeepReadonly<KubeObject>;

/**
 * `seen` may be old: then a request fails, the object is read and looked at once more. What is not there is created and never overwritten.
 * Throws a `ForeignOwnerError` for an object that is not ours, before anything of it is touched.
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
      // In a dry run the namespace or the definition it needs is not there, since nothing was kept of it.
      if (isNotFound(error)) return { type: "created", after: wanted.body as unknown as Live };
    }
  }
  const live = await readMember(writer, wanted);
  return live === undefined ? created(writer, wanted, await createMember(writer, wanted)) : settle(writer, wanted, live);
}

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

/** What to do with an object that is there. */
async function settle(writer: MemberWriter, wanted: WantedObject, live: Live): Promise<MemberStep> {
  refuseForeign(writer, wanted, live);
  if (live.metadata.deletionTimestamp !== undefined)
    return { type: "waiting", why: `is being deleted${heldBy(live)}, and is created anew when it is gone`, before: live };
  const { memory } = writer;
  const { uid = "", resourceVersion = "" } = live.metadata;
  // A field that went from what is wanted is seen by the hash, which is one of the annotations.
  const found = differences(writer, wanted, live);
  if (found.length === 0) return { type: "unchanged", before: live, after: live };
  if (wanted.onImmutable === "leave" && memory.wasRefused(uid, wanted.hash, resourceVersion))
    return { type: "left", why: "the server has refused to change it, and it is as it was", before: live, after: live };
  try {
    const after = await changeMember(writer, wanted, live);
    remember(writer, wanted, after);
    // The server may say that it was all the same to it; then the version is the one we saw.
    if (after.metadata.resourceVersion === resourceVersion && !writer.isDryRun) return { type: "unchanged", before: live, after };
    return { type: "patched", why: reason(wanted, found), before: live, after };
  } catch (error) {
    const fields = immutableFields(error);
    if (fields === undefined) throw error;
    return onImmutable(writer, wanted, live, fields, error);
  }
}

function refuseForeign({ set, identity, owner }: MemberWriter, { words }: WantedObject, live: Live): void {
  const whose = memberOwner(live, identity, owner);
  if (whose.type === "ours" || (whose.type === "nobody" && set.adopt === "unowned")) return;
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
  fields: readonly string[],
  cause: unknown,
): Promise<MemberStep> {
  const names = fields.join(", ");
  if (wanted.onImmutable === "fail")
    throw new Error(
      `${wanted.words}: ${names} cannot be changed; say onImmutable: "recreate" to have it deleted and created anew, or "leave" to keep it as it is`,
      { cause },
    );
  if (wanted.onImmutable === "leave") {
    writer.memory.rememberRefusal(live.metadata.uid ?? "", wanted.hash, live.metadata.resourceVersion ?? "");
    return { type: "left", why: `${names} cannot be changed`, before: live, after: live };
  }
  const why = `${names} cannot be changed`;
  const answer = await deleteMember(writer, wanted.kind, live);
  if (writer.isDryRun) return { type: "recreated", why, before: live, after: wanted.body as unknown as Live };
  const isHeld = "deletionTimestamp" in answer.metadata;
  if (isHeld)
    return { type: "waiting", why: `${why}; it is being deleted${heldBy(answer)}, and is created anew when it is gone`, before: live };
  const after = await createMember(writer, wanted);
  remember(writer, wanted, after);
  return { type: "recreated", why, before: live, after };
}

/** ", held by the finalizers a, b". */
export function heldBy({ metadata: { finalizers = [] } }: Live): string {
  return finalizers.length === 0 ? "" : `, held by the ${finalizers.length === 1 ? "finalizer" : "finalizers"} ${finalizers.join(", ")}`;
}

/** Where the object is not as we want it, nor as the server made it of what we wanted. */
function differences({ memory }: MemberWriter, wanted: WantedObject, live: Live): readonly FieldDifference[] {
  const found = fieldDifferences(wanted.body, live as unknown as JsonObject, memory.shape(wanted.kind));
  const rendering = found.length === 0 ? undefined : memory.rendering(live.metadata.uid ?? "", wanted.hash);
  return rendering === undefined ? found : found.filter(({ path, live: value }) => rendering.values.get(path) !== printed(value));
}

/** Whatever differs right after an apply is the server's way to write what we wanted. */
function remember({ memory, isDryRun }: MemberWriter, wanted: WantedObject, after: Live): void {
  if (isDryRun) return;
  const found = fieldDifferences(wanted.body, after as unknown as JsonObject, memory.shape(wanted.kind));
  memory.remember(after.metadata.uid ?? "", { hash: wanted.hash, values: new Map(found.map(({ path, live }) => [path, printed(live)])) });
}

const printed = (value: FieldDifference["live"]): string => (value === undefined ? "" : JSON.stringify(value));
const shownMax = 3;

/** "spec.replicas was 3; data.colour is new; and 2 more". */
function reason({ kind }: WantedObject, found: readonly FieldDifference[]): string {
  const told = found.filter(({ path }) => !path.startsWith('metadata.annotations["drover.dev/'));
  if (told.length === 0) return "what is wanted has changed: a field went, or changed its form";
  const words = told.slice(0, shownMax).map(({ path, live, wanted }) => {
    if (live === undefined) return `${path} is new`;
    if (wanted === undefined) return `${path} should not be there`;
    return isSecretPath(kind, path) ? `${path} was another` : `${path} was ${cut(printed(live))}`;
  });
  return [...words, ...(told.length > shownMax ? [`and ${told.length - shownMax} more`] : [])].join("; ");
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
