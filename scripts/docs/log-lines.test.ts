import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { logLines, logLinesPage } from "./log-lines.ts";
import { sourceFiles } from "./source-files.ts";

const root = join(import.meta.dirname, "..", "..");

describe("logLines", () => {
  const messages = (text: string): readonly string[] => logLines([{ path: "packages/cache/src/a.ts", text }]).map(({ message }) => message);

  it("finds strings, templates and choices, and leaves out debug lines and variables", () => {
    expect(messages('log.warn("a, (b)", { key });')).toEqual(["a, (b)"]);
    expect(messages("this.#log?.error(`paused ${f({ a })}: ${b}`);")).toEqual(["paused …: …"]);
    expect(messages('log.info(late ? "x" : "y", {});')).toEqual(["x", "y"]);
    expect(messages('log.debug("no"); log.warn(message); log.info(textOf("no"));')).toEqual([]);
  });
});

it("docs/log-lines.md lists the lines that the sources write (npx vitest run scripts/docs/log-lines -u writes it anew)", async () => {
  const lines = logLines(sourceFiles(root));
  expect(lines.length).toBeGreaterThan(80);
  await expect(logLinesPage(lines)).toMatchFileSnapshot(join(root, "docs", "log-lines.md"));
});
