/**
 * The OpenAPI documents of the built-in kinds as kube-apiserver wrote them, in one file: an index in the first line, then the
 * texts. Compressed together they take a fortieth of the space, because they repeat most of their content.
 *
 *     scripts/generate-api → packArchive → data/openapi.br → readArchive → texts, byte for byte those of kube-apiserver
 */

/** The compressed file in the folder `data`. */
export const archiveFile = "openapi.br";

/** Name of the v2 document; v3 documents are named as in /openapi/v3: "apis/apps/v1". */
export const v2DocumentName = "v2";

interface IndexEntry {
  readonly name: string;
  readonly bytes: number;
  /** SHA-512 of the text in upper-case hexadecimal: kube-apiserver's ETag. */
  readonly hash: string;
}

export interface ArchivedDocument {
  readonly name: string;
  readonly hash: string;
  readonly bytes: Uint8Array;
}

const newline = 0x0a;

/** Writes the file, uncompressed. */
export function packArchive(documents: readonly ArchivedDocument[]): Uint8Array {
  const index = documents.map(({ name, hash, bytes }): IndexEntry => ({ name, bytes: bytes.length, hash }));
  const parts = [new TextEncoder().encode(`${JSON.stringify(index)}\n`), ...documents.map(({ bytes }) => bytes)];
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/** Reads the decompressed file. The texts are views of the given bytes. */
export function readArchive(packed: Uint8Array): ReadonlyMap<string, ArchivedDocument> {
  const end = packed.indexOf(newline);
  const index = JSON.parse(new TextDecoder().decode(packed.subarray(0, end))) as readonly IndexEntry[];
  const documents = new Map<string, ArchivedDocument>();
  let at = end + 1;
  for (const { name, bytes, hash } of index) {
    documents.set(name, { name, hash, bytes: packed.subarray(at, at + bytes) });
    at += bytes;
  }
  return documents;
}
