/**
 * The servers that suites of client and cache run on: our own, always, since it needs nothing but Node, and the real
 * one where it is at hand.
 *
 *     describeOnServers("watches", ({ missing, start }) => { … })   → "watches, on our server", "watches, on the real server"
 */
import { describe } from "vitest";
import { startEmbeddedServer } from "./embedded-server.ts";
import { realServer, realServerMissing, startRealServer } from "./real-server.ts";
import type { RealServer } from "./real-server.ts";
import { realTransport } from "./real-transport.ts";
import type { SuiteServer } from "./suite-server.ts";

/** Where the server of a suite comes from. */
export interface ServerSource {
  readonly kind: "ours" | "real";
  /** Why there is none here; undefined when there is. */
  readonly missing: string | undefined;
  /**
   * A server whose old versions are gone when it is compacted; others may use it as well, so everything made on it
   * needs a name or a namespace of its own. Whoever asked for it calls `stop`.
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
