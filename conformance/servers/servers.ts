/**
 * The servers that suites of client and cache run on: always our own, which needs only Node, and the real one if it is
 * built.
 *
 *     describeOnServers("watches", ({ missing, start }) => { … })   → "watches, on our server", "watches, on the real server"
 */
import { describe } from "vitest";
import { startEmbeddedServer } from "./embedded-server.ts";
import { realServer, realServerMissing, startRealServer } from "./real-server.ts";
import type { RealServer } from "./real-server.ts";
import { realTransport } from "./real-transport.ts";
import type { SuiteServer } from "./suite-server.ts";

/** Where a suite gets its server. */
export interface ServerSource {
  readonly kind: "ours" | "real";
  /** Why it is not available here; undefined when it is. */
  readonly missing: string | undefined;
  /**
   * A server whose old versions are gone after compaction; other suites may use it as well, so everything on it needs
   * its own name or namespace. The caller calls `stop`.
   */
  readonly start: () => Promise<SuiteServer>;
  /** The same for one suite alone, which may restart it. */
  readonly startOwn: () => Promise<SuiteServer>;
}

const withTransport = (server: RealServer): SuiteServer => ({ ...server, transport: (deps) => realTransport(server, deps) });

const sources: readonly ServerSource[] = [
  { kind: "ours", missing: undefined, start: startEmbeddedServer, startOwn: startEmbeddedServer },
  {
    kind: "real",
    missing: realServerMissing,
    start: async () => withTransport(await realServer()),
    startOwn: async () => withTransport(await startRealServer({ history: "etcd" })),
  },
];

/** Defines the tests of a suite once for each server. */
export function describeOnServers(name: string, suite: (source: ServerSource) => void): void {
  for (const source of sources) describe(`${name}, on ${source.kind === "ours" ? "our server" : "the real server"}`, () => suite(source));
}
