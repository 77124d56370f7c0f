/**
 * Options of all commands that ask an operator: which one.
 *
 *     --operator, --port, --pod, --deployment → readOperator → OperatorChoice, or an error text
 */
import { definedOnly } from "@drover/machinery";
import type { Flags, ReadWords } from "../read-options.ts";

/** An operator in a cluster. */
export interface ClusterTarget {
  readonly type: "pod" | "deployment";
  readonly name: string;
  /** @default that of the kubeconfig's context */
  readonly namespace?: string;
  /** Kubeconfig of the cluster. @default the one kubectl uses */
  readonly kubeconfig?: string;
  /** Context of the kubeconfig. @default the current one */
  readonly context?: string;
}

/** Which operator to ask. At most one of `operator` and `target` is present, and `operator` excludes `port`. */
export interface OperatorChoice {
  /** Name or process id of an operator on this machine. @default the only one that runs */
  readonly operator?: string;
  /** Port of its debug endpoint: of the pod with `target`, else on this machine. @default 4679 with `target`, else the operator's file */
  readonly port?: number;
  /** The operator in a cluster. @default one on this machine */
  readonly target?: ClusterTarget;
}

/** Flags of every command that asks an operator. */
export const operatorFlags: Flags = {
  operator: { type: "string" },
  port: { type: "string" },
  pod: { type: "string" },
  deployment: { type: "string" },
  namespace: { type: "string", short: "n" },
  kubeconfig: { type: "string" },
  context: { type: "string" },
};

/** Returns the choice, or a text that says what is wrong and how to fix it. */
export function readOperator({ given }: Pick<ReadWords, "given">): OperatorChoice | string {
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const [operator, port] = [last("operator"), last("port")];
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return `--port needs a number from 1 to 65535, not "${port}"`;
  const chosen = (["operator", "pod", "deployment"] as const).filter((name) => given.has(name));
  if (chosen.length > 1) return `${chosen.map((name) => `--${name}`).join(" and ")} exclude each other`;
  if (port !== undefined && operator !== undefined) return "--port and --operator exclude each other";
  const target = targetOf(last);
  if (typeof target === "string") return target;
  const unused = (["kubeconfig", "context"] as const).find((name) => target === undefined && given.has(name));
  if (unused !== undefined) return `--${unused} selects a cluster; add --pod NAME or --deployment NAME to ask an operator there`;
  return definedOnly({ operator, target, port: port === undefined ? undefined : Number(port) });
}

/** Reads [NAMESPACE/]NAME: the namespace of the operator may be another one than that of the object, which -n names. */
function targetOf(last: (name: string) => string | undefined): ClusterTarget | undefined | string {
  const type = (["pod", "deployment"] as const).find((each) => last(each) !== undefined);
  if (type === undefined) return undefined;
  const words = last(type) ?? "";
  const [name = "", namespace = last("namespace"), ...more] = words.split("/").toReversed();
  if (name === "" || namespace === "" || more.length > 0) return `--${type} needs NAME or NAMESPACE/NAME, not "${words}"`;
  return { type, name, ...definedOnly({ namespace, kubeconfig: last("kubeconfig"), context: last("context") }) };
}
