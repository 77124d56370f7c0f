import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

describe("errors of validation", () => {
  it("are listed up to a thousand, on creation and on update (SEC22)", async () => {
    const server = await testServer();
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a b${index}`, ""]));
    const created = await server.call("POST", maps, { metadata: { name: "a" }, data });
    expect([created.status, (created.object["details"] as { causes: unknown[] }).causes.length]).toEqual([422, 1000]);
    await server.call("POST", maps, { metadata: { name: "a" } });
    const changed = await server.call("PUT", `${maps}/a`, { metadata: { name: "a" }, data });
    expect([changed.status, (changed.object["details"] as { causes: unknown[] }).causes.length]).toEqual([422, 1000]);
    server.close();
  });

  it("are listed up to two megabytes, at least one (SEC22)", async () => {
    const server = await testServer();
    const data = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a ${index} ${"b".repeat(140_000)}`, ""]));
    const { status, text } = await server.call("POST", maps, { metadata: { name: "a" }, data });
    expect([status, text.length < 6 * 2 ** 20]).toEqual([422, true]);
    const one = await server.call("POST", maps, { metadata: { name: "a" }, data: { [`a ${"b".repeat(2_500_000)}`]: "" } });
    expect([one.status, (one.object["details"] as { causes: unknown[] }).causes.length]).toEqual([422, 1]);
    server.close();
  });
});
