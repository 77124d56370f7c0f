/**
 * Dry run of an apply: runs the same code, and every request is a server-side dry run.
 *
 *     planApply → ApplyPlan → printPlan
 */
import { definedOnly, getOwn, isJsonObject, jsonEqual, redacted } from "@drover/machinery";
import type { DeepReadonly, JsonObject, JsonValue, KubeObject } from "@drover/machinery";
import { runApply } from "./apply-run.ts";
import type { RunStep } from "./apply-run.ts";
import type { AppliedChange, ApplyContext, ApplySet, DesiredObject, SetOwner } from "./apply-set.ts";
import { fieldPath } from "./field-differences.ts";
import { isSecretPath } from "./secret-data.ts";
import { withoutMarks } from "./last-applied.ts";
import { attempt } from "./wanted-object.ts";

/** One field that would change. Values of Secrets are replaced by "[redacted]". */
export interface PlannedField {
  /** "spec.replicas", 'metadata.labels["app.kubernetes.io/name"]', "spec.template.spec.containers[0].image". */
  readonly path: string;
  /** Undefined if the field does not exist. */
  readonly before?: JsonValue;
  /** Undefined if the field would be removed. */
  readonly after?: JsonValue;
}

/** One change that would be made, with its fields. */
export interface PlannedChange extends AppliedChange {
  readonly fields: readonly PlannedField[];
}

/** What an apply would do, in order. */
export interface ApplyPlan {
  /** "apply set web-app of WebApp.demo.example.com shop/web". */
  readonly title: string;
  readonly changes: readonly PlannedChange[];
  /** Errors that `apply` would throw together as an `ApplySetError`. */
  readonly errors: readonly Error[];
}

/**
 * Returns the changes that `apply` would make now. Writes nothing, not even the inventory. Every request is sent as a
 * dry run, so admission, defaults and rejections are the server's own. Objects whose namespace or definition does not
 * exist yet are planned as desired.
 */
export async function planApply(
  set: ApplySet,
  owner: SetOwner,
  objects: readonly DesiredObject[],
  context: ApplyContext,
): Promise<ApplyPlan> {
  const { steps, errors, writer } = await runApply(set, owner, objects, context, { isDryRun: true });
  const changes = steps.map((step): PlannedChange => ({ ...step.change, fields: plannedFields(step) }));
  return {
    title: attempt(writer.identity),
    changes: changes.map((change) => (change.type === "patched" && change.fields.length === 0 ? unchanged(change) : change)),
    errors,
  };
}

function unchanged({ kind, namespace, name, fields }: PlannedChange): PlannedChange {
  return { kind, namespace, name, type: "unchanged", fields };
}

/** For new objects the plan shows the desired fields, without what the server would add. */
function plannedFields({ type, before, after, wanted, change: { kind } }: RunStep): readonly PlannedField[] {
  if (type !== "created" && type !== "patched" && type !== "recreated") return [];
  const fields = type === "patched" ? diff(shownFields(before), shownFields(after), "") : diff({}, shownFields(wanted?.body), "");
  return fields.map(({ path, ...values }) => (isSecretPath(kind, path) ? { path, ...hidden(values) } : { path, ...values }));
}

function hidden({ before, after }: Pick<PlannedField, "before" | "after">): Pick<PlannedField, "before" | "after"> {
  return definedOnly({ before: before === undefined ? undefined : redacted, after: after === undefined ? undefined : redacted });
}

const hiddenMetadata: readonly string[] = [
  "name",
  "namespace",
  "managedFields",
  "resourceVersion",
  "generation",
  "uid",
  "creationTimestamp",
  "selfLink",
];

/** The object without identity (printed above it), fields that the server sets, and annotations that only serve applying. */
function shownFields(object: DeepReadonly<KubeObject> | undefined): JsonObject {
  if (object === undefined) return {};
  const {
    apiVersion: _apiVersion,
    kind: _kind,
    status: _status,
    metadata,
    ...rest
  } = withoutMarks(object as DeepReadonly<KubeObject> & JsonObject);
  const kept = Object.entries(isJsonObject(metadata ?? null) ? (metadata as JsonObject) : {}).filter(
    ([name]) => !hiddenMetadata.includes(name),
  );
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function diff(before: JsonValue | undefined, after: JsonValue | undefined, path: string): readonly PlannedField[] {
  if (jsonEqual(before, after)) return [];
  if (isParent(before) && isParent(after) && Array.isArray(before) === Array.isArray(after)) {
    return keysOf(before, after).flatMap((key) =>
      diff(memberOf(before, key), memberOf(after, key), Array.isArray(before) ? `${path}[${key}]` : fieldPath(path, key)),
    );
  }
  // Lists new values field by field, so that secret ones can be redacted.
  if (before === undefined && isJsonObject(after ?? null) && Object.keys(after as JsonObject).length > 0) return diff({}, after, path);
  if (after === undefined && isJsonObject(before ?? null) && Object.keys(before as JsonObject).length > 0) return diff(before, {}, path);
  return [{ path, ...definedOnly({ before, after }) }];
}

type Parent = JsonObject | readonly JsonValue[];
const isParent = (value: JsonValue | undefined): value is JsonObject | JsonValue[] => typeof value === "object" && value !== null;
const memberOf = (parent: Parent, key: string): JsonValue | undefined => getOwn(parent as JsonObject, key);
const keysOf = (before: Parent, after: Parent): readonly string[] => [...new Set([...Object.keys(before), ...Object.keys(after)])];
