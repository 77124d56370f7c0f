import { describe, expect, it } from "vitest";
import { webhook, webhookServer } from "../../testing/webhook-server.ts";
import type { WebhookServer } from "../../testing/webhook-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const map = { metadata: { name: "a" } };

/** A server with a webhook that answers nothing, and what became of its calls. */
async function withSilentWebhook(
  type: "mutating" | "validating",
  failurePolicy: string,
): Promise<WebhookServer & { readonly calledAt: () => string; readonly asked: Promise<void>; readonly ended: Promise<unknown> }> {
  const server = await webhookServer();
  let url = "";
  let tellEnd = (_reason: unknown): void => undefined;
  const ended = new Promise<unknown>((resolve) => (tellEnd = resolve));
  const asked = new Promise<void>((tellAsked) => {
    server.hook("silent", (_request, { url: called, signal }) => {
      url = called;
      tellAsked();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          tellEnd(signal.reason);
          reject(signal.reason as Error);
        });
      });
    });
  });
  await server.register(type, "silent", webhook("silent", { failurePolicy, timeoutSeconds: 10 }));
  return { ...server, calledAt: () => url, asked, ended };
}

describe("the timeout of a request", () => {
  it.each([
    ["mutating", "Fail"],
    ["mutating", "Ignore"],
    ["validating", "Fail"],
    ["validating", "Ignore"],
  ] as const)("ends the call of a %s webhook with failure policy %s, and nothing is written", async (type, failurePolicy) => {
    const { call, calledAt, asked, ended, clock, store, close } = await withSilentWebhook(type, failurePolicy);
    const before = await store.revision();
    const answer = call("POST", `${maps}?timeout=1500ms`, map);
    await asked;
    expect(calledAt()).toBe("https://hook.test/silent?timeout=2s");
    await clock.advance(1500);
    expect(await answer).toMatchObject({ status: 504, headers: { "content-type": "text/plain; charset=utf-8" } });
    expect(await ended).toMatchObject({ name: "TimeoutError" });
    await clock.advance(60_000);
    expect(await store.revision()).toBe(before);
    close();
  });

  it("does not lengthen the timeout of a webhook", async () => {
    const { call, calledAt, asked, clock, close } = await withSilentWebhook("validating", "Ignore");
    const answer = call("POST", `${maps}?timeout=1m`, map);
    await asked;
    expect(calledAt()).toBe("https://hook.test/silent?timeout=10s");
    await clock.advance(10_000);
    expect((await answer).status).toBe(201);
    close();
  });
});
