/**
 * What every controller of the house has in common: its name at the server, its rate, how it retries.
 *
 *     ControllerContext, name → controllerSettings → manager.controller({ ...settings, reconcile })
 */
import { throttle, userAgent } from "@drover/client";
import type { ManagedControllerOptions } from "@drover/controller";
import { defaultControllerRateLimiter } from "@drover/workqueue";
import type { ControllerContext } from "./controller-descriptor.ts";

/** What differs between controllers. */
export interface ControllerSettingsOptions {
  /** How many keys at a time: `--concurrent-…-syncs`. @default 5 */
  readonly workers?: number;
  /** How many retries a key gets before it is parked. @default Infinity */
  readonly retriesMax?: number;
  /** By how much it may ask faster than others: the namespace controller does twenty times as much. @default 1 */
  readonly rateFactor?: number;
}

/** Requests a second, and at once, of one controller of kube-controller-manager. */
const parityRate = { qps: 20, burst: 30 } as const;

/**
 * Under the parity preset requests and retries are limited as upstream's are, each controller by itself; under ours keys that fail wait as
 * long, with jitter, and nothing else waits.
 */
export function controllerSettings(
  { manager, preset, userAgent: program = "kube-controller-manager" }: ControllerContext,
  name: string,
  options: ControllerSettingsOptions = {},
): Omit<ManagedControllerOptions, "reconcile"> {
  const { workers = 5, retriesMax = Infinity, rateFactor = 1 } = options;
  const { clock, log } = manager.cluster.runtime;
  const isParity = preset === "parity";
  const limit = isParity ? [throttle({ clock, log, qps: parityRate.qps * rateFactor, burst: parityRate.burst * rateFactor })] : [];
  return {
    name,
    workers,
    retry: {
      ...(isParity ? { limiter: defaultControllerRateLimiter({ clock }) } : {}),
      ...(retriesMax === Infinity ? {} : { max: retriesMax }),
    },
    through: [userAgent(`${program}/${name}`), ...limit],
  };
}
