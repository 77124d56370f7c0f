import { Pod, Secret } from "@drover/api/core/v1";
import { requestInfo } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { FaultPlan } from "./harness-fault.ts";

const get = requestInfo("GET", "/api/v1/namespaces/shop/pods/web");
const status = requestInfo("PUT", "/api/v1/namespaces/shop/pods/web/status");
const watch = requestInfo("GET", "/api/v1/pods?watch=true");

describe("FaultPlan", () => {
  it("affects exactly the given number of matching requests", () => {
    const plan = new FaultPlan();
    plan.add({ answer: 409, verb: "update", times: 2 });
    plan.add({ answer: 500 });
    expect([get, status, status, status, get].map((info) => plan.take(info)?.answer)).toEqual([500, 409, 409, undefined, undefined]);
  });

  it("skips watches unless selected, and requests without a resource", () => {
    const plan = new FaultPlan();
    plan.add({ answer: 503, times: 9 });
    expect([watch, requestInfo("GET", "/version")].map((info) => plan.take(info))).toEqual([undefined, undefined]);
    plan.add({ answer: "refused", verb: "watch" });
    expect(plan.take(watch)?.answer).toBe("refused");
  });

  it("selects by kind, including subresources", () => {
    const plan = new FaultPlan();
    plan.add({ answer: "lost", kind: Secret });
    expect(plan.take(status)).toBeUndefined();
    plan.add({ answer: "timeout", kind: Pod });
    expect(plan.take(status)?.answer).toBe("timeout");
  });
});
