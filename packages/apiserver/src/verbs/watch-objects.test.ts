import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createApiServer } from "../api-server.ts";
import { nodeHost } from "../http/node-host.ts";

describe("watchObjects", () => {
  it("delivers writes since the response, also to a reader that starts later", async () => {
    // A watch from now on used to start at the first read, so a client that wrote between the response and that read never saw
    // its own write.
    const { handle, close } = await createApiServer({ runtime: testRuntime(), host: nodeHost });
    const path = "/api/v1/namespaces/default/configmaps";
    const { body } = await handle({
      method: "GET",
      path: `${path}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
      headers: {},
    });
    await handle({ method: "POST", path, headers: {}, body: JSON.stringify({ metadata: { name: "x" } }) });
    await handle({ method: "POST", path, headers: {}, body: JSON.stringify({ metadata: { name: "y" } }) });
    const lines: string[] = [];
    if (typeof body !== "string" && !(body instanceof Uint8Array)) {
      for await (const line of body) if (lines.push(String(line)) === 2) break;
    }
    close();
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { type: "ADDED", object: { metadata: { name: "x" } } },
      { type: "ADDED", object: { metadata: { name: "y" } } },
    ]);
  });
});
