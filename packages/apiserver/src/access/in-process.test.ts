import { describe, expect, it } from "vitest";
import { inProcessPeer } from "./peer.ts";
import { inProcessCallers } from "./in-process.ts";

describe("callers in the same process", () => {
  it("are the administrator, unless a header says otherwise", async () => {
    expect(await inProcessCallers({ headers: {}, peer: inProcessPeer })).toEqual({
      kind: "user",
      user: { name: "system:admin", groups: ["system:masters"] },
    });
    expect(await inProcessCallers({ headers: { authorization: "Bearer x" }, peer: inProcessPeer })).toEqual({ kind: "none" });
  });

  it("are not those who come over a socket", async () => {
    expect(await inProcessCallers({ headers: {}, peer: { ...inProcessPeer, inProcess: false } })).toEqual({ kind: "none" });
  });
});
