/** The revision at which a list is read, from its options. */
import { newBadRequest } from "@drover/machinery";
import type { ListOptions } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import { decodeContinue } from "./continue-token.ts";
import { listedVersion } from "./resource-version.ts";

export type ListMode =
  /** The latest revision. */
  | { readonly kind: "latest"; readonly after?: string }
  /** This revision or any later one; 0 is any at all. */
  | { readonly kind: "not-older-than"; readonly revision: bigint }
  /** Exactly this revision. */
  | { readonly kind: "exact"; readonly revision: bigint; readonly after?: string };

/** Returns the mode. Assumes validated options. Throws a 400. */
export function listMode({ resourceVersion = "", resourceVersionMatch, limit = 0, continue: token = "" }: ListOptions): ListMode {
  if (token !== "") {
    if (resourceVersion !== "" && resourceVersion !== "0")
      throw new StatusError(newBadRequest("specifying resource version is not allowed when using continue"));
    const { revision, after } = decodeContinue(token);
    return revision < 0 ? { kind: "latest", after } : { kind: "exact", revision: BigInt(revision), after };
  }
  if (resourceVersion === "") return { kind: "latest" };
  const revision = listedVersion(resourceVersion);
  if (revision === 0n) return { kind: "not-older-than", revision };
  if (resourceVersionMatch === "Exact" || (resourceVersionMatch === undefined && limit > 0)) return { kind: "exact", revision };
  return { kind: "not-older-than", revision };
}
