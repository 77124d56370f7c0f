/** Defaults of TokenRequest. */
import type { TokenRequest } from "@drover/api/authentication/v1";

/** 1 hour */
const tokenSeconds = 60 * 60;

export function setTokenRequestDefaults(request: TokenRequest): void {
  (request.spec ??= {}).expirationSeconds ??= tokenSeconds;
}
