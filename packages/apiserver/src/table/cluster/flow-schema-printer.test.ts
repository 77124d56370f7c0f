import { FlowSchema } from "@drover/api/flowcontrol/v1";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";
import { flowSchemaPrinter } from "./flow-schema-printer.ts";

describe("FlowSchema table", () => {
  it("has the priority level and whether it is missing", () => {
    const spec = { priorityLevelConfiguration: { name: "l" }, matchingPrecedence: 7, distinguisherMethod: { type: "ByUser" } };
    expect(printed(FlowSchema, { spec, status: { conditions: [{ type: "Dangling", status: "False" }] } })).toEqual({
      Name: "web",
      PriorityLevel: "l",
      MatchingPrecedence: 7,
      DistinguisherMethod: "ByUser",
      Age: "5m",
      MissingPL: "False",
    });
    expect(printed(FlowSchema, { spec: { priorityLevelConfiguration: { name: "l" } } })).toMatchObject({
      MatchingPrecedence: 1000,
      DistinguisherMethod: "<none>",
      MissingPL: "?",
    });
  });

  it("is sorted by matching precedence", () => {
    const schema = (name: string, matchingPrecedence: number): JsonObject => ({
      kind: "FlowSchema",
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      metadata: { name },
      spec: { matchingPrecedence },
    });
    const sorted = [schema("a", 9), schema("c", 2), schema("b", 2), schema("d", 10)].toSorted(flowSchemaPrinter.order);
    expect(sorted).toEqual([schema("b", 2), schema("c", 2), schema("a", 9), schema("d", 10)]);
  });
});
