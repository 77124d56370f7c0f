/** Decompresses a body while it arrives. */
import { createUnzip } from "node:zlib";
import type { ByteSource } from "./response-body.ts";

/** Guarantees: reads no further ahead than zlib's buffer; a truncated or damaged body is an error. */
export function unzippedBody(source: ByteSource): ByteSource {
  const unzip = createUnzip();
  source.on("data", (bytes) => {
    if (unzip.write(bytes)) return;
    source.pause();
    unzip.once("drain", () => source.resume());
  });
  source.on("end", () => void unzip.end());
  source.on("error", (error) => void unzip.destroy(error as Error));
  source.on("close", () => {
    if (!unzip.writableEnded) unzip.destroy();
  });
  return unzip;
}
