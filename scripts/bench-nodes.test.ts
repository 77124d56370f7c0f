/** Which Node releases `npm run bench -- nodes` measures: tested here, because it must not skip one that its user has named. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findNodes } from "../bench/nodes/found-nodes.ts";
import type { FoundNodes } from "../bench/nodes/found-nodes.ts";
import { nodePackage, nodeProgram } from "./node-package.mjs";

describe("findNodes", () => {
  let folder = "";
  const versions = new Map<string, string>();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-found-nodes-"));
    versions.clear();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const place = (name: string): string => join(folder, name);
  function put(program: string, version: string): string {
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, "");
    versions.set(program, version);
    return program;
  }
  function find(...listed: readonly string[]): FoundNodes {
    return findNodes({
      listed: listed.join(delimiter),
      folderOf: (major) => place(`beside-${major}`),
      own: put(place("own"), "20.20.2"),
      versionOf: (program) => versions.get(program) ?? `no Node at ${program}`,
    });
  }
  const foundVersions = ({ nodes }: FoundNodes): readonly string[] => nodes.map(({ version }) => version);

  it("accepts a program, a folder of a release and a folder that npm installed into, and sorts them by version", () => {
    const program = put(place("some-node"), "26.9.0");
    put(nodeProgram(place("release")), "26.10.0");
    put(nodeProgram(nodePackage(place("installed"))), "22.23.3");
    expect(foundVersions(find(program, place("release"), place("installed")))).toEqual(["20.20.2", "22.23.3", "26.9.0", "26.10.0"]);
  });

  it("adds the installed majors that are not listed, and the Node that runs it", () => {
    const listed = put(place("some-node"), "24.1.0");
    put(nodeProgram(nodePackage(place("beside-22"))), "22.23.3");
    put(nodeProgram(nodePackage(place("beside-24"))), "24.21.0");
    const found = find(listed);
    expect(foundVersions(found)).toEqual(["20.20.2", "22.23.3", "24.1.0"]);
    expect(found.missing).toEqual(["26"]);
  });

  it("prefers an installed Node of its own major to the one that runs it", () => {
    put(nodeProgram(nodePackage(place("beside-20"))), "20.19.0");
    expect(foundVersions(find())).toEqual(["20.19.0"]);
  });

  it("lists a version once", () => {
    expect(foundVersions(find(put(place("one"), "24.1.0"), put(place("two"), "24.1.0")))).toEqual(["20.20.2", "24.1.0"]);
  });

  it("names every major that is not here as missing", () => {
    expect(find().missing).toEqual(["22", "24", "26"]);
  });

  it("rejects an entry that is no Node, naming it", () => {
    mkdirSync(place("empty"));
    expect(() => find(place("empty"))).toThrow(`DROVER_NODES: ${place("empty")} is neither`);
    expect(() => find(place("nowhere"))).toThrow(`DROVER_NODES: ${place("nowhere")} is neither`);
  });

  it("rejects a program that is not Node", () => {
    expect(() => findNodes({ listed: "/bin/echo" })).toThrow("/bin/echo is not Node");
  });
});
