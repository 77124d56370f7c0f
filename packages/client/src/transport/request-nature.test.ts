import { describe, expect, it } from "vitest";
import { attemptOf, isSafe, isStream, isWatch } from "./request-nature.ts";

const get = (path: string): { method: string; path: string } => ({ method: "GET", path });

describe("request classification", () => {
  it.each([
    ["/api/v1/pods?watch=true", true],
    ["/api/v1/pods?limit=1&watch=1", true],
    ["/api/v1/pods?watch", true],
    ["/api/v1/watch/pods", true],
    ["/apis/apps/v1/watch/deployments", true],
    ["/api/v1/pods?watch=false", false],
    ["/api/v1/pods?watch=0", false],
    ["/api/v1/pods", false],
    ["/api/v1/namespaces/watch/pods", false],
    ["/api/v1/pods?labelSelector=watch%3Dtrue", false],
  ])("%s is a watch: %s", (path, expected) => {
    expect(isWatch(get(path))).toBe(expected);
    expect(isStream(get(path))).toBe(expected);
  });
  it.each([
    ["/api/v1/namespaces/a/pods/b/log?follow=true", true],
    ["/api/v1/namespaces/a/pods/b/log", false],
    ["/api/v1/namespaces/a/pods/b/proxy/metrics", true],
    ["/api/v1/namespaces/a/pods/b/exec?command=ls", true],
    ["/api/v1/namespaces/proxy-1/pods", false],
  ])("%s is a stream: %s", (path, expected) => {
    expect(isStream(get(path))).toBe(expected);
  });
  it("only reads are safe", () => {
    expect(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"].filter((method) => isSafe({ method }))).toEqual([
      "GET",
      "HEAD",
      "OPTIONS",
    ]);
  });
  it("attemptOf omits the query", () => {
    expect(attemptOf(get("/api/v1/pods?continue=abc"))).toBe("GET /api/v1/pods");
    expect(attemptOf(get("/api"))).toBe("GET /api");
  });
});
