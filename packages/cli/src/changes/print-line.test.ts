import { expect, it } from "vitest";
import type { LineGroup } from "./line-grouper.ts";
import { printLine, printLineAsJson } from "./print-line.ts";

const group: LineGroup = { at: 0, who: "kubectl", did: "created", kind: "Pod", names: ["shop/web"], count: 1 };
const escape = "\u001b";

it("printLine prints a change on one line", () => {
  expect(printLine({ ...group, why: "it was missing" }, { hasColor: false })).toBe(
    "00:00:00  kubectl            created Pod shop/web, because it was missing\n",
  );
});

it("printLine escapes what comes from the cluster, also line breaks (SEC19, X23)", () => {
  const evil = `x${escape}[2J\n\u009b31m`;
  const shown = String.raw`x\x1b[2J\x0a\x9b31m`;
  const line = printLine({ ...group, who: evil, kind: evil, names: [evil], of: `${evil}2`, why: evil }, { hasColor: false });
  expect(line).toBe(`00:00:00  ${shown} created ${shown} ${shown} for ${shown}2, because ${shown}\n`);
});

it("printLine keeps the colours of a program's line on a terminal only (SEC19)", () => {
  const line: LineGroup = { ...group, who: "job", did: `${escape}[31mred${escape}[2J`, kind: "", names: [] };
  expect(printLine(line, { hasColor: false })).toBe("00:00:00  job                red\n");
  expect(printLine(line, { hasColor: true })).toContain(`${escape}[31mred${escape}[0m\n`);
  expect(printLine(line, { hasColor: true })).not.toContain(`${escape}[2J`);
});

it("printLineAsJson escapes every control character (SEC19)", () => {
  expect(printLineAsJson({ ...group, names: [`x${escape}\u009b`] })).toContain(String.raw`"names":["x\u001b\u009b"]`);
});
