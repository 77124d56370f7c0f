import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

describe("GET of a collection", () => {
  it("ignores the limit for resourceVersion 0", async () => {
    const { call } = await testServer();
    for (const name of ["a", "b"]) await call("POST", maps, { metadata: { name } });
    const count = async (query: string): Promise<number> =>
      ((await call("GET", `${maps}?${query}`)).object["items"] as JsonObject[]).length;
    expect(await count("limit=1")).toBe(1);
    expect(await count("limit=1&resourceVersion=0")).toBe(2);
    expect((await call("GET", `${maps}?limit=1&resourceVersion=0`)).object["metadata"]).not.toHaveProperty("continue");
  });
  it("reports a malformed selector before invalid options, and those before an unknown field selector", async () => {
    const { call } = await testServer();
    expect(await call("GET", `${maps}?labelSelector=a%20in&resourceVersionMatch=Exact`)).toMatchObject({ status: 400 });
    expect(await call("GET", `${maps}?fieldSelector=spec.x%3D1&resourceVersionMatch=Exact`)).toMatchObject({ status: 422 });
    expect(await call("GET", `${maps}?labelSelector=a%20in&resourceVersionMatch=Exact&watch=1`)).toMatchObject({ status: 400 });
    expect(await call("DELETE", `${maps}?labelSelector=a%20in&resourceVersionMatch=Exact`)).toMatchObject({ status: 400 });
  });
});
