import { describe, expect, it } from "vitest";
import { readAskOptions } from "./ask-options.ts";
import type { Question } from "./ask-options.ts";

const read = (question: Question, words: string): unknown => readAskOptions(question, words === "" ? [] : words.split(" "));
const plain = { failed: false, follow: false, json: false };

describe("readAskOptions", () => {
  it("reads objects as kubectl does, and options", () => {
    const object = { kind: "webapps.shop.example.com", name: "web" };
    expect(read("why", "webapps.shop.example.com/web")).toEqual({ question: "why", object, ...plain });
    expect(read("why", "webapps.shop.example.com web -n shop --limit 3 --json")).toEqual({
      question: "why",
      object: { ...object, namespace: "shop" },
      ...plain,
      limit: 3,
      json: true,
    });
    expect(read("trace", "-f --port 4679")).toEqual({ question: "trace", ...plain, follow: true, port: 4679 });
    expect(read("requests", "--failed --operator shop")).toEqual({ question: "requests", ...plain, failed: true, operator: "shop" });
    expect(read("diff", "cm a --pod op-0 -n shop")).toEqual({
      question: "diff",
      object: { kind: "cm", name: "a", namespace: "shop" },
      target: { type: "pod", name: "op-0", namespace: "shop" },
      ...plain,
    });
    expect(read("queue", "--help")).toBe("help");
  });

  it.each([
    ["why", "", "drover why KIND/NAME"],
    ["why", "web", 'not "web"'],
    ["why", "a/b/c", "the namespace is an option"],
    ["tree", "a b c", 'not "a b c"'],
    ["status", "web", "takes only options"],
    ["status", "--namespace x", "-n is the namespace of --pod or --deployment"],
    ["queue", "--limit 0", "--limit needs a number from 1 to 2000"],
    ["queue", "--port 0", "--port needs a number from 1 to 65535"],
    ["status", "--port 1 --operator x", "exclude each other"],
    ["diff", "", "drover diff KIND/NAME"],
    ["plan", "web", "takes only options"],
    ["plan", "--limit 0", "--limit needs a number from 1 to 50000"],
    ["queue", "-n shop", "drover queue asks about no object"],
    ["trace", "-n shop", "drover trace KIND/NAME"],
  ] as const)("drover %s %s is refused with the fix", (question, words, message) => {
    expect(read(question, words)).toEqual({ mistake: expect.stringContaining(message) as string });
  });
});
