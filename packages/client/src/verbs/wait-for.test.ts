import { Node, Pod } from "@drover/api/core/v1";
import { TimeoutError, isForbidden, newForbidden, newInternalError, newResourceExpired, newTooManyRequests } from "@drover/machinery";
import type { HttpResponse, Status } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { CredentialError } from "../auth/credential-error.ts";
import { createClient } from "./client.ts";
import type { Client } from "./client.ts";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { jsonResponse, scriptedTransport, statusResponse } from "../testing/scripted-transport.ts";
import type { Script, ScriptedTransport } from "../testing/scripted-transport.ts";
import { TransportError } from "../transport/transport-error.ts";
import { conditionTrue, deleted, exists } from "./wait-condition.ts";
import { waitFor } from "./wait-for.ts";

let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

const set = (script: Script): { readonly client: Client; readonly server: ScriptedTransport } => {
  const server = scriptedTransport(script);
  return { client: createClient({ transport: server, clock, log: recordingLog(clock), namespace: "shop" }), server };
};
const pod = (resourceVersion: string, ready = false): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", resourceVersion },
  ...(ready ? { status: { conditions: [{ type: "Ready", status: "True" }] } } : {}),
});
const listed = (resourceVersion: string, ...items: Pod[]): HttpResponse =>
  jsonResponse({ apiVersion: "v1", kind: "PodList", metadata: { resourceVersion }, items });
const watched = (...events: readonly (readonly ["ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR", object])[]): HttpResponse => {
  const stream = new ScriptedStream();
  for (const [type, object] of events) stream.event(type, object);
  stream.end();
  return stream.response;
};
const paths = ({ requests }: ScriptedTransport): string[] =>
  requests.map(({ query }) => `${query.get("watch") === undefined ? "list" : "watch"} ${query.get("resourceVersion")?.[0] ?? ""}`.trim());
const expired: Status = newResourceExpired("too old");

describe("waitFor", () => {
  it("resolves at once if the condition holds", async () => {
    const { client, server } = set([listed("7", pod("5", true))]);
    expect(await waitFor(client, Pod, "web", conditionTrue("Ready"))).toMatchObject({ metadata: { resourceVersion: "5" } });
    expect(server.requests[0]?.path).toBe("/api/v1/namespaces/shop/pods?fieldSelector=metadata.name%3Dweb");
    expect(clock.pending).toEqual([]);
  });

  it("watches from the version of the list, and ends the watch when the condition holds", async () => {
    const stream = new ScriptedStream();
    const { client, server } = set([listed("7"), stream.response]);
    const waiting = waitFor(client, Pod, "web", conditionTrue("Ready"), { namespace: "other", timeoutMs: 60_000 });
    stream.event("ADDED", pod("8"));
    stream.event("MODIFIED", pod("9", true));
    expect((await waiting)?.metadata.resourceVersion).toBe("9");
    expect(server.requests[1]?.path).toBe(
      "/api/v1/namespaces/other/pods?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dweb&resourceVersion=7&watch=true",
    );
    expect(stream.isDestroyed).toBe(true);
    expect(clock.pending).toEqual([]);
  });

  it("waits for deletion, and resolves to undefined", async () => {
    const { client } = set([listed("7", pod("5")), watched(["DELETED", pod("8")])]);
    expect(await waitFor(client, Pod, "web", deleted)).toBeUndefined();
  });

  it("resumes from the last version, also of bookmarks, when a watch ends", async () => {
    const { client, server } = set([
      listed("7"),
      watched(["ADDED", pod("8")]),
      watched(["BOOKMARK", { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "20" } }]),
      watched(["MODIFIED", pod("21", true)]),
    ]);
    const waiting = waitFor(client, Pod, "web", conditionTrue("Ready"));
    for (let turn = 0; turn < 5; turn++) await clock.advance(500);
    expect((await waiting)?.metadata.resourceVersion).toBe("21");
    expect(paths(server)).toEqual(["list", "watch 7", "watch 8", "watch 20"]);
  });

  it.each([
    ["in the stream", watched(["ERROR", expired])],
    ["as a response", statusResponse(expired)],
  ])("lists again when its version has expired, reported %s", async (_, gone) => {
    const { client, server } = set([listed("7"), gone, listed("30", pod("29", true))]);
    const waiting = waitFor(client, Pod, "web", exists);
    await clock.advance(500);
    expect((await waiting)?.metadata.resourceVersion).toBe("29");
    expect(paths(server)).toEqual(["list", "watch 7", "list"]);
  });

  it("backs off after consecutive failures, up to half a minute, and as long as Retry-After says", async () => {
    const sentAt: number[] = [];
    const { client } = set((_, index) => {
      sentAt.push(clock.monotonic());
      if (index === 0) return listed("7");
      if (index === 3) return statusResponse(newTooManyRequests("slow down", 7));
      if (index < 10) return index % 2 === 0 ? statusResponse(newInternalError("broken")) : Promise.reject(new Error("connection refused"));
      return watched(["ADDED", pod("8")]);
    });
    const waiting = waitFor(client, Pod, "web", exists);
    for (let turn = 0; turn < 400; turn++) await clock.advance(500);
    await waiting;
    expect(sentAt.slice(2).map((at, index) => at - (sentAt[index + 1] ?? 0))).toEqual([
      0, 500, 7000, 14_000, 28_000, 30_000, 30_000, 30_000, 30_000,
    ]);
  });

  it("resets the backoff after a change, and after a watch that lasted long", async () => {
    const sentAt: number[] = [];
    const lasting = new ScriptedStream();
    const { client } = set((_, index) => {
      sentAt.push(clock.monotonic());
      if (index === 0) return listed("7");
      if (index === 4) return watched(["ADDED", pod("8")]);
      if (index === 7) return lasting.response;
      return index < 8 ? watched() : watched(["MODIFIED", pod("9", true)]);
    });
    const waiting = waitFor(client, Pod, "web", conditionTrue("Ready"));
    for (let turn = 0; turn < 20; turn++) await clock.advance(500);
    const at = clock.monotonic();
    await clock.advance(30_000);
    lasting.end();
    await clock.advance(0);
    await waiting;
    expect(sentAt.slice(2, 8).map((sent, index) => sent - (sentAt[index + 1] ?? 0))).toEqual([0, 500, 1000, 0, 500, 1000]);
    expect(sentAt[8]).toBe(at + 30_000);
  });

  it("rejects on a refusal", async () => {
    const { client } = set([statusResponse(newForbidden({ group: "", resource: "nodes" }, "", "no"))]);
    const error: unknown = await waitFor(client, Node, "n1", exists).catch((reason: unknown) => reason);
    expect(isForbidden(error)).toBe(true);
    expect(error).toMatchObject({ attempt: "list nodes" });
  });

  it.each([
    ["an untrusted server", new TransportError("self-signed", { reason: "tls", sent: "no" })],
    ["a closed transport", new TransportError("closed", { reason: "closed", sent: "no" })],
    ["credentials that cannot work", new CredentialError("setup", "no command")],
  ])("does not wait for %s", async (_, failure) => {
    await expect(waitFor(set([failure]).client, Pod, "web", exists)).rejects.toMatchObject({ name: "ResponseError", cause: failure });
  });

  it("rejects with what the condition throws", async () => {
    const { client } = set([listed("7")]);
    await expect(
      waitFor(client, Pod, "web", () => {
        throw new Error("oops");
      }),
    ).rejects.toThrow("oops");
  });

  it.each([
    ["it does not exist", [listed("7"), new ScriptedStream().response]],
    ["last seen at version 5", [listed("7", pod("5")), new ScriptedStream().response]],
    ["it could not be read", [new ScriptedStream().response]],
  ])("describes the last state on timeout: %s", async (seen, script) => {
    const { client } = set(script);
    const waiting = waitFor(client, Pod, "web", conditionTrue("Ready"), { timeoutMs: 10_000 }).catch((reason: unknown) => reason);
    await clock.advance(10_000);
    const error = await waiting;
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toBe(`wait for pods/web in shop: the condition does not hold after 10000 ms; ${seen}`);
    expect(clock.pending).toEqual([]);
  });

  it("rejects with the signal's reason unchanged", async () => {
    const controller = new AbortController();
    const { client } = set([listed("7"), new ScriptedStream().response]);
    const waiting = waitFor(client, Pod, "web", exists, { signal: controller.signal, timeoutMs: 10_000 });
    await clock.advance(1);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toBe(controller.signal.reason);
    expect(clock.pending).toEqual([]);
  });
});
