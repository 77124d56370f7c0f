import { describe, expect, it } from "vitest";
import { daemonTolerations } from "./daemon-tolerations.ts";

const text = (spec: Parameters<typeof daemonTolerations>[0]): readonly string[] =>
  daemonTolerations(spec).map(
    ({ key = "", effect = "", tolerationSeconds }) =>
      `${key.replace("node.kubernetes.io/", "")}:${effect}${tolerationSeconds === undefined ? "" : `:${tolerationSeconds}`}`,
  );
const always = [
  "not-ready:NoExecute",
  "unreachable:NoExecute",
  "disk-pressure:NoSchedule",
  "memory-pressure:NoSchedule",
  "pid-pressure:NoSchedule",
  "unschedulable:NoSchedule",
];

describe("daemonTolerations", () => {
  it("tolerates unhealthy nodes, and on the host network nodes without a pod network", () => {
    expect(text({})).toEqual(always);
    expect(text({ hostNetwork: true })).toEqual([...always, "network-unavailable:NoSchedule"]);
  });

  it("keeps tolerations of the template but removes their time limit", () => {
    expect(
      text({
        tolerations: [
          { key: "own", effect: "NoSchedule", operator: "Exists" },
          { key: "node.kubernetes.io/unreachable", effect: "NoExecute", operator: "Exists", tolerationSeconds: 5 },
        ],
      }),
    ).toEqual(["own:NoSchedule", "unreachable:NoExecute", ...always.filter((one) => one !== "unreachable:NoExecute")]);
  });

  it("adds the same taint with another effect or operator", () => {
    expect(
      text({
        tolerations: [
          { key: "node.kubernetes.io/not-ready", effect: "NoSchedule", operator: "Exists" },
          { key: "node.kubernetes.io/not-ready", effect: "NoExecute", operator: "Equal", tolerationSeconds: 3 },
        ],
      }),
    ).toEqual(["not-ready:NoSchedule", "not-ready:NoExecute:3", ...always]);
  });
});
