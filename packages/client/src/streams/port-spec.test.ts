import { describe, expect, it } from "vitest";
import { parsePortSpec } from "./port-spec.ts";

describe("parsePortSpec", () => {
  it.each([
    ["5000", { local: 5000, remote: 5000 }],
    ["5000:5000", { local: 5000, remote: 5000 }],
    ["8888:5000", { local: 8888, remote: 5000 }],
    ["0:5000", { local: 0, remote: 5000 }],
    [":5000", { local: 0, remote: 5000 }],
    ["65535", { local: 65_535, remote: 65_535 }],
  ])("parses %s", (text, spec) => expect(parsePortSpec(text)).toEqual(spec));

  it.each([
    ["", "local port in ''"],
    [":", "remote port in ':'"],
    ["-5", "local port in '-5'"],
    ["65536", "local port in '65536'"],
    ["a:5000", "local port in 'a:5000'"],
    ["5000:a", "remote port in '5000:a'"],
    ["5000:65536", "remote port"],
    ["5000:0", "must be greater than 0"],
    ["0", "must be greater than 0"],
    ["5000:", "remote port in '5000:'"],
    ["1:2:3", "write REMOTE or LOCAL:REMOTE"],
    ["1e3", "local port"],
  ])("rejects '%s'", (text, message) => expect(() => parsePortSpec(text)).toThrow(message));
});
