import type { FlowSchema, PriorityLevelConfiguration, PriorityLevelConfigurationSpec } from "@drover/api/flowcontrol/v1";
import { describe, expect, it } from "vitest";
import { setFlowSchemaDefaults, setPriorityLevelConfigurationDefaults } from "./flow-control-defaults.ts";

const made = (spec: PriorityLevelConfigurationSpec): PriorityLevelConfigurationSpec | undefined => {
  const configuration: PriorityLevelConfiguration = { metadata: {}, spec };
  setPriorityLevelConfigurationDefaults(configuration);
  return configuration.spec;
};

describe("a flow schema", () => {
  it("comes after those that say how soon they want to be looked at", () => {
    const schema: FlowSchema = { metadata: {}, spec: { matchingPrecedence: 0, priorityLevelConfiguration: { name: "p" } } };
    setFlowSchemaDefaults(schema);
    expect(schema.spec?.matchingPrecedence).toBe(1000);
  });
});

describe("a priority level", () => {
  it("has thirty shares, and queues of usual size where it queues", () => {
    expect(
      made({ type: "Limited", limited: { limitResponse: { type: "Queue", queuing: { handSize: 0, queues: 0, queueLengthLimit: 5 } } } })
        ?.limited,
    ).toEqual({
      nominalConcurrencyShares: 30,
      lendablePercent: 0,
      limitResponse: { type: "Queue", queuing: { handSize: 8, queues: 64, queueLengthLimit: 5 } },
    });
    expect(made({ type: "Limited", limited: { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } } })?.limited).toEqual({
      nominalConcurrencyShares: 0,
      lendablePercent: 0,
      limitResponse: { type: "Reject" },
    });
  });

  it("that is exempt needs no share", () => {
    expect(made({ type: "Exempt", exempt: {} })?.exempt).toEqual({ nominalConcurrencyShares: 0, lendablePercent: 0 });
  });
});
