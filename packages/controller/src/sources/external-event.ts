/** Events from outside the cluster: a webhook, a message, a changed file. */
import { definedOnly } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import type { SourceRequest } from "./source.ts";

/** How to enqueue a key for an external event. */
export interface ExternalOptions {
  /** Description of the event, shown in the causes of the run. @default none */
  readonly note?: string;
  /** Priority in the queue; higher runs first. @default 0 */
  readonly priority?: number;
  /** Delay before the key is reconciled, in milliseconds. @default 0 */
  readonly afterMs?: number;
}

/** An event from outside the cluster, with the key it affects. */
export interface ExternalEvent extends ExternalOptions {
  readonly key: ObjectKey;
}

/** Returns the source request for an event. */
export function externalRequest(source: string, { note, priority, afterMs }: ExternalOptions): SourceRequest {
  return {
    ...definedOnly({ priority, afterMs }),
    cause: { type: "external", source, ...definedOnly({ note }) },
  };
}
