/**
 * Reads the expiry of a JSON Web Token. Only the server verifies the token.
 */
import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonValue, Secret } from "@drover/machinery";
import { decodeBase64 } from "../encoding/base64.ts";

/** 9999-12-31T23:59:59Z, the latest time that our clocks accept. */
const secondsMax = 253_402_300_799;

/** Returns when a token expires, in milliseconds since 1970; Infinity if it never does, undefined if it is not a JSON Web Token. */
export function jwtExpiry(token: Secret): number | undefined {
  const parts = token.reveal().split(".");
  const payload = parts.length === 3 ? decodeBase64(parts[1] ?? "") : undefined;
  const claims = payload === undefined ? undefined : parsed(payload);
  if (claims === undefined || !isJsonObject(claims)) return undefined;
  const expiry = claims["exp"];
  return typeof expiry === "number" && expiry <= secondsMax ? Math.max(0, expiry) * 1000 : Infinity;
}

function parsed(bytes: Uint8Array): JsonValue | undefined {
  try {
    return decodeJson(bytes, { maxDepth: 100 });
  } catch {
    return undefined;
  }
}
