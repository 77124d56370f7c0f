/** Compares a chain of handlers with a plain loop over their names, whatever the handlers do and whichever are removed meanwhile. */
import fc from "fast-check";
import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { ErrIgnore } from "./err-ignore.ts";
import { isRetryAfterError, RetryAfterError } from "./retry-after-error.ts";
import { SharedHandler } from "./shared-handler.ts";
import { handlerContext } from "./testing/handler-context.ts";

const version = (resourceVersion: string, uid = "u1"): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", uid, resourceVersion },
});

interface Step {
  readonly does: "nothing" | "returns" | "returns blank" | "fails" | "ignores" | "later";
  readonly isAsync: boolean;
  /** Index of the handler whose registration this one ends; it may be its own or none. */
  readonly ends: number;
}

const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom("nothing", "returns", "returns blank", "fails", "ignores", "later"),
    isAsync: fc.boolean(),
    ends: fc.integer({ min: 0, max: 11 }),
  }),
  { maxLength: 8 },
);

/** The expected calls, and how the chain ends. */
function expected(chain: readonly Step[]): { readonly calls: readonly string[]; readonly outcome: string } {
  const ended = new Set<number>();
  const [calls, failures, laters]: [string[], string[], number[]] = [[], [], []];
  let seen = "0";
  chain.forEach(({ does, ends }, place) => {
    if (ended.has(place)) return;
    calls.push(`${place}@${seen}`);
    ended.add(ends);
    if (does === "returns") seen = `${place + 1}`;
    if (does === "fails") failures.push(`handler h${place}: no ${place}`);
    if (does === "later") laters.push(1000 + place);
  });
  return { calls, outcome: failures.length > 0 ? failures.join(", ") : laters.length > 0 ? `after ${Math.min(...laters)}` : "well" };
}

function act(does: Step["does"], place: number): KubeObject | undefined {
  if (does === "fails") throw new Error(`no ${place}`);
  if (does === "ignores") throw ErrIgnore;
  if (does === "later") throw new RetryAfterError(1000 + place);
  if (does === "nothing") return undefined;
  return does === "returns" ? version(`${place + 1}`) : version("blank", "");
}

it("SharedHandler runs the registered handlers in order, whatever they do and whichever are removed meanwhile", async () => {
  const runtime = testRuntime();
  await fc.assert(
    fc.asyncProperty(steps, async (chain) => {
      const shared = new SharedHandler({ runtime, controllerName: "pods" });
      const ends = chain.map(() => new AbortController());
      const calls: string[] = [];
      chain.forEach(({ does, isAsync, ends: ended }, place) =>
        shared.register(ends[place]?.signal ?? AbortSignal.abort(), `h${place}`, (_key, object) => {
          calls.push(`${place}@${object?.metadata.resourceVersion}`);
          ends[ended]?.abort();
          return isAsync ? Promise.resolve().then(() => act(does, place)) : act(does, place);
        }),
      );
      const outcome = await shared.onChange(objectKey("web"), version("0"), handlerContext({ runtime })).then(
        () => "well",
        (error: unknown) => (isRetryAfterError(error) ? `after ${error.afterMs}` : (error as Error).message),
      );
      expect({ calls, outcome }).toEqual(expected(chain));
      expect(shared.names).toEqual(chain.flatMap((_step, place) => (ends[place]?.signal.aborted === true ? [] : [`h${place}`])));
    }),
    { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 4) },
  );
});
