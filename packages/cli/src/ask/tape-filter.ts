/**
 * Selects runs of a saved tape, as the operator does for `drover trace`.
 *
 *     TapeFile, KIND/NAME, controller → filteredRuns → RunRecord[]
 */
import type { RunRecord } from "@drover/controller";
import { printGroupKind } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../terminal-text.ts";
import type { AskedName } from "./asked-name.ts";
import type { TapeFile } from "./tape-file.ts";

/** Which runs; both conditions must hold. */
export interface TapeSelection {
  /** The object that was reconciled; or, if no controller reconciles its kind, that caused the runs. */
  readonly object?: AskedName;
  readonly controller?: string;
}

/** Returns the runs in their order. Throws a `CommandError` for a kind that the operator did not watch. */
export function filteredRuns({ head, runs }: TapeFile, { object, controller }: TapeSelection): readonly RunRecord[] {
  const ofController = runs.filter((run) => controller === undefined || run.controller === controller);
  if (object === undefined) return ofController;
  const kind = kindOf(head, object.kind);
  const { name, namespace } = object;
  const isAsked = (key: ObjectKey): boolean =>
    key === name || (namespace === undefined ? key.endsWith(`/${name}`) : key === `${namespace}/${name}`);
  const own = new Set(head.controllers.flatMap((each) => (each.kind === printGroupKind(kind) ? [each.name] : [])));
  return ofController.filter((run) =>
    own.size > 0
      ? own.has(run.controller) && isAsked(run.key)
      : run.causes.some(
          (cause) => cause.type === "change" && cause.kind.kind === kind.kind && cause.kind.group === kind.group && isAsked(cause.key),
        ),
  );
}

function kindOf({ resources, program }: TapeFile["head"], word: string): GroupKind {
  const [first = "", ...rest] = word.toLowerCase().split(".");
  const group = rest.join(".");
  const found = resources.filter((each) => each.names.includes(first) && (rest.length === 0 || group === each.group));
  const [only, other] = found;
  const known = (some: TapeFile["head"]["resources"]): string => some.map(printGroupKind).map(oneLine).join(", ");
  if (only === undefined) throw new CommandError(`${oneLine(program)} watched no kind "${word}"; it watched ${known(resources) || "none"}`);
  if (other !== undefined) throw new CommandError(`${oneLine(program)} watched several kinds "${word}": ${known(found)}`);
  return only;
}
