/**
 * Defines the tests of a kubectl session: it prints the same on our server and on the real one. recorded/NAME.json has
 * the output on the real server for each version of kubectl; `DROVER_RECORD=1 npm test -- conformance/kubectl/NAME`
 * records it again. A kubectl without a recording needs the real server. In the long mode every available kubectl runs
 * the session, and the recordings are compared with the real server again.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeRuntime } from "drover";
import { beforeAll, describe, expect, it } from "vitest";
import { localKubeconfig } from "../../packages/cli/src/local-kubeconfig.ts";
import { startLocalServer } from "../../packages/cli/src/local-server.ts";
import { kubectls } from "./kubectl.ts";
import { runSession } from "./run-session.ts";
import type { Session, SessionLine } from "./run-session.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";

const record = process.env["DROVER_RECORD"] === "1";
const first = kubectls.find(({ missing }) => missing === undefined);
type Recording = Readonly<Record<string, readonly SessionLine[]>>;
const readRecording = (file: string): Recording => (existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Recording) : {});
const sessionMs = 300_000;

async function onOurs(session: Session, kubectl: string): Promise<readonly SessionLine[]> {
  const server = await startLocalServer({
    host: "127.0.0.1",
    port: 0,
    anonymous: false,
    authorizationModes: ["Node", "RBAC"],
    runtime: nodeRuntime({ write: () => undefined }),
    // That of the real server: longer addresses make wider columns.
    serviceCidr: "10.0.0.0/24",
  });
  const ending = new AbortController();
  const running = server.run(ending.signal);
  try {
    return await runSession(session, { kubectl, kubeconfig: localKubeconfig(server, process.pid) });
  } finally {
    ending.abort();
    await running;
  }
}

async function onReal(session: Session, kubectl: string): Promise<readonly SessionLine[]> {
  const { kubeconfig, stop } = await startRealServer({ authorization: "Node,RBAC" });
  try {
    return await runSession(session, { kubectl, kubeconfig: readFileSync(kubeconfig, "utf8") });
  } finally {
    await stop();
  }
}

/** @param options - `long`: whether every kubectl has its turn, and the real server with it */
export function describeSession(session: Session, { long }: { readonly long: boolean }): void {
  const file = join(import.meta.dirname, "..", "recorded", `${session.name}.json`);
  describe.each(kubectls)(`${session.name} with $name`, ({ path, version, missing }) => {
    let ours: readonly SessionLine[] = [];
    let theirs: readonly SessionLine[] = [];
    /** The current output on the real server. */
    let real: readonly SessionLine[] | undefined;
    let why =
      missing ??
      (long || record || path === first?.path
        ? undefined
        : `one kubectl is enough here, all have their turn in the long mode: DROVER_LONG=1`);

    beforeAll(async () => {
      if (why !== undefined) return;
      const recorded = readRecording(file)[version];
      if (record && realServerMissing !== undefined) throw new Error(realServerMissing);
      if (recorded === undefined && realServerMissing !== undefined) why = `kubectl ${version} is not recorded, and ${realServerMissing}`;
      if (why !== undefined) return;
      const isRealAsked = record || recorded === undefined || (long && realServerMissing === undefined);
      // Both at once: a session waits for kubectl most of the time.
      [ours, real] = await Promise.all([onOurs(session, path), isRealAsked ? onReal(session, path) : undefined]);
      theirs = (record ? undefined : recorded) ?? real ?? [];
      if (record) writeFileSync(file, `${JSON.stringify({ ...readRecording(file), [version]: theirs }, null, 1)}\n`);
    }, 2 * sessionMs);

    it.for(session.lines.map((line, index) => [line, index] as const))("prints the same: %s", ([line, index], ctx) => {
      if (why !== undefined) ctx.skip(why);
      expect(theirs[index]?.line, "the session was changed, record it anew").toBe(line);
      expect(ours[index]).toEqual(theirs[index]);
    });

    it("has the recorded output on the real server", (ctx) => {
      if (why !== undefined) ctx.skip(why);
      if (realServerMissing !== undefined) ctx.skip(realServerMissing);
      if (!long) ctx.skip("asked in the long mode only: DROVER_LONG=1");
      expect(real).toEqual(theirs);
    });
  });
}
