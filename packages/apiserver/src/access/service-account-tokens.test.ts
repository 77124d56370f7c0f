import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { nodeHost } from "../http/node-host.ts";
import { inProcessPeer } from "./peer.ts";
import type { Authentication } from "./authenticator.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import type { TokenSubject } from "./service-account-tokens.ts";

const issuer = "https://kubernetes.default.svc";
const robot: TokenSubject = { namespace: "shop", name: "robot", uid: "u1" };

function tokens(): {
  readonly clock: ManualClock;
  readonly issuing: ServiceAccountTokens;
  readonly gone: Set<string>;
  readonly judge: (token: string) => Promise<Authentication>;
} {
  const clock = new ManualClock();
  const gone = new Set<string>();
  const issuing = new ServiceAccountTokens({
    clock,
    issuer,
    signer: nodeHost.tokenSigner,
    exists: ({ uid, bound }) => Promise.resolve(!gone.has(uid) && !gone.has(bound?.uid ?? "")),
  });
  return {
    clock,
    issuing,
    gone,
    judge: (token) => issuing.authenticate({ headers: { authorization: `Bearer ${token}` }, peer: inProcessPeer }),
  };
}
const options = { audiences: [], lifetimeSeconds: 600, id: "t1" };

describe("ServiceAccountTokens", () => {
  it("issues a token that authenticates as its service account", async () => {
    const { issuing, judge } = tokens();
    expect(await judge(issuing.issue(robot, options))).toEqual({
      kind: "user",
      user: {
        name: "system:serviceaccount:shop:robot",
        uid: "u1",
        groups: ["system:serviceaccounts", "system:serviceaccounts:shop"],
        extra: { "authentication.kubernetes.io/credential-id": ["JTI=t1"] },
      },
    });
  });
  it("refuses an expired token", async () => {
    const { issuing, judge, clock } = tokens();
    const token = issuing.issue(robot, options);
    await clock.advance(599_000);
    expect((await judge(token)).kind).toBe("user");
    await clock.advance(1000);
    expect(await judge(token)).toEqual({ kind: "refused", reason: "service account token has expired" });
  });
  it("refuses a token whose account or bound object is deleted", async () => {
    const { issuing, judge, gone } = tokens();
    const token = issuing.issue({ ...robot, bound: { kind: "pod", name: "p", uid: "u2" } }, options);
    expect(await judge(token)).toMatchObject({ user: { extra: { "authentication.kubernetes.io/pod-name": ["p"] } } });
    gone.add("u2");
    expect((await judge(token)).kind).toBe("refused");
  });
  it("refuses a token for another audience", async () => {
    const { issuing, judge } = tokens();
    expect(await judge(issuing.issue(robot, { ...options, audiences: ["vault"] }))).toEqual({
      kind: "refused",
      reason: `token audiences ["vault"] is invalid for the target audiences ["${issuer}"]`,
    });
    expect((await judge(issuing.issue(robot, { ...options, audiences: ["vault", issuer] }))).kind).toBe("user");
  });
  it("ignores a modified token and tokens of other servers", async () => {
    const { issuing, judge } = tokens();
    const [head = "", , signature = ""] = issuing.issue(robot, options).split(".");
    const claims = btoa(
      JSON.stringify({
        aud: [issuer],
        exp: 9e9,
        "kubernetes.io": { namespace: "kube-system", serviceaccount: { name: "admin", uid: "u1" } },
      }),
    ).replace(/=+$/, "");
    expect((await judge(`${head}.${claims}.${signature}`)).kind).toBe("none");
    expect((await judge(tokens().issuing.issue(robot, options))).kind).toBe("none");
    for (const token of ["", "x", "a.b.c", "..", `${head}..${signature}`]) expect((await judge(token)).kind).toBe("none");
  });
});
