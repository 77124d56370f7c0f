/**
 * Chooses the operator to ask.
 *
 *     --port, --operator, operators that run here → chooseOperator → address, or what to do
 */
import { humanDuration } from "@drover/machinery";
import type { FoundOperator } from "drover/controller";
import { oneLine } from "../terminal-text.ts";
import type { OperatorChoice } from "./operator-choice.ts";

/** The operator, or why there is none. */
export type Choice =
  | { readonly address: string }
  /** No operator runs, or none of that name. */
  | { readonly missing: string }
  /** Several run. */
  | { readonly ambiguous: string };

/** @param found - operators that run on this machine */
export function chooseOperator(
  { operator, port }: Pick<OperatorChoice, "operator" | "port">,
  found: readonly FoundOperator[],
  now: number,
): Choice {
  if (port !== undefined) return { address: `127.0.0.1:${port}` };
  const named = operator === undefined ? found : found.filter(({ name, pid }) => name === operator || String(pid) === operator);
  const [only, other] = named;
  if (only === undefined)
    return {
      missing:
        operator === undefined || found.length === 0
          ? `no operator${operator === undefined ? "" : ` ${oneLine(operator)}`} runs on this machine as this user\n  fix: start it with app.run() and without DROVER_DEBUG=off; for one in a cluster add\n       --deployment NAME or --pod NAME, and -n NAMESPACE`
          : `no operator ${oneLine(operator)} runs on this machine; these do:\n${listed(found, now)}`,
    };
  if (other === undefined) return { address: only.address };
  return { ambiguous: `several operators run on this machine; add --operator NAME, --operator PID or --port PORT:\n${listed(named, now)}` };
}

const listed = (found: readonly FoundOperator[], now: number): string =>
  found
    .slice(0, 20)
    .map(({ name, pid, address, startedAt }) => `  ${oneLine(name)}  pid ${pid}, ${address}, for ${humanDuration(now - startedAt)}`)
    .join("\n");
