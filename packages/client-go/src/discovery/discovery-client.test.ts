import { jsonResponse, scriptedTransport, textResponse } from "@drover/client/testing";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { newDiscoveryClient } from "./discovery-client.ts";

describe("newDiscoveryClient", () => {
  it("sends other requests through its REST client, over the same transport", async () => {
    const server = scriptedTransport([textResponse("ok")]);
    const body = await newDiscoveryClient(server, testRuntime()).restClient().get().absPath("/healthz").doRaw();
    expect(new TextDecoder().decode(body)).toBe("ok");
    expect(server.requests.map(({ path }) => path)).toEqual(["/healthz"]);
  });

  it("serves discovery from the given memory", async () => {
    const server = scriptedTransport([jsonResponse({ major: "1" })]);
    const plain = newDiscoveryClient(server, testRuntime());
    const remembering = newDiscoveryClient(server, testRuntime(), { ...plain, serverVersion: () => plain.serverVersion() });
    expect((await remembering.serverVersion()).major).toBe("1");
  });
});
