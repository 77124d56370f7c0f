import { describe, expect, it } from "vitest";
import { startEmbeddedServer } from "./embedded-server.ts";
import type { SuiteServer } from "./suite-server.ts";

const json = { "content-type": "application/json" };
const maps = "/api/v1/namespaces/default/configmaps";

async function onServer(work: (server: SuiteServer) => Promise<void>): Promise<void> {
  const server = await startEmbeddedServer();
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

describe("the embedded server of suites", () => {
  it("keeps its state over a restart, and continues its versions", () =>
    onServer(async ({ send, restart }) => {
      const made = await send({ method: "POST", path: maps, headers: json, body: JSON.stringify({ metadata: { name: "kept" } }) });
      const versionOf = (body: string): number =>
        Number((JSON.parse(body) as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion);
      await restart();
      const found = await send({ method: "GET", path: `${maps}/kept` });
      expect([found.status, found.body]).toEqual([200, made.body]);
      const next = await send({ method: "POST", path: maps, headers: json, body: JSON.stringify({ metadata: { name: "next" } }) });
      expect(versionOf(next.body)).toBeGreaterThan(versionOf(made.body));
    }));

  it.each([
    ["system:masters", "GET", "/api/v1/namespaces", 200],
    ["system:serviceaccounts", "GET", "/api/v1/namespaces", 403],
    ["dev", "GET", "/api/v1/namespaces", 403],
    ["dev", "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", 201],
  ] as const)("answers a member of %s who wants to %s %s: %i", (group, method, path, status) =>
    onServer(async ({ send }) => {
      const body = method === "POST" ? { body: '{"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}}' } : {};
      expect(
        (await send({ method, path, headers: { ...json, "impersonate-user": "somebody", "impersonate-group": group }, ...body })).status,
      ).toBe(status);
    }),
  );

  it("forgets old versions when it is compacted", () =>
    onServer(async ({ send, compact }) => {
      const { body } = await send({ method: "GET", path: `${maps}?limit=1` });
      const { resourceVersion } = (JSON.parse(body) as { readonly metadata: { readonly resourceVersion: string } }).metadata;
      for (const name of ["a", "b"])
        await send({ method: "POST", path: maps, headers: json, body: JSON.stringify({ metadata: { name } }) });
      const asBefore = `${maps}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
      expect((await send({ method: "GET", path: asBefore })).status).toBe(200);
      await compact();
      expect((await send({ method: "GET", path: asBefore })).status).toBe(410);
    }));
});
