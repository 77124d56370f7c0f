/** The resources of all built-in kinds. */
import { kinds } from "@drover/api";
import type { Clock, JsonObject, Kind } from "@drover/machinery";
import type { Resource } from "../registry/resource.ts";
import type { Strategy } from "../registry/strategy.ts";
import type { TablePrinter } from "../registry/table-printer.ts";
import { autoscalerFromStored, autoscalerToStored } from "./conversion/autoscaler-conversion.ts";
import { eventFromStored, eventToStored } from "./conversion/event-conversion.ts";
import { BuiltInResource } from "./built-in-resource.ts";
import { setDefaultsOf } from "./defaults/defaults.ts";

export interface BuiltInResourcesOptions {
  readonly clock: Clock;
  /** By "group/version/Kind". */
  readonly strategies: ReadonlyMap<string, Strategy>;
  /** Returns the Table printer of a kind. */
  readonly printerOf: (kind: Kind) => TablePrinter;
  /** Awaited after each write to a kind, by "group/version/Kind". */
  readonly afterWrite: ReadonlyMap<string, () => Promise<void>>;
}

const conversions: ReadonlyMap<string, NonNullable<Resource["conversion"]>> = new Map([
  ["autoscaling/v1/HorizontalPodAutoscaler", { toStored: autoscalerToStored, fromStored: autoscalerFromStored }],
  ["events.k8s.io/v1/Event", { toStored: eventToStored, fromStored: eventFromStored }],
]);

/** Returns the conversion of a kind to and from the version that is stored; undefined if it is stored as it is. */
export const conversionOf = ({ group, version, kind }: Kind): Resource["conversion"] => conversions.get(`${group}/${version}/${kind}`);

const none: Strategy = {};

export function builtInResources({ clock, strategies, printerOf, afterWrite }: BuiltInResourcesOptions): readonly Resource[] {
  return kinds.map((kind: Kind) => {
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    const conversion = conversionOf(kind);
    const after = afterWrite.get(key);
    const setDefaults: (object: JsonObject) => void = setDefaultsOf(kind, { clock });
    return new BuiltInResource(kind, {
      strategy: strategies.get(key) ?? none,
      table: printerOf(kind),
      setDefaults,
      ...(conversion === undefined ? {} : { conversion }),
      ...(after === undefined ? {} : { afterWrite: after }),
    });
  });
}
