/** The options of the soaks that measure figures. */
import { parseArgs } from "node:util";
import { parseDuration } from "./durations.ts";
import type { SoakOptions } from "./figure.ts";

/** Ends the process with 2 and a message for options that make no sense. */
export function soakOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      for: { type: "string", default: "10m" },
      seed: { type: "string", default: "1" },
      events: { type: "string" },
      faults: { type: "string" },
      repetitions: { type: "string" },
      histories: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const forMs = parseDuration(values.for) ?? refuse(`--for must be a duration such as 90s, 10m or 2h, not "${values.for}"`);
  const number = (name: "seed" | "events" | "faults" | "repetitions" | "histories"): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const found = Number(text);
    return Number.isSafeInteger(found) && found > 0 ? found : refuse(`--${name} must be a whole number above 0, not "${text}"`);
  };
  const [eventsPerSecond, faultsPerSecond, repetitions, histories] = (["events", "faults", "repetitions", "histories"] as const).map(
    number,
  );
  return {
    forMs,
    seed: number("seed") ?? 1,
    writes: values.write,
    ...(eventsPerSecond === undefined ? {} : { eventsPerSecond }),
    ...(faultsPerSecond === undefined ? {} : { faultsPerSecond }),
    ...(repetitions === undefined ? {} : { repetitions }),
    ...(histories === undefined ? {} : { histories }),
    note: (line) => void process.stdout.write(`${line}\n`),
  };
}

function refuse(message: string): never {
  process.stderr.write(`${message}.\n`);
  process.exit(2);
}
