import { expect, it } from "vitest";
import { serverFlags } from "./apiserver/server-flags.ts";
import { parseCommandLine } from "./command-line.ts";
import { etcdFlags } from "./envtest/etcd-options.ts";
import { usageOf } from "./usage.ts";

it.each(["up", "kinds", "migrate", "status", "why", "queue", "requests", "trace", "tree"] as const)(
  "usage of drover %s lists exactly its options",
  (command) => {
    const listed = [...new Set(usageOf(command).match(/--[a-z-]+/g))].filter((option) => option !== "--help");
    const mistake = parseCommandLine([command, "--nothing"]);
    expect(
      mistake.name === "mistake"
        ? mistake.message
            .match(/--[a-z-]+/g)
            ?.filter((option) => !["--nothing", "--help"].includes(option))
            .toSorted()
        : mistake,
    ).toEqual(listed.toSorted());
  },
);

it("usage lists only existing commands", () => {
  for (const [line] of usageOf("drover").matchAll(/(?<=^ {2}drover )\S+(?: --?\S+)?/gm)) {
    const command = parseCommandLine(line.split(" "));
    // A command that needs arguments says so.
    if (command.name === "mistake") expect(command.message).toMatch(/needs (?:files|names|one of)/);
  }
});

it("usage of drover apiserver and of etcd lists each flag in a line of its own, as envtest looks for it", () => {
  const listed = (topic: "apiserver" | "envtest etcd"): readonly string[] =>
    [...usageOf(topic).matchAll(/^\s*--?([a-z0-9-]+)\b/gm)].map(([, name = ""]) => name).toSorted();
  // envtest would set --insecure-port if it were listed.
  expect(listed("apiserver")).toEqual(
    Object.keys(serverFlags)
      .filter((name) => name !== "insecure-port")
      .toSorted(),
  );
  expect(listed("envtest etcd")).toEqual(Object.keys(etcdFlags).toSorted());
});
