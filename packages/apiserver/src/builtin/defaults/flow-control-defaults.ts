/** Defaults of FlowSchema and PriorityLevelConfiguration. */
import type { FlowSchema, PriorityLevelConfiguration, QueuingConfiguration } from "@drover/api/flowcontrol/v1";

export function setFlowSchemaDefaults(schema: FlowSchema): void {
  if (schema.spec !== undefined) schema.spec.matchingPrecedence ||= 1000;
}

export function setPriorityLevelConfigurationDefaults(configuration: PriorityLevelConfiguration): void {
  const { limited, exempt } = configuration.spec ?? {};
  if (limited !== undefined) {
    limited.nominalConcurrencyShares ??= 30;
    limited.lendablePercent ??= 0;
    setQueuingDefaults(limited.limitResponse?.queuing);
  }
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
}

function setQueuingDefaults(queuing: QueuingConfiguration | undefined): void {
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
