import { UnknownOutcomeError, isOutcomeUnknown } from "@drover/machinery";
import type { HttpBody, HttpResponse, Transport } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { TransportError } from "./transport-error.ts";
import { writeOutcome } from "./write-outcome.ts";

const lost = new TransportError("lost", { reason: "reset", sent: "maybe" });
const send = (method: string, next: Transport): Promise<HttpResponse> =>
  writeOutcome()(next)({ method, path: "/api/v1/namespaces/shop/pods/web?dryRun=All", headers: {} });
const broken: HttpBody = (async function* (): AsyncGenerator<string> {
  yield await Promise.resolve("{");
  throw lost;
})();

describe("writeOutcome (T10, C1)", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE"])("a %s that may have arrived has an unknown outcome", async (method) => {
    const error = await send(method, () => Promise.reject(lost)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ attempt: `${method} /api/v1/namespaces/shop/pods/web`, cause: lost });
  });
  it("a read has failed, and so has a write of which nothing was sent", async () => {
    await expect(send("GET", () => Promise.reject(lost))).rejects.toBe(lost);
    const unsent = new TransportError("refused", { reason: "refused", sent: "no" });
    await expect(send("POST", () => Promise.reject(unsent))).rejects.toBe(unsent);
  });
  it("an abort stays an abort", async () => {
    const reason = new Error("enough");
    await expect(send("POST", () => Promise.reject(reason))).rejects.toBe(reason);
  });
  it("T11: a truncated response to a write leaves the outcome unknown", async () => {
    const { body } = await send("POST", () => Promise.resolve({ status: 201, headers: {}, body: broken }));
    const iterator = (body as AsyncIterable<string>)[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toBe("{");
    const error: unknown = await iterator.next().catch((reason: unknown) => reason);
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(await iterator.return?.()).toMatchObject({ done: true });
  });
  it("a complete body is passed on unchanged", async () => {
    expect(await send("POST", () => Promise.resolve({ status: 201, headers: {}, body: "{}" }))).toEqual({
      status: 201,
      headers: {},
      body: "{}",
    });
  });
});
