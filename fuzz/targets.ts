/** All fuzz targets by name. Each loads only its own part of the code, so that coverage is counted from the start. */
import type { FuzzTarget } from "./target.ts";

export const targets: ReadonlyMap<string, () => Promise<FuzzTarget>> = new Map<string, () => Promise<FuzzTarget>>([
  ["json", async () => (await import("./targets/json.ts")).jsonTarget],
  ["yaml", async () => (await import("./targets/yaml.ts")).yamlTarget],
  ["protobuf", async () => (await import("./targets/protobuf.ts")).protobufTarget],
  ["cel", async () => (await import("./targets/cel.ts")).celTarget],
  ["re2", async () => (await import("./targets/re2.ts")).re2Target],
  ["jsonpath", async () => (await import("./targets/jsonpath.ts")).jsonPathTarget],
  ["patch", async () => (await import("./targets/patch.ts")).patchTarget],
  ["apply", async () => (await import("./targets/apply.ts")).applyTarget],
  ["selectors", async () => (await import("./targets/selectors.ts")).selectorsTarget],
  ["lines", async () => (await import("./targets/lines.ts")).linesTarget],
  ["responses", async () => (await import("./targets/responses.ts")).responsesTarget],
  ["frames", async () => (await import("./targets/frames.ts")).framesTarget],
  ["kubeconfig", async () => (await import("./targets/kubeconfig.ts")).kubeconfigTarget],
  ["lease", async () => (await import("./targets/lease.ts")).leaseTarget],
]);
