import type { Event } from "@drover/api/events/v1";
import { ResponseError, TransportError } from "@drover/client";
import { statusResponse } from "@drover/client/testing";
import {
  ApiError,
  newAlreadyExists,
  newBadRequest,
  newConflict,
  newForbidden,
  newInternalError,
  newInvalid,
  newNotFound,
  newServiceUnavailable,
  newTooManyRequests,
  newUnauthorized,
  TimeoutError,
  UnknownOutcomeError,
} from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { eventServer } from "../testing/event-server.ts";
import { mayHelpToRetry, sendEvent } from "./send-event.ts";

const event: Event = {
  metadata: { name: "web.1", namespace: "shop" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  reason: "R",
  action: "A",
  type: "Normal",
  note: "n",
  reportingController: "c",
  reportingInstance: "i",
  regarding: { kind: "Pod", namespace: "shop", name: "web" },
};
const series = { count: 3, lastObservedTime: "2026-01-01T00:00:01.000000Z" };
const resource = { group: "events.k8s.io", resource: "events" };

describe("sendEvent", () => {
  it("creates a new event and patches the series of an existing one", async () => {
    const server = eventServer();
    const client = server.client(testRuntime());
    await sendEvent(client, { key: "k", event, count: 1, isOnServer: false }, {});
    await sendEvent(client, { key: "k", event: { ...event, series }, count: 3, isOnServer: true }, {});
    expect(server.requests).toEqual(["POST shop", "PATCH shop/web.1"]);
    expect(server.events.get("shop/web.1")).toMatchObject({ note: "n", series });
  });

  it("creates an event again, with its series, if it has expired on the server", async () => {
    const server = eventServer();
    await sendEvent(server.client(testRuntime()), { key: "k", event: { ...event, series }, count: 3, isOnServer: true }, {});
    expect(server.requests).toEqual(["PATCH shop/web.1", "POST shop"]);
    expect(server.events.get("shop/web.1")?.series).toEqual(series);
  });

  it("recognises its own event if the response to the create was lost", async () => {
    const server = eventServer();
    server.events.set("shop/web.1", event);
    const client = server.client(testRuntime());
    await sendEvent(client, { key: "k", event, count: 1, isOnServer: false }, {});
    await sendEvent(client, { key: "k", event: { ...event, series }, count: 3, isOnServer: false }, {});
    expect([server.requests, server.events.size, server.events.get("shop/web.1")?.series]).toEqual([
      ["POST shop", "POST shop", "PATCH shop/web.1"],
      1,
      series,
    ]);
  });

  it("passes on every other error", async () => {
    const server = eventServer();
    server.fault = () => ({ answer: statusResponse(newForbidden(resource, "web.1", "no")) });
    await expect(sendEvent(server.client(testRuntime()), { key: "k", event, count: 1, isOnServer: false }, {})).rejects.toThrow(
      "forbidden",
    );
    await expect(
      sendEvent(server.client(testRuntime()), { key: "k", event: { ...event, series }, count: 1, isOnServer: true }, {}),
    ).rejects.toThrow("forbidden");
  });
});

const unanswered = (reason: "invalid-request" | "reset"): Error =>
  new ResponseError("create events in shop", "unanswered", "no response", { cause: new TransportError("no", { reason, sent: "no" }) });

describe("mayHelpToRetry", () => {
  const refused = (status: Status): ApiError => new ApiError(status);
  const kind = { group: "events.k8s.io", kind: "Event" };
  const rows: readonly [string, unknown, boolean][] = [
    ["a lost connection", new Error("reset"), true],
    ["a write with an unknown outcome", new UnknownOutcomeError({ attempt: "create", why: "lost" }), true],
    ["a timeout", new TimeoutError("slow"), true],
    ["a server error", refused(newInternalError("x")), true],
    ["an unavailable server", refused(newServiceUnavailable("x")), true],
    ["too many requests", refused(newTooManyRequests("x", 1)), true],
    ["a conflict", refused(newConflict(resource, "x", "y")), true],
    ["credentials that are not accepted yet", refused(newUnauthorized("x")), true],
    ["a missing permission, or a terminating namespace", refused(newForbidden(resource, "x", "y")), false],
    ["an invalid event", refused(newInvalid(kind, "x", [])), false],
    ["a bad request", refused(newBadRequest("x")), false],
    ["a missing namespace", refused(newNotFound(resource, "x")), false],
    ["an object that cannot be encoded", new TypeError("create events in shop: the object cannot be encoded as JSON"), false],
    ["a request that is not valid HTTP", unanswered("invalid-request"), false],
    ["a reset connection", unanswered("reset"), true],
    ["a rejection behind another error", new Error("outer", { cause: refused(newBadRequest("x")) }), false],
  ];
  for (const [what, error, expected] of rows)
    it(`is ${expected ? "true" : "false"} for ${what}`, () => expect(mayHelpToRetry(error)).toBe(expected));

  it("is true if the event already exists: the next attempt patches it", () =>
    expect(mayHelpToRetry(refused(newAlreadyExists(resource, "x")))).toBe(true));
});
