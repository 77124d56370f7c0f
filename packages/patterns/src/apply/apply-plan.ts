/**
 * What an apply would do, without doing it: the same way through the code, every request a dry run of the server's.
 *
 *     planApply → ApplyPlan → printPlan
 */
import { encodeJson, getOwn, isJsonObject, jsonEqual, redacted } from "@drover/machinery";
import type { DeepReadonly, JsonObject, JsonValue, KubeObject } from "@drover/machinery";
import { runApply } from "./apply-run.ts";
import type { RunStep } from "./apply-run.ts";
import type { AppliedChange, ApplyContext, ApplySet, DesiredObject, SetOwner } from "./apply-set.ts";
import { fieldPath } from "./field-differences.ts";
import { isSecretPath } from "./secret-data.ts";
import { withoutMarks } from "./last-applied.ts";
import { kindWords, placeWords } from "./set-identity.ts";
import { attempt } from "./wanted-object.ts";

/** One field that would change. The values of Secrets are replaced by "[redacted]". */
export interface PlannedField {
  /** "spec.replicas", 'metadata.labels["app.kubernetes.io/name"]', "spec.template.spec.containers[0].image". */
  readonly path: string;
  /** Undefined when it is not there. */
  readonly before?: JsonValue;
  /** Undefined when it would go. */
  readonly after?: JsonValue;
}

/** One change that would be made, and to which fields. */
export interface PlannedChange extends AppliedChange {
  readonly fields: readonly PlannedField[];
}

/** What would be done, in order. */
export interface ApplyPlan {
  /** "apply set web-app of WebApp.demo.example.com shop/web". */
  readonly title: string;
  readonly changes: readonly PlannedChange[];
  /** What would fail; `apply` would throw them together. */
  readonly errors: readonly Error[];
}

/**
 * The changes `apply` would make now. Nothing is written, and the inventory neither; the server is asked, so admission,
 * defaults and refusals are its
 * own. What needs a namespace or a definition that is not there yet is planned as it is wanted.
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

const signs: Readonly<Record<AppliedChange["type"], string>> = {
  created: "+",
  patched: "~",
  recreated: "±",
  deleted: "-",
  unchanged: "=",
  left: "!",
  waiting: "…",
};

/** For people: a line for each object and, indented, one for each field. Objects that stay as they are are counted at the end. */
export function printPlan({ title, changes, errors }: ApplyPlan): string {
  const changing = changes.filter(({ type }) => type !== "unchanged");
  const lines = changing.flatMap(({ type, kind, namespace, name, why, fields }) => [
    `${signs[type]} ${kindWords(kind)} ${placeWords(namespace, name)}${why === undefined || type === "patched" ? "" : ` (${why})`}`,
    ...fields.map((field) => `    ${printField(field)}`),
  ]);
  const same = changes.length - changing.length;
  return [
    title,
    ...lines,
    ...errors.map(({ message }) => `! ${message}`),
    `${changing.length} to change, ${same} as ${same === 1 ? "it" : "they"} should be${errors.length === 0 ? "" : `, ${errors.length} failing`}`,
  ].join("\n");
}

function printField({ path, before, after }: PlannedField): string {
  if (before === undefined) return `${path}: ${encodeJson(after)}`;
  return after === undefined ? `${path}: ${encodeJson(before)} → nothing` : `${path}: ${encodeJson(before)} → ${encodeJson(after)}`;
}

/** Of what would be new it is told what was asked for, not what the server adds to it. */
function plannedFields({ type, before, after, wanted, change: { kind } }: RunStep): readonly PlannedField[] {
  if (type !== "created" && type !== "patched" && type !== "recreated") return [];
  const fields = type === "patched" ? diff(told(before), told(after), "") : diff({}, told(wanted?.body), "");
  return fields.map(({ path, ...values }) => (isSecretPath(kind, path) ? { path, ...hidden(values) } : { path, ...values }));
}

function hidden({ before, after }: Pick<PlannedField, "before" | "after">): Pick<PlannedField, "before" | "after"> {
  return { ...(before === undefined ? {} : { before: redacted }), ...(after === undefined ? {} : { after: redacted }) };
}

const untold: readonly string[] = [
  "name",
  "namespace",
  "managedFields",
  "resourceVersion",
  "generation",
  "uid",
  "creationTimestamp",
  "selfLink",
];

/** Without its identity, which stands above it, without what the server says itself, and without what is only about applying. */
function told(object: DeepReadonly<KubeObject> | undefined): JsonObject {
  if (object === undefined) return {};
  const { apiVersion: _apiVersion, kind: _kind, status: _status, metadata, ...rest } = withoutMarks(object as unknown as JsonObject);
  const kept = Object.entries(isJsonObject(metadata ?? null) ? (metadata as JsonObject) : {}).filter(([name]) => !untold.includes(name));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function diff(before: JsonValue | undefined, after: JsonValue | undefined, path: string): readonly PlannedField[] {
  if (jsonEqual(before, after)) return [];
  if (isParent(before) && isParent(after) && Array.isArray(before) === Array.isArray(after)) {
    return keysOf(before, after).flatMap((key) =>
      diff(memberOf(before, key), memberOf(after, key), Array.isArray(before) ? `${path}[${key}]` : fieldPath(path, key)),
    );
  }
  // Something new is told by its fields, so that a secret among them can be hidden.
  if (before === undefined && isJsonObject(after ?? null) && Object.keys(after as JsonObject).length > 0) return diff({}, after, path);
  if (after === undefined && isJsonObject(before ?? null) && Object.keys(before as JsonObject).length > 0) return diff(before, {}, path);
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

type Parent = JsonObject | readonly JsonValue[];
const isParent = (value: JsonValue | undefined): value is JsonObject | JsonValue[] => typeof value === "object" && value !== null;
const memberOf = (parent: Parent, key: string): JsonValue | undefined => getOwn(parent as JsonObject, key);
const keysOf = (before: Parent, after: Parent): readonly string[] => [...new Set([...Object.keys(before), ...Object.keys(after)])];
