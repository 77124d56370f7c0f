/** The ways in which a network is bad, as values: the same for the server without sockets and for one on loopback. */
import type { HttpResponse } from "@drover/machinery";

/** What goes wrong with one exchange. */
export type Fault =
  /** The connection is lost: before the server has done anything, after that, or within the body after so many bytes. */
  | { readonly kind: "cut"; readonly at: "request" | "answer" | number; readonly how: "reset" | "close" }
  /** A half-open connection: the request is swallowed, and nothing ever comes back. */
  | { readonly kind: "silent" }
  /** The body falls silent after so many bytes. */
  | { readonly kind: "stalled"; readonly afterBytes: number }
  /** The body comes in pieces of so many bytes, with a pause after each. */
  | { readonly kind: "slow"; readonly bytes: number; readonly everyMs: number }
  /** A proxy on the way that cuts the connection when the body has been quiet for so long. */
  | { readonly kind: "tired"; readonly afterMs: number; readonly how: "reset" | "close" }
  /** What comes after so many bytes of the body is not HTTP. */
  | { readonly kind: "garbled"; readonly afterBytes: number }
  /** The server takes its time before it does anything. */
  | { readonly kind: "late"; readonly byMs: number }
  /** Something on the way answers in place of the server, which never sees the request. */
  | { readonly kind: "answered"; readonly response: HttpResponse }
  /** All is well, and the server closes the connection afterwards, as it says in its answer. */
  | { readonly kind: "last" }
  /** All is well, and the connection dies afterwards; nobody notices before the next request is sent through it. */
  | { readonly kind: "stale" };
