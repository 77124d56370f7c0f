/** At which revision a list is read, from what was asked for. */
import { newBadRequest, quoteGo } from "@drover/machinery";
import type { ListOptions } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import { decodeContinue } from "./continue-token.ts";

export type ListMode =
  /** As it is now. */
  | { readonly kind: "latest"; readonly after?: string }
  /** As it is now, once the store is as far as this. */
  | { readonly kind: "not-older-than"; readonly revision: bigint }
  /** As it was. */
  | { readonly kind: "exact"; readonly revision: bigint; readonly after?: string };

/** Assumes options that have been validated. Throws a 400. */
export function listMode({ resourceVersion = "", resourceVersionMatch, limit = 0, continue: token = "" }: ListOptions): ListMode {
  if (token !== "") {
    if (resourceVersion !== "" && resourceVersion !== "0")
      throw new StatusError(newBadRequest("specifying resource version is not allowed when using continue"));
    const { revision, after } = decodeContinue(token);
    return revision < 0 ? { kind: "latest", after } : { kind: "exact", revision: BigInt(revision), after };
  }
  if (resourceVersion === "") return { kind: "latest" };
  const revision = parseListVersion(resourceVersion);
  if (revision === 0n) return { kind: "latest" };
  if (resourceVersionMatch === "Exact" || (resourceVersionMatch === undefined && limit > 0)) return { kind: "exact", revision };
  return { kind: "not-older-than", revision };
}

/** A list answers with 400 where everything else says 500. */
function parseListVersion(text: string): bigint {
  const isNumber = /^[0-9]+$/.test(text);
  const value = isNumber ? BigInt(text) : -1n;
  if (isNumber && value < 2n ** 64n) return value;
  const why = isNumber ? "value out of range" : "invalid syntax";
  throw new StatusError(
    newBadRequest(
      `invalid resource version: resourceVersion: Invalid value: ${quoteGo(text)}: strconv.ParseUint: parsing ${quoteGo(text)}: ${why}`,
    ),
  );
}
