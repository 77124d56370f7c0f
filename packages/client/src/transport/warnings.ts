/**
 * Reports the server's warnings: deprecated versions, unknown fields, policies. For requests that no client of this package
 * sends: the clients report warnings themselves, and their requests are skipped, so that each warning is reported once.
 */
import { parseWarnings } from "./warning-header.ts";
import type { WarningHandler } from "./warning-header.ts";
import type { TransportWrapper } from "./wrapper.ts";

/**
 * Calls the handler for every warning of code 299, the only one the server uses, before the response is returned. Ignores
 * what it throws.
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
    // A failing handler must not affect the response.
  }
}

export interface EachWarningOnceOptions {
  /** How many texts are remembered; the oldest may be reported again. @default 1000 */
  readonly rememberedMax?: number;
}

/** Returns a handler that reports each text only the first time. */
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
