import { defineConfig } from "vitest/config";
import { assetEnvironment } from "./scripts/asset-folder.mjs";
import LongestFirst from "./scripts/longest-first.ts";

const long = process.env["DROVER_LONG"] === "1";
const conditions = ["drover-source", "module", "node", "development|production", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts", "conformance/**/*.test.ts", "fuzz/*.test.ts", "examples/**/*.test.ts"],
    // One process and three threads for all files: a house without module-level state can afford it, and it is an order
    // of magnitude faster. Three, since some suites wait in real time.
    pool: "threads",
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    env: assetEnvironment(),
    // One API server for all files, when the run is about that; else a file that needs one starts its own.
    globalSetup: process.env["DROVER_REAL"] === "1" ? ["conformance/servers/real-setup.ts"] : [],
    setupFiles: ["scripts/test-setup.ts"],
    reporters: [process.env["CI"] === "true" ? "dot" : "default", "./scripts/closing-line.ts"],
    // Transformed files are kept between runs, by the hash of their text; the first run transforms everything.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/drover/vitest" },
    testTimeout: long ? 600_000 : 20_000,
    // A worker that does not end within this time counts as crashed; on a busy machine the default of ten seconds is short.
    teardownTimeout: 60_000,
  },
});
