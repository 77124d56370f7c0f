import { requestInfo } from "@drover/machinery";
import { expect, it } from "vitest";
import { isLongRunning } from "./long-running.ts";

it("isLongRunning is true for watches and streams only", () => {
  const asked = (path: string): boolean => isLongRunning(requestInfo("GET", path));
  expect(
    ["/api/v1/pods?watch=true", "/api/v1/watch/pods", "/api/v1/namespaces/a/pods/b/log", "/api/v1/namespaces/a/pods/b/proxy/x"].map(asked),
  ).toEqual([true, true, true, true]);
  expect(["/api/v1/pods", "/api/v1/namespaces/a/pods/b/status", "/log", "/healthz"].map(asked)).toEqual([false, false, false, false]);
});
