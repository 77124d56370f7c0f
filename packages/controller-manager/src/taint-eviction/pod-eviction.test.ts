import type { Pod, Taint, Toleration } from "@drover/api/core/v1";
import { definedOnly, formatTime } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { evictionOf } from "./pod-eviction.ts";

const seen = Date.UTC(2026, 0, 1);
const pod = (...tolerations: Toleration[]): Pod => ({ metadata: { name: "a" }, spec: { containers: [], tolerations } });
const unreachable: Taint = { key: "node.kubernetes.io/unreachable", effect: "NoExecute", timeAdded: formatTime(seen - 10_000) };
const patience = (tolerationSeconds?: number): Toleration => ({
  key: unreachable.key,
  operator: "Exists",
  effect: "NoExecute",
  ...definedOnly({ tolerationSeconds }),
});

describe("evictionOf", () => {
  it("is never without a NoExecute taint", () => {
    expect(evictionOf(pod(), [{ key: "k", effect: "NoSchedule" }], seen)).toEqual({ type: "never" });
  });

  it("is now for a taint that is not tolerated", () => {
    expect(evictionOf(pod(patience()), [unreachable, { key: "k", effect: "NoExecute" }], seen)).toEqual({ type: "at", time: seen });
  });

  it("is never for tolerations without a limit", () => {
    expect(evictionOf(pod(patience()), [unreachable], seen)).toEqual({ type: "never" });
    expect(evictionOf(pod({ operator: "Exists" }), [unreachable, { key: "k", value: "v", effect: "NoExecute" }], seen)).toEqual({
      type: "never",
    });
  });

  it("is when the shortest toleration ends, counted from the taint's time", () => {
    expect(evictionOf(pod(patience(300)), [unreachable], seen)).toEqual({ type: "at", time: seen + 290_000 });
    expect(evictionOf(pod(patience(300), patience(60), patience()), [unreachable], seen)).toEqual({ type: "at", time: seen + 50_000 });
    expect(evictionOf(pod(patience(-5)), [{ key: unreachable.key, effect: "NoExecute" }], seen)).toEqual({ type: "at", time: seen });
  });
});
