/** What is kept of a version outside of this process: a snapshot stores it, and a source restores it. */
import type { ObjectVersion } from "./object-version.ts";

export interface KeptVersion extends Pick<ObjectVersion, "key" | "uid" | "resourceVersion" | "isTerminating"> {
  /** Memory with the object as the server sent it, or encoded again. Not a view, which costs more than all else of a restored version. */
  readonly memory: ArrayBufferLike;
  /** Where the object is in the memory, in bytes. */
  readonly offset: number;
  readonly length: number;
}
