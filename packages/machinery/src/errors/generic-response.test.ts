import { describe, expect, it } from "vitest";
import { newGenericServerResponse } from "./generic-response.ts";

const pods = { group: "", resource: "pods" };

describe("newGenericServerResponse", () => {
  it("follows the code and the request", () => {
    expect(
      newGenericServerResponse({
        code: 404,
        method: "GET",
        resource: pods,
        name: "web-0",
        serverMessage: "404 page not found",
        retryAfterSeconds: 2,
      }),
    ).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      code: 404,
      reason: "NotFound",
      message: "the server could not find the requested resource (get pods web-0)",
      details: {
        name: "web-0",
        kind: "pods",
        causes: [{ reason: "UnexpectedServerResponse", message: "404 page not found" }],
        retryAfterSeconds: 2,
      },
    });
  });

  it("means AlreadyExists for a POST conflict", () => {
    expect(["POST", "PUT"].map((method) => newGenericServerResponse({ code: 409, method }).reason)).toEqual(["AlreadyExists", "Conflict"]);
  });

  it("keeps the server's text if it is the only information", () => {
    expect(
      [403, 406, 415, 502, 418].map((code) => newGenericServerResponse({ code, method: "GET", serverMessage: 'no "way"' }).message),
    ).toEqual([
      'no "way"',
      'no "way"',
      'no "way"',
      'an error on the server ("no \\"way\\"") has prevented the request from succeeding',
      "the server responded with the status code 418 but did not return more information",
    ]);
    expect(newGenericServerResponse({ code: 406, method: "GET", serverMessage: "unknown" }).message).toBe(
      "the server was unable to respond with a content type that the client supports",
    );
  });

  it("has no cause for an expected server", () => {
    expect(newGenericServerResponse({ code: 422, method: "PATCH", isUnexpected: false }).details).toEqual({});
  });
});
