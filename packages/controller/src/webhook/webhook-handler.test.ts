import { isJsonObject } from "@drover/machinery";
import type { HttpBody, JsonObject, Transport } from "@drover/machinery";
import { metricValues, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { admissionBody, webhookNamed } from "./testing/reviews.ts";
import type { AdmissionWebhook, Webhooks } from "./webhook.ts";
import { createWebhookHandler } from "./webhook-handler.ts";

interface Reply {
  readonly status: number;
  readonly review: JsonObject;
  readonly response: JsonObject;
}

function rig(webhooks: Partial<Webhooks>) {
  const runtime = testRuntime();
  const handle = createWebhookHandler({ admission: [], conversions: [], policies: [], ...webhooks }, runtime);
  const post = (path: string, body: HttpBody, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Reply> =>
    replyOf(handle, path, body, headers, signal);
  return { ...runtime, handle, post };
}

async function replyOf(
  handle: Transport,
  path: string,
  body: HttpBody,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Reply> {
  const { status, body: text } = await handle({
    method: "POST",
    path,
    headers: { "content-type": "application/json", ...headers },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  const review = JSON.parse(text as string) as JsonObject;
  return { status, review, response: isJsonObject(review["response"]) ? review["response"] : {} };
}

const patchOf = ({ response }: Reply): unknown => JSON.parse(atob(response["patch"] as string));
const validating = (handle: AdmissionWebhook["handle"], more: Partial<AdmissionWebhook> = {}): AdmissionWebhook =>
  webhookNamed("validate", { type: "validating", handle, ...more });
const mutating = (handle: AdmissionWebhook["handle"], more: Partial<AdmissionWebhook> = {}): AdmissionWebhook =>
  webhookNamed("mutate", { type: "mutating", handle, ...more });
const allow = () => ({ isAllowed: true });

describe("createWebhookHandler", () => {
  it("passes the request to the webhook of the path, and answers with its uid, status, warnings and annotations", async () => {
    const seen: unknown[] = [];
    const { post, metrics } = rig({
      admission: [
        validating((request) => {
          seen.push(request);
          return {
            isAllowed: false,
            code: 422,
            reason: "Invalid",
            message: "no",
            causes: [{ field: "spec.host", reason: "FieldValueInvalid", message: "bad" }],
            warnings: ["careful"],
            auditAnnotations: { why: "test" },
          };
        }),
      ],
    });
    const { status, review } = await post("/validate?timeout=5s", admissionBody({ uid: "u1", dryRun: true, subResource: "status" }));
    expect(status).toBe(200);
    expect(review).toEqual({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      response: {
        uid: "u1",
        allowed: false,
        status: {
          metadata: {},
          status: "Failure",
          message: "no",
          reason: "Invalid",
          details: { causes: [{ reason: "FieldValueInvalid", message: "bad", field: "spec.host" }] },
          code: 422,
        },
        warnings: ["careful"],
        auditAnnotations: { why: "test" },
      },
    });
    expect(seen).toMatchObject([
      {
        uid: "u1",
        operation: "CREATE",
        subresource: "status",
        isDryRun: true,
        name: "shop",
        namespace: "default",
        user: { username: "alice", groups: ["dev"], extra: { scopes: ["a"] } },
        object: { metadata: { name: "shop" } },
      },
    ]);
    expect(seen[0]).not.toHaveProperty("oldObject");
    expect(metricValues(metrics, "controller_runtime_webhook_requests_total")).toEqual({ "/validate,200": 1 });
    expect(metricValues(metrics, "controller_runtime_webhook_requests_in_flight")).toEqual({});
  });

  it("sends a patch as base64 of JSON, and answers v1beta1 with v1beta1", async () => {
    const patch = [{ op: "add", path: "/metadata/labels", value: { über: "1" } }] as const;
    const { post } = rig({ admission: [mutating(() => ({ isAllowed: true, patch }))] });
    const reply = await post("/mutate", admissionBody({ uid: "u1" }, "admission.k8s.io/v1beta1"));
    expect(reply.review["apiVersion"]).toBe("admission.k8s.io/v1beta1");
    expect(reply.response).toMatchObject({ uid: "u1", allowed: true, patchType: "JSONPatch" });
    expect(
      JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(reply.response["patch"] as string), (c) => c.codePointAt(0) ?? 0))),
    ).toEqual(patch);
  });

  it("serves health and readiness, and answers 404 and 405 elsewhere", async () => {
    const runtime = testRuntime();
    let isReady = false;
    const ready = new Map([
      [
        "certificate",
        () => {
          if (!isReady) throw new Error("no pair");
        },
      ],
    ]);
    const handle = createWebhookHandler({ admission: [validating(allow)], conversions: [], policies: [] }, { ...runtime, ready });
    const get = async (path: string, method = "GET"): Promise<number> => (await handle({ method, path, headers: {} })).status;
    expect([await get("/healthz"), await get("/readyz"), await get("/other"), await get("/validate"), await get("/convert")]).toEqual([
      200, 500, 404, 405, 404,
    ]);
    isReady = true;
    expect(await get("/readyz")).toBe(200);
  });

  it("refuses two webhooks with one path", () => {
    expect(() => rig({ admission: [validating(allow), validating(allow)] })).toThrow(
      "cannot serve webhook validate.example.com at /validate: the path is taken",
    );
    expect(() => rig({ admission: [validating(allow, { path: "/convert" })] })).toThrow("the path is taken");
    expect(() => rig({ admission: [validating(allow, { path: "/readyz" })] })).toThrow("are taken");
  });
});

describe("A failing handler (F2, H4)", () => {
  it("is a refusal with its message and without its stack", async () => {
    const { post, metrics, log } = rig({
      admission: [
        validating(() => {
          throw new Error("the database is down");
        }),
      ],
    });
    const { status, response } = await post("/validate", admissionBody({ uid: "u1" }));
    expect(status).toBe(200);
    expect(response).toEqual({
      uid: "u1",
      allowed: false,
      status: { metadata: {}, status: "Failure", message: "the database is down", reason: "InternalError", code: 500 },
    });
    expect(metricValues(metrics, "controller_runtime_webhook_panics_total")).toEqual({ "": 1 });
    expect(log.entries).toMatchObject([{ message: "webhook handler failed", fields: { webhook: "validate.example.com", uid: "u1" } }]);
  });

  it("is a warning if its failurePolicy is Ignore", async () => {
    const { post } = rig({ admission: [validating(() => Promise.reject(new Error("down")), { failurePolicy: "Ignore" })] });
    expect((await post("/validate", admissionBody({ uid: "u1" }))).response).toMatchObject({
      uid: "u1",
      allowed: true,
      warnings: ["webhook validate.example.com failed and was ignored: down"],
    });
  });

  it("that hangs is refused half a second before the API server stops waiting, and its signal aborts", async () => {
    let signal: AbortSignal | undefined;
    const { post, clock } = rig({
      admission: [
        validating((_, context) => {
          signal = context.signal;
          return new Promise(() => undefined);
        }),
      ],
    });
    const answered = post("/validate?timeout=5s", admissionBody({ uid: "u1" }));
    await clock.advance(4499);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(signal?.aborted).toBe(true);
    expect((await answered).response).toMatchObject({
      uid: "u1",
      allowed: false,
      status: { code: 504, reason: "Timeout", message: "no answer within 4.5s" },
    });
    expect(clock.pending).toEqual([]);
  });

  it.each([
    ["?timeout=1s", 800],
    ["", 9500],
    ["?timeout=junk", 9500],
    ["?timeout=-1s", 9500],
    ["?timeout=24h", 29_500],
  ])("has a deadline also with the query %j: %d ms", async (query, ms) => {
    const { post, clock } = rig({ admission: [validating(() => new Promise(() => undefined))] });
    const answered = post(`/validate${query}`, admissionBody({ uid: "u1" }));
    expect(clock.pending).toEqual([]);
    await clock.advance(0);
    expect(clock.pending).toEqual([ms]);
    await clock.advance(ms);
    expect((await answered).response["allowed"]).toBe(false);
  });

  it.each<[string, AdmissionWebhook, string]>([
    ["a patch that does not apply", mutating(() => ({ isAllowed: true, patch: [{ op: "remove", path: "/spec/gone" }] })), "remove"],
    [
      "a patch that changes the kind",
      mutating(() => ({ isAllowed: true, patch: [{ op: "replace", path: "/kind", value: "Pod" }] })),
      "changes kind",
    ],
    [
      "a patch of a validating webhook",
      validating(() => ({ isAllowed: true, patch: [{ op: "remove", path: "/spec" }] }), { path: "/mutate" }),
      "cannot change the object",
    ],
    ["no answer", mutating(() => undefined as never), "returned no answer"],
    ["an answer of another shape", mutating(() => ({ allowed: true }) as never), "returned no answer"],
    [
      "a huge patch",
      mutating(() => ({ isAllowed: true, patch: [{ op: "add", path: "/x", value: "x".repeat(4 * 2 ** 20) }] })),
      "more than 3145728",
    ],
  ])("that returns %s is a refusal that names the problem", async (_, webhook, text) => {
    const { post } = rig({ admission: [webhook] });
    const { response } = await post("/mutate", admissionBody({ uid: "u1" }));
    expect(response).toMatchObject({ uid: "u1", allowed: false, status: { code: 500 } });
    expect(JSON.stringify(response["status"])).toContain(text);
  });
});

describe("A hostile review (F6, H8)", () => {
  const { post, handle } = rig({ admission: [validating(allow)], conversions: [] });

  it.each<[string, HttpBody, number]>([
    ["an empty body", "", 400],
    ["blanks", "  \n", 400],
    ["no JSON", "{", 400],
    ["a list", "[]", 400],
    ["a depth bomb", `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`, 400],
    ["a deep object", admissionBody({ uid: "u" }).replace('"spec":{}', `"spec":${'{"a":'.repeat(1100)}1${"}".repeat(1100)}`), 400],
    ["another kind", JSON.stringify({ apiVersion: "v1", kind: "Pod" }), 400],
    ["another version", admissionBody({ uid: "u" }, "admission.k8s.io/v2"), 400],
    ["no request", JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }), 400],
    ["no uid", admissionBody({ uid: "" }), 400],
    ["an unknown operation", admissionBody({ uid: "u", operation: "EAT" }), 400],
    ["an object that is none", admissionBody({ uid: "u", object: 7 }), 400],
    ["bytes that are no UTF-8", Uint8Array.of(0xff, 0xfe, 0x7b), 400],
    ["8 MiB", new Uint8Array(8 * 2 ** 20), 413],
    ["8 MiB of text", " ".repeat(8 * 2 ** 20), 413],
  ])("is refused: %s", async (_, body, expected) => {
    const { status, response } = await post("/validate", body);
    expect([status, response["allowed"]]).toEqual([expected, false]);
  });

  it("is refused with its uid where that can be read", async () => {
    expect((await post("/validate", admissionBody({ uid: "u7", operation: "EAT" }))).response).toMatchObject({ uid: "u7" });
  });

  it("is refused in another content type", async () => {
    for (const type of ["application/yaml", "", "text/plain; charset=utf-8"])
      expect((await post("/validate", admissionBody({ uid: "u" }), { "content-type": type })).status).toBe(415);
    expect((await post("/validate", admissionBody({ uid: "u" }), { "content-type": "application/json; charset=utf-8" })).status).toBe(200);
  });

  it("stops reading an endless body at the limit", async () => {
    let sent = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent += 2 ** 20;
        yield await Promise.resolve(new Uint8Array(2 ** 20));
      }
    };
    expect((await post("/validate", endless())).status).toBe(413);
    expect(sent).toBeLessThanOrEqual(8 * 2 ** 20);
  });

  it("does not prevent the next one", async () => {
    expect((await replyOf(handle, "/validate", admissionBody({ uid: "ok" }), {})).response).toMatchObject({ allowed: true });
  });
});

describe("Many reviews at once (F10)", () => {
  it("are open up to 1,000; the next is answered with 429 and Retry-After", async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { post, handle, metrics } = rig({ admission: [validating(() => gate.then(allow))] });
    const open = Array.from({ length: 1000 }, (_, index) => post("/validate", admissionBody({ uid: `u${index}` })));
    const late = await handle({
      method: "POST",
      path: "/validate",
      headers: { "content-type": "application/json" },
      body: admissionBody({ uid: "late" }),
    });
    expect([late.status, late.headers["retry-after"]]).toEqual([429, "1"]);
    expect(metricValues(metrics, "drover_budget_exceeded_total")).toEqual({ "controller/webhook-open-reviews": 1 });
    release();
    expect(new Set((await Promise.all(open)).map(({ response }) => response["allowed"]))).toEqual(new Set([true]));
    expect((await post("/validate", admissionBody({ uid: "late" }))).status).toBe(200);
  });
});

describe("A repeated review (F11)", () => {
  it("with the same uid gets the same answer, and the handler runs once, also while it runs", async () => {
    let runs = 0;
    const { post, clock } = rig({
      admission: [mutating(() => ({ isAllowed: true, patch: [{ op: "add", path: "/spec/run", value: ++runs }] }))],
    });
    const body = admissionBody({ uid: "u1" });
    const [first, second] = await Promise.all([post("/mutate", body), post("/mutate", body)]);
    expect(await post("/mutate", body)).toEqual(first);
    expect([second, runs]).toEqual([first, 1]);
    // Another object under the same uid is another review, and so is one half a minute later.
    await post("/mutate", admissionBody({ uid: "u1", name: "other" }));
    expect(runs).toBe(2);
    await post("/mutate", body);
    await clock.advance(30_000);
    expect(patchOf(await post("/mutate", body))).toEqual([{ op: "add", path: "/spec/run", value: 4 }]);
  });

  it("runs again if the API server went away before the answer", async () => {
    let runs = 0;
    const gone = new AbortController();
    const { post } = rig({ admission: [validating(() => (++runs === 1 ? new Promise(() => undefined) : { isAllowed: true }))] });
    const first = post("/validate", admissionBody({ uid: "u1" }), {}, gone.signal);
    await Promise.resolve();
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    expect((await post("/validate", admissionBody({ uid: "u1" }))).response["allowed"]).toBe(true);
    expect(runs).toBe(2);
  });
});
