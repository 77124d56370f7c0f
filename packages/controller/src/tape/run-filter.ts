/** Which runs are asked for. */
import { sameGroupKind } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import type { ChangeRecord, RunRecord } from "./run-record.ts";

export interface RunFilter {
  /** Only those of this controller. @default all */
  readonly controller?: string;
  /** Only those of this key; with `kind`, also those of other keys that an object of this key caused. @default all */
  readonly key?: ObjectKey;
  /** Only those that concern objects of this kind: their controller reconciles it, or one of them is a cause. @default all */
  readonly kind?: GroupKind;
  /** Only so many of them, the newest. @default all */
  readonly last?: number;
}

/** The object a cause is about. */
export type CauseObject = Pick<ChangeRecord, "kind" | "key" | "via">;

/** The runs that are asked for, in their order. `objectsOf` tells what the causes of a run are about. */
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

/** What the causes of a record are about. */
export const recordObjects = ({ causes }: RunRecord): readonly CauseObject[] => causes.filter((cause) => cause.type === "change");
