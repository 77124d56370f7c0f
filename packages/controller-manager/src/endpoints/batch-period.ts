/** How long pod changes are batched before the endpoints of their services are written. */

/** Options of the two endpoints controllers. */
export interface EndpointUpdatesOptions {
  /**
   * Milliseconds between a pod change and the sync of its services; changes of other pods in between join the same write. Changes
   * of services do not wait. `--endpoint-updates-batch-period` and `--endpointslice-updates-batch-period`.
   * @default 0
   */
  readonly endpointUpdatesBatchPeriodMs?: number;
}

/** Returns the period or its default. Throws a RangeError for an invalid one. */
export function batchPeriodOf(controller: string, { endpointUpdatesBatchPeriodMs = 0 }: EndpointUpdatesOptions): number {
  if (!Number.isFinite(endpointUpdatesBatchPeriodMs) || endpointUpdatesBatchPeriodMs < 0) {
    throw new RangeError(`${controller}: endpointUpdatesBatchPeriodMs must be milliseconds ≥ 0, not ${endpointUpdatesBatchPeriodMs}`);
  }
  return endpointUpdatesBatchPeriodMs;
}
