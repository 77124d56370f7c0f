import type { FlowSchema, PriorityLevelConfiguration, PriorityLevelConfigurationSpec } from "@drover/api/flowcontrol/v1";
import { describe, expect, it } from "vitest";
import { setFlowSchemaDefaults, setPriorityLevelConfigurationDefaults } from "./flow-control-defaults.ts";

const made = (spec: PriorityLevelConfigurationSpec): PriorityLevelConfigurationSpec | undefined => {
  const configuration: PriorityLevelConfiguration = { metadata: {}, spec };
  setPriorityLevelConfigurationDefaults(configuration);
  return configuration.spec;
};

describe("defaults of FlowSchema", () => {
  it("set a matchingPrecedence of 1000", () => {
    const schema: FlowSchema = { metadata: {}, spec: { matchingPrecedence: 0, priorityLevelConfiguration: { name: "p" } } };
    setFlowSchemaDefaults(schema);
    expect(schema.spec?.matchingPrecedence).toBe(1000);
  });
});

describe("defaults of PriorityLevelConfiguration", () => {
  it("set thirty shares, and default queue sizes for Queue", () => {
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

  it("set no shares for Exempt", () => {
    expect(made({ type: "Exempt", exempt: {} })?.exempt).toEqual({ nominalConcurrencyShares: 0, lendablePercent: 0 });
  });
});
