/**
 * One HTTPS request to a webhook, as data: the platform sends it.
 *
 *     WebhookClient → CallWebhook (http/webhook-sockets.ts, or a handler in this process) → WebhookReply
 */
import type { HttpHeaders } from "@drover/machinery";

/** Where a service is reached. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** A POST. */
export interface WebhookCall {
  /** With path and query: "https://hook.shop.svc:443/validate?timeout=10s". */
  readonly url: string;
  /** The address to connect to instead of the one in `url`. @default that in `url` */
  readonly connectTo?: ServiceAddress;
  /** Certificates to trust, in PEM. @default those of the platform */
  readonly caBundle?: string;
  /** JSON. */
  readonly body: string;
  /** A longer response is refused. */
  readonly responseBytesMax: number;
  readonly signal: AbortSignal;
}

export interface WebhookReply {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: string;
}

/**
 * Sends a call. Rejects with a `WebhookFailure` when there is no response, and with the reason of the signal. Follows no redirects and
 * uses no proxy.
 */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookReply>;

/** There was no complete response. The message is that of Go's HTTP client. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";
  /** Whether a response had begun. If not, the error of Go names the URL: `Post "https://…": message`. */
  readonly hasResponse: boolean;
  /** Whether the response had more than `responseBytesMax` bytes. */
  readonly isTooLarge: boolean;

  constructor(
    message: string,
    { hasResponse = false, isTooLarge = false }: { readonly hasResponse?: boolean; readonly isTooLarge?: boolean } = {},
  ) {
    super(message);
    this.hasResponse = hasResponse;
    this.isTooLarge = isTooLarge;
  }
}

/** The failure of a response that is too large. */
export const responseTooLarge = (bytesMax: number): WebhookFailure =>
  new WebhookFailure(`the response has more than ${bytesMax} bytes`, { hasResponse: true, isTooLarge: true });
