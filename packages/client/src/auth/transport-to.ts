/** A way to a server that is not the cluster's: the issuer of tokens. */
import type { Transport } from "@drover/machinery";
import type { Trust } from "../kubeconfig/cluster-access.ts";

/** Opens a way to an origin (scheme, host and port). It is used for one exchange and then closed, if it can be. */
export type TransportTo = (origin: string, options: { readonly trust: Trust }) => Transport & { readonly close?: () => void };
