/**
 * Settings that all controllers share: user agent, rate limit and retries.
 *
 *     ControllerContext, name → controllerSettings → manager.controller({ ...settings, reconcile })
 */
import { throttle, userAgent } from "@drover/client";
import type { ManagedControllerOptions } from "@drover/controller";
import { defaultControllerRateLimiter } from "@drover/workqueue";
import type { ControllerContext } from "./controller-descriptor.ts";

/** Settings that differ between controllers. */
export interface ControllerSettingsOptions {
  /** Number of concurrent syncs: `--concurrent-…-syncs`. @default 5 */
  readonly workers?: number;
  /** Retries of a key before it is parked. @default Infinity */
  readonly retriesMax?: number;
  /** Multiplies the rate limit; the namespace controller has 20. @default 1 */
  readonly rateFactor?: number;
}

/** Rate limit of one controller in kube-controller-manager: requests per second, and burst. */
const parityRate = { qps: 20, burst: 30 } as const;

/**
 * Returns the options for `manager.controller`. With the preset "parity" each controller limits requests and retries as upstream
 * does; with "drover" only failed keys wait, with the same backoff plus jitter.
 */
export function controllerSettings(
  { manager, preset, userAgent: program = "kube-controller-manager", credentials }: ControllerContext,
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
    through: [userAgent(`${program}/${name}`), ...limit, ...(credentials === undefined ? [] : [credentials])],
  };
}
