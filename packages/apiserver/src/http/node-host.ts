/** `ApiServerHost` on Node. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { getHeapStatistics } from "node:v8";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import type { ApiServerHost } from "../host.ts";
import { newTokenSigner } from "./node-token-signer.ts";
import { webhookSockets } from "./webhook-sockets.ts";

/** Hashes, keys, compression, the data files of this package, and calls of webhooks over HTTPS. */
export const nodeHost: ApiServerHost = {
  sha256: (text) => createHash("sha256").update(text).digest(),
  sha512Hex: (text) => createHash("sha512").update(text).digest("hex"),
  gzip: (bytes) => gzipSync(bytes, { level: 1 }),
  inflate: (bytes) => brotliDecompressSync(bytes),
  readData,
  get hostName() {
    return hostname();
  },
  get heapBytesMax() {
    return getHeapStatistics().heap_size_limit;
  },
  tokenSigner: newTokenSigner,
  webhookCaller: webhookSockets,
};

/** The folder is two above this file, and one or two above the code of a bundle. */
function readData(name: string): Uint8Array {
  const places = ["../../data/", "../data/"].map((folder) => new URL(`${folder}${name}`, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new Error(
      `the API server lacks its data file ${name}: copy the folder data of @drover/apiserver beside the folder of your bundle`,
    );
  return readFileSync(found);
}
