import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { greeting, greetingAsJson } from "./greeting.ts";
import type { GreetingOptions } from "./greeting.ts";

const options = {
  url: "https://127.0.0.1:40123",
  kubeconfig: "/home/me/.drover/kubeconfig",
  startedInMs: 321,
  hasKubectl: true,
  platform: "linux",
  nodes: 3,
};
const lines = (changed: Partial<GreetingOptions>): string[] =>
  greeting({ ...options, ...changed })
    .split("\n")
    .filter((line) => line.startsWith("  "));

it("greeting contains the lines to copy", () => {
  expect(lines({})).toEqual([
    "  export KUBECONFIG=/home/me/.drover/kubeconfig",
    "  kubectl get nodes",
    "  kubectl create deployment web --image nginx",
    "  kubectl get pods -o wide -w",
  ]);
  expect(greeting(options)).toContain("ready at https://127.0.0.1:40123, 0.32 s after the start");
  expect(lines({ kubeconfig: String.raw`C:\me's\kubeconfig`, platform: "win32" })[0]).toBe(
    String.raw`  $env:KUBECONFIG = 'C:\me''s\kubeconfig'`,
  );
});

it("greeting uses the given hints instead of the default ones", () => {
  expect(lines({ hints: "kubectl get pods   three\n\nkubectl get nodes\n" }).slice(1)).toEqual([
    "  kubectl get pods   three",
    "  kubectl get nodes",
  ]);
});

it("greetingAsJson prints one line", () => {
  expect(JSON.parse(greetingAsJson(options))).toEqual({
    ready: true,
    url: options.url,
    kubeconfig: options.kubeconfig,
    startedInMs: 321,
    nodes: 3,
  });
});

it("greeting quotes the path for the shell", () => {
  for (const path of ["/tmp/a b/c", "/tmp/it's $HOME/`x`", '/tmp/"\\']) {
    const [line = ""] = lines({ kubeconfig: path });
    expect(execFileSync("sh", ["-c", `${line}; printf %s "$KUBECONFIG"`], { encoding: "utf8" })).toBe(path);
  }
});

it("greeting says how to install kubectl if it is missing", () => {
  expect(greeting(options)).not.toContain("install");
  expect(greeting({ ...options, hasKubectl: false })).toContain("https://kubernetes.io/docs/tasks/tools");
});
