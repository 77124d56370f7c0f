/**
 * What a snapshot is of: the server, the collection and the version. A snapshot is used only if all of it fits.
 *
 *     SnapshotHead → first block → parseHead → checkHead
 */
import { SnapshotProblem, decodeDocument } from "./snapshot-block.ts";

export interface SnapshotHead {
  /** Identity of the server; see server-identity.ts. */
  readonly server: string;
  /** Which objects, and what is kept of them: kind, namespace, selectors, projection. */
  readonly collection: string;
  /** Resource version from which a watch brings the objects up to date. */
  readonly resourceVersion: string;
  /** Newest minor version of Kubernetes whose protobuf the writer decoded completely; 0 if it decoded none. */
  readonly newestMinor: number;
}

/** Reads the first block. Throws a `SnapshotProblem`. */
export function parseHead(content: Uint8Array): SnapshotHead {
  const { server, collection, resourceVersion, newestMinor } = decodeDocument(content);
  if (
    typeof server !== "string" ||
    typeof collection !== "string" ||
    typeof resourceVersion !== "string" ||
    typeof newestMinor !== "number" ||
    resourceVersion === ""
  )
    throw new SnapshotProblem("its first block lacks a field");
  return { server, collection, resourceVersion, newestMinor };
}

/** Throws a `SnapshotProblem` if a snapshot is not of this collection, or cannot be decoded completely. */
export function checkHead(head: SnapshotHead, own: Pick<SnapshotHead, "collection" | "newestMinor">): void {
  if (head.collection !== own.collection) throw new SnapshotProblem("it is of other objects: the kind, namespace or selector has changed");
  if (head.newestMinor > own.newestMinor)
    throw new SnapshotProblem("it contains protobuf of a newer version of Kubernetes than this program decodes");
}
