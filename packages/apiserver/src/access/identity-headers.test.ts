import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };
const reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/** Headers with which a front proxy says who the user is. */
const frontProxy = {
  "x-remote-user": "system:admin",
  "x-remote-group": "system:masters",
  "x-remote-uid": "1",
  "x-remote-extra-scopes": "all",
  "x-forwarded-user": "system:admin",
};

async function ask(server: TestServer, path: string, headers: Readonly<Record<string, string>>): Promise<readonly [number, string]> {
  const isReview = path === reviews;
  const { status, body } = await server.connection(peer)({
    method: isReview ? "POST" : "GET",
    path,
    headers: { "content-type": "application/json", ...headers },
    ...(isReview ? { body: "{}" } : {}),
  });
  return [status, typeof body === "string" ? body : ""];
}

describe("headers that name a user", () => {
  const start = (): Promise<TestServer> => testServer({ tokens: [{ token: "alice", user: { name: "alice", groups: ["dev"] } }] });

  it("of a front proxy give a request without credentials no rights (X8)", async () => {
    const server = await start();
    const [status, text] = await ask(server, "/api/v1/secrets", frontProxy);
    expect(status).toBe(403);
    expect(text).toContain('User \\"system:anonymous\\" cannot list resource');
  });

  it("of a front proxy do not change the user of a token (X8)", async () => {
    const server = await start();
    const [status, text] = await ask(server, reviews, { ...frontProxy, authorization: "Bearer alice" });
    expect(status).toBe(201);
    expect(text).toContain('"userInfo":{"username":"alice","groups":["dev","system:authenticated"]}');
  });

  it.each([
    [{ "impersonate-user": "system:admin" }, 403],
    [{ "impersonate-user": "alice", "impersonate-group": "system:masters" }, 403],
    [{ "impersonate-user": "system:serviceaccount:kube-system:default" }, 403],
    [{ "impersonate-user": "alice", "impersonate-uid": "0" }, 403],
    [{ "impersonate-user": "alice", "impersonate-extra-scopes": "all" }, 403],
    [{ "impersonate-group": "system:masters" }, 400],
  ] as const)("of an impersonation need the right to impersonate: %j (X8)", async (headers, expected) => {
    const server = await start();
    const [status, text] = await ask(server, "/api/v1/secrets", { ...headers, authorization: "Bearer alice" });
    expect([status, text.includes('"items"')]).toEqual([expected, false]);
  });
});
