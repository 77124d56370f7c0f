import { describe, expect, it } from "vitest";
import { readGoFlags } from "./go-flags.ts";
import type { GoFlag } from "./go-flags.ts";

const flags: Readonly<Record<string, GoFlag>> = {
  "secure-port": { type: "value" },
  profiling: { type: "switch" },
  v: { type: "value", short: "v" },
  help: { type: "switch", short: "h" },
};
const read = (...words: readonly string[]): unknown => {
  const given = readGoFlags("drover apiserver", flags, words);
  return typeof given === "string" ? given : Object.fromEntries(given);
};

describe("readGoFlags", () => {
  it.each([
    [["--secure-port=1", "--secure-port", "2"], { "secure-port": ["1", "2"] }],
    [["--secure_port=1"], { "secure-port": ["1"] }],
    [["--secure-port="], { "secure-port": [""] }],
    [["--secure-port", "--profiling"], { "secure-port": ["--profiling"] }],
    [["--secure-port=a=b"], { "secure-port": ["a=b"] }],
    [["--profiling", "--profiling=F", "--profiling=1"], { profiling: ["true", "false", "true"] }],
    [["-v", "2", "-v=3", "-v4", "--v=5"], { v: ["2", "3", "4", "5"] }],
    [["-h"], { help: ["true"] }],
  ])("reads %j as Go does", (words, given) => expect(read(...words)).toEqual(given));

  it.each([
    [["--secure-prt=1"], "drover apiserver has no flag --secure-prt; remove it, or see drover apiserver --help for the flags that it has"],
    [["--constructor"], "drover apiserver has no flag --constructor"],
    [["-x"], "drover apiserver has no flag -x"],
    [["-hx"], "drover apiserver has no flag -hx"],
    [["--secure-port"], "--secure-port needs a value: --secure-port=…; see drover apiserver --help"],
    [["--profiling=maybe"], '--profiling needs true or false, not "maybe"'],
    [["--profiling", "false"], 'drover apiserver takes only flags, not "false"; see drover apiserver --help'],
    [["--"], 'drover apiserver takes only flags, not "--"'],
    [["-"], 'drover apiserver takes only flags, not "-"'],
    [[""], 'drover apiserver takes only flags, not ""'],
  ])("refuses %j and names the flag", (words, text) => expect(read(...words)).toEqual(expect.stringContaining(text)));
});
