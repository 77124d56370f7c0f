import { seconds } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { CallWebhook, WebhookCall, WebhookReply } from "./webhook-call.ts";
import { WebhookFailure } from "./webhook-call.ts";
import { WebhookCallError, WebhookClient } from "./webhook-client.ts";
import type { WebhookClientConfig } from "./webhook-client.ts";

const kind = { group: "admission.k8s.io", version: "v1", kind: "AdmissionReview" };
/** As far as the server checks a certificate: one DER sequence. */
const pem = `-----BEGIN CERTIFICATE-----\n${btoa("\u0030\u0001a")}\n-----END CERTIFICATE-----`;
const reply = (body: string, over: Partial<WebhookReply> = {}): WebhookReply => ({ status: 200, headers: {}, body, ...over });
const review = reply('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}');

function client(call: CallWebhook, clock = new ManualClock()): WebhookClient {
  const addressOf = (): Promise<{ host: string; port: number }> => Promise.resolve({ host: "10.0.0.1", port: 8443 });
  return new WebhookClient({ clock, metrics: testRuntime().metrics, call, addressOf });
}

async function sent(clientConfig: WebhookClientConfig, timeoutMs = seconds(10)): Promise<WebhookCall> {
  const calls: WebhookCall[] = [];
  const { post } = { post: client((call) => Promise.resolve((calls.push(call), review))) };
  await post.post({ clientConfig, review: kind, body: "{}", timeoutMs, signal: undefined });
  const [call] = calls;
  if (call === undefined) throw new Error("no call");
  return call;
}

const url = { url: "https://hook.test:9443/a" };
const failed = async (answer: () => Promise<WebhookReply> | WebhookReply): Promise<string> => {
  try {
    await client(async () => await answer()).post({ clientConfig: url, review: kind, body: "{}", timeoutMs: 1000, signal: undefined });
    return "no error";
  } catch (error) {
    return error instanceof WebhookCallError ? error.message : String(error);
  }
};

describe("WebhookClient", () => {
  it.each([
    [{ url: "https://hook.test" }, "https://hook.test/?timeout=10s"],
    [{ url: "https://hook.test:1/a//b/../c/" }, "https://hook.test:1/a/c?timeout=10s"],
    [{ service: { name: "hook", namespace: "shop" } }, "https://hook.shop.svc:443/?timeout=10s"],
    [{ service: { name: "hook", namespace: "shop", port: 9, path: "/v/" } }, "https://hook.shop.svc:9/v?timeout=10s"],
  ])("builds the URL of %j as client-go does", async (config, wanted) => {
    expect((await sent(config)).url).toBe(wanted);
  });

  it("connects to the address of a service, and trusts the bundle of the webhook", async () => {
    const call = await sent({ service: { name: "hook", namespace: "shop" }, caBundle: btoa(`${pem}\n`) });
    expect([call.connectTo, call.caBundle]).toEqual([{ host: "10.0.0.1", port: 8443 }, pem]);
    expect((await sent(url)).connectTo).toBe(undefined);
  });

  it("sends nothing with a bundle that is no PEM", async () => {
    const clientConfig = { ...url, caBundle: btoa("nonsense") };
    const post = client(() => Promise.reject(new Error("sent"))).post({
      clientConfig,
      review: kind,
      body: "{}",
      timeoutMs: 1000,
      signal: undefined,
    });
    await expect(post).rejects.toMatchObject({
      message: "unable to load root certificates: unable to parse bytes as PEM block",
      isUnsent: true,
    });
  });

  it("says in Go's words why there is no answer", async () => {
    expect(await failed(() => Promise.reject(new WebhookFailure("dial tcp 1.2.3.4:9443: connect: connection refused")))).toBe(
      'Post "https://hook.test:9443/a?timeout=1s": dial tcp 1.2.3.4:9443: connect: connection refused',
    );
    expect(await failed(() => reply(""))).toBe("0-length response with status code: 200 and content type: application/json");
    expect(await failed(() => reply("boom", { status: 500 }))).toBe(
      'an error on the server ("boom") has prevented the request from succeeding',
    );
    expect(await failed(() => reply('{"kind":"Status","status":"Failure","message":"no"}', { status: 400 }))).toBe("no");
    expect(await failed(() => reply('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"}'))).toBe(
      "converting (v1.Status) to (v1.AdmissionReview): unknown conversion",
    );
  });

  it("ends a call at its timeout, and when the client leaves", async () => {
    const clock = new ManualClock();
    const silent = client(({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))), clock);
    const late = silent.post({ clientConfig: url, review: kind, body: "{}", timeoutMs: seconds(2), signal: undefined });
    late.catch(() => undefined);
    await clock.advance(seconds(2));
    await expect(late).rejects.toThrow('Post "https://hook.test:9443/a?timeout=2s": context deadline exceeded');
    const leaving = new AbortController();
    const left = silent.post({ clientConfig: url, review: kind, body: "{}", timeoutMs: seconds(2), signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ message: expect.stringContaining("context canceled") as string, isCanceled: true });
  });

  it("repeats a call that the webhook asks to repeat", async () => {
    const clock = new ManualClock();
    let count = 0;
    const busy = client(() => Promise.resolve(++count < 3 ? reply("", { status: 503, headers: { "retry-after": "1" } }) : review), clock);
    const answer = busy.post({ clientConfig: url, review: kind, body: "{}", timeoutMs: seconds(10), signal: undefined });
    await clock.advance(seconds(3));
    expect([await answer, count]).toEqual([{ kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1" }, 3]);
  });

  it("answers in this process if a handler does", async () => {
    const addressOf = (): Promise<never> => Promise.reject(new Error("looked up"));
    const handling = new WebhookClient({
      clock: new ManualClock(),
      metrics: testRuntime().metrics,
      call: () => Promise.reject(new Error("called")),
      addressOf,
      handle: ({ url: to }) => (to.startsWith("https://hook.shop.svc:443/") ? Promise.resolve(review) : undefined),
    });
    const clientConfig = { service: { name: "hook", namespace: "shop" } };
    expect(await handling.post({ clientConfig, review: kind, body: "{}", timeoutMs: 1000, signal: undefined })).toMatchObject({
      kind: "AdmissionReview",
    });
    await expect(handling.post({ clientConfig: url, review: kind, body: "{}", timeoutMs: 1000, signal: undefined })).rejects.toThrow(
      "called",
    );
  });
});
