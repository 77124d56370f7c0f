/**
 * What an apply would write, as `drover plan` shows it.
 *
 *     RunStep[] of a dry run → plannedRun → PlannedRun
 */
import { fieldChanges } from "@drover/controller";
import type { PlannedRun, PlannedWrite } from "@drover/controller";
import { definedOnly, errorText, objectKey, printGroupKind } from "@drover/machinery";
import type { DeepReadonly, JsonObject, KubeObject } from "@drover/machinery";
import type { RunResult, RunStep } from "../apply/apply-run.ts";
import { withoutMarks } from "../apply/last-applied.ts";
import type { HeldSlot } from "./operator-context.ts";

/** Errors and fields per object of an answer. */
const listedMax = 20;

/** Returns the plan of a run that would apply nothing. */
export const skippedRun = (skipped: string): PlannedRun => ({ skipped, writes: [], unchanged: 0, held: [], errors: [] });

/** Returns the plan of a run that would fail before it applies anything. */
export const failedRun = (error: unknown): PlannedRun => ({ writes: [], unchanged: 0, held: [], errors: [errorText(error)] });

/** Returns the plan. */
export function plannedRun({ steps, errors }: Pick<RunResult, "steps" | "errors">, holds: readonly HeldSlot[]): PlannedRun {
  const writes = steps.flatMap((step) => plannedWrite(step) ?? []);
  return {
    writes,
    unchanged: steps.length - writes.length,
    held: holds.map(({ slot, why }) => `${slot}: ${why}`),
    errors: errors.slice(0, listedMax).map(errorText),
  };
}

/** Returns undefined for an object that stays as it is, also if only its managed fields change. */
function plannedWrite({ type, change, before, after, wanted }: RunStep): PlannedWrite | undefined {
  const { kind, namespace, name, why } = change;
  if (type === "unchanged") return undefined;
  const { fields, count } =
    type === "patched"
      ? fieldChanges(shown(before), shown(after), { kind, fieldsMax: listedMax })
      : type === "created" || type === "recreated"
        ? fieldChanges({}, shown(wanted?.body), { kind, fieldsMax: listedMax })
        : { fields: [], count: 0 };
  if (type === "patched" && count === 0) return undefined;
  return {
    kind: printGroupKind(kind),
    key: objectKey(name, namespace),
    type,
    ...definedOnly({ why: type === "patched" ? undefined : why }),
    fields,
    fieldCount: count,
  };
}

/** Without identity, status, and annotations that only serve applying. */
function shown(object: DeepReadonly<KubeObject> | undefined): JsonObject {
  if (object === undefined) return {};
  const {
    apiVersion: _apiVersion,
    kind: _kind,
    status: _status,
    metadata,
    ...rest
  } = withoutMarks(object as DeepReadonly<KubeObject> & JsonObject);
  const {
    name: _name,
    namespace: _namespace,
    uid: _uid,
    creationTimestamp: _created,
    managedFields: _managed,
    ...kept
  } = (metadata ?? {}) as JsonObject;
  return { ...rest, metadata: kept };
}
