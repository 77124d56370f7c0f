import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { retryRequests } from "@drover/client";
import { jsonResponse, scriptedTransport } from "@drover/client/testing";
import { RestClient } from "./rest-client.ts";
import { urlBackoff } from "./url-backoff.ts";

describe("urlBackoff", () => {
  it("doubles up to the maximum, and is reset by any outcome other than overload", () => {
    const { clock } = testRuntime();
    const backOff = urlBackoff({ clock, initialMs: 100, maxMs: 500 });
    const after = (outcome: { readonly statusCode: number } | { readonly error: unknown }): number => {
      backOff.updateBackoff("/", outcome);
      return backOff.calculateBackoff("/");
    };
    expect([503, 429, 500, 504, 503].map((statusCode) => after({ statusCode }))).toEqual([100, 200, 400, 500, 500]);
    for (const end of [{ statusCode: 200 }, { statusCode: 404 }, { error: new Error("reset") }])
      expect([after(end), after({ statusCode: 503 })]).toEqual([0, 100]);
  });

  it("starts again when failures are far apart", async () => {
    const { clock } = testRuntime();
    const backOff = urlBackoff({ clock, initialMs: 100, maxMs: 500 });
    for (const [pause, expected] of [
      [0, 100],
      [1000, 200],
      [1001, 100],
    ] as const) {
      await clock.advance(pause);
      backOff.updateBackoff("/", { statusCode: 503 });
      expect(backOff.calculateBackoff("/")).toBe(expected);
    }
  });

  it("delays the attempts of a request, and of the next one that shares it", async () => {
    const runtime = testRuntime();
    const { clock } = runtime;
    const sentAt: number[] = [];
    const transport = retryRequests({ ...runtime })(
      scriptedTransport((_, index) => {
        sentAt.push(clock.monotonic());
        return jsonResponse({}, { status: index < 3 ? 503 : 200, headers: { "retry-after": "0" } });
      }),
    );
    const request = new RestClient({ transport, ...runtime })
      .get()
      .maxRetries(2)
      .backOff(urlBackoff({ clock, initialMs: 100 }));
    for (let call = 0; call < 3; call++) {
      const answer = request.do();
      await clock.runAll();
      await answer;
    }
    expect(sentAt).toEqual([0, 100, 300, 700, 700]);
  });

  it("rejects invalid delays", () => {
    const { clock } = testRuntime();
    for (const [initialMs, maxMs] of [
      [0, 1],
      [-1, 1],
      [Number.NaN, 1],
      [2, 1],
    ] as const)
      expect(() => urlBackoff({ clock, initialMs, maxMs })).toThrow(RangeError);
  });
});
