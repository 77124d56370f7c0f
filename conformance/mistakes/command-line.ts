/** Mistakes on the command line of `drover`. */
import { parseCommandLine } from "../../packages/cli/src/command-line.ts";
import type { Mistake } from "./mistake.ts";

const typed =
  (...words: readonly string[]): (() => string) =>
  () => {
    const command = parseCommandLine(words);
    return command.name === "mistake" ? command.message : "";
  };

export const commandLine: readonly Mistake[] = [
  { title: "a command that does not exist", act: typed("start"), says: ["start", "--help"] },
  { title: "a misspelt option", act: typed("up", "--node", "3"), says: ["--node", "--nodes"] },
  { title: "an option without its value", act: typed("up", "--port"), says: ["--port needs a value", "--help"] },
  { title: "a port that is no number", act: typed("up", "--port", "http"), says: ["--port", "http"] },
  { title: "a port beyond the last", act: typed("up", "--port", "70000"), says: ["--port", "65535"] },
  { title: "too many nodes", act: typed("up", "--nodes", "9999"), says: ["--nodes", "250"] },
  { title: "a value for a flag", act: typed("up", "--instant=yes"), says: ["--instant", "takes no value"] },
  { title: "--json and --quiet", act: typed("up", "--json", "--quiet"), says: ["--json and --quiet"] },
  { title: "a word too many", act: typed("up", "web.yaml"), says: ["web.yaml"] },
  { title: "an authorization mode that does not exist", act: typed("up", "--authorization-mode", "ABAC"), says: ["ABAC", "RBAC"] },
  {
    title: "--anonymous for other machines",
    act: typed("up", "--anonymous", "--host", "0.0.0.0"),
    says: ["--anonymous", "--allow-everyone"],
  },
  { title: "--data together with --etcd", act: typed("up", "--data", "d", "--etcd", "http://127.0.0.1:2379"), says: ["--data", "--etcd"] },
];
