import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from "@drover/api/flowcontrol/v1";
import { flowSchemaStrategy, priorityLevelConfigurationStrategy } from "./flow-control-strategies.ts";

const schema = (change: Partial<FlowSchemaSpec>): string[] =>
  (
    flowSchemaStrategy.validate?.({
      metadata: { name: "a" },
      spec: { matchingPrecedence: 10, priorityLevelConfiguration: { name: "p" }, ...change },
    }) ?? []
  ).map(printFieldError);
const level = (spec: PriorityLevelConfigurationSpec, name = "a"): string[] =>
  (priorityLevelConfigurationStrategy.validate?.({ metadata: { name }, spec }) ?? []).map(printFieldError);

describe("FlowSchema strategy", () => {
  it("validates matchingPrecedence, of which 1 is reserved", () => {
    expect(schema({})).toEqual([]);
    expect(schema({ matchingPrecedence: 1 })).toEqual([
      "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
    ]);
  });

  it("requires subjects and rules", () => {
    expect(schema({ rules: [{ subjects: [{ kind: "User" }] }] })).toEqual([
      "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
      "spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty",
    ]);
  });

  it("allows * only at the end of a path", () => {
    const rule = (url: string): string[] =>
      schema({
        rules: [{ subjects: [{ kind: "Group", group: { name: "g" } }], nonResourceRules: [{ verbs: ["get"], nonResourceURLs: [url] }] }],
      });
    expect([rule("/"), rule("/a/*")]).toEqual([[], []]);
    expect(rule("/*/a")).toEqual([
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/*/a": wildcard can only do suffix matching',
    ]);
  });
});

describe("PriorityLevelConfiguration strategy", () => {
  it("reserves the type Exempt for one name", () => {
    expect(level({ type: "Exempt" }, "exempt")).toEqual([]);
    expect(level({ type: "Exempt" })).toEqual(["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"]);
  });

  it("validates queue parameters", () => {
    const queuing = { queues: 4, handSize: 8, queueLengthLimit: 50 };
    expect(level({ type: "Limited", limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Queue", queuing } } })).toEqual([
      "spec.limited.limitResponse.queuing.handSize: Invalid value: 8: should not be greater than queues (4)",
    ]);
    expect(level({ type: "Limited" })).toEqual(["spec.limited: Required value: must not be empty when type is Limited"]);
  });
});
