import { describe, expect, it } from "vitest";
import { dropDisabledFields } from "./disabled-fields.ts";

describe("dropDisabledFields", () => {
  it("drops feature-gated fields and objects left empty", () => {
    const spec = {
      containers: [
        { name: "c", lifecycle: { stopSignal: "SIGTERM" as const } },
        { name: "d", lifecycle: { stopSignal: "SIGTERM" as const, preStop: { sleep: { seconds: 1 } } } },
      ],
      volumes: [{ name: "v", projected: { sources: [{ clusterTrustBundle: { path: "p" } }] } }],
      schedulingGroup: {},
    };
    dropDisabledFields(spec);
    expect(spec).toEqual({
      containers: [{ name: "c" }, { name: "d", lifecycle: { preStop: { sleep: { seconds: 1 } } } }],
      volumes: [{ name: "v", projected: { sources: [{}] } }],
    });
  });
});
