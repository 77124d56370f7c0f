import { prometheusText } from "@drover/machinery";
import type { HttpRequest, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { requestMetrics } from "./request-metrics.ts";

const get: HttpRequest = { method: "GET", path: "/api/v1/pods", headers: {} };
const chunks = async function* (): AsyncGenerator<string | Uint8Array> {
  yield await Promise.resolve("ü");
  yield new Uint8Array(70);
};

describe("requestMetrics", () => {
  it("counts responses by code, method and host, and failures as <error>; nothing more by default", async () => {
    const { clock, metrics } = testRuntime();
    const answers = [200, 404];
    const base: Transport = () => {
      const status = answers.shift();
      return status === undefined ? Promise.reject(new Error("lost")) : Promise.resolve({ status, headers: {}, body: "" });
    };
    const send = requestMetrics({ clock, metrics, host: "h:1" })(base);
    await send(get);
    await send({ ...get, method: "POST" });
    await expect(send(get)).rejects.toThrow("lost");
    const text = prometheusText(metrics);
    expect(text).toContain('rest_client_requests_total{code="200",host="h:1",method="GET"} 1');
    expect(text).toContain('rest_client_requests_total{code="404",host="h:1",method="POST"} 1');
    expect(text).toContain('rest_client_requests_total{code="<error>",host="h:1",method="GET"} 1');
    expect(metrics.families()).toHaveLength(1);
  });

  it("records durations, sizes and retries if detailed; streams have no size", async () => {
    const { clock, metrics } = testRuntime();
    const send = requestMetrics({ clock, metrics, host: "h", detailed: true })(() =>
      Promise.resolve({ status: 200, headers: {}, body: chunks() }),
    );
    const put: HttpRequest = { ...get, method: "PUT", body: "12345" };
    for (let attempt = 0; attempt < 2; attempt++) {
      const { body } = await send(put);
      for await (const chunk of body as AsyncIterable<unknown>) expect(chunk).toBeDefined();
    }
    await send({ ...get, path: "/api/v1/pods?watch=true" });
    const text = prometheusText(metrics);
    expect(text).toContain('rest_client_request_duration_seconds_count{host="h",verb="PUT"} 2');
    expect(text).toContain('rest_client_request_size_bytes_sum{host="h",verb="PUT"} 10');
    expect(text).toContain('rest_client_response_size_bytes_sum{host="h",verb="PUT"} 144');
    expect(text).toContain('rest_client_request_retries_total{code="200",host="h",verb="PUT"} 1');
    expect(text).not.toContain('rest_client_response_size_bytes_sum{host="h",verb="GET"');
  });

  it("counts the size of a complete body, and drops a body that is dropped", async () => {
    const { clock, metrics } = testRuntime();
    const bodies = ["abc", chunks()];
    const send = requestMetrics({ clock, metrics, host: "h", detailed: true })(() =>
      Promise.resolve({ status: 200, headers: {}, body: bodies.shift() ?? "" }),
    );
    await send(get);
    for await (const chunk of (await send({ ...get })).body as AsyncIterable<unknown>) if (chunk !== undefined) break;
    expect(prometheusText(metrics)).toContain('rest_client_response_size_bytes_sum{host="h",verb="GET"} 3');
  });
});
