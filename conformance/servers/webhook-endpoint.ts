/** An HTTPS server with webhooks that tests write: both our API server and the real one call it. */
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { authority } from "../../packages/client/src/transport/testing/certificates.ts";

/** What a webhook returns: the `response` of a review, its uid filled in; or a whole HTTP response; or nothing, ever. */
export type HookAnswer = { readonly response: JsonObject } | HookReply | "silence" | "hang up";

export interface HookReply {
  readonly status: number;
  readonly body: string;
  /** @default JSON */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One webhook: gets the `request` of the review, and the review. */
export type Hook = (request: JsonObject, review: JsonObject) => HookAnswer;

export interface WebhookEndpoint {
  /** The URL of a webhook. */
  readonly url: (hook: string) => string;
  readonly port: number;
  /** PEM in base64, for `clientConfig.caBundle`. */
  readonly caBundle: string;
  /** Sets or replaces the webhook at a path. */
  readonly set: (hook: string, answer: Hook) => void;
  /** The reviews' requests since the last call, in order of arrival, each with the name of its webhook. */
  readonly taken: () => readonly { readonly hook: string; readonly request: JsonObject }[];
  readonly close: () => Promise<void>;
}

/** Starts the server on a port that masks of node ports leave alone. The certificate is for 127.0.0.1 and `dnsNames`. */
export async function webhookEndpoint(dnsNames: readonly string[] = []): Promise<WebhookEndpoint> {
  const root = authority("webhooks");
  const { certificate, key } = root.issue({ commonName: "hook", addresses: ["127.0.0.1"], dnsNames });
  const hooks = new Map<string, Hook>();
  let seen: { hook: string; request: JsonObject }[] = [];
  const answer = (message: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const hook = new URL(message.url ?? "/", "https://localhost").pathname.slice(1);
      const review = JSON.parse(Buffer.concat(chunks).toString("utf8")) as JsonObject;
      const { request } = review;
      const asked = isJsonObject(request) ? request : {};
      seen.push({ hook, request: asked });
      reply(response, review, hooks.get(hook)?.(asked, review) ?? { response: { allowed: true } });
    });
  };
  for (;;) {
    const server = createServer({ cert: certificate, key }, answer);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const close = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    if (port >= 30_000 && port < 33_000) {
      await close();
      continue;
    }
    return {
      url: (hook) => `https://127.0.0.1:${port}/${hook}`,
      port,
      caBundle: Buffer.from(root.certificate).toString("base64"),
      set: (hook, given) => void hooks.set(hook, given),
      taken: () => {
        const all = seen;
        seen = [];
        return all;
      },
      close,
    };
  }
}

function reply(response: ServerResponse, { kind, apiVersion, request }: JsonObject, answer: HookAnswer): void {
  if (answer === "silence") return;
  if (answer === "hang up") {
    // Not destroyed: with unread bytes the other side would sometimes see a reset instead of the end.
    response.socket?.end();
    return;
  }
  if ("status" in answer) {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.body);
    return;
  }
  const uid: JsonValue = isJsonObject(request) ? (request["uid"] ?? "") : "";
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ kind, apiVersion, response: { uid, ...answer.response } }));
}
