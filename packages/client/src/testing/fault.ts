/**
 * Network faults as values, for the server without sockets and for one on loopback.
 */
import type { HttpResponse } from "@drover/machinery";

/** Fault of one exchange. */
export type Fault =
  /** The connection is lost: before the server has done anything, after that, or within the body after so many bytes. */
  | { readonly kind: "cut"; readonly at: "request" | "answer" | number; readonly how: "reset" | "close" }
  /** A half-open connection: the request is lost, and no response arrives. */
  | { readonly kind: "silent" }
  /** The body stalls after so many bytes. */
  | { readonly kind: "stalled"; readonly afterBytes: number }
  /** The body arrives in chunks of so many bytes, with a delay after each. */
  | { readonly kind: "slow"; readonly bytes: number; readonly everyMs: number }
  /** A proxy cuts the connection after the body has been silent for so long. */
  | { readonly kind: "tired"; readonly afterMs: number; readonly how: "reset" | "close" }
  /** After so many bytes of the body, the rest is not HTTP. */
  | { readonly kind: "garbled"; readonly afterBytes: number }
  /** The server responds late. */
  | { readonly kind: "late"; readonly byMs: number }
  /** A proxy answers instead of the server, which never sees the request. */
  | { readonly kind: "answered"; readonly response: HttpResponse }
  /** The exchange succeeds, and the server closes the connection afterwards, as announced in its response. */
  | { readonly kind: "last" }
  /** The exchange succeeds, and the connection dies afterwards, unnoticed until the next request is sent on it. */
  | { readonly kind: "stale" };
