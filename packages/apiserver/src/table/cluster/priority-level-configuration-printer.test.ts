import { PriorityLevelConfiguration } from "@drover/api/flowcontrol/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("PriorityLevelConfiguration table", () => {
  it("prints shares and queues of limited levels", () => {
    const limited = {
      nominalConcurrencyShares: 5,
      limitResponse: { type: "Queue", queuing: { queues: 4, handSize: 3, queueLengthLimit: 2 } },
    };
    expect(printed(PriorityLevelConfiguration, { spec: { type: "Limited", limited } })).toEqual({
      Name: "web",
      Type: "Limited",
      NominalConcurrencyShares: 5,
      Queues: 4,
      HandSize: 3,
      QueueLengthLimit: 2,
      Age: "5m",
    });
  });

  it("prints <none> for exempt levels", () => {
    expect(
      printed(PriorityLevelConfiguration, {
        spec: { type: "Limited", limited: { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } } },
      }),
    ).toMatchObject({ NominalConcurrencyShares: 0, Queues: "<none>", HandSize: "<none>", QueueLengthLimit: "<none>" });
    expect(printed(PriorityLevelConfiguration, { spec: { type: "Exempt" } })).toMatchObject({
      NominalConcurrencyShares: "<none>",
      Queues: "<none>",
    });
  });
});
