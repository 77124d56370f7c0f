/** What comes from outside of the cluster: a webhook, a message, a file that changed. */
import type { ObjectKey } from "@drover/machinery";
import type { SourceRequest } from "./source.ts";

/** How a key is asked for from outside. */
export interface ExternalOptions {
  /** What came, in words: it stands in the causes of the run. @default nothing */
  readonly note?: string;
  /** @default 0 */
  readonly priority?: number;
  /** Milliseconds until it is to run. @default now */
  readonly afterMs?: number;
}

export interface ExternalEvent extends ExternalOptions {
  readonly key: ObjectKey;
}

/** What a source asks for when an event comes. */
export function externalRequest(source: string, { note, priority, afterMs }: ExternalOptions): SourceRequest {
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(afterMs === undefined ? {} : { afterMs }),
    cause: { type: "external", source, ...(note === undefined ? {} : { note }) },
  };
}
