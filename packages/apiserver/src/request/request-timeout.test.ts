import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

describe("the timeout in a query", () => {
  it("answers with a Status as text when it expires", async () => {
    const { call, close } = await testServer();
    const { status, text, headers } = await call("GET", `${maps}?timeout=1ns`);
    expect([status, headers["content-type"]]).toEqual([504, "text/plain; charset=utf-8"]);
    expect(JSON.parse(text)).toEqual({
      metadata: {},
      status: "Failure",
      message: "Timeout: request did not complete within the allotted timeout",
      reason: "Timeout",
      details: {},
      code: 504,
    });
    close();
  });

  it("does not matter when it is long, zero or negative, and must be a duration", async () => {
    const { call, close } = await testServer();
    const statuses = await Promise.all(["1h", "0", "-1s", "x"].map(async (text) => (await call("GET", `${maps}?timeout=${text}`)).status));
    expect(statuses).toEqual([200, 200, 200, 400]);
    close();
  });
});
