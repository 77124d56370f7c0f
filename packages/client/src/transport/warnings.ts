/**
 * Hands on what the server warns about: deprecated versions, unknown fields, policies. For requests that no client of this package sends:
 * those have a handler already, the client's or their own, and are left alone, so that nobody hears a warning twice.
 */
import { parseWarnings } from "./warning-header.ts";
import type { WarningHandler } from "./warning-header.ts";
import type { TransportWrapper } from "./wrapper.ts";

/**
 * Calls the handler for every warning of code 299, the only one the server uses, before the answer is handed on. What
 * it throws is dropped.
 */
export function warnings(handler: WarningHandler): TransportWrapper {
  return (next) => async (request) => {
    const response = await next(request);
    if (request.reportsWarnings === true) return response;
    const header = Object.hasOwn(response.headers, "warning") ? response.headers["warning"] : undefined;
    for (const warning of header === undefined ? [] : parseWarnings(header))
      if (warning.code === 299 && warning.text !== "") quietly(handler, warning);
    return response;
  };
}

function quietly(handler: WarningHandler, warning: Parameters<WarningHandler>[0]): void {
  try {
    handler(warning);
  } catch {
    // A handler that fails must not spoil an answer that is there.
  }
}

export interface EachWarningOnceOptions {
  /** How many texts are remembered; beyond that the oldest may be told again. @default 1000 */
  readonly rememberedMax?: number;
}

/** A handler that tells another each text only the first time. */
export function eachWarningOnce(handler: WarningHandler, { rememberedMax = 1000 }: EachWarningOnceOptions = {}): WarningHandler {
  const seen = new Set<string>();
  return (warning) => {
    if (seen.has(warning.text)) return;
    seen.add(warning.text);
    for (const oldest of seen.size > rememberedMax ? seen : []) {
      seen.delete(oldest);
      break;
    }
    handler(warning);
  };
}
