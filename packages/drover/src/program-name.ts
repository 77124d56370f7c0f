/** The default user agent, shown in the server's audit log. */
import { basename } from "node:path";
import { formatUserAgent } from "@drover/client";

/** Names of systems and processors where Go, and so other Kubernetes clients, differ from Node. */
const goNames: Readonly<Record<string, string>> = { win32: "windows", x64: "amd64", ia32: "386" };
const goName = (name: string): string => (Object.hasOwn(goNames, name) ? (goNames[name] ?? name) : name);

/** `shop-operator/unknown (linux/amd64) drover/unknown`, from the file that Node was started with. */
export function defaultUserAgent(): string {
  const program = basename(process.argv[1] ?? "").replace(/\.[cm]?[jt]s$/, "");
  return formatUserAgent({ program: program === "" ? "node" : program, os: goName(process.platform), arch: goName(process.arch) });
}
