import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import { isLarge, largeBytes } from "./pause.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const text = (length: number): string =>
  JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "x".repeat(length) } });

/** How often the server paused for each request. */
async function pauses(...requests: readonly (readonly [method: string, path: string, body: string, type?: string])[]): Promise<number[]> {
  const { handle } = await testServer();
  const counts: number[] = [];
  for (const [method, path, body, type = "application/json"] of requests) {
    let count = 0;
    const { status } = await handle({
      method,
      path,
      body,
      headers: { "content-type": type },
      pause: () => {
        count++;
        return Promise.resolve();
      },
    });
    expect(status).toBeLessThan(300);
    counts.push(count);
  }
  return counts;
}

describe("pauses of a request", () => {
  it("do not happen for small objects", async () => {
    const patch = "application/merge-patch+json";
    expect(await pauses(["POST", maps, text(10)], ["PUT", `${maps}/a`, text(20)], ["PATCH", `${maps}/a`, "{}", patch])).toEqual([0, 0, 0]);
  });

  it("separate the steps of a write with a large body, and of a small one to a large object", async () => {
    const apply = "application/apply-patch+yaml";
    const counts = await pauses(
      ["POST", maps, text(largeBytes)],
      ["PUT", `${maps}/a`, text(largeBytes + 1)],
      ["PATCH", `${maps}/a?fieldManager=b&force=true`, text(largeBytes + 2), apply],
      ["PATCH", `${maps}/a`, '{"data":{"b":"1"}}', "application/merge-patch+json"],
    );
    for (const count of counts) expect(count).toBeGreaterThanOrEqual(5);
  });

  it("know the size of text and bytes, not of streams", () => {
    expect([undefined, "x".repeat(largeBytes), "x".repeat(largeBytes + 1), new Uint8Array(largeBytes + 1)].map(isLarge)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
