/**
 * A scene in which a callback of a user fails with every hostile value, one per ConfigMap.
 *
 *     survives((mine) => app) → for each value a ConfigMap → the callback throws it twice → retried until it succeeds
 */
import { ConfigMap } from "@drover/api/core/v1";
import { hostileValues } from "@drover/machinery/testing";
import type { HostileValue } from "@drover/machinery/testing";
import { expect } from "vitest";
import type { HarnessApp } from "../harness/harness-app.ts";
import { harness } from "../harness/harness.ts";
import type { Harness } from "../harness/harness.ts";

/** Longest line of the log: the budget "machinery/log-line". */
const lineBytesMax = 128 * 1024;

/** Every value in the long mode; else every 16th, because a place takes seconds for all of them. */
export const chosen: readonly HostileValue[] = hostileValues.filter((_, index) => process.env["DROVER_LONG"] === "1" || index % 16 === 0);
/** The names of the ConfigMaps, one per hostile value, in the order of the list. */
export const names: readonly string[] = chosen.map((_, index) => `value-${index}`);
const valueAt: ReadonlyMap<string, HostileValue | undefined> = new Map(names.map((name, index) => [name, chosen[index]]));

/** Code of a user that fails with hostile values. */
export class Mine {
  /** Names of the objects for which it succeeded. */
  readonly succeeded = new Set<string>();
  readonly #fails: number;
  readonly #failures = new Map<string, number>();
  /** How often it failed. */
  thrown = 0;

  constructor(fails: number = 2) {
    this.#fails = fails;
  }

  /** Returns the value that this object's turn should fail with, as a box; undefined when it should succeed. */
  value(name: string | undefined = ""): { readonly value: unknown } | undefined {
    const hostile = valueAt.get(name);
    const failures = this.#failures.get(name) ?? 0;
    if (hostile === undefined || failures >= this.#fails) {
      this.succeeded.add(name);
      return undefined;
    }
    this.#failures.set(name, failures + 1);
    this.thrown++;
    return { value: hostile.make() };
  }

  /** Throws the value of this object, the first times; then returns. */
  go(name: string | undefined): void {
    const box = this.value(name);
    // oxlint-disable-next-line typescript/only-throw-error -- that is the point
    if (box !== undefined) throw box.value;
  }
}

export interface SceneOptions {
  /** How often the callback fails per object. @default 2 */
  readonly fails?: number;
  /** Creates the object of a value. @default creates a ConfigMap */
  readonly create?: (t: Harness, name: string) => Promise<unknown>;
  /**
   * How often a failure may be reported: one error or warning per failure; more, if something else fails as well; one in all, for a
   * callback that is called all the time; some, where only rejections are failures; none, for a value that is no failure. @default "each"
   */
  readonly reports?: "each" | "more" | "some" | "first" | "none";
  /** What happens after the ConfigMaps were created and everything settled, before the check. @default nothing */
  readonly afterwards?: (t: Harness) => Promise<void>;
}

/**
 * Runs an app whose callbacks are mined. Asserts that every object is processed in the end, that one created later is processed too, that
 * no rejection is unhandled, that every line of the log is bounded, and that no failure is reported twice.
 */
export async function survives(
  app: (mine: Mine) => HarnessApp,
  { fails = 2, afterwards, create = createConfigMap, reports = "each" }: SceneOptions = {},
): Promise<void> {
  const mine = new Mine(fails);
  await quietly(async () => {
    await using t = await harness(app(mine), { retryFor: "3h" });
    for (const name of names) {
      await create(t, name);
      // Log lines are limited to ten per second: without a pause only the first values would be printed.
      if (names.length > 10) await t.advance("1s");
    }
    await t.settled({ twice: false });
    await create(t, "last");
    await t.settled({ twice: false });
    await afterwards?.(t);
    // Handlers outside of controllers have retries that the harness does not wait for.
    await t.advance("10m");
    expect([...names, "last"].filter((name) => !mine.succeeded.has(name)).map((name) => valueAt.get(name)?.name ?? name)).toEqual([]);
    expectBounded(t.log.lines);
    const lines = t.log.entries.filter(({ level, message }) => level !== "info" && level !== "debug" && !message.startsWith("Warning: "));
    if (mine.thrown > 0) expect(lines.length, "reports").toBeGreaterThanOrEqual(reports === "none" || reports === "some" ? 0 : 1);
    const most = reports === "each" || reports === "some" ? mine.thrown : reports === "more" ? 10 * mine.thrown : 1;
    if (mine.thrown > 0) expect(lines.length, "reports").toBeLessThanOrEqual(most);
  });
}

const createConfigMap = (t: Harness, name: string): Promise<unknown> => t.create(ConfigMap, { metadata: { name } });

export function expectBounded(lines: readonly string[]): void {
  for (const line of lines) if (Buffer.byteLength(line) > lineBytesMax) expect.fail(`a log line of ${line.length} characters`);
}

/** Runs work during which no rejection may stay unhandled. */
export async function quietly(work: () => Promise<void>): Promise<void> {
  let unhandled = 0;
  const count = (): void => void unhandled++;
  process.on("unhandledRejection", count);
  try {
    await work();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", count);
  }
  expect(unhandled).toBe(0);
}
