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
    problemOf: ({ uid, bound }) => Promise.resolve(gone.has(uid) || gone.has(bound?.uid ?? "") ? "it has gone" : undefined),
    secretProblemOf: () => Promise.resolve("no such secret"),
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
      audiences: [issuer],
    });
  });
  it("refuses an expired token, a minute later because clocks differ", async () => {
    const { issuing, judge, clock } = tokens();
    const token = issuing.issue(robot, options);
    await clock.advance(660_000);
    expect((await judge(token)).kind).toBe("user");
    await clock.advance(1000);
    expect(await judge(token)).toEqual({ kind: "refused", reason: "service account token has expired" });
  });
  it("refuses a token whose account or bound object is deleted", async () => {
    const { issuing, judge, gone } = tokens();
    const token = issuing.issue({ ...robot, bound: { kind: "pod", name: "p", uid: "u2" } }, options);
    expect(await judge(token)).toMatchObject({ user: { extra: { "authentication.kubernetes.io/pod-name": ["p"] } } });
    gone.add("u2");
    expect(await judge(token)).toEqual({ kind: "refused", reason: "it has gone" });
  });
  it("tells the node of a pod, and of a token that is bound to the node itself", async () => {
    const { issuing, judge } = tokens();
    const nodeOf = async (subject: Partial<TokenSubject>): Promise<unknown> => {
      const found = await judge(issuing.issue({ ...robot, ...subject }, options));
      const { extra = {} } = found.kind === "user" ? found.user : {};
      return Object.entries(extra).filter(([key]) => key.includes("node"));
    };
    const [name, uid] = ["authentication.kubernetes.io/node-name", "authentication.kubernetes.io/node-uid"];
    const pod = { kind: "pod", name: "p", uid: "u2" } as const;
    expect(await nodeOf({ bound: pod, podNode: { name: "n", uid: "u3" } })).toEqual([
      [name, ["n"]],
      [uid, ["u3"]],
    ]);
    expect(await nodeOf({ bound: pod, podNode: { name: "n", uid: "" } })).toEqual([[name, ["n"]]]);
    expect(await nodeOf({ bound: { kind: "node", name: "n", uid: "u3" } })).toEqual([
      [name, ["n"]],
      [uid, ["u3"]],
    ]);
  });
  it("refuses a token for another audience", async () => {
    const { issuing, judge } = tokens();
    expect(await judge(issuing.issue(robot, { ...options, audiences: ["vault"] }))).toEqual({
      kind: "refused",
      reason: `token audiences ["vault"] is invalid for the target audiences ["${issuer}"]`,
    });
    expect((await judge(issuing.issue(robot, { ...options, audiences: ["vault", issuer] }))).kind).toBe("user");
  });
  it("accepts a token for another audience where that one is asked for", async () => {
    const { issuing } = tokens();
    const token = issuing.issue(robot, { ...options, audiences: ["vault", "registry"] });
    const asked = (...audiences: readonly string[]): Promise<Authentication> =>
      issuing.authenticate({ headers: { authorization: `Bearer ${token}` }, peer: inProcessPeer, audiences });
    expect(await asked("registry", "vault", "x")).toMatchObject({ kind: "user", audiences: ["registry", "vault"] });
    expect(await asked("x", "y")).toEqual({
      kind: "refused",
      reason: 'token audiences ["vault" "registry"] is invalid for the target audiences ["x" "y"]',
    });
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
