/** What is kept of a version outside of this process: a snapshot stores it, and a source restores it. */
import type { ObjectVersion } from "./object-version.ts";

export interface KeptVersion extends Pick<ObjectVersion, "key" | "uid" | "resourceVersion" | "isTerminating"> {
  /** The object as the server sent it, or encoded again. */
  readonly bytes: Uint8Array;
}
