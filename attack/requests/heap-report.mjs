/**
 * Loaded into the server under attack: on SIGUSR2 collects garbage and writes what is left to the file of DROVER_HEAP_REPORT. Plain
 * JavaScript, because the server runs without a loader.
 */
import { renameSync, writeFileSync } from "node:fs";
import { getHeapCodeStatistics } from "node:v8";
import { isMainThread } from "node:worker_threads";

const file = process.env["DROVER_HEAP_REPORT"];
if (isMainThread && file !== undefined) {
  process.on("SIGUSR2", () => {
    // Twice with a turn between: finalizers of the first run free what the second one takes.
    globalThis.gc();
    setTimeout(() => {
      globalThis.gc();
      const { heapUsed, external, rss } = process.memoryUsage();
      const code = getHeapCodeStatistics();
      const codeBytes = code.code_and_metadata_size + code.bytecode_and_metadata_size;
      writeFileSync(`${file}.new`, JSON.stringify({ heapUsed, external, codeBytes, rss }));
      renameSync(`${file}.new`, file);
    }, 100);
  });
}
