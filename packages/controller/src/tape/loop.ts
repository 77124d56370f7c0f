/**
 * An endless loop: who keeps writing what.
 *
 *     findLoops → Loop → printLoop → log, people
 */
import { printGroupKind } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import { durationText } from "./duration-text.ts";

/** A writer in a loop. */
export type LoopWriter =
  | { readonly type: "controller"; readonly name: string }
  | { readonly type: "manager"; readonly name: string; readonly subresource?: string }
  /** Another writer without a known name, because managed fields were not kept. */
  | { readonly type: "unknown" };

/** A loop of writes that does not end by itself. */
export interface Loop {
  /** `fight`: two writers overwrite the same field in turn. `self`: every write of a controller causes its next run, which writes again. */
  readonly type: "fight" | "self";
  /** Controller whose runs showed the loop. */
  readonly controller: string;
  readonly key: ObjectKey;
  /** Cluster of the written object. */
  readonly cluster: string;
  readonly kind: GroupKind;
  readonly object: ObjectKey;
  /** The field; empty if the object itself is created and deleted. Absent if only the version changes. */
  readonly path?: string;
  /** Two for a fight, one for a controller that triggers itself. */
  readonly writers: readonly LoopWriter[];
  /** Number of writes. */
  readonly times: number;
  /** Values of the field as short JSON, newest last; at most six. */
  readonly values: readonly string[];
  /** Start of the first of these runs, in milliseconds since 1970. */
  readonly since: number;
  /** Time from the first to the last of these runs, in milliseconds. */
  readonly spanMs: number;
}

/**
 * Returns "Deployment.apps web/shop: spec.replicas goes 3 → 5 → 3 → 5: controller scaler and field manager hpa write it in turn, 6 times in
 * 10 s".
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
  if (writer.type === "unknown") return "an unknown writer";
  return writer.type === "controller"
    ? `controller ${writer.name}`
    : `field manager ${writer.name}${writer.subresource === undefined ? "" : ` (${writer.subresource})`}`;
}
