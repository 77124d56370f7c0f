import { ManualClock, recordingLog, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const canary = "canary-7f3a";
const maps = "/api/v1/namespaces/default/configmaps";

describe("a credential that a client sends", () => {
  it("appears in no log line, audit event or answer, whatever fails (X12, S1)", async () => {
    const log = recordingLog(new ManualClock());
    const audited: string[] = [];
    const server = await testServer({
      runtime: { ...testRuntime(), log },
      tokens: [{ token: canary, user: { name: "alice", groups: ["system:masters"] } }],
      admission: [
        {
          name: "Breaker",
          validate: ({ name }) => {
            if (name === "broken") throw new Error("a plug-in fell over");
          },
        },
      ],
      audit: {
        policy: { rules: [{ level: "RequestResponse" }] },
        sink: { write: (records) => void audited.push(...records.map(({ line }) => line)) },
      },
    });
    const answers: string[] = [];
    const headers = { authorization: `Bearer ${canary}`, "content-type": "application/json" };
    for (const [method, path, body] of [
      ["GET", maps, undefined],
      ["GET", `${maps}/nope`, undefined],
      ["POST", maps, { metadata: { name: "broken" } }],
      ["POST", maps, "{"],
      ["POST", maps, { metadata: { name: "!" } }],
      ["GET", "/nowhere", undefined],
      ["GET", "//", undefined],
      ["GET", `${maps}?labelSelector=!!`, undefined],
    ] as const)
      answers.push((await server.call(method, path, body, headers)).text);
    for (const wrong of [`Bearer ${canary}x`, `Bearer  ${canary}x`, `Basic ${canary}`, canary])
      answers.push((await server.call("GET", maps, undefined, { authorization: wrong })).text);
    await server.flushAudit();
    expect([answers.length, audited.length > 10, log.lines.length > 0]).toEqual([12, true, true]);
    expect([...answers, ...audited, JSON.stringify(log.lines)].filter((text) => text.includes(canary))).toEqual([]);
    server.close();
  });
});
