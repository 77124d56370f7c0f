import { describe, expect, it } from "vitest";
import { inProcessPeer } from "./peer.ts";
import { inProcessCallers } from "./in-process.ts";

describe("inProcessCallers", () => {
  it("returns the administrator unless an Authorization header is sent", async () => {
    expect(await inProcessCallers({ headers: {}, peer: inProcessPeer })).toEqual({
      kind: "user",
      user: { name: "system:admin", groups: ["system:masters"] },
    });
    expect(await inProcessCallers({ headers: { authorization: "Bearer x" }, peer: inProcessPeer })).toEqual({ kind: "none" });
  });

  it("returns the user of the connection", async () => {
    const user = { name: "system:kube-scheduler", groups: ["system:authenticated"] };
    expect(await inProcessCallers({ headers: {}, peer: { ...inProcessPeer, user } })).toEqual({ kind: "user", user });
    expect(await inProcessCallers({ headers: {}, peer: { ...inProcessPeer, user, inProcess: false } })).toEqual({ kind: "none" });
  });

  it("ignores callers over a socket", async () => {
    expect(await inProcessCallers({ headers: {}, peer: { ...inProcessPeer, inProcess: false } })).toEqual({ kind: "none" });
  });
});
