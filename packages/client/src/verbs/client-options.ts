/** What all clients of one cluster share: the typed, dynamic, metadata and table clients, and subresources. */
import type { Clock, Log, Transport } from "@drover/machinery";
import type { WarningHandler } from "../transport/warning-header.ts";

/** The transport of a client, and the settings that all its requests have in common. */
export interface ClientOptions {
  /** The transport to the API server. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  /** The namespace of namespaced requests that name none. */
  readonly namespace: string;
  /** The owner of the fields this client writes; server-side apply requires one. @default none; every apply must name one */
  readonly fieldManager?: string;
  /** Receives the server's warnings: deprecated versions, unknown fields. @default written to the log */
  readonly onWarning?: WarningHandler;
  /** Called with the error of a call before the call rejects with it. What it throws is dropped. @default none */
  readonly onFailure?: (error: unknown) => void;
}
