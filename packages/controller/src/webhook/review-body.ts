/** Reads the body of a review, of limited size. */
import { abortable, budget } from "@drover/machinery";
import type { Budget, HttpBody, HttpRequest } from "@drover/machinery";

/** The limit of controller-runtime: the largest object, twice, and what surrounds it. */
export const reviewBytes: Budget = budget({
  name: "controller/webhook-body",
  limit: 7 * 2 ** 20,
  unit: "bytes",
  atLimit: "The request is answered with 413.",
});

/** Returns the body as text; undefined if it is larger than `reviewBytes`. Rejects if it is not UTF-8, or with the reason of the signal. */
export async function readReviewBody({ body = "", signal }: Pick<HttpRequest, "body" | "signal">): Promise<string | undefined> {
  const reading = collect(body);
  return signal === undefined ? reading : abortable(reading, signal);
}

async function collect(body: HttpBody): Promise<string | undefined> {
  if (typeof body === "string") return body.length > reviewBytes.limit ? undefined : body;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  if (body instanceof Uint8Array) return body.length > reviewBytes.limit ? undefined : decoder.decode(body);
  let text = "";
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > reviewBytes.limit) return undefined;
    text += typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
