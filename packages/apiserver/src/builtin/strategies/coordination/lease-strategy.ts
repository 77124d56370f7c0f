/** The strategy of Lease. Coordinated leader election is off by default, so its fields are dropped. */
import type { Lease } from "@drover/api/coordination/v1";
import { fieldInvalid } from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";

/** The strategy of Lease. */
export const leaseStrategy: Strategy<Lease> = {
  prepareForCreate: dropElection,
  validate: validateLease,
  prepareForUpdate: dropElection,
  validateUpdate: (lease) => validateLease(lease),
};

function dropElection({ spec }: Lease): void {
  delete spec?.strategy;
  delete spec?.preferredHolder;
}

function validateLease({ spec }: DeepReadonly<Lease>): FieldError[] {
  const { leaseDurationSeconds = 1, leaseTransitions = 0 } = spec ?? {};
  return [
    ...(leaseDurationSeconds <= 0 ? [fieldInvalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0")] : []),
    ...(leaseTransitions < 0 ? [fieldInvalid("spec.leaseTransitions", leaseTransitions, "must be greater than or equal to 0")] : []),
  ];
}
