/**
 * What functions of this package need from the outside world. `drover/client-go` supplies the real ones, so that
 * `newRateLimitingQueue(defaultControllerRateLimiter())` works as written; tests and simulations pass their own.
 */
import type { Host } from "@drover/client";
import type { Runtime, Transport } from "@drover/machinery";
import type { RestConfig } from "./rest-config.ts";

/** The outside world of this package. */
export interface ClientGoPlace {
  readonly runtime: Runtime;
  /** Environment, files and programs. */
  readonly host: Host;
  /** Returns a transport to the cluster of a config. Sends nothing by itself. */
  readonly transportFor: (config: RestConfig) => Transport;
}
