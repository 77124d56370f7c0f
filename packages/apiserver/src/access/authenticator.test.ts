import { describe, expect, it } from "vitest";
import { authenticatorOf, noCredential, tokenCredentials } from "./authenticator.ts";
import type { Authentication, Authenticator } from "./authenticator.ts";
import { bearerTokens } from "./bearer-tokens.ts";
import { clientCertificates } from "./client-certificates.ts";
import { inProcessCallers } from "./in-process.ts";
import { inProcessPeer } from "./peer.ts";
import type { Peer } from "./peer.ts";

const says =
  (answer: Authentication): Authenticator =>
  () =>
    Promise.resolve(answer);
const peer: Peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };
const nobody = { headers: {}, peer };

describe("authenticatorOf", () => {
  it("returns the first user that an authenticator knows, with system:authenticated added", async () => {
    const ask = authenticatorOf(
      [
        says(noCredential),
        says({ kind: "refused", reason: "no" }),
        says({ kind: "user", user: { name: "a", groups: ["g"] } }),
        says({ kind: "user", user: { name: "b", groups: [] } }),
      ],
      { anonymous: true },
    );
    expect(await ask(nobody)).toEqual({ kind: "user", user: { name: "a", groups: ["g", "system:authenticated"] } });
  });

  it("keeps users that already have one of the two system groups", async () => {
    for (const groups of [["system:authenticated"], ["system:unauthenticated"]]) {
      expect(await authenticatorOf([says({ kind: "user", user: { name: "a", groups } })], { anonymous: true })(nobody)).toEqual({
        kind: "user",
        user: { name: "a", groups },
      });
    }
  });

  it("never treats an invalid credential as anonymous", async () => {
    expect(await authenticatorOf([says({ kind: "refused", reason: "no" }), says(noCredential)], { anonymous: true })(nobody)).toEqual({
      kind: "refused",
      reason: "no",
    });
    expect(
      await authenticatorOf([says({ kind: "refused", reason: "no" }), says({ kind: "refused", reason: "neither" })], { anonymous: true })(
        nobody,
      ),
    ).toEqual({ kind: "refused", reason: "[no, neither]" });
  });

  it("returns system:anonymous for a request without credentials if that is allowed", async () => {
    expect(await authenticatorOf([], { anonymous: true })(nobody)).toEqual({
      kind: "user",
      user: { name: "system:anonymous", groups: ["system:unauthenticated"] },
    });
    expect(await authenticatorOf([], { anonymous: false })(nobody)).toEqual({ kind: "none" });
  });
});

describe("the authenticators of a server", () => {
  const ask = authenticatorOf(
    [inProcessCallers, clientCertificates, bearerTokens([{ token: "secret", user: { name: "alice", groups: ["dev"] } }])],
    { anonymous: true },
  );
  const certificate = { commonName: "jane", organizations: ["ops"], sha256: "ab" };
  const nameOf = async (...asked: Parameters<Authenticator>): Promise<string> => {
    const found = await ask(...asked);
    return found.kind === "user" ? found.user.name : found.kind;
  };

  it("prefer a client certificate to a token", async () => {
    expect(await nameOf({ headers: { authorization: "Bearer secret" }, peer: { ...peer, certificate } })).toBe("jane");
    expect(await nameOf({ headers: { authorization: "Bearer wrong" }, peer: { ...peer, certificate } })).toBe("jane");
  });

  it("accept a token despite an invalid client certificate", async () => {
    const bad = { ...peer, certificateProblem: "x509: CERT_HAS_EXPIRED" };
    expect(await nameOf({ headers: { authorization: "Bearer secret" }, peer: bad })).toBe("alice");
    expect(await nameOf({ headers: {}, peer: bad })).toBe("refused");
  });

  it("treat an in-process caller as administrator unless it sends a token", async () => {
    expect(await nameOf({ headers: {}, peer: inProcessPeer })).toBe("system:admin");
    expect(await nameOf({ headers: { authorization: "Bearer secret" }, peer: inProcessPeer })).toBe("alice");
    expect(await nameOf({ headers: { authorization: "Bearer wrong" }, peer: inProcessPeer })).toBe("refused");
  });

  it("authenticate the token of a TokenReview", async () => {
    expect(await nameOf(tokenCredentials("secret"))).toBe("alice");
    expect(await nameOf(tokenCredentials("wrong"))).toBe("refused");
  });
});
