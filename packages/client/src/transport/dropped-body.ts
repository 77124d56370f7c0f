/**
 * Discards a response, such as a rejection before the next attempt.
 */
import type { HttpResponse } from "@drover/machinery";
import { isWhole } from "./guarded-body.ts";
import { firstHeader } from "./header-lines.ts";

/** Reads a body of up to `bytesMax` to its end, which keeps the connection, and closes the connection of a longer one. Ignores failures. */
export async function dropBody({ headers, body }: HttpResponse, bytesMax: number): Promise<void> {
  if (isWhole(body)) return;
  let bytesLeft = Number(firstHeader(headers, "content-length")) > bytesMax ? 0 : bytesMax;
  const iterator = body[Symbol.asyncIterator]();
  try {
    while (bytesLeft > 0) {
      const result = await iterator.next();
      if (result.done === true) return;
      bytesLeft -= result.value.length;
    }
    await iterator.return?.();
  } catch {
    // The connection is closed; the next attempt opens a new one.
  }
}
