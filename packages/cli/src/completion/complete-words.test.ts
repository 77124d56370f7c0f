import { describe, expect, it } from "vitest";
import { questions } from "../ask/ask-options.ts";
import { tools } from "../tool-command.ts";
import { usageNamed } from "../usage.ts";
import { commandsIn, flagsIn } from "./command-flags.ts";
import { completeWords, completionLines } from "./complete-words.ts";

const codes = async () => [{ word: "DRV0310", about: "The server refused the connection" }, { word: "DRV0401" }];
const answer = async (...words: string[]): Promise<readonly string[]> =>
  completionLines(await completeWords(words, { help: usageNamed, codes }));
const wordsOf = async (...words: string[]): Promise<readonly string[]> => (await answer(...words)).map((line) => line.split("\t")[0] ?? "");

describe("completeWords", () => {
  it("completes commands, with what they do", async () => {
    const commands = await wordsOf("");
    expect(commands).toEqual([...commandsIn(usageNamed("drover")).map(({ name }) => name), ":4"]);
    for (const command of [...questions, ...tools, "up", "kinds", "migrate", "data", "apiserver", "envtest"])
      expect(commands).toContain(command);
    expect(await answer("do")).toEqual([expect.stringMatching(/^doctor\tchecks what an operator needs/), ":4"]);
  });

  it("completes options of the command, with what they do", async () => {
    expect(await answer("up", "--node")).toEqual(["--nodes\tnumber of simulated nodes", ":4"]);
    expect(await wordsOf("migrate", "--")).toEqual(["--all", "--dry-run", "--chunk-size", "--kubeconfig", "--context", "--help", ":4"]);
    expect(await wordsOf("apiserver", "--etcd-s")).toContain("--etcd-servers");
    expect(await wordsOf("up", "--etcd-c")).toEqual(["--etcd-cafile", "--etcd-certfile", ":4"]);
  });

  it("lets the shell complete files and folders where the command takes them", async () => {
    expect(await answer("up", "--data", "")).toEqual([":16"]);
    expect(await answer("up", "--apply", "x")).toEqual([":0"]);
    // As bash passes "--apply=x".
    expect(await answer("up", "--apply", "=", "x")).toEqual([":0"]);
    expect(await answer("kinds", "a.yaml", "")).toEqual([":0"]);
    expect(await answer("data", "verify", "--file", "a", "")).toEqual([":16"]);
    expect(await answer("up", "--nodes", "")).toEqual([":4"]);
  });

  it("completes actions, shells and codes", async () => {
    expect(await wordsOf("data", "")).toEqual(["verify", "export", "import", "compact", ":4"]);
    expect(await wordsOf("completion", "b")).toEqual(["bash", ":4"]);
    expect(await answer("explain", "DRV03")).toEqual(["DRV0310\tThe server refused the connection", ":4"]);
    expect(await wordsOf("help", "env")).toEqual(["envtest", ":4"]);
  });

  it("has nothing for commands that do not exist, also not those of Object", async () => {
    for (const command of ["start", "constructor", "--help"]) expect(await answer(command, "")).toEqual([":4"]);
  });
});

it("flagsIn finds every option that the help of a command names", () => {
  for (const { name } of commandsIn(usageNamed("drover"))) {
    const usage = usageNamed(name);
    const named = new Set([...usage.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(([, flag = ""]) => flag));
    const found = flagsIn(usage).map((flag) => flag.name);
    expect(found).toEqual(expect.arrayContaining([...named]));
  }
});
