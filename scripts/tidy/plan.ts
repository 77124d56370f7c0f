/**
 * The plan of the repository: which package may import which, and the few files that may use clocks, files and sockets.
 * Change it and ARCHITECTURE.md together.
 */

const pipeline = ["machinery", "api", "client", "cache", "workqueue", "controller", "patterns"] as const;
const below = (name: (typeof pipeline)[number]): readonly string[] => pipeline.slice(0, pipeline.indexOf(name));

/** Package → packages it may import. tidy refuses packages that are not listed. */
export const mayImport: ReadonlyMap<string, readonly string[]> = new Map([
  ["machinery", []],
  ["api", ["machinery"]],
  ["yaml", ["machinery"]],
  ["workqueue", ["machinery"]],
  ["client", ["machinery", "api", "yaml"]],
  ["cache", [...below("cache"), "yaml"]],
  ["controller", [...below("controller"), "yaml"]],
  ["patterns", [...below("patterns"), "yaml"]],
  // The APIs of the Go libraries, built on the packages above. Only the facade imports them.
  ["client-go", ["machinery", "api", "yaml", "client", "cache", "workqueue"]],
  ["lasso", ["machinery", "api", "yaml", "client", "cache", "workqueue", "controller", "client-go"]],
  ["wrangler", ["machinery", "api", "yaml", "client", "cache", "workqueue", "controller", "patterns", "client-go", "lasso"]],
  // Only the entry point `drover/testing` imports apiserver, for users' tests.
  ["drover", [...pipeline, "yaml", "client-go", "lasso", "wrangler", "apiserver"]],
  ["apiserver", ["machinery", "api", "yaml"]],
  ["controller-manager", [...pipeline, "yaml"]],
  ["dev-cluster", [...pipeline, "yaml", "apiserver", "controller-manager", "drover"]],
  ["sim", [...pipeline, "yaml", "apiserver", "controller-manager", "dev-cluster", "drover"]],
  ["cli", [...pipeline, "yaml", "apiserver", "controller-manager", "dev-cluster", "drover", "sim", "dashboard"]],
  ["dashboard", ["machinery", "api", "controller"]],
]);

/** Files that may use real clocks, random numbers, processes, files and sockets. A folder ends with "/". */
export const outsideWorld: readonly string[] = [
  "packages/drover/",
  "packages/cli/",
  "packages/dev-cluster/",
  "packages/machinery/src/x509/node-crypto.ts",
  "packages/client/src/transport/node-connection.ts",
  "packages/client/src/transport/node-connections.ts",
  "packages/client/src/transport/node-dial.ts",
  "packages/client/src/transport/node-exchange.ts",
  "packages/client/src/transport/node-http2-body.ts",
  "packages/client/src/transport/node-http2-exchange.ts",
  "packages/client/src/transport/node-http2-session.ts",
  "packages/client/src/transport/node-transport.ts",
  "packages/client/src/transport/node-unzipped-body.ts",
  "packages/client/src/transport/node-web-socket.ts",
  "packages/apiserver/src/http/http1-front.ts",
  "packages/apiserver/src/http/http2-exchange.ts",
  "packages/apiserver/src/http/http2-front.ts",
  "packages/apiserver/src/http/listener.ts",
  "packages/apiserver/src/http/socket-peer.ts",
  "packages/apiserver/src/http/node-host.ts",
  "packages/apiserver/src/http/node-token-signer.ts",
  "packages/apiserver/src/data/data-folder.ts",
  "packages/apiserver/src/data/data-lock.ts",
  "packages/apiserver/src/data/open-etcd.ts",
  "packages/apiserver/src/data/encrypted-values.ts",
  "packages/apiserver/src/storage/disk/node-disk.ts",
  "packages/apiserver/src/storage/etcd/grpc-transport.ts",
  "packages/apiserver/src/http/webhook-sockets.ts",
];

/** Generated files. tidy checks neither their size nor their line width. */
export const isGenerated = (path: string): boolean => generated.some((pattern) => pattern.test(path));

const generated: readonly RegExp[] = [
  /^packages\/api\/src\/(?:schemas\/)?[a-z0-9-]+\/v[a-z0-9]+\.ts$/,
  /^packages\/api\/src\/shapes\/tables\/[a-z0-9-]+-v[a-z0-9]+\.ts$/,
  /^packages\/drover\/src\/kinds\.ts$/,
  /^packages\/patterns\/src\/crd\/testing\/kinds\/[a-z0-9.-]+\/v[a-z0-9]+\.ts$/,
];

/** Files with a wide header that must still be wrapped. The list may only shrink. */
export const wideForNow: readonly string[] = [
  "packages/api/src/shapes/tables/shape-table.ts",
  "packages/controller-manager/src/daemonset/sync-daemon-set.ts",
  "packages/controller-manager/src/pod-gc/doomed-pods.ts",
  "packages/dev-cluster/src/node/kubelets.ts",
  "packages/dev-cluster/src/scheduler/scheduler.ts",
  "packages/machinery/src/wire/accept.ts",
];

/** Files whose header diagram must still be corrected. The list may only shrink. */
export const staleHeaders: readonly string[] = [
  "packages/apiserver/src/cel/rules/compiled-rule.ts",
  "packages/cache/src/classic/shared-index-informer.ts",
  "packages/cache/src/classic/shared-processor.ts",
  "packages/controller-manager/src/daemonset/daemon-set-status.ts",
  "packages/machinery/src/scheme/scheme.ts",
  "packages/patterns/src/wrangler/cached-members.ts",
];

/** Files that only list names. The formatter gives each name a line, so entryPointNames limits them instead. */
export const isEntryPoint = (path: string): boolean => /^packages\/[^/]+\/src\/index\.ts$|^packages\/drover\/src\/[a-z-]+\.ts$/.test(path);

/** Entry point → names it may export. The numbers may only shrink: tidy requires a lower limit when an entry point shrinks. */
export const entryPointNames: Readonly<Record<string, number>> = {
  "@drover/api": 2,
  "@drover/api/quota": 26,
  "@drover/api/schemas": 1,
  "@drover/api/shapes": 28,
  "@drover/api/testing": 2,
  "@drover/apiserver": 66,
  "@drover/apiserver/node": 18,
  "@drover/cache": 100,
  "@drover/cache/testing": 16,
  "@drover/client": 318,
  "@drover/client-go": 192,
  "@drover/client/testing": 23,
  "@drover/controller": 258,
  "@drover/controller-manager": 40,
  "@drover/dev-cluster": 16,
  "@drover/lasso": 51,
  "@drover/machinery": 719,
  "@drover/machinery/cel": 19,
  "@drover/machinery/codes": 5,
  "@drover/machinery/node": 1,
  "@drover/machinery/protobuf": 28,
  "@drover/machinery/testing": 11,
  "@drover/machinery/x509": 12,
  "@drover/patterns": 164,
  "@drover/workqueue": 32,
  "@drover/workqueue/testing": 5,
  "@drover/wrangler": 78,
  "@drover/yaml": 8,
  drover: 170,
  "drover/bridges": 15,
  "drover/cache": 100,
  "drover/client": 335,
  "drover/client-go": 193,
  "drover/controller": 462,
  "drover/lasso": 51,
  "drover/machinery": 717,
  "drover/testing": 71,
  "drover/wrangler": 78,
};

/** The files that may read a caught value directly: they exist for that. */
export const accessorsOfThrownValues: readonly string[] = ["packages/machinery/src/error-text.ts"];

/** Packages that call no code of users, so that they catch only what they threw. */
export const withoutStrangers: readonly string[] = ["api", "apiserver", "controller-manager", "dev-cluster", "machinery", "yaml"];

/** The facade is published under its bare name. */
export const publishedName = (folder: string): string => (folder === "drover" ? "drover" : `@drover/${folder}`);

/** "@drover/api/apps/v1" → "api"; undefined when the import is not one of our packages. */
export function ourFolder(specifier: string): string | undefined {
  const [first, second] = specifier.split("/");
  if (first === "drover") return "drover";
  return first === "@drover" ? second : undefined;
}

/** Pairs of folders in a package that may import each other against the rule, and why. At most two. */
export const folderExceptions: readonly {
  readonly package: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}[] = [];
