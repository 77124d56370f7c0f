import { describe, expect, it } from "vitest";
import { readOptions } from "../read-options.ts";
import { operatorFlags, readOperator } from "./operator-choice.ts";

const read = (words: string): unknown => {
  const given = readOptions("drover status", operatorFlags, words.split(" "));
  if (typeof given === "string") throw new Error(given);
  return readOperator(given);
};

describe("readOperator", () => {
  it("reads an operator of this machine, a pod or a deployment; -n is the namespace of a pod that names none", () => {
    expect(read("--operator shop")).toEqual({ operator: "shop" });
    expect(read("--port 4679")).toEqual({ port: 4679 });
    expect(read("--pod op-0 --port 9")).toEqual({ target: { type: "pod", name: "op-0" }, port: 9 });
    expect(read("--deployment op -n shop --context c --kubeconfig k")).toEqual({
      target: { type: "deployment", name: "op", namespace: "shop", context: "c", kubeconfig: "k" },
    });
    expect(read("--deployment home/op -n shop")).toEqual({ target: { type: "deployment", name: "op", namespace: "home" } });
  });

  it.each([
    ["--pod a --deployment b", "--pod and --deployment exclude each other"],
    ["--pod a --operator b", "--operator and --pod exclude each other"],
    ["--port 1 --operator b", "--port and --operator exclude each other"],
    ["--pod a/b/c", 'NAME or NAMESPACE/NAME, not "a/b/c"'],
    ["--pod /b", 'not "/b"'],
    ["--deployment a/", 'not "a/"'],
    ["--context c", "--context selects a cluster; add --pod NAME"],
    ["--port 65536", "--port needs a number from 1 to 65535"],
  ])("%s is refused with the fix", (words, message) => expect(read(words)).toContain(message));
});
