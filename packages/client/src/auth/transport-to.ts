/**
 * A connection to a server other than the cluster's: a token issuer.
 */
import type { Transport } from "@drover/machinery";
import type { Trust } from "../kubeconfig/cluster-access.ts";

/** Opens a transport to an origin (scheme, host and port). It is used for one exchange and then closed, if it can be. */
export type TransportTo = (origin: string, options: { readonly trust: Trust }) => Transport & { readonly close?: () => void };
