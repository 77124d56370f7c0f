import type { HttpRequest } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { trackSent, whileUnsent } from "./request-sent.ts";

const write: HttpRequest = { method: "POST", path: "/api/v1/namespaces/shop/pods", headers: {} };

describe("trackSent", () => {
  it("counts a request as sent unless the transport reports otherwise", () => {
    const { request, wasSent } = trackSent(write);
    expect(wasSent()).toBe(true);
    request.onSent?.("no");
    expect(wasSent()).toBe(false);
    request.onSent?.("maybe");
    expect(wasSent()).toBe(true);
  });

  it("passes reports on to the request's own onSent", () => {
    const heard: string[] = [];
    const outer = trackSent({ ...write, onSent: (sent) => heard.push(sent) });
    const { request } = trackSent(outer.request);
    request.onSent?.("no");
    expect([outer.wasSent(), heard]).toEqual([false, ["no"]]);
  });
});

describe("whileUnsent", () => {
  it("counts a request as not sent during the wait, and also when the wait fails", async () => {
    const { request, wasSent } = trackSent(write);
    const during = await whileUnsent(request, () => Promise.resolve(wasSent()));
    expect([during, wasSent()]).toEqual([false, true]);
    await expect(whileUnsent(request, () => Promise.reject(new Error("no credential")))).rejects.toThrow("no credential");
    expect(wasSent()).toBe(false);
  });
});
