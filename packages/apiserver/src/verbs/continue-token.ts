/** Continue tokens: where the next page of a list starts. */
import { JsonError, decodeJson, errorText, isJsonObject, newBadRequest } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { fromBase64Url, toBase64Url } from "../base64-url.ts";
import { StatusError } from "../status-error.ts";

/**
 * The last key of the previous page without the list's prefix, and the revision of the whole list; -1 continues at the latest
 * revision.
 */
export interface ContinueToken {
  readonly revision: number;
  readonly after: string;
}

const version = "meta.k8s.io/v1";

export function encodeContinue({ revision, after }: ContinueToken): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify({ v: version, rv: revision, start: `${after}\0` })));
}

/** Decodes a token. Throws kube-apiserver's 400 for a malformed one. */
export function decodeContinue(token: string): ContinueToken {
  const bytes = fromBase64Url(token);
  if (bytes === undefined) throw invalid(`illegal base64 data at input byte ${firstIllegal(token)}`);
  const value = parse(new TextDecoder().decode(bytes));
  if (!isJsonObject(value)) throw invalid("it is not an object");
  const { v, rv, start } = value;
  if (v !== version) throw invalid(`server does not recognize this encoded version ${typeof v === "string" ? v : ""}`);
  if (rv === 0 || rv === undefined) throw invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (typeof start !== "string" || start === "") throw invalid("encoded start key empty (version meta.k8s.io/v1)");
  if (typeof rv !== "number") throw invalid("rv is not a number");
  // A key that escapes its prefix would read objects of another resource.
  const key = start.startsWith("/") ? start.slice(1) : start;
  if (key.split("/").includes("..")) throw invalid(start);
  return { revision: rv, after: key.endsWith("\0") ? key.slice(0, -1) : key };
}

function parse(text: string): JsonValue {
  try {
    return decodeJson(text);
  } catch (error) {
    throw invalid(error instanceof JsonError ? error.detail : errorText(error));
  }
}

const invalid = (why: string): StatusError => new StatusError(newBadRequest(`invalid continue token: continue key is not valid: ${why}`));

function firstIllegal(text: string): number {
  const at = text.search(/[^A-Za-z0-9_-]/);
  return at === -1 ? text.length - (text.length % 4) : at;
}
