import { describe, expect, it } from "vitest";
import { readTokenFile } from "./token-file.ts";

describe("readTokenFile", () => {
  it("reads users and their groups", () => {
    expect(readTokenFile('t1,alice,1,"a, b"\r\n\n "t,2" , "b""ob" ,\nt3,carol,,c\n')).toEqual([
      { token: "t1", user: { name: "alice", uid: "1", groups: ["a", "b"] } },
      { token: "t,2", user: { name: 'b"ob', groups: [] } },
      { token: "t3", user: { name: "carol", groups: ["c"] } },
    ]);
  });
  it("takes the last of several lines with one token, as kube-apiserver does", () => {
    expect(readTokenFile("t,a,1\nt,b,2")).toEqual([{ token: "t", user: { name: "b", uid: "2", groups: [] } }]);
  });
  it.each([
    ["secret,alice", "line 1: it has 2 fields"],
    ["a,b,c\n,alice,1", "line 2: the token is empty"],
    ["secret,,1", "line 1: the user is empty"],
    ['secret,"alice,1', "line 1: a quote is not closed"],
  ])("refuses %j without showing a token", (text, message) => {
    expect(() => readTokenFile(text)).toThrow(`--token-auth-file: ${message}`);
    expect(() => readTokenFile(text)).not.toThrow("secret");
  });
  it("reads hostile lines in linear time", () => {
    const started = performance.now();
    expect(() => readTokenFile(`"${'""'.repeat(200_000)}`)).toThrow("quote");
    expect(() => readTokenFile(" ".repeat(400_000) + "x".repeat(400_000))).toThrow("fields");
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
