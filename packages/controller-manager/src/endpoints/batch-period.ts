/** How long changes of pods are gathered before the endpoints of their services are written. */

/** What the two controllers of endpoints leave to choose. */
export interface EndpointUpdatesOptions {
  /**
   * How many milliseconds pass between the change of a pod and the look at its services; what other pods do meanwhile
   * goes into the same write. Changes
   * of services do not wait. `--endpoint-updates-batch-period` and `--endpointslice-updates-batch-period`. @default 0
   */
  readonly endpointUpdatesBatchPeriodMs?: number;
}

/** The period, with its default. Throws a RangeError for one that is no time. */
export function batchPeriodOf(controller: string, { endpointUpdatesBatchPeriodMs = 0 }: EndpointUpdatesOptions): number {
  if (!Number.isFinite(endpointUpdatesBatchPeriodMs) || endpointUpdatesBatchPeriodMs < 0) {
    throw new RangeError(
      `${controller}: endpointUpdatesBatchPeriodMs ${endpointUpdatesBatchPeriodMs} is no time to wait; milliseconds, or 0 for at once`,
    );
  }
  return endpointUpdatesBatchPeriodMs;
}
