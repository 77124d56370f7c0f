import { isServiceUnavailable } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { openChannel } from "./open-channel.ts";
import { webSocketPair } from "./web-socket-pair.ts";
import { UpgradeRefusedError } from "./web-socket.ts";

const request = {
  pod: { namespace: "shop", name: "web-0" },
  subresource: "exec",
  query: [["command", "ls"]],
  protocols: ["v5.channel.k8s.io"],
} as const;

describe("openChannel", () => {
  it("closes a connection with a protocol that was not requested", async () => {
    const [client, server] = webSocketPair("other");
    await expect(openChannel(async () => client, request)).rejects.toMatchObject({ name: "StreamError", reason: "protocol" });
    expect(await server.closed).toEqual({ code: 1000, reason: "" });
  });

  it("creates a Status for a response without one, and keeps Retry-After", async () => {
    const failure: unknown = await openChannel(
      () => Promise.reject(new UpgradeRefusedError(503, { "content-type": "text/plain", "retry-after": "7" }, "no backend")),
      request,
    ).catch((error: unknown) => error);
    expect(isServiceUnavailable(failure)).toBe(true);
    expect(failure).toMatchObject({ retryAfterSeconds: 7, attempt: "exec in pods/web-0 in shop" });
  });

  it("passes on any other failure", async () => {
    const failure = new Error("no route");
    await expect(openChannel(() => Promise.reject(failure), request)).rejects.toBe(failure);
  });

  it("rejects a name that a path cannot contain", async () => {
    await expect(
      openChannel(() => Promise.reject(new Error("not reached")), { ...request, pod: { namespace: "shop", name: "../x" } }),
    ).rejects.toThrow("invalid resource name");
  });
});
