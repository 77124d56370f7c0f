/**
 * Answers the embedded server's webhook calls in this process, without sockets and certificates, and checks the answers.
 *
 *     API server → WebhookCalls.handle → the handler of the current life → checks (idempotent, no writes) → API server
 *
 * After the life has ended, calls fail like those to a closed port.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { WebhookFailure } from "@drover/apiserver";
import type { WebhookCall, WebhookReply } from "@drover/apiserver";
import { bodyText } from "@drover/client/testing";
import type { Webhooks } from "@drover/controller";
import { applyJsonPatch, decodeJson, diffJsonPatch, isJsonObject, parseJsonPatch } from "@drover/machinery";
import type { JsonObject, JsonPatchOperation, JsonValue, Transport } from "@drover/machinery";

/** Address in registrations. Only the embedded server knows it. */
const host = "operator.harness.invalid:9443";

/** A life of the operator that answers. */
export interface AnsweringLife {
  readonly isOver: () => boolean;
  /** Undefined if it is no operator. */
  readonly webhooks: () => Webhooks | undefined;
}

interface Review {
  readonly writes: string[];
}

/** Guarantees: a killed life answers no more calls. */
export class WebhookCalls {
  /** Where the webhooks are registered. */
  readonly url: string = `https://${host}`;
  readonly #current = new AsyncLocalStorage<Review>();
  #serving: { readonly handler: Transport; readonly life: AnsweringLife } | undefined;

  /** Answers calls to operators in a harness; undefined for others. */
  readonly handle = (call: WebhookCall): Promise<WebhookReply> | undefined =>
    new URL(call.url).host === host ? this.#answer(call) : undefined;

  /** Hands calls to a life from now on; returns a function that ends it. */
  answerFor(life: AnsweringLife, handler: Transport): () => void {
    const serving = { handler, life };
    this.#serving = serving;
    return () => {
      if (this.#serving === serving) this.#serving = undefined;
    };
  }

  /** Call it for every request of the operator that changes something. */
  noteWrite(request: string): void {
    this.#current.getStore()?.writes.push(request);
  }

  async #answer(call: WebhookCall): Promise<WebhookReply> {
    const serving = this.#serving;
    if (serving === undefined || serving.life.isOver()) throw new WebhookFailure(`dial tcp ${host}: connect: connection refused`);
    const review: Review = { writes: [] };
    const ask = (body: string): Promise<WebhookReply> => this.#current.run(review, () => askHandler(serving.handler, call, body));
    const reply = await ask(call.body);
    const problem = await problemOf(call, reply, { ask, writes: review.writes, webhooks: serving.life.webhooks() });
    return problem === undefined ? reply : refused(reply, problem);
  }
}

async function askHandler(handler: Transport, { url, signal }: WebhookCall, body: string): Promise<WebhookReply> {
  const { pathname, search } = new URL(url);
  const response = await handler({
    method: "POST",
    path: `${pathname}${search}`,
    headers: { "content-type": "application/json", accept: "application/json" },
    body,
    signal,
  });
  return { status: response.status, headers: response.headers, body: await bodyText(response.body) };
}

interface Checks {
  readonly ask: (body: string) => Promise<WebhookReply>;
  readonly writes: readonly string[];
  readonly webhooks: Webhooks | undefined;
}

/** Returns why the answer must not be used; undefined if it is fine, or no answer to an admission review. */
async function problemOf({ url, body }: WebhookCall, reply: WebhookReply, { ask, writes, webhooks }: Checks): Promise<string | undefined> {
  const path = new URL(url).pathname;
  const webhook = webhooks?.admission.find((one) => one.path === path);
  if (webhook === undefined || reply.status !== 200) return undefined;
  const asked = decodeJson(body);
  const request = memberOf(asked, "request");
  const object = memberOf(request, "object");
  const patch = patchOf(reply);
  if (object !== undefined && patch !== undefined) {
    const changed = applyJsonPatch(object, patch);
    const again = patchOf(
      await ask(JSON.stringify({ ...(asked as JsonObject), request: { ...(request as JsonObject), object: changed } })),
    );
    const difference = again === undefined ? [] : diffJsonPatch(changed, applyJsonPatch(changed, again));
    const [first] = difference;
    if (first !== undefined)
      return `${webhook.name} is not idempotent: asked again about its own result, it changes ${first.path}${"value" in first ? ` to ${JSON.stringify(first.value)}` : ""}. The API server may ask twice; the result must depend only on the object.`;
  }
  const [written] = writes;
  const isDryRun = isJsonObject(request) && request["dryRun"] === true;
  if (written === undefined || (webhook.sideEffects === "NoneOnDryRun" && !isDryRun)) return undefined;
  return `${webhook.name} sent ${written} while it answered${isDryRun ? " a dry run" : ""}. The request may be refused later, or be a dry run, so webhooks must not write; move the write into a controller${isDryRun ? ", or skip it if isDryRun" : ', or declare sideEffects: "NoneOnDryRun"'}.`;
}

/** The patch of an answer; undefined if it has none. */
function patchOf({ body }: WebhookReply): readonly JsonPatchOperation[] | undefined {
  const patch = memberOf(memberOf(decodeJson(body), "response"), "patch");
  return typeof patch === "string" ? parsePatch(Buffer.from(patch, "base64").toString("utf8")) : undefined;
}

const parsePatch = (text: string): readonly JsonPatchOperation[] => parseJsonPatch(decodeJson(text)).operations;

function refused(reply: WebhookReply, message: string): WebhookReply {
  const review = decodeJson(reply.body) as JsonObject;
  const uid = memberOf(memberOf(review, "response"), "uid") ?? "";
  const status = { status: "Failure", code: 500, reason: "InternalError", message };
  return { ...reply, body: JSON.stringify({ ...review, response: { uid, allowed: false, status } }) };
}

const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined => (isJsonObject(value) ? value[key] : undefined);
