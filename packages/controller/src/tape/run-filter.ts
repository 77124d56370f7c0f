/** Selects runs. */
import { sameGroupKind } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { ChangeRecord, RunRecord } from "./run-record.ts";

/** Which runs to return; all conditions must hold. */
export interface RunFilter {
  /** Only runs of this controller. @default all */
  readonly controller?: string;
  /** Only runs of this key; with `kind`, also runs of other keys that an object of this key caused. @default all */
  readonly key?: ObjectKey;
  /** Only runs related to objects of this kind: their controller reconciles it, or one of them is a cause. @default all */
  readonly kind?: GroupKind;
  /** Only this many of the newest runs. @default all */
  readonly last?: number;
}

/** The object of a cause. */
export type CauseObject = Pick<ChangeRecord, "kind" | "key" | "via">;

/** Returns the selected runs in their order. `objectsOf` returns the objects of the causes of a run. */
export function filterRuns<R extends Pick<RunRecord, "controller" | "key">>(
  runs: readonly R[],
  { controller, key, kind, last = Infinity }: RunFilter,
  objectsOf: (run: R) => readonly CauseObject[],
): readonly R[] {
  const reconcilers = new Set(
    kind === undefined
      ? []
      : runs
          .filter((run) => objectsOf(run).some((object) => object.via === "self" && sameGroupKind(object.kind, kind)))
          .map((run) => run.controller),
  );
  const concerns = (run: R): boolean => {
    const isOfKey = key === undefined || run.key === key;
    if (kind === undefined) return isOfKey;
    return (
      (isOfKey && reconcilers.has(run.controller)) ||
      objectsOf(run).some((object) => sameGroupKind(object.kind, kind) && (key === undefined || object.key === key))
    );
  };
  const found = runs.filter((run) => (controller === undefined || run.controller === controller) && concerns(run));
  return last >= found.length ? found : found.slice(found.length - Math.max(0, Math.trunc(last)));
}

/** Returns the objects of the causes of a record. */
export const recordObjects = ({ causes }: RunRecord): readonly CauseObject[] => causes.filter((cause) => cause.type === "change");
