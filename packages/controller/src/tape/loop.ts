/**
 * A loop that does not come to rest: who writes what, again and again.
 *
 *     findLoops → Loop → printLoop → log, people
 */
import { printGroupKind } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import { durationText } from "./duration-text.ts";

/** One side of a loop. */
export type LoopWriter =
  | { readonly type: "controller"; readonly name: string }
  | { readonly type: "manager"; readonly name: string; readonly subresource?: string }
  /** Somebody else: managed fields were not kept, so that there is no name. */
  | { readonly type: "unknown" };

export interface Loop {
  /** `fight`: two write the same field in turn. `self`: every write of a controller causes its next run, which writes again. */
  readonly type: "fight" | "self";
  /** Whose runs showed it. */
  readonly controller: string;
  readonly key: ObjectKey;
  /** The object that is written. */
  readonly cluster: string;
  readonly kind: GroupKind;
  readonly object: ObjectKey;
  /** The field; empty when the object itself comes and goes. Absent when no field changes but the version. */
  readonly path?: string;
  /** Two of a fight, one of a controller that causes its own runs. */
  readonly writers: readonly LoopWriter[];
  /** How often it was written. */
  readonly times: number;
  /** The values it went through, as short JSON, the newest last; at most six. */
  readonly values: readonly string[];
  /** When the first of these runs began, in milliseconds since 1970. */
  readonly since: number;
  /** How long it took from the first of these runs to the last, in milliseconds. */
  readonly spanMs: number;
}

/**
 * "Deployment.apps web/shop: spec.replicas goes 3 → 5 → 3 → 5: controller scaler and field manager hpa write it in
 * turn, 6 times in 10 s"
 */
export function printLoop({ type, cluster, kind, object, path, writers, times, values, spanMs }: Loop): string {
  const where = `${printGroupKind(kind)} ${object}${cluster === "" ? "" : ` in ${cluster}`}`;
  const goes = path === undefined ? "no field changes but its version" : `${path === "" ? "it" : path} goes ${values.join(" → ")}`;
  const names = writers.map(printLoopWriter).join(" and ");
  const often = `${times} times in ${durationText(spanMs)}`;
  return type === "fight"
    ? `${where}: ${goes}: ${names} write it in turn, ${often}`
    : `${where}: ${goes}: each write of ${names} causes its next run, which writes again, ${often}`;
}

function printLoopWriter(writer: LoopWriter): string {
  if (writer.type === "unknown") return "somebody unknown";
  return writer.type === "controller"
    ? `controller ${writer.name}`
    : `field manager ${writer.name}${writer.subresource === undefined ? "" : ` (${writer.subresource})`}`;
}
