import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "drover";
import { Namespace } from "drover/kinds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { UpOptions } from "./command-line.ts";
import { up } from "./up.ts";

const usual: Omit<UpOptions, "kubeconfig"> = { host: "127.0.0.1", port: 0, anonymous: false, nodes: 1, instant: true, apply: [], run: [], greeting: undefined, story: "text" };

describe("drover up", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-up-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is ready when it says so, and leaves nothing behind", async () => {
    const kubeconfig = join(folder, "config");
    const ending = new AbortController();
    let said = "";
    let greeted: () => void = () => undefined;
    const greeting = new Promise<void>((resolve) => void (greeted = resolve));
    const running = up({ ...usual, kubeconfig }, { signal: ending.signal, isTerminal: false, write: (text) => {
      said += text;
      greeted();
    } });
    await Promise.race([greeting, running]);
    const cluster = await connect({ kubeconfig });
    expect((await cluster.client.list(Namespace)).items.map(({ metadata }) => metadata.name)).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
    await cluster.close();
    ending.abort();
    await running;
    expect(said).toMatch(/export KUBECONFIG=[^]*Ended\.\n$/);
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it("ends when it is told so before anything lives on its server", async () => {
    const kubeconfig = join(folder, "config");
    const ending = new AbortController();
    await up({ ...usual, kubeconfig }, { signal: ending.signal, isTerminal: false, write: () => ending.abort() });
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it("starts nothing when the file is another's", async () => {
    const kubeconfig = join(folder, "config");
    writeFileSync(kubeconfig, "mine");
    await expect(up({ ...usual, kubeconfig }, { signal: new AbortController().signal, isTerminal: false, write: () => expect.unreachable() })).rejects.toThrow("drover did not write it");
  });
});
